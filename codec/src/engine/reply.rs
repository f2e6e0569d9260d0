//! What a search leaves in the transposition table about the positions after the moves of its root: the best replies.

use shakmaty::{Chess, Move, Position};

use super::parameters::DRAW_HALFMOVES;
use super::search_state::SearchState;
use crate::chess::{arrival, checkers, is_insufficient_material};

/// What is known of the position after a move, when the search of the position before has ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reply {
    /// The best reply as the table packs it; 0 if none is known.
    pub packed: u16,
    /// 0 if no reply is known. Else 1, plus three times the role that replies (0 to 5), plus 0 if no piece of the side
    /// that moved stands on the reply's square of arrival, 1 if it is the piece that moved, 2 if it is another.
    pub kind: u8,
    /// 0 if the table does not know the position. Else 1, plus three times the depth of its entry (0 to 7), plus 0 for
    /// an exact value, 1 for a lower bound, 2 for an upper bound.
    pub effort: u8,
    /// 1 or 2 if the position has occurred once or more often since the last capture or pawn's move; else 3 if it is a
    /// draw for want of material or of progress, else 4 if the side to move is in check, else 0.
    pub state: u8,
}

impl Reply {
    /// Classes of [`Reply::kind`], [`Reply::effort`] and [`Reply::state`].
    pub const CLASSES: [usize; 3] = [19, 25, 5];

    /// What is known of `after`, the position with this `key` that `played` has led to. `keys` are those of the game's
    /// positions that could be repeated.
    pub fn find(state: &SearchState, keys: &[u64], played: Move, after: &Chess, key: u64) -> Reply {
        let board = after.board();
        let occurred = keys.iter().filter(|&&earlier| earlier == key).count();
        let drawn = is_insufficient_material(board) || after.halfmoves() >= DRAW_HALFMOVES;
        let state_of_game = match occurred {
            1 => 1,
            2.. => 2,
            0 if drawn => 3,
            0 => 4 * u8::from(checkers(after).any()),
        };
        let entry = &state.table[state.slot(key)];
        let mut reply = Reply { state: state_of_game, ..Reply::default() };
        if entry.key != key {
            return reply;
        }
        reply.effort = 1 + 3 * entry.depth.clamp(0, 7) as u8 + entry.bound as u8;
        // Two positions may share a key: a move of no piece is none.
        if let Some((from, to)) = entry.best_move.squares()
            && let Some(role) = board.role_at(from)
        {
            let captures = match after.them().contains(to) {
                false => 0,
                true if to == arrival(played) => 1,
                true => 2,
            };
            reply.packed = entry.best_move.bits();
            reply.kind = 1 + 3 * (role as u8 - 1) + captures;
        }
        reply
    }
}
