//! Where the bits are: what moves cost by ply, and the ends of games.
//!
//! `bits_by_ply MODEL GAMES.pgn [GAMES]` codes the first GAMES games (all) cut short after 10, 20, 40 and 80
//! plies and whole, once more with their ends; the differences are the table. (Memory learns
//! from shorter games then, so the columns are a little off; their sum is not.)

use plyzip::pgn::{self, Item};
use plyzip::unstable::entropy::Encoder;
use plyzip::unstable::predict::Predictor;
use plyzip::unstable::streams::moves::{LineJob, code};
use plyzip::{GameContext, ModelStore, Player};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [model, path, count @ ..] = &arguments[..] else {
        return Err("usage: bits_by_ply MODEL GAMES.pgn [GAMES]".into());
    };
    let count = count.first().map_or(Ok(usize::MAX), |count| count.parse())?;
    let model = ModelStore::of_system().open(model)?;
    let jobs: Vec<LineJob> = pgn::parse(&std::fs::read(path)?)
        .items
        .into_iter()
        .filter_map(|item| match item {
            Item::Game(mut game) => {
                let moves = std::mem::take(&mut game.lines.first_mut()?.moves);
                let player = |tag| Player::named(game.tag(tag).unwrap_or_default());
                let players = [player("White"), player("Black")];
                Some(LineJob::new(game.start()?, GameContext::from_tags(&game), players, moves))
            }
            Item::Text(_) => None,
        })
        .take(count)
        .collect();

    // bits and plies of the games up to `plies`; with their ends if there is no such limit
    let cost = |plies: Option<usize>| -> Result<(f64, usize), plyzip::Error> {
        let mut jobs = jobs.clone();
        for job in &mut jobs {
            if let Some(plies) = plies {
                job.moves.truncate(plies);
                job.length = Some(job.moves.len());
            }
        }
        let mut encoder = Encoder::new();
        code(&mut encoder, &mut Predictor::new(&model), &mut jobs, 0)?;
        let plies = jobs.iter().map(|job| job.moves.len()).sum();
        Ok((8.0 * encoder.finish().len() as f64, plies))
    };
    let (mut bits_before, mut plies_before) = (0.0, 0);
    println!("| plies | moves | bits/move |\n|---|---|---|");
    for (name, limit) in
        [("0-9", 10), ("10-19", 20), ("20-39", 40), ("40-79", 80), ("80+", usize::MAX)]
    {
        let (bits, plies) = cost(Some(limit))?;
        let moves = plies - plies_before;
        println!("| {name} | {moves} | {:.3} |", (bits - bits_before) / moves as f64);
        (bits_before, plies_before) = (bits, plies);
    }
    let (bits, plies) = cost(None)?;
    println!("| all, without ends | {plies} | {:.3} |", bits_before / plies as f64);
    println!("| ends | | {:.3} |", (bits - bits_before) / plies as f64);
    println!("| all | {plies} | {:.3} |", bits / plies as f64);
    Ok(())
}
