//! Counts of moves in games of which later ones count more: what books are made of.

use std::cmp::Reverse;

use plyzip::unstable::entropy::fixed;
use plyzip::unstable::predict::book::Position;

/// A move in a game: the key of where it was played, the number of the game, the move's place in the canonical order.
pub type Seen = (u64, u32, u8);

/// The weight of a game in sixteenths: 16 if it is the last of `games`, half as much for each `half_life` games after
/// it, but never less than 1.
pub fn weight(game: u32, games: u32, half_life: u32) -> u32 {
    let age = games.saturating_sub(1 + game);
    let halvings = u64::from(age) * fixed::ONE as u64 / u64::from(half_life.max(1));
    ((fixed::exp2_neg(u32::try_from(halvings).unwrap_or(u32::MAX)) + (1 << 26)) >> 27).max(1)
}

/// The moves that were seen with one key, with the sum of their games' weights, the heaviest first.
pub fn position(group: &[Seen], weight: impl Fn(u32) -> u32) -> Position {
    let mut counts = [0; 256];
    for &(_, game, place) in group {
        counts[usize::from(place)] += weight(game);
    }
    let mut moves: Vec<(u8, u32)> =
        (0..=u8::MAX).zip(counts).filter(|&(_, count)| count > 0).collect();
    moves.sort_by_key(|&(place, count)| (Reverse(count), place));
    Position { key: group[0].0, moves, rest: 0 }
}

#[cfg(test)]
mod tests {
    use super::{position, weight};

    #[test]
    fn later_games_count_more() {
        assert_eq!([9, 8, 7, 6, 0].map(|game| weight(game, 10, 1)), [16, 8, 4, 2, 1]);
        assert_eq!([99, 0].map(|game| weight(game, 100, 0)), [16, 1]);
    }

    #[test]
    fn the_most_popular_move_comes_first() {
        let found = position(&[(7, 0, 3), (7, 1, 2), (7, 2, 3), (7, 3, 1)], |game| game + 1);
        assert_eq!((found.key, found.moves), (7, vec![(1, 4), (3, 4), (2, 2)]));
    }
}
