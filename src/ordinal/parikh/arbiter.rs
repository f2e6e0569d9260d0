//! When a game is drawn by the rules, whether the players agree or not.

use shakmaty::{Chess, Move, Position};

use crate::chess::{is_insufficient_material, position_key};

/// Watches a game for dead positions that the material shows, for the third occurrence of a
/// position and for fifty moves of each side without capture or pawn move. Players
/// may go on after the last two; an arbiter as Parikh's text has it does not let them.
///
/// What was before the start is not counted: no position code that a game could begin with has it.
#[derive(Debug)]
pub struct Arbiter {
    /// Keys of the positions since the last capture or pawn move, the present one last.
    keys: Vec<u64>,
}

/// Plies without capture or pawn move that end a game.
const FIFTY_MOVES: usize = 100;

impl Arbiter {
    /// A game from `start`.
    pub fn new(start: &Chess) -> Arbiter {
        Arbiter { keys: vec![position_key(start)] }
    }

    /// Takes note of a move and the position after it.
    pub fn note(&mut self, played: Move, after: &Chess) {
        if played.is_zeroing() {
            self.keys.clear();
        }
        self.keys.push(position_key(after));
    }

    /// Whether the game is drawn now that `position` is on the board.
    pub fn is_drawn(&self, position: &Chess) -> bool {
        let now = self.keys.last();
        self.keys.len() > FIFTY_MOVES
            || is_insufficient_material(position.board())
            || self.keys.iter().filter(|&key| Some(key) == now).count() >= 3
    }
}
