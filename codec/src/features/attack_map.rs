//! The squares that each piece of a board attacks, found anew only where a move changes them.

use shakmaty::{Bitboard, Board, Role, Square, attacks};

use crate::chess::{bishop_attacks, queen_attacks, rook_attacks};

/// The squares that each piece of a board but the pawns attacks.
#[derive(Debug, Clone)]
pub struct AttackMap {
    /// By square; on squares without such a piece, anything.
    hits: [Bitboard; 64],
}

impl AttackMap {
    /// The map of a board.
    pub fn new(board: &Board) -> AttackMap {
        let mut map = AttackMap { hits: [Bitboard::EMPTY; 64] };
        for square in board.occupied() & !board.pawns() {
            map.hits[usize::from(square)] = attacks_from(board, square);
        }
        map
    }

    /// Sets the map to that of the board `after`, if `base` is that of the board `before`. A slider attacks other squares
    /// only if one of those that it attacked is occupied or left.
    pub fn follow(&mut self, base: &AttackMap, before: &Board, after: &Board) {
        self.hits = base.hits;
        let blockers = before.occupied() ^ after.occupied();
        let moved = Role::ALL.into_iter().fold(Bitboard::EMPTY, |moved, role| {
            moved | after.by_role(role) & !before.by_role(role)
        }) & !after.pawns();
        for square in moved {
            self.hits[usize::from(square)] = attacks_from(after, square);
        }
        for square in after.sliders() & !moved {
            if (self.hits[usize::from(square)] & blockers).any() {
                self.hits[usize::from(square)] = attacks_from(after, square);
            }
        }
    }

    /// The squares that the piece on `square`, no pawn, attacks.
    #[inline(always)]
    pub fn hits(&self, square: Square) -> Bitboard {
        self.hits[usize::from(square)]
    }
}

/// The squares that the piece on `square`, no pawn, attacks.
#[inline(always)]
fn attacks_from(board: &Board, square: Square) -> Bitboard {
    let occupied = board.occupied();
    if board.knights().contains(square) {
        attacks::knight_attacks(square)
    } else if board.bishops().contains(square) {
        bishop_attacks(square, occupied)
    } else if board.rooks().contains(square) {
        rook_attacks(square, occupied)
    } else if board.queens().contains(square) {
        queen_attacks(square, occupied)
    } else {
        attacks::king_attacks(square)
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Position;

    use super::*;
    use crate::chess::random_games::random_games;
    use crate::chess::{legal_moves, piece_attacks};

    #[test]
    fn maps_after_moves_are_those_of_the_boards() {
        let mut compared = 0;
        random_games(|position, _| {
            let before = position.board();
            let base = AttackMap::new(before);
            let mut map = base.clone();
            for candidate in legal_moves(position) {
                let mut next = position.clone();
                next.play_unchecked(candidate);
                let after = next.board();
                map.follow(&base, before, after);
                for square in after.occupied() & !after.pawns() {
                    let piece = after.piece_at(square).unwrap();
                    let expected = piece_attacks(square, piece, after.occupied());
                    assert_eq!(map.hits(square), expected, "{candidate:?} {square}");
                    compared += 1;
                }
            }
        });
        assert!(compared > 10_000);
    }
}
