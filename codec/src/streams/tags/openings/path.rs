//! The positions that openings are named after.

use shakmaty::Position;

use crate::chess::position_key;
use crate::pgn::Game;

/// Openings are named after what happens in so many plies.
const PLIES: usize = 40;

/// [`position_key`] of the positions of the opening, after each of the first 40 moves.
pub fn path(game: &Game) -> Vec<u64> {
    let (Some(mut position), Some(line)) = (game.start(), game.lines.first()) else {
        return Vec::new();
    };
    let mut path = Vec::with_capacity(PLIES + 1);
    for &played in line.moves.iter().take(PLIES) {
        if !position.is_legal(played) {
            break;
        }
        position.play_unchecked(played);
        path.push(position_key(&position));
    }
    path
}
