//! Moves in 16 bits, as the transposition table and the killer slots keep them.

use shakmaty::{Board, CastlingSide, Chess, Move, Position, Role, Square};

/// A move as departure, arrival and promotion in 15 bits, or [`PackedMove::NONE`]. The arrival is
/// that of [`Move::to`]: the rook's square for castling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PackedMove(u16);

impl PackedMove {
    /// No move.
    pub const NONE: PackedMove = PackedMove(0);

    /// The packed form of a move.
    pub fn new(played: Move) -> PackedMove {
        let from = played.from().unwrap_or(Square::A1);
        let promotion = played.promotion().map_or(0, |role| role as u16);
        PackedMove(PackedMove::from_squares(from, played.to()).0 + (promotion << 12))
    }

    /// The packed form of a move that does not promote, by its departure and [`Move::to`].
    pub fn from_squares(from: Square, to: Square) -> PackedMove {
        PackedMove(1 + (u16::from(from) | u16::from(to) << 6))
    }

    /// True if there is no move.
    pub fn is_none(self) -> bool {
        self == PackedMove::NONE
    }

    /// Departure and arrival of a move that is not [`PackedMove::NONE`].
    fn squares(self) -> (Square, Square) {
        let square = |bits: u16| Square::new(u32::from(bits & 63));
        (square(self.0 - 1), square((self.0 - 1) >> 6))
    }

    /// The legal move of `position` with this packed form; `None` if there is no such move, as when
    /// the table's key belongs to another position. Not for [`PackedMove::NONE`].
    pub fn unpack(self, position: &Chess) -> Option<Move> {
        let (from, to) = self.squares();
        let role = position.board().role_at(from)?;
        let own_rooks = position.us() & position.board().rooks();
        let moves = if role == Role::King && own_rooks.contains(to) {
            position.castling_moves(CastlingSide::from_king_side(from < to))
        } else {
            position.san_candidates(role, to)
        };
        moves.into_iter().find(|&candidate| PackedMove::new(candidate) == self)
    }

    /// True if a piece stands on the arrival of the move before it is played: true for captures
    /// other than en passant, and for castling.
    pub fn arrives_on_piece(self, board: &Board) -> bool {
        !self.is_none() && board.occupied().contains(self.squares().1)
    }
}

#[cfg(test)]
impl From<u16> for PackedMove {
    fn from(bits: u16) -> PackedMove {
        PackedMove(bits)
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen, san::San};

    use super::*;

    #[test]
    fn captures_and_castling_arrive_on_pieces() {
        let fen = "4k3/2p5/3p4/8/8/3R3p/6PP/R3K3 w Q - 0 1";
        let position: Chess =
            fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        let arrives = |san: &str| {
            let played = san.parse::<San>().unwrap().to_move(&position).unwrap();
            PackedMove::new(played).arrives_on_piece(position.board())
        };
        assert!(arrives("Rxd6") && arrives("O-O-O") && !arrives("Rd5"));
        assert!(!PackedMove::NONE.arrives_on_piece(position.board()));
    }
}
