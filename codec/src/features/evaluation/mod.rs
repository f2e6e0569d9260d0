//! The static evaluation of a quiet position: a sum of tapered terms with fitted weights.
//!
//! The terms are the usual ones of chess programs (piece-square tables, mobility, pawn structure,
//! safety of the king). `plyzip-training evaluation-terms` and `training/evaluation.py` fit the weights, in
//! `tables/evaluation.bin`, to the results of training games.

mod terms;
#[cfg(test)]
mod tests;

use shakmaty::{Bitboard, Board, Color};

use terms::{Part, TURN, pawn_terms, pawns, piece_terms};
pub use terms::{TERMS, phase, terms};

use super::attack_map::AttackMap;

/// The weights of every term in the middle game and in the endgame, in centipawns, as `i16` each.
static WEIGHTS: &[u8; 4 * TERMS] = include_bytes!("../../../tables/evaluation.bin");

/// The same weights packed, so that one addition adds both: the middle game's in the lower half of each
/// number, the endgame's in the upper.
static PACKED: [i32; TERMS] = {
    let mut packed = [0; TERMS];
    let mut index = 0;
    while index < TERMS {
        let at = 4 * index;
        let middle = i16::from_le_bytes([WEIGHTS[at], WEIGHTS[at + 1]]) as i32;
        let end = i16::from_le_bytes([WEIGHTS[at + 2], WEIGHTS[at + 3]]) as i32;
        packed[index] = middle + (end << 16);
        index += 1;
    }
    packed
};

/// The evaluation of a position and of its parts, in centipawns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Evaluation {
    /// The value of the position for the side to move.
    pub total: i32,
    /// The part of passed, isolated, doubled and protected pawns, own less enemy.
    pub structure: i32,
    /// The part of the mobility of own pieces, open files and attacks by pawns included.
    pub own_mobility: i32,
    /// The same of the enemy's pieces, which counts against the side to move.
    pub enemy_mobility: i32,
    /// The part of the safety of the kings, own less enemy.
    pub kings: i32,
}

/// The packed sums of the weights of each part for White and for Black.
type Sums = [[i32; 2]; Part::COUNT];

#[inline(always)]
fn add(sums: &mut Sums, part: Part, index: usize, color: Color) {
    let sum = &mut sums[part as usize][usize::from(color.is_black())];
    *sum = sum.wrapping_add(PACKED[index]);
}

/// The terms of the pawns, to be shared by all moves that leave the pawns where they are.
#[derive(Debug, Clone)]
pub struct PawnStructure {
    pawns: [Bitboard; 2],
    sums: Sums,
}

impl PawnStructure {
    /// The pawn structure of a board.
    pub fn new(board: &Board) -> PawnStructure {
        let (pawns, mut sums) = (pawns(board), [[0; 2]; Part::COUNT]);
        pawn_terms(pawns, |part, index, color| add(&mut sums, part, index, color));
        PawnStructure { pawns, sums }
    }
}

impl Evaluation {
    /// Evaluates a position with `turn` to move; `map` is the board's. `known` is the pawn structure of any board; that
    /// of a board with the same pawns saves time.
    pub fn new(board: &Board, map: &AttackMap, turn: Color, known: &PawnStructure) -> Evaluation {
        let mut sums =
            if known.pawns == pawns(board) { known.sums } else { PawnStructure::new(board).sums };
        piece_terms(board, map, |part, index, color| add(&mut sums, part, index, color));
        add(&mut sums, Part::Other, TURN, turn);
        let sums = sums.map(|[white, black]| turn.fold_wb([white, black], [black, white]));
        let phase = phase(board);
        let difference = |[own, enemy]: [i32; 2]| own.wrapping_sub(enemy);
        let total = sums.map(difference).into_iter().fold(0, i32::wrapping_add);
        Evaluation {
            total: taper(total, phase),
            structure: taper(difference(sums[Part::Structure as usize]), phase),
            own_mobility: taper(sums[Part::Mobility as usize][0], phase),
            enemy_mobility: taper(sums[Part::Mobility as usize][1], phase),
            kings: taper(difference(sums[Part::Kings as usize]), phase),
        }
    }
}

/// The value of a sum of packed weights at a phase.
fn taper(sum: i32, phase: i32) -> i32 {
    let middle = i32::from(sum as i16);
    let end = sum.wrapping_sub(middle) >> 16;
    (middle * phase + end * (24 - phase)) / 24
}
