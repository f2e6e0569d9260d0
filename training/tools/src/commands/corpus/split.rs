//! `split`: the last packed games apart from those before them.

use std::fs;
use std::path::PathBuf;

use clap::Args;

use crate::packed;

/// Split packed games in two files: those that networks learn from, and the last ones, which choose between networks
#[derive(Args)]
pub struct Arguments {
    /// Games that `pack` packed
    packed: PathBuf,
    /// How many games are held back
    held: usize,
    /// All games but the last HELD, packed
    train: PathBuf,
    /// The last HELD games, packed
    choose: PathBuf,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let bytes = packed::read(&arguments.packed)?;
    let games = packed::games(&bytes)?;
    let last = &games[games.len().saturating_sub(arguments.held)..];
    let last = last.iter().map(packed::Game::size).sum::<usize>();
    let (train, choose) = bytes.split_at(bytes.len() - last);
    fs::write(&arguments.train, train)?;
    Ok(fs::write(&arguments.choose, choose)?)
}
