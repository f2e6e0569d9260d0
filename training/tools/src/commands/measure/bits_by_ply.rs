//! `bits-by-ply`: where the bits are, what moves cost by ply, and the ends of games.

use std::path::PathBuf;

use clap::Args;
use plyzip::ModelStore;
use plyzip::unstable::entropy::Encoder;
use plyzip::unstable::predict::Predictor;
use plyzip::unstable::streams::moves::{EvidenceUse, LineJob, code};

use crate::commands::pgn_games::{PgnGames, job};

/// Tell what moves cost by ply, and what the ends of games cost
///
/// The games are coded cut short after 10, 20, 40 and 80 plies and whole, once more with their ends; the differences
/// are the table. (Memory learns from shorter games then, so the columns are a little off; their sum is not.)
#[derive(Args)]
pub struct Arguments {
    /// Name of a model, or its file
    model: String,
    /// Games in PGN
    games: PathBuf,
    /// Games to code: the first ones
    #[arg(long, default_value_t = usize::MAX, hide_default_value = true)]
    count: usize,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let model = ModelStore::of_system().open(&arguments.model)?;
    let jobs: Vec<LineJob> =
        PgnGames::read(&arguments.games)?.range(0, arguments.count).filter_map(job).collect();

    // bits and plies of the games up to `plies`; with their ends if there is no such limit
    let cost = |plies: Option<usize>| -> plyzip::Result<(f64, usize)> {
        let mut jobs = jobs.clone();
        for job in &mut jobs {
            if let Some(plies) = plies {
                job.moves.truncate(plies);
                job.length = Some(job.moves.len());
            }
        }
        let mut encoder = Encoder::new();
        code(&mut encoder, &mut Predictor::new(&model), &mut jobs, 0, None, EvidenceUse::Once)?;
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
