//! `board-offsets`: what a model's network of features says of all moves of packed games.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use anyhow::{Context, ensure};
use clap::Args;
use plyzip::ModelStore;
use plyzip::unstable::predict::Pipeline;
use rayon::prelude::*;
use shakmaty::Chess;

use crate::commands::corpus::context::moves;
use crate::commands::positions::prepared;
use crate::commands::softmax::nats;
use crate::packed::{self, Game};

/// Write the logits of a model's network of features, for a board network to learn what to add to them
///
/// For each legal move of each position of some games, in the order of moves.bin of `expand`: its logit (i16, in units
/// of 2^-10 nat). A search has no part in it, nor has the model's own board network.
#[derive(Args)]
pub struct Arguments {
    /// A model with a network
    model: String,
    /// Games that `pack` packed
    packed: PathBuf,
    /// The file to write
    out: PathBuf,
    /// The first game, counted from 0
    #[arg(long, default_value_t = 0)]
    from_game: usize,
    /// The game behind the last
    #[arg(long)]
    to_game: Option<usize>,
}

/// Games between two writes.
const WINDOW: usize = 512;

/// Fractional bits of a logit in the file.
const FRACTION: i32 = 10;

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let pipeline = Pipeline::new(&ModelStore::of_system().open(&arguments.model)?);
    let bytes = packed::read(&arguments.packed)?;
    let games = packed::games(&bytes)?;
    let to = arguments.to_game.unwrap_or(games.len());
    let range = arguments.from_game..to;
    let games =
        games.get(range.clone()).with_context(|| format!("there are no games {range:?}"))?;
    let mut out = BufWriter::new(File::create(&arguments.out)?);
    for games in games.chunks(WINDOW) {
        let logits: Vec<_> =
            games.par_iter().map(|game| logits(&pipeline, game)).collect::<Result<_, _>>()?;
        for logit in logits.into_iter().flatten() {
            out.write_all(&logit.to_le_bytes())?;
        }
    }
    Ok(out.flush()?)
}

/// The logits of all moves of a game's positions, the one after its last move among them.
fn logits(pipeline: &Pipeline, game: &Game) -> anyhow::Result<Vec<i16>> {
    let prepared = prepared(pipeline, &game.context(), Chess::default(), &moves(game.moves)?);
    let mut logits = vec![];
    // By itself: what a board network is to learn would be missing from scores that one has part in.
    let scores = pipeline.of_features(&prepared.iter().collect::<Vec<_>>());
    for scores in scores.context("the model has no network")? {
        logits.extend(scores.moves.iter().map(|&logit| in_file(nats(logit))));
    }
    let moves: usize = prepared.iter().map(|prepared| prepared.legal.len()).sum();
    ensure!(logits.len() == moves, "{} logits of {moves} moves", logits.len());
    Ok(logits)
}

/// A logit in units of the file; what does not fit is as large as fits.
fn in_file(nats: f64) -> i16 {
    (nats * f64::from(1 << FRACTION)).round() as i16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logits_that_do_not_fit_are_the_largest() {
        assert_eq!(
            [0.0, 1.5, -2.25, 40.0, -40.0].map(in_file),
            [0, 1536, -2304, i16::MAX, i16::MIN]
        );
    }
}
