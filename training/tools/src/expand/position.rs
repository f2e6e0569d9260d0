//! The state of one position.
//!
//! State, four bytes:
//! - bits 0 to 3: castling rights (White short, White long, Black short, Black long); bit 4: Black
//!   to move; bit 5: in check; bits 6 and 7: how often the position occurred before, at most 2;
//! - 1 + the file of a legal capture en passant, or 0;
//! - plies since the last capture or pawn move, at most 255;
//! - the place of the move played among the legal moves, [`END`] or [`NOTHING`].

use shakmaty::{CastlingSide, Chess, Color, Position};

/// Instead of a move's place: the game ended here though there were legal moves.
pub const END: u8 = 255;

/// Instead of a move's place: nobody knows what came next, or nothing can.
pub const NOTHING: u8 = 254;

/// The order of sides in all records; shakmaty's own begins with Black.
const COLORS: [Color; 2] = [Color::White, Color::Black];

/// The four bytes of state; `before` is how often the position occurred before, `target` the last
/// byte.
pub fn state(position: &Chess, before: u8, target: u8) -> [u8; 4] {
    let mut flags = 0;
    for (side, color) in COLORS.into_iter().enumerate() {
        let castles = position.castles();
        flags |= u8::from(castles.has(color, CastlingSide::KingSide)) << (2 * side);
        flags |= u8::from(castles.has(color, CastlingSide::QueenSide)) << (2 * side + 1);
    }
    flags |= u8::from(position.turn().is_black()) << 4;
    flags |= u8::from(position.is_check()) << 5;
    flags |= before.min(2) << 6;
    let en_passant = position.legal_ep_square().map_or(0, |square| square.file() as u8 + 1);
    let clock = position.halfmoves().min(255) as u8;
    [flags, en_passant, clock, target]
}
