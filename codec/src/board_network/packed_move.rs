//! Moves in two bytes, as `plyzip-training expand` writes them: from, to (6 bits each, castling is the king's own step),
//! promotion (0 none, 1 knight, 2 bishop, 3 rook, 4 queen).

use shakmaty::{CastlingSide, Move, Square};

/// The two bytes of a move.
pub fn packed_move(played: Move) -> u16 {
    let (from, to) = match played {
        Move::Normal { from, to, .. } | Move::EnPassant { from, to } => (from, to),
        Move::Castle { king, rook } => {
            let side = CastlingSide::from_king_side(king < rook);
            (king, Square::from_coords(side.king_to_file(), king.rank()))
        }
        Move::Put { .. } => unreachable!("chess has no drops"),
    };
    let promotion = played.promotion().map_or(0, |role| role as u16 - 1);
    u16::from(from) | u16::from(to) << 6 | promotion << 12
}
