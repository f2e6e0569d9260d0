//! What a quiet position is worth: a sum of tapered terms with weights fitted to results.
//!
//! The terms are the usual ones of chess programs (piece-square tables, mobility, pawn structure,
//! safety of the king); `plyzip-training evaluation-terms` and `training/evaluation.py` fit the
//! weights, in `models/evaluation.bin`, to the results of training games.

use shakmaty::{Bitboard, Board, Color, Square, attacks};

use crate::chess::pawn_attacks;

/// Number of terms.
pub const TERMS: usize = KING_HUNTED + 8;

const PAIR: usize = 6 * 64;
const PASSED: usize = PAIR + 1;
const ISOLATED: usize = PASSED + 8;
const DOUBLED: usize = ISOLATED + 1;
const PROTECTED: usize = DOUBLED + 1;
const KNIGHT_ROOM: usize = PROTECTED + 1;
const BISHOP_ROOM: usize = KNIGHT_ROOM + 9;
const ROOK_ROOM: usize = BISHOP_ROOM + 14;
const QUEEN_ROOM: usize = ROOK_ROOM + 15;
const OPEN_FILE: usize = QUEEN_ROOM + 28;
const HALF_OPEN_FILE: usize = OPEN_FILE + 1;
const PRESSED: usize = HALF_OPEN_FILE + 1;
const TURN: usize = PRESSED + 1;
const SHIELD: usize = TURN + 1;
const KING_HUNTED: usize = SHIELD + 4;

/// What is left of both sides' pieces: 24 at the beginning, 0 when only kings and pawns are left.
pub fn phase(board: &Board) -> i32 {
    let count = |set: Bitboard| set.count() as i32;
    let phase = count(board.knights() | board.bishops())
        + 2 * count(board.rooks())
        + 4 * count(board.queens());
    phase.min(24)
}

/// Calls `term` with each term that speaks for a side, and with the side.
pub fn terms(board: &Board, turn: Color, mut term: impl FnMut(usize, Color)) {
    pawn_terms(pawns(board), &mut term);
    piece_terms(board, &mut term);
    term(TURN, turn);
}

/// White's pawns and Black's.
fn pawns(board: &Board) -> [Bitboard; 2] {
    [Color::White, Color::Black].map(|color| board.pawns() & board.by_color(color))
}

/// The terms in which nothing but pawns matters.
fn pawn_terms(pawns: [Bitboard; 2], mut term: impl FnMut(usize, Color)) {
    for color in [Color::White, Color::Black] {
        let flip = if color.is_white() { 0 } else { 56 };
        let own_pawns = pawns[usize::from(color.is_black())];
        let enemy_pawns = pawns[usize::from(color.is_white())];
        let guard = pawn_attacks(own_pawns, color);
        for square in own_pawns {
            term(usize::from(square) ^ flip, color);
            let file = Bitboard::from_file(square.file());
            let neighbours = pawn_attacks(file, Color::White) | pawn_attacks(file, Color::Black);
            let ahead = ahead(square, color);
            if (ahead & (file | neighbours) & enemy_pawns).is_empty()
                && (ahead & file & own_pawns).is_empty()
            {
                term(PASSED + (usize::from(square) ^ flip) / 8, color);
            }
            if (neighbours & own_pawns).is_empty() {
                term(ISOLATED, color);
            }
            if (ahead & file & own_pawns).any() {
                term(DOUBLED, color);
            }
            if guard.contains(square) {
                term(PROTECTED, color);
            }
        }
    }
}

/// The other terms of each side.
fn piece_terms(board: &Board, mut term: impl FnMut(usize, Color)) {
    let occupied = board.occupied();
    let pawns = pawns(board);
    for color in [Color::White, Color::Black] {
        let own = board.by_color(color);
        let flip = if color.is_white() { 0 } else { 56 };
        let own_pawns = pawns[usize::from(color.is_black())];
        let enemy_guard = pawn_attacks(pawns[usize::from(color.is_white())], !color);
        let enemy_king = board.king_of(!color).unwrap_or(Square::A1);
        let zone = attacks::king_attacks(enemy_king).with(enemy_king);
        let mut hunters = 0;
        for (role, set, room) in [
            (1, board.knights(), KNIGHT_ROOM),
            (2, board.bishops(), BISHOP_ROOM),
            (3, board.rooks(), ROOK_ROOM),
            (4, board.queens(), QUEEN_ROOM),
        ] {
            for square in set & own {
                term(role * 64 + (usize::from(square) ^ flip), color);
                let hits = match role {
                    1 => attacks::knight_attacks(square),
                    2 => attacks::bishop_attacks(square, occupied),
                    3 => attacks::rook_attacks(square, occupied),
                    _ => attacks::queen_attacks(square, occupied),
                };
                term(room + (hits & !own & !enemy_guard).count(), color);
                hunters += usize::from((hits & zone).any());
                if enemy_guard.contains(square) {
                    term(PRESSED, color);
                }
                if role == 3 {
                    let file = Bitboard::from_file(square.file());
                    if (file & board.pawns()).is_empty() {
                        term(OPEN_FILE, color);
                    } else if (file & own_pawns).is_empty() {
                        term(HALF_OPEN_FILE, color);
                    }
                }
            }
        }
        if hunters > 0 {
            term(KING_HUNTED + hunters.min(7), color);
        }
        if (board.bishops() & own).more_than_one() {
            term(PAIR, color);
        }
        if let Some(king) = board.king_of(color) {
            term(5 * 64 + (usize::from(king) ^ flip), color);
            let before = attacks::king_attacks(king) & ahead(king, color) & own_pawns;
            term(SHIELD + before.count().min(3), color);
        }
    }
}

/// The ranks before `square`, seen from `color`.
fn ahead(square: Square, color: Color) -> Bitboard {
    let ranks = 8 * u32::from(square.rank());
    match color {
        Color::White => Bitboard((!0u64 << ranks) << 8),
        Color::Black => Bitboard((1u64 << ranks) - 1),
    }
}

/// The weights of every term in the middle game and in the endgame, in centipawns, as `i16` each.
static WEIGHTS: &[u8; 4 * TERMS] = include_bytes!("../../models/evaluation.bin");

/// Weights ready for use: middle game in the lower half of each number, endgame in the upper.
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

/// Which part of an evaluation each term belongs to.
static PART: [u8; TERMS] = {
    let mut part = [PLACES; TERMS];
    let mut index = PASSED;
    while index < TERMS {
        part[index] = match index {
            PASSED..KNIGHT_ROOM => STRUCTURE,
            KNIGHT_ROOM..=PRESSED => ROOM,
            SHIELD..TERMS => KINGS,
            _ => PLACES,
        };
        index += 1;
    }
    part
};

const PLACES: u8 = 0;
const STRUCTURE: u8 = 1;
const ROOM: u8 = 2;
const KINGS: u8 = 3;

/// What the parts of an evaluation add up to, in centipawns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Evaluation {
    /// What the position is worth to the side to move.
    pub total: i32,
    /// Of that, what pawns are worth as passed, isolated, doubled or protected ones.
    pub structure: i32,
    /// Of that, what the mobility of the side's own pieces is worth.
    pub own_room: i32,
    /// Less of that, what the mobility of the enemy's is worth.
    pub enemy_room: i32,
    /// Of that, what the safety of both kings is worth.
    pub kings: i32,
}

/// What the terms of each part add up to for White and for Black, packed.
type Sums = [[i32; 2]; 4];

fn add(sums: &mut Sums, index: usize, color: Color) {
    let sum = &mut sums[usize::from(PART[index])][usize::from(color.is_black())];
    *sum = sum.wrapping_add(PACKED[index]);
}

/// What pawns are worth where they stand. Most moves leave them there.
#[derive(Debug, Clone)]
pub struct PawnStructure {
    pawns: [Bitboard; 2],
    sums: Sums,
}

impl PawnStructure {
    /// That of a board.
    pub fn new(board: &Board) -> PawnStructure {
        let (pawns, mut sums) = (pawns(board), [[0; 2]; 4]);
        pawn_terms(pawns, |index, color| add(&mut sums, index, color));
        PawnStructure { pawns, sums }
    }
}

impl Evaluation {
    /// Evaluates a position for `turn`, to move. `known` is the pawn structure of any board, at
    /// best the same.
    pub fn new(board: &Board, turn: Color, known: &PawnStructure) -> Evaluation {
        let mut sums =
            if known.pawns == pawns(board) { known.sums } else { PawnStructure::new(board).sums };
        piece_terms(board, |index, color| add(&mut sums, index, color));
        add(&mut sums, TURN, turn);
        let sums = sums.map(|[white, black]| turn.fold_wb([white, black], [black, white]));
        let phase = phase(board);
        let difference = |[own, enemy]: [i32; 2]| own.wrapping_sub(enemy);
        let total = sums.map(difference).into_iter().fold(0, i32::wrapping_add);
        Evaluation {
            total: taper(total, phase),
            structure: taper(difference(sums[usize::from(STRUCTURE)]), phase),
            own_room: taper(sums[usize::from(ROOM)][0], phase),
            enemy_room: taper(sums[usize::from(ROOM)][1], phase),
            kings: taper(difference(sums[usize::from(KINGS)]), phase),
        }
    }
}

/// The value of a sum of packed weights at a phase.
fn taper(sum: i32, phase: i32) -> i32 {
    let middle = i32::from(sum as i16);
    let end = sum.wrapping_sub(middle) >> 16;
    (middle * phase + end * (24 - phase)) / 24
}

#[cfg(test)]
mod tests {
    use shakmaty::Chess;
    use shakmaty::Position;

    use super::*;

    /// What the position is worth to the side to move, in centipawns.
    fn evaluate(board: &Board, turn: Color) -> i32 {
        let mut sum = 0i32;
        terms(board, turn, |index, color| {
            let weight = PACKED[index];
            sum = if color == turn { sum.wrapping_add(weight) } else { sum.wrapping_sub(weight) };
        });
        taper(sum, phase(board))
    }

    #[test]
    fn parts_belong_to_the_whole() {
        // White: a passed pawn and a king without a shield; Black: a shield and no mobility.
        let setup = "6k1/5ppp/8/3P4/8/8/8/3RK3 w - - 0 1".parse::<shakmaty::fen::Fen>().unwrap();
        let board = setup.into_setup().board;
        let structure = PawnStructure::new(&board);
        let parts = Evaluation::new(&board, Color::White, &structure);
        assert_eq!(parts.total, evaluate(&board, Color::White));
        // The weights of the terms in a range, for White less for Black or for White alone.
        let sum = |range: std::ops::Range<usize>, black: i32| {
            let mut sum = 0;
            terms(&board, Color::White, |index, color| {
                if range.contains(&index) {
                    sum += if color.is_white() { PACKED[index] } else { black * PACKED[index] };
                }
            });
            taper(sum, phase(&board))
        };
        assert_ne!((parts.structure, parts.own_room, parts.kings), (0, 0, 0));
        assert_eq!(parts.structure, sum(PASSED..KNIGHT_ROOM, -1));
        assert_eq!(parts.own_room, sum(KNIGHT_ROOM..TURN, 0));
        assert_eq!(parts.kings, sum(SHIELD..TERMS, -1));
        assert_eq!(parts.enemy_room, 0);
        let unlike = PawnStructure::new(Chess::default().board());
        assert_eq!(parts, Evaluation::new(&board, Color::White, &unlike));
        let other = Evaluation::new(&board, Color::Black, &structure);
        assert_eq!(other.total, evaluate(&board, Color::Black));
        assert_eq!((other.structure, other.kings), (-parts.structure, -parts.kings));
        assert_eq!((other.own_room, other.enemy_room), (0, parts.own_room));
    }

    #[test]
    fn the_start_is_nearly_even_and_a_queen_is_worth_more_than_a_rook() {
        let start = Chess::default();
        assert!(evaluate(start.board(), Color::White).abs() < 60);
        let mut board = start.board().clone();
        board.discard_piece_at(Square::D8);
        let without_queen = evaluate(&board, Color::White);
        board = start.board().clone();
        board.discard_piece_at(Square::A8);
        assert!(without_queen > evaluate(&board, Color::White) && without_queen > 500);
        assert_eq!(evaluate(&board, Color::White), {
            let mut mirrored = board.clone();
            mirrored.flip_vertical();
            mirrored.swap_colors();
            evaluate(&mirrored, Color::Black)
        });
    }
}
