//! Writes what a model's search finds, for `verdict_features`.
//!
//! `searched_positions MODEL GAMES.pgn SKIP COUNT EVERY OUT` takes the positions of every EVERY-th of COUNT games
//! after the first SKIP that the model searches, in the form of `found/mod.rs`. It is all that takes long, and may be stopped at any
//! time, for what was written by then serves as well.

mod found;

use std::io::{BufWriter, Write};

use plyzip::GameContext;
use plyzip::ModelStore;
use plyzip::pgn::{self, Item};
use plyzip::unstable::chess::History;
use plyzip::unstable::predict::{Pipeline, Prepared};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [model, games, skip, count, every, out] = &arguments[..] else {
        return Err("usage: searched_positions MODEL GAMES.pgn SKIP COUNT EVERY OUT".into());
    };
    let (skip, count, every): (usize, usize, usize) =
        (skip.parse()?, count.parse()?, every.parse()?);
    let pipeline = Pipeline::new(&ModelStore::of_system().open(model)?);
    let mut searcher = pipeline.searcher().ok_or("the model does not search")?;
    let input = std::fs::read(games)?;
    let starts: Vec<usize> = pgn::game_starts(&input).skip(skip).take(count + 1).collect();
    let mut out = BufWriter::new(std::fs::File::create(out)?);
    for bounds in starts.windows(2).step_by(every) {
        let mut items = pgn::parse(&input[bounds[0]..bounds[1]]).items.into_iter();
        let Some(Item::Game(mut game)) = items.next() else { continue };
        let start = game.start();
        let (Some(line), Some(start)) = (game.lines.first_mut(), start) else { continue };
        let moves = std::mem::take(&mut line.moves);
        let context = GameContext::from_tags(&game);
        let mut memory = pipeline.search_state().ok_or("the model does not search")?;
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
                && let Some(findings) = pipeline.examine(&mut searcher, &mut memory, &question)
                && let Some(place) = prepared.legal.iter().position(|&legal| legal == played)
            {
                found::write(&mut out, &findings, place)?;
            }
            history.play(played);
        }
        out.flush()?;
    }
    Ok(())
}
