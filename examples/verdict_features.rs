//! Writes the verdicts of positions for `training/verdicts.py`, which learns what they weigh.
//!
//! `verdict_features MODEL GAMES.pgn SKIP COUNT EVERY OUT` takes the positions of every EVERY-th of COUNT games
//! after the first SKIP that the model has verdicts on. For each: the number of legal
//! moves and the place of the one played (u8 each); then for each move the network's logit
//! in units of 2<sup>-16</sup> nat (i32) and the verdict's features (u16).

use std::io::{BufWriter, Write};

use plyzip::pgn::{self, Item};
use plyzip::predict::{GameContext, History, Model, Predictor, Prepared};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [model, games, skip, count, every, out] = &arguments[..] else {
        return Err("usage: verdict_features MODEL GAMES.pgn SKIP COUNT EVERY OUT".into());
    };
    let (skip, count, every): (usize, usize, usize) =
        (skip.parse()?, count.parse()?, every.parse()?);
    let judge = Predictor::new(&Model::find(model)?).judge();
    let mut searcher = judge.searcher().ok_or("the model does not search")?;
    let input = std::fs::read(games)?;
    let starts: Vec<usize> = pgn::game_starts(&input).skip(skip).take(count + 1).collect();
    let (Some(&first), Some(&last)) = (starts.first(), starts.last()) else {
        return Err("too few games".into());
    };
    let mut out = BufWriter::new(std::fs::File::create(out)?);
    for item in pgn::parse(&input[first..last]).items.into_iter().step_by(every) {
        let Item::Game(mut game) = item else { continue };
        let start = game.start();
        let (Some(line), Some(start)) = (game.lines.first_mut(), start) else { continue };
        let moves = std::mem::take(&mut line.moves);
        let context = GameContext::from_tags(&game);
        let mut history = History::new(start);
        let mut memory = judge.search_memory().ok_or("the model does not search")?;
        for played in moves {
            let prepared = Prepared::new(&history, &context, true);
            if let Some(scores) = judge.score(&[&prepared])?.remove(0)
                && let Some(verdicts) = judge.deliberate(
                    &mut searcher,
                    &mut memory,
                    &history,
                    &context,
                    &prepared,
                    &scores,
                )
                && let Some(place) = prepared.legal.iter().position(|&legal| legal == played)
            {
                out.write_all(&[verdicts.len() as u8, place as u8])?;
                for (logit, features) in scores.moves.iter().zip(&verdicts) {
                    out.write_all(&logit.to_le_bytes())?;
                    for feature in features {
                        out.write_all(&feature.to_le_bytes())?;
                    }
                }
            }
            history.play(played);
        }
    }
    out.flush()?;
    Ok(())
}
