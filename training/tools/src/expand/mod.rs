//! `expand`: packed games to flat arrays that a GPU reads: each position of each game, the legal moves of each, and
//! the games.
//!
//! All arrays are raw and little-endian; N positions, M moves and G games:
//!
//! | File        | Type and shape | Of each |
//! |-------------|----------------|---------|
//! | squares.bin | u8 \[N, 64]    | position: pieces and attackers, see [`squares`] |
//! | state.bin   | u8 \[N, 4]     | position: rights, en passant, clock, move played, see [`position`] |
//! | first.bin   | u32 \[N + 1]   | position: where its legal moves start in moves.bin |
//! | moves.bin   | u16 \[M]       | legal move, in the canonical order, see [`packed_move`] |
//! | game.bin    | u32 \[N]       | position: the number of its game |
//! | games.bin   | 16 bytes \[G]  | game, see below |
//! | meta.json   |                | version of this format, N, M and G; written last |
//!
//! A game is its first position (u32), plies, ratings of White and Black, year (u16 each), result,
//! twice the pace and whether online (u8 each) and two zero bytes.
//!
//! A game of n plies has n + 1 positions; the last is the one after its last move.

mod arrays;
mod chunk;
mod order;
mod output;
// What the board network sees: the files of plyzip that are needed, so that its dependencies are not.
#[path = "../../../../codec/src/board_network/packed_move.rs"]
mod packed_move;
mod position;
#[path = "../../../../codec/src/board_network/squares.rs"]
mod squares;
#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;

#[cfg(feature = "plyzip")]
pub use arrays::VERSION;
#[cfg(feature = "plyzip")]
pub use position::{END, NOTHING};

use crate::packed;

/// Turn packed games into flat arrays that a GPU reads
#[derive(Args)]
#[command(after_help = "\
OUT_DIR gets these arrays, raw and little-endian, of N positions, M moves and G games:
  squares.bin  u8 [N, 64]    pieces and attackers of each square
  state.bin    u8 [N, 4]     rights and check, en passant, clock, place of the move played
  first.bin    u32 [N + 1]   where each position's legal moves start in moves.bin
  moves.bin    u16 [M]       legal moves: from, to, promotion
  game.bin     u32 [N]       each position's game
  games.bin    16 bytes [G]  start, plies, ratings, year, result, pace
  meta.json                  version of this format, N, M and G; written last")]
pub struct Arguments {
    /// Games that `pack` packed, also compressed with xz
    packed: PathBuf,
    /// Folder for the arrays; made if it is not there
    out_dir: PathBuf,
    /// Threads that compute; 0: one for each core
    #[arg(long, default_value_t = 0)]
    threads: usize,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let start = Instant::now();
    let packed = packed::read(&arguments.packed)?;
    let games = packed::games(&packed)?;
    let read = start.elapsed();
    let counts = arrays::expand(&games, &arguments.out_dir, arguments.threads)?;
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
