//! What a network sees of a position, from the side of the player to move: `training/board/view.py` in Rust.

use shakmaty::{Board, CastlingSide, Color, Move, Piece, Position};

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
    /// The square that each square hears in each direction, or [`NOTHING`].
    pub(super) heard: [[u8; RAYS]; SQUARES],
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
    for (square, Piece { color, role }) in board.iter() {
        let code = role as u8 + if color.is_white() { 0 } else { 6 };
        bytes[usize::from(square) ^ flip] = seen(code, black);
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

/// The square at this distance, if there is one.
fn step(square: u8, (x, y): (i8, i8)) -> Option<u8> {
    let (file, rank) = ((square & 7) as i8 + x, (square >> 3) as i8 + y);
    ((0..8).contains(&file) && (0..8).contains(&rank)).then_some((rank * 8 + file) as u8)
}

/// What each square hears: in each direction the nearest square that is occupied, or else the last one; then what
/// is a knight's leap away.
fn heard(now: &[u8; SQUARES]) -> [[u8; RAYS]; SQUARES] {
    std::array::from_fn(|square| {
        let mut heard = [NOTHING; RAYS];
        let (rays, leaps) = heard.split_at_mut(8);
        for (heard, way) in rays.iter_mut().zip(STEPS) {
            let mut at = square as u8;
            while let Some(next) = step(at, way) {
                at = next;
                *heard = at;
                if now[usize::from(at)] >= 16 {
                    break;
                }
            }
        }
        for (heard, leap) in leaps.iter_mut().zip(LEAPS) {
            *heard = step(square as u8, leap).unwrap_or(NOTHING);
        }
        heard
    })
}
