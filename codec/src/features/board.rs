//! The features of a position.

use shakmaty::{CastlingSide, Color, Position, Role};

use super::buckets::{
    choice_bucket, elo_bucket, halfmove_bucket, pace_bucket, ply_bucket, role_index, value_bucket,
    year_bucket,
};
use super::context::GameContext;
use super::index::{BOARD_PADDING, BOARD_SLOTS, BoardIndices, board};
use super::tactics::Tactics;
use crate::chess::{History, Lines, attacked_by, checkers_by, passed_pawns};

/// The features of the position on the board.
pub fn board_features(history: &History, context: &GameContext, tactics: &Tactics) -> BoardIndices {
    let mut features = Features::new(history);
    features.game(context);
    features.rules();
    features.last_moves();
    features.tactics(tactics);
    features.pieces();
    features.indices
}

/// The features of a position, as far as they are found.
struct Features<'a> {
    history: &'a History,
    own: Color,
    /// Exclusive-ored with squares: 56 if Black is to move, 0 otherwise.
    flip: usize,
    indices: BoardIndices,
    used: usize,
}

impl<'a> Features<'a> {
    fn new(history: &'a History) -> Features<'a> {
        let own = history.position().turn();
        let flip = if own.is_white() { 0 } else { 56 };
        Features { history, own, flip, indices: [BOARD_PADDING; BOARD_SLOTS], used: 0 }
    }

    fn push(&mut self, index: usize) {
        // More than 32 pieces come only from strange FENs; what does not fit is left out.
        if self.used < BOARD_SLOTS {
            self.indices[self.used] = index as u16;
            self.used += 1;
        }
    }

    /// Players, course and result of the game.
    fn game(&mut self, context: &GameContext) {
        let own = self.own;
        self.push(board::OWN_ELO + elo_bucket(context.rating(own)));
        self.push(board::ENEMY_ELO + elo_bucket(context.rating(!own)));
        self.push(board::PLY + ply_bucket(self.history.ply()));
        self.push(board::RESULT + context.result_for(own));
        self.push(board::YEAR + year_bucket(context.year));
        self.push(board::PACE + pace_bucket(context));
    }

    /// What the rules look at beside the pieces.
    fn rules(&mut self) {
        let (history, own) = (self.history, self.own);
        let position = history.position();
        self.push(board::HALFMOVES + halfmove_bucket(position.halfmoves()));
        self.push(board::REPEATED + history.occurrences(history.key()).min(2));
        if checkers_by::<Lines>(position).any() {
            self.push(board::CHECK);
        }
        if own.is_white() {
            self.push(board::WHITE);
        }
        let rights = [
            (own, CastlingSide::KingSide),
            (own, CastlingSide::QueenSide),
            (!own, CastlingSide::KingSide),
            (!own, CastlingSide::QueenSide),
        ];
        for (index, (color, side)) in rights.into_iter().enumerate() {
            if position.castles().has(color, side) {
                self.push(board::CASTLING + index);
            }
        }
        if let Some(square) = position.legal_ep_square() {
            self.push(board::EN_PASSANT + usize::from(square.file()));
        }
    }

    /// Squares of departure and arrival of the last plies.
    fn last_moves(&mut self) {
        let flip = self.flip;
        let starts = (0..3).map(|back| board::LAST + 128 * back);
        let starts = starts.chain((0..2).map(|back| board::EARLIER + 128 * back));
        for (back, start) in starts.enumerate() {
            if let Some(last) = self.history.last(back) {
                self.push(start + (usize::from(last.from) ^ flip));
                self.push(start + 64 + (usize::from(last.to) ^ flip));
            }
        }
    }

    /// What the position is worth, and what captures win.
    fn tactics(&mut self, tactics: &Tactics) {
        self.push(board::EVALUATION + value_bucket(tactics.evaluation.total));
        if let Some(role) = self.history.last(0).and_then(|last| last.captured) {
            self.push(board::CAPTURED + role_index(role));
        }
        self.push(board::WINS + value_bucket(tactics.best));
        self.push(board::FEARS + value_bucket(tactics.fears));
        self.push(board::BALANCE + value_bucket(tactics.balance));
        self.push(board::CHOICE + choice_bucket(tactics.moves.len()));
    }

    /// The pieces, attacked and defended, and passed pawns.
    fn pieces(&mut self) {
        let (own, flip) = (self.own, self.flip);
        let squares = self.history.position().board();
        let attacked = [attacked_by(squares, own), attacked_by(squares, !own)];
        for (square, piece) in squares.iter() {
            let enemy = usize::from(piece.color != own);
            let attacked_there = usize::from(attacked[1 - enemy].contains(square));
            let defended = usize::from(attacked[enemy].contains(square));
            let square = usize::from(square) ^ flip;
            let index = piece_index(piece.role, enemy, square, attacked_there, defended);
            self.push(board::PIECE + index);
        }
        for (enemy, color) in [own, !own].into_iter().enumerate() {
            for square in passed_pawns(squares, color) {
                let square = pawn_square(usize::from(square) ^ flip);
                self.push(board::PASSED + 48 * enemy + square);
            }
        }
    }
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
