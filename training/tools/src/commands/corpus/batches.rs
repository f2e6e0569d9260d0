//! `batches`: an endless sequence of batches of positions for `training/bag/train.py` and `training/bag/taught.py`.

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

use super::labels::{self, Label};
use super::samples::{Sample, samples, write_batch};
use crate::commands::random::SplitMix;
use crate::packed::{self, Game};

/// Write an endless sequence of batches of positions to standard output
///
/// All passes over the games have one order. Batches that are skipped with --first are not computed, so that training
/// goes on about where it stopped.
#[derive(Args)]
#[command(after_help = "\
A batch has: number of positions and of moves (u32 each); then, all u16, the board
features of each position, the number of its legal moves of each, the place of the
move played of each (65535: the game ended here), the ply of each; then the
features of all moves. With --labels a u16 for each move follows: its share in
what the teacher would play, in units of 1/65535. schema.json has the numbers of
features.")]
pub struct Arguments {
    /// Games that `pack` packed
    packed: PathBuf,
    /// Of the order of games and positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Positions of a batch
    #[arg(long, default_value_t = 2048)]
    size: usize,
    /// Number of batches to skip
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// The last 150,000 games come twice a pass, and one game in sixteen comes without its year, one without its pace
    #[arg(long)]
    training: bool,
    /// Only the positions in this folder of labels (training/board/label.py), with the teacher's shares
    #[arg(long, conflicts_with = "training")]
    labels: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let bytes = packed::read(&arguments.packed)?;
    let games = packed::games(&bytes)?;
    let out = BufWriter::with_capacity(1 << 20, io::stdout().lock());
    let mut batches = Batches {
        random: SplitMix::new(arguments.seed.wrapping_mul(1_000_003)),
        size: arguments.size.max(1),
        first: arguments.first,
        number: 0,
        pool: vec![],
        out,
    };
    match &arguments.labels {
        Some(folder) => batches.taught(&games, &labels::read(folder)?),
        None => batches.all(games, arguments.training),
    }
}

/// Games whose positions are mixed with each other.
const POOL: usize = 3000;

/// Of the games at the end of the file, which are the latest, this many come twice in a pass.
const RECENT: usize = 150_000;

/// Of this many games, one is shown without its year and one without its pace.
const HIDDEN: u64 = 16;

/// Batches on their way.
struct Batches<W> {
    random: SplitMix,
    /// Positions of a batch.
    size: usize,
    /// Batches that are not written.
    first: u64,
    /// Batches so far.
    number: u64,
    /// Positions that are in no batch yet.
    pool: Vec<Sample>,
    out: W,
}

impl<W: Write> Batches<W> {
    /// Whether these positions are all in batches before the first that is wanted; they count as written then.
    fn skip(&mut self, positions: usize) -> bool {
        let skipped = (positions / self.size) as u64;
        let before = self.number + skipped < self.first;
        self.number += if before { skipped } else { 0 };
        before
    }

    /// Writes what the pool has, but for less than a batch.
    fn write(&mut self) -> io::Result<()> {
        self.random.shuffle(&mut self.pool);
        while self.pool.len() >= self.size {
            self.number += 1;
            write_batch(&mut self.out, &self.pool.split_off(self.pool.len() - self.size))?;
        }
        Ok(())
    }

    /// Batches of all positions, for ever.
    fn all(&mut self, games: Vec<Game>, training: bool) -> anyhow::Result<()> {
        anyhow::ensure!(!games.is_empty(), "there are no games");
        let recent = if training { games.len().saturating_sub(RECENT) } else { games.len() };
        // Each game, and whether it comes twice in a pass.
        let mut games: Vec<(Game, bool)> =
            games.into_iter().enumerate().map(|(index, game)| (game, index >= recent)).collect();
        self.random.shuffle(&mut games);
        // All passes have one order, and the games that come twice come half a pass apart: a network
        // remembers a game that it has just seen, and learns little from it.
        let halves = if training { 2 } else { 1 };
        let mut order: Vec<&Game> = vec![];
        for half in 0..halves {
            let games = games.iter().enumerate();
            order.extend(games.filter_map(|(index, (game, twice))| {
                (*twice || index % halves == half).then_some(game)
            }));
        }
        loop {
            for group in order.chunks(POOL) {
                if self.skip(group.iter().map(|game| game.positions()).sum()) {
                    continue;
                }
                for game in group {
                    let mut context = game.context();
                    if training && self.random.next().is_multiple_of(HIDDEN) {
                        context.year = None;
                    }
                    if training && self.random.next().is_multiple_of(HIDDEN) {
                        (context.pace, context.online) = (None, false);
                    }
                    samples(&context, game.cut, game.moves, &mut self.pool);
                }
                self.write()?;
            }
        }
    }

    /// Batches of the labelled positions, for ever, game by game in an order of the seed's choosing.
    fn taught(
        &mut self,
        games: &[Game],
        labelled: &BTreeMap<usize, Vec<Label>>,
    ) -> anyhow::Result<()> {
        anyhow::ensure!(!labelled.is_empty(), "there are no labels");
        let mut order: Vec<usize> = labelled.keys().copied().collect();
        loop {
            self.random.shuffle(&mut order);
            for group in order.chunks(POOL) {
                if self.skip(group.iter().map(|game| labelled[game].len()).sum()) {
                    continue;
                }
                for number in group {
                    let game = games.get(*number).context("labels of no game")?;
                    self.pool.extend(labelled_samples(game, &labelled[number])?);
                }
                self.write()?;
            }
        }
    }
}

/// The positions of a game that have labels, with the teacher's shares.
fn labelled_samples(game: &Game, labels: &[Label]) -> anyhow::Result<Vec<Sample>> {
    let mut all = vec![];
    samples(&game.context(), game.cut, game.moves, &mut all);
    for label in labels {
        let sample = all.get_mut(usize::from(label.ply)).context("a label of no position")?;
        let total: u32 = label.shares.iter().map(|&(_, share)| u32::from(share)).sum();
        let mut shares = vec![0; sample.moves.len()];
        for &(place, share) in &label.shares {
            let share = u32::from(share) * u32::from(u16::MAX) / total.max(1);
            *shares.get_mut(usize::from(place)).context("a label of no move")? = share as u16;
        }
        sample.shares = shares;
    }
    all.retain(|sample| !sample.shares.is_empty());
    Ok(all)
}
