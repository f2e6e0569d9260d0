//! Correction history: the search's estimate of the network's errors (see the Chess Programming
//! Wiki).
//!
//! When a search finds that the network's evaluation of a position is too low or too high, it is
//! likely to be so in other positions with the same pawns, or with the same pieces of one side. The
//! table is cleared before each search.

use shakmaty::{Bitboard, Chess, Color, Position};

use super::parameters::{CORRECTION_WEIGHT, MAX_CORRECTION, MAX_CORRECTION_WEIGHT};

/// Tables: by pawns, by White's other pieces, by Black's other pieces.
const TABLES: usize = 3;

/// Entries of a table for each side to move.
const ENTRIES: usize = 1024;

/// A correction of one centipawn.
const CENTIPAWN: i32 = 64;

/// The corrections that a search has learned.
#[derive(Debug, Clone)]
pub struct CorrectionHistory {
    /// In units of 1/[`CENTIPAWN`].
    table: Vec<i16>,
}

impl CorrectionHistory {
    /// No corrections.
    pub fn new() -> CorrectionHistory {
        CorrectionHistory { table: vec![0; TABLES * 2 * ENTRIES] }
    }

    /// Sets all corrections to 0.
    pub fn clear(&mut self) {
        self.table.fill(0);
    }

    /// The correction of the network's evaluation of `position`, in centipawns for the side to move,
    /// from -300 to 300.
    pub fn correction(&self, position: &Chess) -> i32 {
        entries(position).iter().map(|&entry| i32::from(self.table[entry])).sum::<i32>() / CENTIPAWN
    }

    /// Updates the corrections with the result of a search of `depth` plies that is `error`
    /// centipawns above the corrected evaluation of `position`.
    ///
    /// Each table learns the error that the sum of all three leaves, so that together they correct
    /// three quarters of a constant error.
    pub fn update(&mut self, position: &Chess, error: i32, depth: i32) {
        let weight = (CORRECTION_WEIGHT * depth).clamp(0, MAX_CORRECTION_WEIGHT);
        let error = error.clamp(-MAX_CORRECTION, MAX_CORRECTION);
        for entry in entries(position) {
            let old = i32::from(self.table[entry]);
            let new = old + (error * CENTIPAWN - old) * weight / 256;
            self.table[entry] = new as i16;
        }
    }
}

/// The indices of a position's entry in each table.
fn entries(position: &Chess) -> [usize; TABLES] {
    let board = position.board();
    let turn = position.turn().fold_wb(0, 1);
    let entry = |table: usize, hash: usize| (table * 2 + turn) * ENTRIES + hash;
    let pawns = |side: Color| board.pawns() & board.by_color(side);
    let non_pawn_material = |side: Color| {
        let of = |set: Bitboard| u64::from(set & board.by_color(side));
        hash(
            of(board.knights() | board.kings()) ^ of(board.queens()).rotate_left(17),
            of(board.bishops()) ^ of(board.rooks()).rotate_left(13),
        )
    };
    [
        entry(0, hash(pawns(Color::White).into(), pawns(Color::Black).into())),
        entry(1, non_pawn_material(Color::White)),
        entry(2, non_pawn_material(Color::Black)),
    ]
}

/// A hash below [`ENTRIES`].
fn hash(one: u64, other: u64) -> usize {
    let one = one.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let other = other.wrapping_mul(0xd1b5_4a32_d192_ed03).rotate_left(31);
    ((one ^ other).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> (64 - ENTRIES.ilog2())) as usize
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;

    fn position(fen: &str) -> Chess {
        fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
    }

    #[test]
    fn positions_with_the_same_pawns_share_a_correction() {
        let mut corrections = CorrectionHistory::new();
        let learned = position("4k3/pp6/8/3n4/8/8/PP6/4K2R w - - 0 1");
        assert_eq!(corrections.correction(&learned), 0);
        for _ in 0..2_000 {
            let left = 40 - corrections.correction(&learned);
            corrections.update(&learned, left, 8);
        }
        // Three quarters.
        assert!(
            (28..=32).contains(&corrections.correction(&learned)),
            "{}",
            corrections.correction(&learned)
        );
        let same_pawns = position("3k4/pp6/8/8/8/2B5/PP6/5K2 w - - 0 1");
        let other_side = position("4k3/pp6/8/3n4/8/8/PP6/4K2R b - - 0 1");
        let nothing = position("3k4/p7/8/8/8/2B5/PP6/5K2 w - - 0 1");
        assert!((8..=12).contains(&corrections.correction(&same_pawns)));
        assert_eq!([&other_side, &nothing].map(|other| corrections.correction(other)), [0, 0]);
        corrections.clear();
        assert_eq!(corrections.correction(&learned), 0);
    }

    #[test]
    fn corrections_are_bounded() {
        let position = position("4k3/pp6/8/3n4/8/8/PP6/4K2R w - - 0 1");
        for error in [i32::MAX, i32::MIN] {
            let mut corrections = CorrectionHistory::new();
            for _ in 0..10_000 {
                corrections.update(&position, error, i32::MAX / 4);
            }
            let most = corrections.correction(&position).abs();
            assert!((290..=300).contains(&most), "{most}");
        }
    }
}
