//! Makes the weights that a model ships: what the mix has learned after coding many games.
//!
//! `learned_weights MODEL GAMES.pgn SKIP COUNT OUT` learns from COUNT games after the first SKIP, starting from the
//! weights that the model has. With `none` they are those of `models/heuristic.bin`: for the same
//! result, start from a file of zeros. With a model that searches they are those of its verdicts, which
//! `training/export.py --verdicts OUT` puts into a model.

use plyzip::entropy::Encoder;
use plyzip::pgn::{self, Item};
use plyzip::predict::{GameContext, Model, Player, Predictor};
use plyzip::streams::moves::{LineJob, code};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [model, games, skip, count, out] = &arguments[..] else {
        return Err("usage: learned_weights MODEL GAMES.pgn SKIP COUNT OUT".into());
    };
    let (skip, count): (usize, usize) = (skip.parse()?, count.parse()?);
    let input = std::fs::read(games)?;
    let starts: Vec<usize> = pgn::game_starts(&input).skip(skip).take(count + 1).collect();
    let (Some(&first), Some(&last)) = (starts.first(), starts.last()) else {
        return Err("too few games".into());
    };
    let jobs = pgn::parse(&input[first..last]).items.into_iter().filter_map(|item| match item {
        Item::Game(mut game) => {
            let moves = std::mem::take(&mut game.lines.first_mut()?.moves);
            Some(LineJob::new(
                game.start()?,
                GameContext::from_tags(&game),
                [Player::default(); 2],
                moves,
            ))
        }
        Item::Text(_) => None,
    });
    let mut jobs: Vec<LineJob> = jobs.collect();
    let model = Model::find(model)?;
    let mut predictor = Predictor::new(&model);
    code(&mut Encoder::new(), &mut predictor, &mut jobs, 0)?;
    let weights = match model.hash() {
        None => predictor.feature_weights(),
        Some(_) => predictor.verdict_weights(),
    };
    std::fs::write(
        out,
        weights.iter().flat_map(|weight| weight.to_le_bytes()).collect::<Vec<u8>>(),
    )?;
    Ok(())
}
