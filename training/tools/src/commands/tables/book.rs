//! `book`: the book of openings that is shipped with a network.

use std::fs;
use std::path::PathBuf;

use clap::Args;
use plyzip::ModelStore;
use plyzip::unstable::chess::{legal_moves, position_key};
use plyzip::unstable::predict::book::{Book, Position, write_book};
use shakmaty::{Chess, Position as _};

use super::book_gains::{Weights, gains};
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
    #[arg(long, default_value_t = BUILT_IN_HALF_LIFE)]
    half_life: u32,
    /// A model that has the built-in book: the new one goes before it, and has only positions that save bits
    #[arg(long, requires = "bytes")]
    model: Option<String>,
    /// With --model: most bytes of the book, which has the positions that save most bits for their bytes
    #[arg(long, requires = "model")]
    bytes: Option<usize>,
}

/// The half-life of the book that is built into the program.
const BUILT_IN_HALF_LIFE: u32 = 100_000;

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let bytes = packed::read(&arguments.packed)?;
    let games = packed::games(&bytes)?;
    let count = games.len() as u32;
    let mut seen = seen(&games, arguments.plies);
    seen.sort_unstable();
    let shared = seen.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1);
    let weight = |game| popularity::weight(game, count, arguments.half_life);
    let (groups, mut positions): (Vec<&[Seen]>, Vec<Position>) = shared
        .map(|group| (group, popularity::position(group, weight)))
        .filter(|(_, position)| {
            position.moves.iter().map(|&(_, count)| count).sum::<u32>() >= arguments.minimum
        })
        .unzip();
    if let (Some(name), Some(bytes)) = (&arguments.model, arguments.bytes) {
        let model = ModelStore::of_system().open(name)?;
        let games_of = |weight: u32| f64::from(weight) / 16.0;
        let weights = Weights {
            new: |game| games_of(weight(game)),
            old: |game| games_of(popularity::weight(game, count, BUILT_IN_HALF_LIFE)),
        };
        let gains = gains(&model, &Book::built_in(), &games, &groups, &weights)?;
        positions = most_for_their_bytes(positions, gains, bytes);
    }
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

/// The positions that gain most for their bytes, as many as fit into a book of so many bytes; none that gains nothing.
fn most_for_their_bytes(positions: Vec<Position>, gains: Vec<f64>, bytes: usize) -> Vec<Position> {
    // Five bytes for the position and its first move, one for each other move.
    let rate = |(position, gain): &(Position, f64)| gain / (position.moves.len() + 4) as f64;
    let mut ranked: Vec<(Position, f64)> =
        positions.into_iter().zip(gains).filter(|&(_, gain)| gain > 0.0).collect();
    ranked.sort_by(|a, b| rate(b).total_cmp(&rate(a)).then(a.0.key.cmp(&b.0.key)));
    let ranked: Vec<Position> = ranked.into_iter().map(|(position, _)| position).collect();
    let numbers: Vec<usize> = (1..=ranked.len()).collect();
    let fit =
        numbers.partition_point(|&number| write_book(ranked[..number].to_vec()).len() <= bytes);
    ranked[..fit].to_vec()
}

#[cfg(test)]
mod tests {
    use super::{Position, most_for_their_bytes, write_book};

    #[test]
    fn a_small_book_has_what_gains_most() {
        let position = |key: u64, moves: u8| Position {
            key: key << 32,
            moves: (0..moves).map(|index| (index, 16)).collect(),
            rest: 0,
        };
        let positions: Vec<Position> =
            (1..=4).map(|key| position(key, 1)).chain([position(5, 6)]).collect();
        let gains = [1.0, 3.0, 0.0, -2.0, 5.0];
        let keys = |bytes| -> Vec<u64> {
            let kept = most_for_their_bytes(positions.clone(), gains.to_vec(), bytes);
            kept.iter().map(|position| position.key >> 32).collect()
        };
        let empty = write_book(vec![]).len();
        assert_eq!(keys(empty + 1000), [2, 5, 1]);
        assert_eq!(keys(empty + 5), [2]);
        assert!(keys(empty + 4).is_empty());
    }
}
