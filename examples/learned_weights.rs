//! Makes `models/heuristic.bin`: what the mix without a network has learned after coding many games.
//!
//! `learned_weights GAMES.pgn SKIP COUNT OUT` learns from COUNT games after the first SKIP, starting from the
//! weights that the program has: for the same result, start from a file of zeros.

use plyzip::pgn::{self, Item};
use plyzip::unstable::entropy::Encoder;
use plyzip::unstable::predict::Predictor;
use plyzip::unstable::streams::moves::{LineJob, code};
use plyzip::{GameContext, Model, Player};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [games, skip, count, out] = &arguments[..] else {
        return Err("usage: learned_weights GAMES.pgn SKIP COUNT OUT".into());
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
    let mut predictor = Predictor::new(&Model::none());
    code(&mut Encoder::new(), &mut predictor, &mut jobs, 0)?;
    let weights = predictor.feature_weights();
    std::fs::write(out, weights.into_iter().flat_map(i16::to_le_bytes).collect::<Vec<u8>>())?;
    Ok(())
}
