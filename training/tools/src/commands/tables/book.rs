//! `book`: the book of openings that is shipped with a network.

use std::fs;
use std::path::PathBuf;

use clap::Args;
use plyzip::unstable::chess::{legal_moves, position_key};
use plyzip::unstable::predict::book::{Book, Position, write_book};
use shakmaty::{Chess, Position as _};

use super::popularity::{self, Seen};
use crate::packed::{self, Game};

/// Count the opening moves of packed games to a book, for `training/equip.py --book`
///
/// The last game counts 1, and others half as much for each HALF_LIFE games after them, but never less than 1/16. The
/// book has the positions that stood on the board in two games or more, if these count enough together.
#[derive(Args)]
#[command(after_help = "OUT is a book in the format of codec/src/predict/book.")]
pub struct Arguments {
    /// Games that `pack` packed, in order of date
    packed: PathBuf,
    /// The book
    out: PathBuf,
    /// Plies of a game that are counted
    #[arg(long, default_value_t = 40)]
    plies: usize,
    /// What the games of a position must count together, in sixteenths of a game
    #[arg(long, default_value_t = 16)]
    minimum: u32,
    /// Games after which a game counts half as much
    #[arg(long, default_value_t = 100_000)]
    half_life: u32,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let bytes = packed::read(&arguments.packed)?;
    let games = packed::games(&bytes)?;
    let count = games.len() as u32;
    let mut seen = seen(&games, arguments.plies);
    seen.sort_unstable();
    let shared = seen.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1);
    let weight = |game| popularity::weight(game, count, arguments.half_life);
    let positions: Vec<Position> = shared
        .map(|group| popularity::position(group, weight))
        .filter(|position| {
            position.moves.iter().map(|&(_, count)| count).sum::<u32>() >= arguments.minimum
        })
        .collect();
    let moves: usize = positions.iter().map(|position| position.moves.len()).sum();
    let known = positions.len();
    let book = write_book(positions);
    eprintln!("{count} games, {known} positions, {moves} moves, {} bytes", book.len());
    fs::write(&arguments.out, &book)?;
    Book::from_bytes(book)?;
    Ok(())
}

/// The moves of all games, up to so many plies; moves without a choice are left out.
fn seen(games: &[Game], plies: usize) -> Vec<Seen> {
    let mut seen = vec![];
    for (number, game) in (0..).zip(games) {
        let mut position = Chess::default();
        for &place in game.moves.iter().take(plies) {
            let legal = legal_moves(&position);
            if legal.len() > 1 {
                seen.push((position_key(&position), number, place));
            }
            position.play_unchecked(legal[usize::from(place)]);
        }
    }
    seen
}
