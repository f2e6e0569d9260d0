//! What a network sees of a position, from the side of the player to move: `training/board/view.py` in Rust.

use shakmaty::{Board, CastlingSide, Color, Move, Piece, Position, Role};

use super::packed_move::packed_move;
use super::squares::squares;
use crate::chess::{EARLIER_BOARDS, History};
use crate::features::{
    GameContext, choice_bucket, elo_bucket, halfmove_bucket, pace_bucket, ply_bucket, year_bucket,
};

/// Squares of a board.
pub const SQUARES: usize = 64;

/// Rows of the table of what stands on a square now.
pub const NOW: usize = 13 * 16;

/// Rows of the table of what stood on a square, for each of [`BACK`] positions.
pub const PAST: usize = 14;

/// Positions before the present one.
pub const BACK: usize = EARLIER_BOARDS;

/// The piece on squares of a position before the first.
const MISSING: u8 = 13;

/// Directions of a queen, then leaps of a knight.
pub const RAYS: usize = 16;

/// What a square hears where there is nothing.
pub const NOTHING: u8 = 64;

/// Sizes of the groups of conditions, in their order: rating of the player to move and of the other, result, year,
/// pace, ply, plies since the last capture or pawn move, repetitions, castling rights, file of a capture en passant,
/// check, White to move, number of legal moves.
const SIZES: [usize; 13] = [18, 18, 4, 20, 10, 40, 16, 3, 4, 8, 1, 1, 16];

/// Number of conditions.
pub const CONDITIONS: usize = first(SIZES.len());

/// Where a group of conditions begins.
const fn first(group: usize) -> usize {
    let (mut sum, mut place) = (0, 0);
    while place < group {
        sum += SIZES[place];
        place += 1;
    }
    sum
}

/// A legal move as a network sees it: Black's with the board flipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SeenMove {
    /// The square of departure times 64, and that of arrival (of the king, for castling).
    pub pair: u16,
    /// 0 none, 1 knight, 2 bishop, 3 rook, 4 queen.
    pub promotion: u8,
}

/// What a network sees of a position. Squares are a1 = 0 to h8 = 63, flipped from top to bottom for Black.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    pub(super) now: [u8; SQUARES],
    pub(super) past: [[u8; SQUARES]; BACK],
    /// The conditions that hold.
    pub(super) conditions: Vec<u8>,
    /// For each direction the square that each square hears, or [`NOTHING`].
    pub(super) heard: [[u8; SQUARES]; RAYS],
    pub(super) moves: Vec<SeenMove>,
}

impl View {
    /// What the network sees of the position at the end of `history`, in a game with this context; `legal` are its legal
    /// moves in canonical order.
    pub fn new(history: &History, context: &GameContext, legal: &[Move]) -> View {
        let position = history.position();
        let black = position.turn().is_black();
        let flip = if black { 56 } else { 0 };
        let board = squares(position.board());
        let now = std::array::from_fn(|square| {
            let byte = board[square ^ flip];
            let attackers = byte >> 4;
            let attackers = if black { attackers >> 2 | (attackers & 3) << 2 } else { attackers };
            seen(byte & 15, black) * 16 + attackers
        });
        let past = std::array::from_fn(|back| match history.earlier_board(back) {
            Some(board) => pieces(board, black, flip),
            None => [MISSING; SQUARES],
        });
        let seen_move = |&legal: &Move| {
            let packed = packed_move(legal);
            let (from, to) = (packed & 63 ^ flip as u16, packed >> 6 & 63 ^ flip as u16);
            SeenMove { pair: from * 64 + to, promotion: (packed >> 12) as u8 }
        };
        View {
            now,
            past,
            conditions: conditions(history, context, legal.len()),
            heard: heard(&now),
            moves: legal.iter().map(seen_move).collect(),
        }
    }
}

/// The pieces on a board as the player to move sees them.
fn pieces(board: &Board, black: bool, flip: usize) -> [u8; SQUARES] {
    let mut bytes = [0; SQUARES];
    for color in Color::ALL {
        for role in Role::ALL {
            let code = seen(role as u8 + if color.is_white() { 0 } else { 6 }, black);
            for square in board.by_piece(Piece { color, role }) {
                bytes[usize::from(square) ^ flip] = code;
            }
        }
    }
    bytes
}

/// The conditions that hold.
fn conditions(history: &History, context: &GameContext, moves: usize) -> Vec<u8> {
    let position = history.position();
    let turn = position.turn();
    let mut entries = vec![
        (0, elo_bucket(context.rating(turn))),
        (1, elo_bucket(context.rating(!turn))),
        (2, context.result_for(turn)),
        (3, year_bucket(context.year)),
        (4, pace_bucket(context)),
        (5, ply_bucket(history.ply())),
        (6, halfmove_bucket(position.halfmoves())),
        (7, history.occurrences(history.key()).min(2)),
        (12, choice_bucket(moves)),
    ];
    let sides = [CastlingSide::KingSide, CastlingSide::QueenSide];
    for (bit, (color, side)) in
        [turn, !turn].into_iter().flat_map(|color| sides.map(|side| (color, side))).enumerate()
    {
        if position.castles().has(color, side) {
            entries.push((8, bit));
        }
    }
    if let Some(square) = position.legal_ep_square() {
        entries.push((9, square.file() as usize));
    }
    if position.is_check() {
        entries.push((10, 0));
    }
    if turn == Color::White {
        entries.push((11, 0));
    }
    entries.into_iter().map(|(group, place)| (first(group) + place) as u8).collect()
}

/// The piece with its colour as the player to move sees it.
fn seen(code: u8, black: bool) -> u8 {
    if black && (1..=12).contains(&code) { (code + 5) % 12 + 1 } else { code }
}

const STEPS: [(i8, i8); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
const LEAPS: [(i8, i8); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// For each direction the square that is a step or a leap away from each, or [`NOTHING`].
const NEXT: [[u8; SQUARES]; RAYS] = {
    let mut table = [[NOTHING; SQUARES]; RAYS];
    let mut way = 0;
    while way < RAYS {
        let (x, y) = if way < STEPS.len() { STEPS[way] } else { LEAPS[way - STEPS.len()] };
        let mut square = 0;
        while square < SQUARES {
            let (file, rank) = ((square % 8) as i8 + x, (square / 8) as i8 + y);
            if file >= 0 && file < 8 && rank >= 0 && rank < 8 {
                table[way][square] = (rank * 8 + file) as u8;
            }
            square += 1;
        }
        way += 1;
    }
    table
};

/// What each square hears: in each direction the nearest square that is occupied, or else the last one; then what
/// is a knight's leap away.
fn heard(now: &[u8; SQUARES]) -> [[u8; SQUARES]; RAYS] {
    let mut heard = NEXT;
    for (heard, (x, y)) in heard.iter_mut().zip(STEPS) {
        // A square hears what the next one hears, unless that is occupied or the last. The next one comes first.
        for place in 0..SQUARES {
            let square = if y * 8 + x > 0 { SQUARES - 1 - place } else { place };
            let next = usize::from(heard[square]);
            if next < SQUARES && now[next] < 16 && heard[next] != NOTHING {
                heard[square] = heard[next];
            }
        }
    }
    heard
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_hear_the_nearest_piece_or_the_last_square() {
        // A rook on d4 and a pawn on d6.
        let mut now = [0; SQUARES];
        (now[27], now[43]) = (4 * 16, 16);
        let heard = heard(&now);
        let of = |square: usize| heard.map(|way| way[square]);
        // From d4: d6, h8, h4, g1, d1, a1, a4, a7, then leaps.
        assert_eq!(of(27)[..8], [43, 63, 31, 6, 3, 0, 24, 48]);
        assert_eq!(of(27)[8..], [44, 37, 21, 12, 10, 17, 33, 42]);
        // From d1 up: d4. From d8 down: d6. From a1: a8, d4, h1, and nothing.
        assert_eq!((of(3)[0], of(59)[4]), (27, 43));
        assert_eq!(of(0)[..8], [56, 27, 7, 64, 64, 64, 64, 64]);
        assert_eq!(of(0)[8..], [17, 10, 64, 64, 64, 64, 64, 64]);
    }
}
