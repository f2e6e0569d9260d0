//! `bits-by-tag`: the cost of each tag in an archive of its own.
//!
use std::path::PathBuf;

use clap::Args;
use plyzip::pgn::Game;
use plyzip::unstable::streams::tags::surprisal;
use plyzip::unstable::streams::warm::WarmTables;

use crate::commands::pgn_games::PgnGames;

/// Print what each tag costs in an archive of these games: its name, bytes in all, bits a game
#[derive(Args)]
pub struct Arguments {
    /// PGN
    games: PathBuf,

    /// Games to pass over first
    #[arg(long, default_value_t = 0)]
    skip: usize,

    /// Games to measure, or as many as there are
    #[arg(long, default_value_t = usize::MAX)]
    count: usize,

    /// What models begin with, instead of the program's own codec/tables/tags.bin
    #[arg(long)]
    tables: Option<PathBuf>,

    /// Leave out the sections of the tables whose names begin like this
    #[arg(long)]
    without: Vec<String>,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let games: Vec<Game> =
        PgnGames::read(&arguments.games)?.range(arguments.skip, arguments.count).collect();
    let file = arguments.tables.as_ref().map(std::fs::read).transpose()?;
    let mut tables = match &file {
        Some(bytes) => WarmTables::read(bytes)?,
        None => WarmTables::shipped()?,
    };
    for prefix in &arguments.without {
        tables = tables.without(prefix);
    }
    let meter = surprisal(&games, &tables)?;
    let mut total = 0.0;
    println!("{:<20} {:>9} {:>9}", "tag", "bytes", "bits/game");
    let row = |name: &str, bits: f64| {
        println!("{name:<20} {:>9.0} {:>9.2}", bits / 8.0, bits / games.len() as f64);
    };
    for (name, &bits) in meter.bits() {
        row(name, bits);
        total += bits;
    }
    row("all", total);
    Ok(())
}
