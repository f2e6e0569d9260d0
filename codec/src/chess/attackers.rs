//! The pieces that attack a square, and those that give check.
//!
//! Searches ask for them thousands of times between two predictions of the network, so shakmaty's tables stay in the
//! cache. Without a search, features would wait for the tables: they have [lines]. What single pieces attack is
//! computed from lines, too.

use shakmaty::{Bitboard, Board, Color, Position, Square, attacks};

use super::lines;

/// Where the attacks of sliders come from. The squares are the same.
pub trait SliderAttacks {
    /// The squares that a rook on `square` attacks when the squares of `occupied` block lines.
    fn rook(square: Square, occupied: Bitboard) -> Bitboard;
    /// The squares that a bishop on `square` attacks.
    fn bishop(square: Square, occupied: Bitboard) -> Bitboard;
}

/// From shakmaty's tables.
#[derive(Debug)]
pub struct Tables;

impl SliderAttacks for Tables {
    #[inline(always)]
    fn rook(square: Square, occupied: Bitboard) -> Bitboard {
        attacks::rook_attacks(square, occupied)
    }

    #[inline(always)]
    fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
        attacks::bishop_attacks(square, occupied)
    }
}

/// From [lines].
#[derive(Debug)]
pub struct Lines;

impl SliderAttacks for Lines {
    #[inline(always)]
    fn rook(square: Square, occupied: Bitboard) -> Bitboard {
        lines::rook_attacks(square, occupied)
    }

    #[inline(always)]
    fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
        lines::bishop_attacks(square, occupied)
    }
}

/// The pieces of either side that attack `square` when the squares of `occupied` block lines.
#[inline]
pub fn attackers(board: &Board, square: Square, occupied: Bitboard) -> Bitboard {
    attackers_by::<Tables>(board, square, occupied)
}

/// [`attackers`] with attacks of `S`.
#[inline]
pub fn attackers_by<S: SliderAttacks>(
    board: &Board,
    square: Square,
    occupied: Bitboard,
) -> Bitboard {
    attackers_along(board, square, [S::rook(square, occupied), S::bishop(square, occupied)])
}

/// [`attackers_by`], where the squares that a rook and a bishop on the square would attack are known.
#[inline]
pub fn attackers_along(board: &Board, square: Square, [rook, bishop]: [Bitboard; 2]) -> Bitboard {
    (rook & board.rooks_and_queens())
        | (bishop & board.bishops_and_queens())
        | (attacks::knight_attacks(square) & board.knights())
        | (attacks::king_attacks(square) & board.kings())
        | (attacks::pawn_attacks(Color::Black, square) & board.pawns() & board.white())
        | (attacks::pawn_attacks(Color::White, square) & board.pawns() & board.black())
}

/// The enemy pieces that attack the king of the side to move.
#[inline]
pub fn checkers(position: &impl Position) -> Bitboard {
    checkers_by::<Tables>(position)
}

/// [`checkers`] with attacks of `S`.
#[inline]
pub fn checkers_by<S: SliderAttacks>(position: &impl Position) -> Bitboard {
    let (board, turn) = (position.board(), position.turn());
    match (board.kings() & board.by_color(turn)).first() {
        Some(king) => attackers_by::<S>(board, king, board.occupied()) & board.by_color(!turn),
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
                assert_eq!(attackers_by::<Lines>(board, square, occupied), expected);
            }
            assert_eq!(checkers(position), position.checkers());
            assert_eq!(checkers_by::<Lines>(position), position.checkers());
            checks += usize::from(position.is_check());
        });
        assert!(checks > 50);
    }
}
