//! `plyzip-expand PACKED OUT_DIR` turns packed games (`training_data pack`) into flat arrays that a
//! GPU reads: each position of each game, the legal moves of each, and the games.
//!
//! A packed file may be compressed with xz. All arrays are raw and little-endian; N positions, M
//! moves and G games:
//!
//! | File        | Type and shape | Of each |
//! |-------------|----------------|---------|
//! | squares.bin | u8 \[N, 64]    | position: pieces and attackers, see [`position`] |
//! | state.bin   | u8 \[N, 4]     | position: rights, en passant, clock, move played; there too |
//! | first.bin   | u32 \[N + 1]   | position: where its legal moves start in moves.bin |
//! | moves.bin   | u16 \[M]       | legal move, in the canonical order |
//! | game.bin    | u32 \[N]       | position: the number of its game |
//! | games.bin   | 16 bytes \[G]  | game, see below |
//! | meta.json   |                | version of this format, N, M and G; written last |
//!
//! A game is its first position (u32), plies, ratings of White and Black, year (u16 each), result,
//! twice the pace and whether online (u8 each) and two zero bytes.
//!
//! A game of n plies has n + 1 positions; the last is the one after its last move.
//!
//! An executable that needs no shared libraries, for machines that have nothing else:
//!
//! ```sh
//! RUSTFLAGS='-C target-feature=+crt-static' \
//!     cargo build --release --target x86_64-unknown-linux-gnu -p plyzip-expand
//! ```
//!
//! The target must be named, or the flags reach procedural macros, which cannot be static.

#![forbid(unsafe_code)]

mod chunk;
mod expand;
#[path = "../../../src/chess/order.rs"]
mod order;
mod output;
mod packed;
mod position;
#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context;
use clap::Parser;

/// Turns packed chess games into flat arrays that a GPU reads.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// Games as `training_data pack` writes them, also compressed with xz.
    packed: PathBuf,
    /// Folder for the arrays; made if it is not there.
    out_dir: PathBuf,
    /// Threads that compute; 0: one for each core.
    #[arg(long, default_value_t = 0)]
    threads: usize,
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let start = Instant::now();
    let packed = packed::read(&arguments.packed)
        .with_context(|| format!("cannot read {}", arguments.packed.display()))?;
    let games = packed::games(&packed)?;
    let read = start.elapsed();
    let counts = expand::expand(&games, &arguments.out_dir, arguments.threads)?;
    println!(
        "{} games, {} positions, {} moves; {:.1} s, {:.1} s of it reading",
        counts.games,
        counts.positions,
        counts.moves,
        start.elapsed().as_secs_f64(),
        read.as_secs_f64(),
    );
    Ok(())
}
