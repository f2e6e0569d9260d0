//! The pieces that attack a square, and those that give check.
//!
//! Searches ask for them thousands of times between two predictions of the network, so shakmaty's tables stay in the
//! cache. What single pieces attack is asked for by features, once a move, and computed from [lines](super::lines).

use shakmaty::{Bitboard, Board, Color, Position, Square, attacks};

/// The pieces of either side that attack `square` when the squares of `occupied` block lines.
#[inline]
pub fn attackers(board: &Board, square: Square, occupied: Bitboard) -> Bitboard {
    (attacks::rook_attacks(square, occupied) & board.rooks_and_queens())
        | (attacks::bishop_attacks(square, occupied) & board.bishops_and_queens())
        | (attacks::knight_attacks(square) & board.knights())
        | (attacks::king_attacks(square) & board.kings())
        | (attacks::pawn_attacks(Color::Black, square) & board.pawns() & board.white())
        | (attacks::pawn_attacks(Color::White, square) & board.pawns() & board.black())
}

/// The enemy pieces that attack the king of the side to move.
#[inline]
pub fn checkers(position: &impl Position) -> Bitboard {
    let (board, turn) = (position.board(), position.turn());
    match (board.kings() & board.by_color(turn)).first() {
        Some(king) => attackers(board, king, board.occupied()) & board.by_color(!turn),
        None => Bitboard::EMPTY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::random_games::random_games;

    #[test]
    fn attackers_and_checks_are_those_of_the_rules() {
        let mut checks = 0;
        random_games(|position, _| {
            let (board, occupied) = (position.board(), position.board().occupied());
            for square in Square::ALL {
                let by = |color| board.attacks_to(square, color, occupied);
                let expected = by(Color::White) | by(Color::Black);
                assert_eq!(attackers(board, square, occupied), expected);
            }
            assert_eq!(checkers(position), position.checkers());
            checks += usize::from(position.is_check());
        });
        assert!(checks > 50);
    }
}
