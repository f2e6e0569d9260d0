//! `clock-weights`: what the model of times begins with, `codec/tables/clocks.bin`, learned from games whose clocks are made
//! up (`simulation.rs`).

mod simulation;

use std::path::PathBuf;

use clap::Args;
use plyzip::pgn::Game;
use plyzip::shakmaty::ByColor;
use plyzip::unstable::entropy::Encoder;
use plyzip::unstable::predict::Predictor;
use plyzip::unstable::streams::comments::{Rates, learn_times};
use plyzip::unstable::streams::moves::{EvidenceUse, LineJob, code};
use plyzip::{GameContext, ModelStore, Player};

use self::simulation::{Chance, with_clocks};
use crate::commands::pgn_games::PgnGames;

/// How fast the weights learn in each pass, in units of [`Rates::CODING`].
const PASSES: [i64; 6] = [4, 3, 2, 1, 1, 1];
/// Passes whose weights are averaged: the last.
const AVERAGED: usize = 3;

/// Learn what the model of clocks begins with, from made-up clocks: codec/tables/clocks.bin
///
/// The moves are those of real games, and their surprisals those by a model.
#[derive(Args)]
pub struct Arguments {
    /// A model's name, or its file
    model: String,

    /// PGN
    games: PathBuf,

    /// The file to write: one i16 a weight
    out: PathBuf,

    /// About so many games, evenly spread over the file
    #[arg(long, default_value_t = 1500)]
    count: usize,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let model = ModelStore::of_system().open(&arguments.model)?;
    let games = games(&PgnGames::read(&arguments.games)?, arguments.count);
    let mut jobs: Vec<LineJob> = games
        .iter()
        .filter_map(|game| {
            let player = |tag| Player::named(game.tag(tag).unwrap_or_default());
            let moves = game.lines.first()?.moves.clone();
            let players = ByColor { white: player("White"), black: player("Black") };
            let job = LineJob::new(game.start()?, GameContext::from_tags(game), players, moves);
            Some(LineJob { surprisals: Some(vec![]), ..job })
        })
        .collect();
    code(&mut Encoder::new(), &mut Predictor::new(&model), &mut jobs, 0, None, EvidenceUse::Once)?;

    let mut weights: Option<Vec<i16>> = None;
    let mut sums: Vec<i64> = vec![];
    for (pass, speed) in PASSES.into_iter().enumerate() {
        let mut chance = Chance::new(pass as u64);
        let (games, surprisals): (Vec<Game>, Vec<_>) = games
            .iter()
            .zip(&jobs)
            .map(|(game, job)| {
                let surprisals = job.surprisals.as_deref().unwrap_or_default();
                (with_clocks(&mut chance, game, surprisals), surprisals.to_vec())
            })
            .unzip();
        let rates = Rates::CODING.times(speed);
        let learned = learn_times(&games, &surprisals, rates, weights.as_deref())?;
        if pass + AVERAGED >= PASSES.len() {
            sums.resize(learned.len(), 0);
            sums.iter_mut().zip(&learned).for_each(|(sum, &weight)| *sum += i64::from(weight));
        }
        weights = Some(learned);
    }
    let mean = sums.iter().map(|sum| (sum / AVERAGED as i64) as i16);
    std::fs::write(&arguments.out, mean.flat_map(i16::to_le_bytes).collect::<Vec<u8>>())?;
    Ok(())
}

/// About `count` games that start as usual, evenly spread over a file.
fn games(games: &PgnGames, count: usize) -> Vec<Game> {
    let every = games.count() / count.max(1);
    let usual =
        |game: &Game| game.tag("FEN").is_none() && game.start().is_some() && !game.lines.is_empty();
    games.every(0, usize::MAX, every).filter(usual).collect()
}
