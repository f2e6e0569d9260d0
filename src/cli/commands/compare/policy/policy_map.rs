//! The order of moves in the output of Leela's policy networks.
//!
//! All moves that a queen or a knight can make on an empty board, by square of departure and then of arrival (a1, b1 …
//! h8), seen from the side to move; then promotions to queen, rook and bishop, by file of departure and of arrival.
//! A promotion to a knight stands where the move of another piece would. Castling is the king's capture of its own rook.

use shakmaty::attacks::{knight_attacks, queen_attacks};
use shakmaty::{Bitboard, Color, Move, Role, Square};

/// Places of moves among the network's logits.
#[derive(Debug)]
pub struct PolicyMap {
    /// By square of departure and square of arrival; those that no piece connects have place 0.
    plain: Vec<u16>,
    /// By file of departure and file of arrival; that of the promotion to a queen.
    promotions: [[u16; 8]; 8],
}

impl PolicyMap {
    /// Logits that a network gives.
    pub const MOVES: usize = 1858;

    pub fn new() -> PolicyMap {
        let mut next = 0;
        let mut plain = vec![0; 64 * 64];
        for from in Square::ALL {
            for to in queen_attacks(from, Bitboard::EMPTY) | knight_attacks(from) {
                plain[usize::from(from) * 64 + usize::from(to)] = next;
                next += 1;
            }
        }
        let mut promotions = [[0; 8]; 8];
        for (from, places) in promotions.iter_mut().enumerate() {
            for (to, place) in places.iter_mut().enumerate() {
                if from.abs_diff(to) <= 1 {
                    *place = next;
                    next += 3;
                }
            }
        }
        debug_assert_eq!(usize::from(next), PolicyMap::MOVES);
        PolicyMap { plain, promotions }
    }

    /// The place of a move of `turn`, below [`PolicyMap::MOVES`]; `None` for a piece that is put on the board.
    pub fn place(&self, turn: Color, played: Move) -> Option<usize> {
        let seen = |square: Square| turn.fold_wb(square, square.flip_vertical());
        let (from, to) = (seen(played.from()?), seen(played.to()));
        let piece = match played.promotion() {
            None | Some(Role::Knight) => {
                return Some(self.plain[usize::from(from) * 64 + usize::from(to)].into());
            }
            Some(Role::Queen) => 0,
            Some(Role::Rook) => 1,
            Some(_) => 2,
        };
        let files = self.promotions[usize::from(from.file())];
        Some(usize::from(files[usize::from(to.file())]) + piece)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::fen::Fen;
    use shakmaty::uci::UciMove;
    use shakmaty::{CastlingMode, Chess};

    /// The place of a move of a position.
    fn place(fen: &str, uci: &str) -> usize {
        let fen: Fen = fen.parse().unwrap();
        let position: Chess = fen.into_position(CastlingMode::Standard).unwrap();
        let uci: UciMove = uci.parse().unwrap();
        let played = uci.to_move(&position).unwrap();
        PolicyMap::new().place(shakmaty::Position::turn(&position), played).unwrap()
    }

    /// Places that lc0 names: `e1h1` is 103, `e1a1` 97 and the last, `h7h8b`, 1857.
    #[test]
    fn places_are_those_of_lc0() {
        let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        assert_eq!(place(castling, "e1g1"), 103);
        assert_eq!(place(castling, "e1c1"), 97);
        assert_eq!(place(castling, "a1b1"), 0);
        let black = castling.replace(" w ", " b ");
        assert_eq!(place(&black, "e8g8"), 103);
        assert_eq!(place(&black, "a8b8"), 0);
        let promotions = "6n1/P6P/8/8/8/2k5/8/K7 w - - 0 1";
        assert_eq!(place(promotions, "a7a8q"), 1792);
        assert_eq!(place(promotions, "a7a8r"), 1793);
        assert_eq!(place(promotions, "h7g8b"), 1854);
        assert_eq!(place(promotions, "h7h8b"), 1857);
        // A knight as if no promotion: seven squares of h7 stand before it, and five behind.
        assert!(place(promotions, "h7h8n") < 1792);
    }
}
