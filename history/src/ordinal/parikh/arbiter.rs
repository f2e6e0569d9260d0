//! Draws by the rules, whether the players agree or not.

use plyzip_codec::unstable::chess::{is_insufficient_material, position_key};
use shakmaty::{Chess, Move, Position};

/// Tells when a game is drawn: by too little material to mate, by the third occurrence of a position, or by fifty moves
/// of each side without capture or pawn move. Players may play on after the last two; the arbiter of Parikh's text
/// stops them.
///
/// Moves and positions before the start are not counted, since no code of a start position stores them.
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

    /// Adds a move, and the position after it, to the game.
    pub fn note(&mut self, played: Move, after: &Chess) {
        if played.is_zeroing() {
            self.keys.clear();
        }
        self.keys.push(position_key(after));
    }

    /// True if the game is drawn now that `position` is on the board.
    pub fn is_drawn(&self, position: &Chess) -> bool {
        let now = self.keys.last();
        self.keys.len() > FIFTY_MOVES
            || is_insufficient_material(position.board())
            || self.keys.iter().filter(|&key| Some(key) == now).count() >= 3
    }
}
