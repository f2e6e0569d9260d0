//! Counts of a side's pieces, by kind.

use shakmaty::{Bitboard, Board, Role, Square};

/// The pieces of a side as far as they are known.
#[derive(Debug, Clone, Copy, Default)]
pub struct Tally {
    pawns: usize,
    knights: usize,
    rooks: usize,
    queens: usize,
    /// Bishops on dark and on light squares.
    bishops: [usize; 2],
}

impl Tally {
    /// Counts a piece.
    pub fn add(&mut self, role: Role, square: Square) {
        match role {
            Role::Pawn => self.pawns += 1,
            Role::Knight => self.knights += 1,
            Role::Bishop => self.bishops[usize::from(square.is_light())] += 1,
            Role::Rook => self.rooks += 1,
            Role::Queen => self.queens += 1,
            Role::King => {}
        }
    }

    /// Pieces beyond the initial set.
    pub fn promoted(self) -> usize {
        self.queens.saturating_sub(1)
            + self.rooks.saturating_sub(2)
            + self.knights.saturating_sub(2)
            + self.bishops.map(|bishops| bishops.saturating_sub(1)).iter().sum::<usize>()
    }

    /// Pawns, and pieces that must have been pawns: never more than eight.
    pub fn initial_pawns(self) -> usize {
        self.pawns + self.promoted()
    }
}

/// White's and Black's pieces on `squares`, counted.
pub fn tallies_of(board: &Board, squares: Bitboard) -> [Tally; 2] {
    let mut tallies = [Tally::default(); 2];
    for square in squares {
        if let Some(piece) = board.piece_at(square) {
            tallies[usize::from(piece.color.is_black())].add(piece.role, square);
        }
    }
    tallies
}
