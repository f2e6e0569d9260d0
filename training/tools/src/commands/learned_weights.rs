//! `learned-weights`: what the mix without a network begins with, `models/heuristic.bin`.

use std::fs;
use std::path::PathBuf;

use clap::Args;
use plyzip::unstable::entropy::Encoder;
use plyzip::unstable::predict::Predictor;
use plyzip::unstable::streams::moves::{LineJob, code};
use plyzip::{Model, Player};

use super::pgn_games::{PgnGames, job};

/// Code games with the model `none` and keep what its mix has learned: models/heuristic.bin
///
/// The mix begins with the weights that the program was built with: for the same result, build it with a file of
/// zeros.
#[derive(Args)]
#[command(after_help = "\
OUT has one i16 for each weight of src/predict/mixer.rs, in units of 2^-10 bit.")]
pub struct Arguments {
    /// Games in PGN
    games: PathBuf,
    /// Games to skip
    skip: usize,
    /// Games after them to learn from
    count: usize,
    /// The weights
    out: PathBuf,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let games = PgnGames::read(&arguments.games)?;
    let games = games.range(arguments.skip, arguments.count);
    // Whoever plays: what the players of these games prefer is of no use elsewhere.
    let mut jobs: Vec<LineJob> =
        games.filter_map(|game| job(game, [Player::default(); 2])).collect();
    anyhow::ensure!(!jobs.is_empty(), "there are no games to learn from");
    let mut predictor = Predictor::new(&Model::none());
    code(&mut Encoder::new(), &mut predictor, &mut jobs, 0)?;
    let weights = predictor.feature_weights();
    fs::write(&arguments.out, weights.into_iter().flat_map(i16::to_le_bytes).collect::<Vec<u8>>())?;
    Ok(())
}
