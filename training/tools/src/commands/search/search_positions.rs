//! `search-positions`: what a model's search finds, for `search-features`.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use plyzip::pgn::Game;
use plyzip::unstable::chess::History;
use plyzip::unstable::engine::Searcher;
use plyzip::unstable::predict::{Pipeline, Prepared};
use plyzip::{GameContext, ModelStore};

use super::analyses;
use crate::commands::pgn_games::PgnGames;

/// Search positions of games as a model does, for `search-features`
///
/// This is all that takes long, and may be stopped at any time: what was written by then serves as well.
#[derive(Args)]
#[command(after_help = "\
OUT has for each position that the model searches: legal moves, the place of the one
played (u8 each), plies played (u16), phase, result, pace, check (u8 each), ratings
of the mover and the other (u16 each), for each of the last two moves what the best
was worth and what the one played lost (i16 each, centipawns), depths (u8); then for
each legal move its logit (i32, 2^-16 nat), kind, whether it was looked at (u8 each:
0 no, 1 thoroughly, 2 at a glance), and if so its marks (u16 each) and values (i16
each, centipawns).")]
pub struct Arguments {
    /// Name of a model that searches, or its file
    model: String,
    /// Games in PGN
    games: PathBuf,
    /// Games to skip
    skip: usize,
    /// Games after them to take some of
    count: usize,
    /// Every EVERY-th game is searched
    every: usize,
    /// What was found
    out: PathBuf,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let pipeline = Pipeline::new(&ModelStore::of_system().open(&arguments.model)?);
    let mut searcher = pipeline.searcher().context("the model does not search")?;
    let games = PgnGames::read(&arguments.games)?;
    let mut out = BufWriter::new(File::create(&arguments.out)?);
    for game in games.every(arguments.skip, arguments.count, arguments.every) {
        search(&pipeline, &mut searcher, game, &mut out)?;
        out.flush()?;
    }
    Ok(())
}

/// Searches the positions of a game.
fn search(
    pipeline: &Pipeline,
    searcher: &mut Searcher,
    mut game: Game,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let start = game.start();
    let (Some(line), Some(start)) = (game.lines.first_mut(), start) else { return Ok(()) };
    let moves = std::mem::take(&mut line.moves);
    let context = GameContext::from_tags(&game);
    let mut memory = pipeline.search_state().context("the model does not search")?;
    // The network judges all positions of a game at once, which takes it less time.
    let mut history = History::new(start.clone());
    let mut prepared = vec![];
    for &played in &moves {
        prepared.push(Prepared::new(&history, &context, true));
        history.play(played);
    }
    let scores = pipeline.score(&prepared.iter().collect::<Vec<_>>())?;
    let mut history = History::new(start);
    for ((played, prepared), scores) in moves.into_iter().zip(&prepared).zip(&scores) {
        if let Some(scores) = scores
            && let question = prepared.analysis_input(&history, &context, scores)
            && let Some(analysis) = pipeline.examine(searcher, &mut memory, &question)
            && let Some(place) = prepared.legal.iter().position(|&legal| legal == played)
        {
            analyses::write(out, &analysis, place)?;
        }
        history.play(played);
    }
    Ok(())
}
