//! Correction history: what a search learns about its network's errors.
//!
//! Where a search finds that a position is worth more or less than the network says, others with
//! the same pawns, or with the same pieces of a side, are likely to be misjudged alike (correction
//! history, see the Chess Programming Wiki). What is learned serves for one search.

use shakmaty::{Bitboard, Chess, Color, Position};

/// Places for what positions have in common: pawns, White's other pieces, Black's other pieces.
const KINDS: usize = 3;

/// Places of a kind, for each side to move.
const PLACES: usize = 1024;

/// A correction of one centipawn.
const CENTIPAWN: i32 = 64;

/// Errors count as no more than this, in centipawns.
const MOST: i32 = 100;

/// An error counts for this and the depth it was found with, up to the latter bound, in units of
/// 1/256 of what is to be learned.
const WEIGHT: i32 = 2;
const MOST_WEIGHT: i32 = 32;

/// What a search has learned.
#[derive(Debug, Clone)]
pub struct CorrectionHistory {
    /// In units of 1/[`CENTIPAWN`].
    table: Vec<i16>,
}

impl CorrectionHistory {
    /// Nothing.
    pub fn new() -> CorrectionHistory {
        CorrectionHistory { table: vec![0; KINDS * 2 * PLACES] }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.table.fill(0);
    }

    /// What is to be added to the network's value of `position`, for the side to move, in
    /// centipawns: from -300 to 300.
    pub fn of(&self, position: &Chess) -> i32 {
        places(position).iter().map(|&place| i32::from(self.table[place])).sum::<i32>() / CENTIPAWN
    }

    /// Learns that a search of `depth` plies found `position` to be worth more by `error`
    /// centipawns than the network's corrected value.
    ///
    /// All kinds learn what is left of the error, so that together they correct three quarters of
    /// one that is always the same.
    pub fn learn(&mut self, position: &Chess, error: i32, depth: i32) {
        let weight = (WEIGHT * depth).clamp(0, MOST_WEIGHT);
        for place in places(position) {
            let old = i32::from(self.table[place]);
            let new = old + (error.clamp(-MOST, MOST) * CENTIPAWN - old) * weight / 256;
            self.table[place] = new as i16;
        }
    }
}

/// Where the kinds of a position are in the table.
fn places(position: &Chess) -> [usize; KINDS] {
    let board = position.board();
    let turn = position.turn().fold_wb(0, 1);
    let place = |kind: usize, hash: usize| (kind * 2 + turn) * PLACES + hash;
    let pawns = |side: Color| board.pawns() & board.by_color(side);
    let non_pawn_material = |side: Color| {
        let of = |set: Bitboard| u64::from(set & board.by_color(side));
        hash(
            of(board.knights() | board.kings()) ^ of(board.queens()).rotate_left(17),
            of(board.bishops()) ^ of(board.rooks()).rotate_left(13),
        )
    };
    [
        place(0, hash(pawns(Color::White).into(), pawns(Color::Black).into())),
        place(1, non_pawn_material(Color::White)),
        place(2, non_pawn_material(Color::Black)),
    ]
}

/// A number below [`PLACES`].
fn hash(one: u64, other: u64) -> usize {
    let one = one.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let other = other.wrapping_mul(0xd1b5_4a32_d192_ed03).rotate_left(31);
    ((one ^ other).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> (64 - PLACES.ilog2())) as usize
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;

    fn position(fen: &str) -> Chess {
        fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
    }

    #[test]
    fn what_positions_have_in_common_is_corrected_in_all_of_them() {
        let mut corrections = CorrectionHistory::new();
        let learned = position("4k3/pp6/8/3n4/8/8/PP6/4K2R w - - 0 1");
        assert_eq!(corrections.of(&learned), 0);
        for _ in 0..2_000 {
            let left = 40 - corrections.of(&learned);
            corrections.learn(&learned, left, 8);
        }
        // Three quarters.
        assert!((28..=32).contains(&corrections.of(&learned)), "{}", corrections.of(&learned));
        let same_pawns = position("3k4/pp6/8/8/8/2B5/PP6/5K2 w - - 0 1");
        let other_side = position("4k3/pp6/8/3n4/8/8/PP6/4K2R b - - 0 1");
        let nothing = position("3k4/p7/8/8/8/2B5/PP6/5K2 w - - 0 1");
        assert!((8..=12).contains(&corrections.of(&same_pawns)));
        assert_eq!([&other_side, &nothing].map(|other| corrections.of(other)), [0, 0]);
        corrections.clear();
        assert_eq!(corrections.of(&learned), 0);
    }

    #[test]
    fn corrections_are_bounded() {
        let position = position("4k3/pp6/8/3n4/8/8/PP6/4K2R w - - 0 1");
        for error in [i32::MAX, i32::MIN] {
            let mut corrections = CorrectionHistory::new();
            for _ in 0..10_000 {
                corrections.learn(&position, error, i32::MAX / 4);
            }
            let most = corrections.of(&position).abs();
            assert!((290..=300).contains(&most), "{most}");
        }
    }
}
