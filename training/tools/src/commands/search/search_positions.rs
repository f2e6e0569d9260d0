//! `search-positions`: what a model's search finds, for `search-features`.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use plyzip::pgn::Game;
use plyzip::unstable::analysis::{Analysis, AnalysisInput, AnalysisState};
use plyzip::unstable::chess::History;
use plyzip::unstable::engine::Searcher;
use plyzip::unstable::predict::{GameEndModel, Pipeline};
use plyzip::{GameContext, ModelStore};

use super::analyses::{self, Searched};
use crate::commands::pgn_games::PgnGames;
use crate::commands::positions::prepared;

/// Search positions of games as a model does, for `search-features`
///
/// This is all that takes long, and may be stopped at any time: what was written by then serves as well.
#[derive(Args)]
#[command(after_help = "\
OUT has a record for each position that the model searches, the last one of a game among
them: training/tools/src/commands/search/analyses.rs says of what.")]
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

    /// Take the searches from this file, which another model has written for the same games, and only what the network
    /// says from this model; ends with the file
    #[arg(long)]
    found: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let pipeline = Pipeline::new(&ModelStore::of_system().open(&arguments.model)?);
    let found = arguments.found.as_ref().map(std::fs::read).transpose()?;
    let mut analyses = match &found {
        Some(found) => Analyses::Found(found),
        None => {
            let searcher = pipeline.searcher().context("the model does not search")?;
            Analyses::New(Box::new(searcher))
        }
    };
    let games = PgnGames::read(&arguments.games)?;
    let mut out = BufWriter::new(File::create(&arguments.out)?);
    for game in games.every(arguments.skip, arguments.count, arguments.every) {
        if analyses.is_over() {
            break;
        }
        search(&pipeline, &mut analyses, game, &mut out)?;
        out.flush()?;
    }
    Ok(())
}

/// Where analyses come from.
enum Analyses<'a> {
    New(Box<Searcher>),
    /// What is left of a file.
    Found(&'a [u8]),
}

impl Analyses<'_> {
    fn is_over(&self) -> bool {
        matches!(self, Analyses::Found([]))
    }

    /// The analysis of a position, if it is searched; `state` is the game's.
    fn next(
        &mut self,
        pipeline: &Pipeline,
        state: &mut AnalysisState,
        input: &AnalysisInput<'_>,
    ) -> Option<Analysis> {
        let left = match self {
            Analyses::New(searcher) => return pipeline.examine(searcher, state, input),
            Analyses::Found(left) => left,
        };
        let Some((Searched { mut analysis, .. }, rest)) = analyses::read(left) else {
            *left = &[]; // the last one may be cut short
            return None;
        };
        let here = usize::from(analysis.ply) == input.history.ply();
        if !here || analysis.logits.len() != input.legal.len() {
            return None;
        }
        *left = rest;
        analysis.logits = input.logits.to_vec();
        analysis.vectors = input.vectors.to_vec();
        Some(analysis)
    }
}

/// Searches the positions of a game.
fn search(
    pipeline: &Pipeline,
    analyses: &mut Analyses<'_>,
    mut game: Game,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let start = game.start();
    let (Some(line), Some(start)) = (game.lines.first_mut(), start) else { return Ok(()) };
    let moves = std::mem::take(&mut line.moves);
    let context = GameContext::from_tags(&game);
    let mut memory = pipeline.search_state().context("the model does not search")?;
    let prepared = prepared(pipeline, &context, start.clone(), &moves);
    let scores = pipeline.score_with(&prepared.iter().collect::<Vec<_>>(), true)?;
    let mut game_end = GameEndModel::new(true);
    let mut history = History::new(start);
    let moves = moves.into_iter().map(Some).chain([None]);
    for ((played, prepared), scores) in moves.zip(&prepared).zip(scores) {
        if let Some(scores) = scores
            && let question = prepared.analysis_input(&history, &context, &scores)
            && let Some(analysis) = analyses.next(pipeline, &mut memory, &question)
        {
            let place = |played| prepared.legal.iter().position(|&legal| legal == played);
            let others = game_end.without_network(&history, &context) as i16;
            let played = played.and_then(place);
            analyses::write(out, &Searched { analysis, played, end: scores.end, others })?;
        }
        if let Some(played) = played {
            history.play(played);
        }
    }
    Ok(())
}
