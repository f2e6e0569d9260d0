//! The features of a position.

use shakmaty::{CastlingSide, Position, Role};

use super::buckets::{role_index, value_bucket};
use super::context::GameContext;
use super::index::{BOARD_PADDING, BOARD_SLOTS, BoardIndices, board};
use super::tactics::Tactics;
use crate::chess::{History, attacked_by, passed_pawns};

fn elo_bucket(elo: u16) -> usize {
    if elo == 0 { 0 } else { usize::from((elo.max(1200) - 1200) / 100).min(16) + 1 }
}

/// The years in which buckets begin, finer near the present; later ones than training knew belong
/// to the last.
const ERAS: [u16; 18] = [
    1900, 1930, 1950, 1970, 1980, 1985, 1990, 1995, 2000, 2004, 2008, 2011, 2013, 2015, 2017, 2019,
    2021, 2022,
];

/// Years to 20 buckets; 0 is unknown.
fn year_bucket(year: u16) -> usize {
    if year == 0 { 0 } else { 1 + ERAS.partition_point(|&first| first <= year) }
}

/// The features of the position on the board.
pub fn board_features(history: &History, context: &GameContext, tactics: &Tactics) -> BoardIndices {
    let position = history.position();
    let own = position.turn();
    let flip = if own.is_white() { 0 } else { 56 };
    let squares = position.board();
    let attacked = [attacked_by(squares, own), attacked_by(squares, !own)];

    let mut indices = [BOARD_PADDING; BOARD_SLOTS];
    let mut used = 0;
    let mut push = |index: usize| {
        // More than 32 pieces come only from strange FENs; what does not fit is left out.
        if used < BOARD_SLOTS {
            indices[used] = index as u16;
            used += 1;
        }
    };
    push(board::OWN_ELO + elo_bucket(context.elo[usize::from(own.is_black())]));
    push(board::ENEMY_ELO + elo_bucket(context.elo[usize::from(own.is_white())]));
    let ply = history.ply();
    push(board::PLY + if ply < 20 { ply } else { (20 + (ply - 20) / 8).min(39) });
    push(board::RESULT + context.result_for(own));
    push(board::YEAR + year_bucket(context.year));
    push(board::PACE + context.pace as usize * 2 + usize::from(context.online));
    let halfmoves = position.halfmoves() as usize;
    push(
        board::HALFMOVES
            + if halfmoves < 8 { halfmoves } else { (8 + (halfmoves - 8) / 12).min(15) },
    );
    push(board::REPEATED + history.occurrences(history.key()).min(2));
    if position.is_check() {
        push(board::CHECK);
    }
    if own.is_white() {
        push(board::WHITE);
    }
    for (index, (color, side)) in [
        (own, CastlingSide::KingSide),
        (own, CastlingSide::QueenSide),
        (!own, CastlingSide::KingSide),
        (!own, CastlingSide::QueenSide),
    ]
    .into_iter()
    .enumerate()
    {
        if position.castles().has(color, side) {
            push(board::CASTLING + index);
        }
    }
    if let Some(square) = position.legal_ep_square() {
        push(board::EN_PASSANT + usize::from(square.file()));
    }
    for back in 0..3 {
        if let Some(last) = history.last(back) {
            push(board::LAST + 128 * back + (usize::from(last.from) ^ flip));
            push(board::LAST + 128 * back + 64 + (usize::from(last.to) ^ flip));
        }
    }
    for back in 3..5 {
        if let Some(last) = history.last(back) {
            push(board::EARLIER + 128 * (back - 3) + (usize::from(last.from) ^ flip));
            push(board::EARLIER + 128 * (back - 3) + 64 + (usize::from(last.to) ^ flip));
        }
    }
    push(board::EVALUATION + value_bucket(tactics.evaluation.total));
    if let Some(role) = history.last(0).and_then(|last| last.captured) {
        push(board::CAPTURED + role_index(role));
    }
    push(board::WINS + value_bucket(tactics.best));
    push(board::FEARS + value_bucket(tactics.fears));
    push(board::BALANCE + value_bucket(tactics.balance));
    let choice = tactics.moves.len();
    push(board::CHOICE + if choice < 8 { choice } else { (8 + (choice - 8) / 6).min(15) });
    for (square, piece) in squares.iter() {
        let enemy = usize::from(piece.color != own);
        let attacked_there = usize::from(attacked[1 - enemy].contains(square));
        let defended = usize::from(attacked[enemy].contains(square));
        push(
            board::PIECE
                + piece_index(
                    piece.role,
                    enemy,
                    usize::from(square) ^ flip,
                    attacked_there,
                    defended,
                ),
        );
    }
    for (enemy, color) in [own, !own].into_iter().enumerate() {
        for square in passed_pawns(squares, color) {
            push(board::PASSED + 48 * enemy + pawn_square(usize::from(square) ^ flip));
        }
    }
    indices
}

/// A pawn's square as one of 48.
fn pawn_square(square: usize) -> usize {
    // No pawn stands on the first or last rank.
    square.saturating_sub(8).min(47)
}

/// The place of a piece among the features [`board::PIECE`].
fn piece_index(role: Role, enemy: usize, square: usize, attacked: usize, defended: usize) -> usize {
    let state = attacked + 2 * defended;
    match (role, enemy) {
        (Role::Pawn, _) => (48 * enemy + pawn_square(square)) * 4 + state,
        (Role::King, 1) => (2 * 48 + 9 * 64) * 4 + square * 2 + defended,
        _ => (2 * 48 + (role_index(role) - 1 + 5 * enemy) * 64 + square) * 4 + state,
    }
}
