//! A 64-bit key of a position, defined here for ever.

use shakmaty::{Board, CastlingSide, Chess, Color, Position, Role};

use crate::split_mix::split_mix;

/// 12 x 64 for pieces on squares, 4 for castling rights, 8 for en passant files, 1 for the turn.
static CONSTANTS: [u64; 781] = {
    let mut constants = [0; 781];
    let mut index = 0;
    while index < 781 {
        constants[index] = split_mix(index as u64 + 1);
        index += 1;
    }
    constants
};

const CASTLING: usize = 768;
const EN_PASSANT: usize = 772;
const TURN: usize = 780;

/// The constant of a piece on a square; `piece` is the role (0 for pawn to 5 for king), plus
/// 6 for Black.
pub fn piece_key(piece: usize, square: usize) -> u64 {
    CONSTANTS[piece * 64 + square]
}

/// The constant of a piece on a square, both in one number: `piece` times 64 and the square.
pub fn feature_key(feature: usize) -> u64 {
    CONSTANTS[feature]
}

/// The constant of the side to move.
pub const TURN_KEY: u64 = CONSTANTS[TURN];

/// A key that two positions share if they have the same pieces on the same squares, the
/// same side to move, castling rights and legal en passant capture; others
/// share it only by chance.
pub fn position_key(position: &Chess) -> u64 {
    pieces_key(position.board()) ^ state_key(position)
}

/// The contribution of the pieces on their squares to the key.
pub fn pieces_key(board: &Board) -> u64 {
    let mut key = 0;
    for color in Color::ALL {
        for role in Role::ALL {
            let piece = usize::from(role) - 1 + color.fold_wb(0, 6);
            for square in board.by_piece(role.of(color)) {
                key ^= piece_key(piece, usize::from(square));
            }
        }
    }
    key
}

/// The contribution of everything but the pieces to the key.
pub fn state_key(position: &Chess) -> u64 {
    let mut key = 0;
    for (index, (color, side)) in [
        (Color::White, CastlingSide::KingSide),
        (Color::White, CastlingSide::QueenSide),
        (Color::Black, CastlingSide::KingSide),
        (Color::Black, CastlingSide::QueenSide),
    ]
    .into_iter()
    .enumerate()
    {
        if position.castles().has(color, side) {
            key ^= CONSTANTS[CASTLING + index];
        }
    }
    if let Some(square) = position.legal_ep_square() {
        key ^= CONSTANTS[EN_PASSANT + usize::from(square.file())];
    }
    if position.turn().is_white() {
        key ^= TURN_KEY;
    }
    key
}
