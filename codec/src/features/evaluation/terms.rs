//! The terms of the evaluation.

use shakmaty::{Bitboard, Board, Color, Square, attacks};

use crate::chess::pawn_attacks;
use crate::features::attack_map::AttackMap;

/// Number of terms.
pub const TERMS: usize = KING_ATTACKERS + 8;

/// The first index of each kind of term; the first 6 x 64 are those of the piece-square tables. Terms
/// with several indices: passed pawns by rank, mobility by the number of squares, the attackers of the
/// king's squares by their number, the pawns ahead of the own king by their number.
const BISHOP_PAIR: usize = 6 * 64;
pub(super) const PASSED: usize = BISHOP_PAIR + 1;
const ISOLATED: usize = PASSED + 8;
const DOUBLED: usize = ISOLATED + 1;
const PROTECTED: usize = DOUBLED + 1;
pub(super) const KNIGHT_MOBILITY: usize = PROTECTED + 1;
const BISHOP_MOBILITY: usize = KNIGHT_MOBILITY + 9;
const ROOK_MOBILITY: usize = BISHOP_MOBILITY + 14;
const QUEEN_MOBILITY: usize = ROOK_MOBILITY + 15;
const OPEN_FILE: usize = QUEEN_MOBILITY + 28;
const HALF_OPEN_FILE: usize = OPEN_FILE + 1;
const ATTACKED_BY_PAWN: usize = HALF_OPEN_FILE + 1;
pub(super) const TURN: usize = ATTACKED_BY_PAWN + 1;
pub(super) const SHIELD: usize = TURN + 1;
const KING_ATTACKERS: usize = SHIELD + 4;

/// The phase of the game by the pieces of both sides: 24 at the beginning, 0 when only kings and pawns
/// are left.
pub fn phase(board: &Board) -> i32 {
    let count = |set: Bitboard| set.count() as i32;
    let phase = count(board.knights() | board.bishops())
        + 2 * count(board.rooks())
        + 4 * count(board.queens());
    phase.min(24)
}

/// The part of the evaluation that a term belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Other,
    /// Passed, isolated, doubled and protected pawns.
    Structure,
    /// Mobility of pieces, open files and attacks by pawns.
    Mobility,
    /// Safety of the kings.
    Kings,
}

impl Part {
    pub const COUNT: usize = 4;
}

/// Calls `term` with each term that counts for a side, below [`TERMS`], and with the side.
pub fn terms(board: &Board, turn: Color, mut term: impl FnMut(usize, Color)) {
    pawn_terms(pawns(board), |_, index, color| term(index, color));
    piece_terms(board, &AttackMap::new(board), |_, index, color| term(index, color));
    term(TURN, turn);
}

/// White's pawns and Black's.
pub(super) fn pawns(board: &Board) -> [Bitboard; 2] {
    [Color::White, Color::Black].map(|color| board.pawns() & board.by_color(color))
}

/// The terms that depend on pawns alone.
pub(super) fn pawn_terms(pawns: [Bitboard; 2], mut term: impl FnMut(Part, usize, Color)) {
    for color in [Color::White, Color::Black] {
        let flip = if color.is_white() { 0 } else { 56 };
        let own_pawns = pawns[usize::from(color.is_black())];
        let enemy_pawns = pawns[usize::from(color.is_white())];
        let guard = pawn_attacks(own_pawns, color);
        for square in own_pawns {
            term(Part::Other, usize::from(square) ^ flip, color);
            let file = Bitboard::from_file(square.file());
            let neighbours = pawn_attacks(file, Color::White) | pawn_attacks(file, Color::Black);
            let ahead = ahead(square, color);
            if (ahead & (file | neighbours) & enemy_pawns).is_empty()
                && (ahead & file & own_pawns).is_empty()
            {
                term(Part::Structure, PASSED + (usize::from(square) ^ flip) / 8, color);
            }
            if (neighbours & own_pawns).is_empty() {
                term(Part::Structure, ISOLATED, color);
            }
            if (ahead & file & own_pawns).any() {
                term(Part::Structure, DOUBLED, color);
            }
            if guard.contains(square) {
                term(Part::Structure, PROTECTED, color);
            }
        }
    }
}

/// The terms that depend on other pieces, but for the turn; `map` is the board's.
#[inline(always)]
pub(super) fn piece_terms(
    board: &Board,
    map: &AttackMap,
    mut term: impl FnMut(Part, usize, Color),
) {
    // Compiled for each side, so that sums by part and side stay in registers.
    side_terms(board, map, Color::White, |part, index| term(part, index, Color::White));
    side_terms(board, map, Color::Black, |part, index| term(part, index, Color::Black));
}

/// [`piece_terms`] of one side.
#[inline(always)]
fn side_terms(board: &Board, map: &AttackMap, color: Color, mut term: impl FnMut(Part, usize)) {
    let pawns = pawns(board);
    let own = board.by_color(color);
    let flip = if color.is_white() { 0 } else { 56 };
    let own_pawns = pawns[usize::from(color.is_black())];
    let enemy_guard = pawn_attacks(pawns[usize::from(color.is_white())], !color);
    let enemy_king = board.king_of(!color).unwrap_or(Square::A1);
    let king_zone = attacks::king_attacks(enemy_king).with(enemy_king);
    let mut attackers = 0;
    for (role, set, mobility) in [
        (1, board.knights(), KNIGHT_MOBILITY),
        (2, board.bishops(), BISHOP_MOBILITY),
        (3, board.rooks(), ROOK_MOBILITY),
        (4, board.queens(), QUEEN_MOBILITY),
    ] {
        for square in set & own {
            term(Part::Other, role * 64 + (usize::from(square) ^ flip));
            let hits = map.hits(square);
            term(Part::Mobility, mobility + (hits & !own & !enemy_guard).count());
            attackers += usize::from((hits & king_zone).any());
            if enemy_guard.contains(square) {
                term(Part::Mobility, ATTACKED_BY_PAWN);
            }
            if role == 3 {
                let file = Bitboard::from_file(square.file());
                if (file & board.pawns()).is_empty() {
                    term(Part::Mobility, OPEN_FILE);
                } else if (file & own_pawns).is_empty() {
                    term(Part::Mobility, HALF_OPEN_FILE);
                }
            }
        }
    }
    if attackers > 0 {
        term(Part::Kings, KING_ATTACKERS + attackers.min(7));
    }
    if (board.bishops() & own).more_than_one() {
        term(Part::Other, BISHOP_PAIR);
    }
    if let Some(king) = board.king_of(color) {
        term(Part::Other, 5 * 64 + (usize::from(king) ^ flip));
        let before = attacks::king_attacks(king) & ahead(king, color) & own_pawns;
        term(Part::Kings, SHIELD + before.count().min(3));
    }
}

/// The squares on the ranks ahead of `square`, seen from `color`.
fn ahead(square: Square, color: Color) -> Bitboard {
    let ranks = 8 * u32::from(square.rank());
    match color {
        Color::White => Bitboard((!0u64 << ranks) << 8),
        Color::Black => Bitboard((1u64 << ranks) - 1),
    }
}
