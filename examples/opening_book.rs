//! Makes the book of openings that is shipped with a network.
//!
//! `opening_book PACKED OUT [PLIES MINIMUM HALF]` counts the first PLIES moves (40) of all games of
//! PACKED, which `training_data pack` has written in order of date. A game counts 1 if it is the last
//! and half as much for each HALF games (100,000) after it, but never less than 1/16. The book has the
//! positions that stood on the board in two games or more, if these count MINIMUM sixteenths (16) together.
//! `training/equip.py --book OUT` puts it into a model.

mod packed;

use plyzip::unstable::chess::{legal_moves, position_key};
use plyzip::unstable::entropy::fixed;
use plyzip::unstable::predict::book::{Book, Position, write_book};
use shakmaty::{Chess, Position as _};

/// A move in a game: from which position, in which game, its place in the canonical order.
type Seen = (u64, u32, u8);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (packed, out, numbers) = match &arguments[..] {
        [packed, out, numbers @ ..] if numbers.len() <= 3 => (packed, out, numbers),
        _ => return Err("usage: opening_book PACKED OUT [PLIES MINIMUM HALF]".into()),
    };
    let number = |index: usize, default: u32| numbers.get(index).map_or(Ok(default), |n| n.parse());
    let (plies, minimum, half) = (number(0, 40)?, number(1, 16)?, number(2, 100_000)?);

    let (mut seen, games) = count(&std::fs::read(packed)?, plies as usize);
    seen.sort_unstable();
    // in sixteenths of a game
    let weight = |game: u32| {
        let age = u64::from(games - 1 - game) * fixed::ONE as u64 / u64::from(half.max(1));
        ((fixed::exp2(u32::try_from(age).unwrap_or(u32::MAX)) + (1 << 26)) >> 27).max(1)
    };
    let shared = seen.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1);
    let positions = shared.filter_map(|group| {
        let mut counts = [0; 256];
        for &(_, game, place) in group {
            counts[usize::from(place)] += weight(game);
        }
        let mut moves: Vec<(u8, u32)> =
            (0..=u8::MAX).zip(counts).filter(|&(_, count)| count > 0).collect();
        moves.sort_by_key(|&(place, count)| (std::cmp::Reverse(count), place));
        let total: u32 = counts.iter().sum();
        (total >= minimum).then_some(Position { key: group[0].0, moves, rest: 0 })
    });
    let positions: Vec<Position> = positions.collect();
    let moves: usize = positions.iter().map(|position| position.moves.len()).sum();
    let count = positions.len();
    let book = write_book(positions);
    eprintln!("{games} games, {count} positions, {moves} moves, {} bytes", book.len());
    std::fs::write(out, &book)?;
    Book::from_bytes(book)?;
    Ok(())
}

/// The moves of all games, up to so many plies, and the number of games.
fn count(bytes: &[u8], plies: usize) -> (Vec<Seen>, u32) {
    let mut seen = vec![];
    let games = packed::games(bytes);
    for (number, game) in (0..).zip(&games) {
        let mut position = Chess::default();
        for &place in game.moves.iter().take(plies) {
            let legal = legal_moves(&position);
            if legal.len() > 1 {
                seen.push((position_key(&position), number, place));
            }
            position.play_unchecked(legal[usize::from(place)]);
        }
    }
    (seen, games.len() as u32)
}
