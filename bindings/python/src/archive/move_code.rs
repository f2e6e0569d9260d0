//! Moves as numbers, for arrays and for python-chess.

use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Move};

/// 64 times the square that UCI has first, plus the other one; and the piece of a promotion as python-chess numbers it.
pub fn code(played: Move, mode: CastlingMode) -> (u16, u8) {
    match played.to_uci(mode) {
        UciMove::Normal { from, to, promotion } => {
            let squares = 64 * u32::from(from) + u32::from(to);
            (u16::try_from(squares).unwrap_or(u16::MAX), promotion.map_or(0, u8::from))
        }
        _ => (0, 0),
    }
}
