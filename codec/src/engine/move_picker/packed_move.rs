//! Moves in 16 bits, as the transposition table and the killer slots keep them.

use shakmaty::{Board, CastlingSide, Chess, Move, Position, Role, Square};

use crate::chess::{leaves_king, piece_attacks};

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

    /// The number that the move is packed in; 0 if there is no move.
    pub fn bits(self) -> u16 {
        self.0
    }

    /// Departure and arrival; `None` if there is no move.
    pub fn squares(self) -> Option<(Square, Square)> {
        let packed = self.0.checked_sub(1)?;
        let square = |bits: u16| Square::new(u32::from(bits & 63));
        Some((square(packed), square(packed >> 6)))
    }

    /// The legal move of `position` with this packed form; `None` if there is no such move, as when
    /// the table's key belongs to another position.
    pub fn unpack(self, position: &Chess) -> Option<Move> {
        let (from, to) = self.squares()?;
        let board = position.board();
        let role = board.role_at(from)?;
        if !matches!(role, Role::Pawn | Role::King) {
            // Pieces need no list of moves.
            let own = position.us();
            let reached = piece_attacks(from, role.of(position.turn()), board.occupied());
            let moves = own.contains(from) && (reached & !own).contains(to);
            let capture = board.role_at(to);
            let candidate = Move::Normal { role, from, capture, to, promotion: None };
            if !moves || PackedMove::new(candidate) != self {
                return None;
            }
            let mut next = position.clone();
            next.play_unchecked(candidate);
            return (!leaves_king(&next)).then_some(candidate);
        }
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
        self.squares().is_some_and(|(_, to)| board.occupied().contains(to))
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
    use crate::chess::legal_moves;
    use crate::chess::random_games::random_games;
    use crate::split_mix::SplitMix;

    #[test]
    fn legal_moves_and_no_others_are_unpacked() {
        let (mut numbers, mut found) = (SplitMix(3), 0);
        random_games(|position, _| {
            let legal = legal_moves(position);
            for &candidate in &legal {
                assert_eq!(PackedMove::new(candidate).unpack(position), Some(candidate));
            }
            for _ in 0..200 {
                let packed = PackedMove(1 + (numbers.next() % (5 << 12)) as u16);
                let expected = legal.iter().find(|&&m| PackedMove::new(m) == packed).copied();
                assert_eq!(packed.unpack(position), expected);
                found += usize::from(expected.is_some());
            }
        });
        assert!(found > 50);
    }

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
