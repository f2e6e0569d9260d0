//! Expands all games in order, chunk by chunk: threads compute some chunks while another writes
//! those before them.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use anyhow::{Context, ensure};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use serde_json::json;

use super::chunk::Chunk;
use super::output::Output;
use crate::packed::Game;

/// The version of the arrays, for programs that read them.
pub const VERSION: u32 = 1;

/// Games of a chunk: some megabytes, little enough that all cores end at about the same time.
const CHUNK: usize = 256;

/// Chunks for each thread between two hand-overs to the one that writes.
const CHUNKS_PER_THREAD: usize = 4;

const META: &str = "meta.json";

/// Counts of games, positions and moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    pub games: usize,
    pub positions: usize,
    pub moves: u64,
}

/// Writes the arrays of `games` into `folder`, computed by `threads` threads or, if that is 0, by
/// one for each core.
pub fn expand(games: &[Game], folder: &Path, threads: usize) -> anyhow::Result<Counts> {
    let positions = games.iter().map(Game::positions).sum::<usize>();
    ensure!(u32::try_from(positions).is_ok(), "{positions} positions are more than u32 counts");
    let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    // Without it, the arrays of another run and of this one are not taken for a whole.
    match fs::remove_file(folder.join(META)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
        _ => {}
    }

    let arrays = Arrays::create(folder).context("cannot begin the arrays")?;
    let arrays = thread::scope(|scope| {
        // A send waits until the writer is ready, so that two windows at most are in memory.
        let (sender, receiver) = sync_channel(0);
        let writer = scope.spawn(move || arrays.write_all(&receiver));
        let window = CHUNK * CHUNKS_PER_THREAD * pool.current_num_threads();
        for (index, games) in games.chunks(window).enumerate() {
            let chunks = pool.install(|| chunks(games, index * window))?;
            if sender.send(chunks).is_err() {
                // The writer failed and says why.
                break;
            }
        }
        drop(sender);
        writer.join().expect("the writer does not panic").context("cannot write the arrays")
    })?;
    let games_file = write_games(games, folder).context("cannot write games.bin")?;

    let counts = Counts { games: games.len(), positions, moves: arrays.count.into() };
    arrays.finish().context("cannot name the arrays")?;
    games_file.finish().context("cannot name games.bin")?;
    write_meta(counts, folder).context("cannot write meta.json")?;
    Ok(counts)
}

/// Expands `games`, the first of which has the number `first`. Of several errors it gives that of
/// the first game.
fn chunks(games: &[Game], first: usize) -> anyhow::Result<Vec<Chunk>> {
    let chunks: Vec<_> = games
        .par_chunks(CHUNK)
        .enumerate()
        .map(|(index, games)| Chunk::new(games, first + index * CHUNK))
        .collect();
    chunks.into_iter().collect()
}

/// The files of positions and moves.
struct Arrays {
    /// Moves so far.
    count: u32,
    squares: Output,
    state: Output,
    first: Output,
    moves: Output,
    game: Output,
}

impl Arrays {
    fn create(folder: &Path) -> io::Result<Arrays> {
        Ok(Arrays {
            count: 0,
            squares: Output::create(folder, "squares.bin")?,
            state: Output::create(folder, "state.bin")?,
            first: Output::create(folder, "first.bin")?,
            moves: Output::create(folder, "moves.bin")?,
            game: Output::create(folder, "game.bin")?,
        })
    }

    /// Writes all chunks as they come.
    fn write_all(mut self, windows: &Receiver<Vec<Chunk>>) -> anyhow::Result<Arrays> {
        for chunk in windows.iter().flatten() {
            self.squares.write(&chunk.squares)?;
            self.state.write(&chunk.state)?;
            self.moves.write(&chunk.moves)?;
            self.game.write(&chunk.game)?;
            for count in chunk.counts {
                self.first.write(&self.count.to_le_bytes())?;
                let after = self.count.checked_add(count.into());
                self.count = after.context("more moves than u32 counts")?;
            }
        }
        self.first.write(&self.count.to_le_bytes())?;
        Ok(self)
    }

    fn finish(self) -> io::Result<()> {
        for array in [self.squares, self.state, self.first, self.moves, self.game] {
            array.finish()?;
        }
        Ok(())
    }
}

fn write_games(games: &[Game], folder: &Path) -> io::Result<Output> {
    let mut file = Output::create(folder, "games.bin")?;
    let mut start = 0_u32;
    for game in games {
        let numbers = [game.moves.len() as u16, game.elo[0], game.elo[1], game.year];
        file.write(&start.to_le_bytes())?;
        for number in numbers {
            file.write(&number.to_le_bytes())?;
        }
        file.write(&[game.result, game.pace, 0, 0])?;
        start += game.positions() as u32;
    }
    Ok(file)
}

fn write_meta(counts: Counts, folder: &Path) -> io::Result<()> {
    let meta = json!({
        "version": VERSION,
        "positions": counts.positions,
        "moves": counts.moves,
        "games": counts.games,
    });
    let mut file = Output::create(folder, META)?;
    file.write(format!("{meta:#}\n").as_bytes())?;
    file.finish()
}
