//! A game in progress: the position and the moves that led to it.

use std::collections::VecDeque;

use shakmaty::{Board, CastlingSide, Chess, File, Move, Position, Role, Square};

use super::attackers::checkers;
use super::position_key;

/// Plies: how many of the last moves predictions use.
const RECENT_MOVES: usize = 5;

/// How many of the boards before the present one predictions use.
pub const EARLIER_BOARDS: usize = 7;

/// Plies: repetitions are searched for so far back; the fifty-move rule makes more pointless.
const REPETITION_WINDOW: usize = 100;

/// Plies: a history of this length is cut back to what predictions use.
const MAX_KEPT: usize = 1000;

/// A move of the past: the parts of it that predictions use.
#[derive(Debug, Clone, Copy)]
pub struct Played {
    /// Square of departure.
    pub from: Square,
    /// Square of arrival; the king's for castling.
    pub to: Square,
    /// The piece that moved.
    pub role: Role,
    /// The piece that it captured.
    pub captured: Option<Role>,
}

impl Played {
    /// The parts of a move that predictions use.
    pub fn new(played: Move) -> Played {
        Played {
            from: played.from().unwrap_or(Square::A1),
            to: arrival(played),
            role: played.role(),
            captured: played.capture(),
        }
    }
}

/// The square on which the moved piece arrives; for castling, that of the king.
#[inline]
pub fn arrival(played: Move) -> Square {
    match played.castling_side() {
        Some(side) => {
            let file = if side == CastlingSide::KingSide { File::G } else { File::C };
            Square::from_coords(file, played.to().rank())
        }
        None => played.to(),
    }
}

/// True if a legal move attacks the enemy king.
#[inline]
pub fn gives_check(position: &Chess, candidate: Move) -> bool {
    let mut after = position.clone();
    after.play_unchecked(candidate);
    checkers(&after).any()
}

/// The position, the moves that led to it and the keys of the positions on the way.
#[derive(Debug, Clone)]
pub struct History {
    position: Chess,
    /// Plies before the first of `played`.
    forgotten: usize,
    played: Vec<Played>,
    /// Keys of the positions so far, the present one last.
    keys: Vec<u64>,
    /// How often the piece on each square has moved in this game.
    moved: [u8; 64],
    /// The boards before the present one, the latest first, at most [`EARLIER_BOARDS`].
    earlier_boards: VecDeque<Board>,
}

impl History {
    /// A game that starts from `position`.
    pub fn new(position: Chess) -> History {
        let key = position_key(&position);
        History {
            position,
            forgotten: 0,
            played: Vec::new(),
            keys: vec![key],
            moved: [0; 64],
            earlier_boards: VecDeque::with_capacity(EARLIER_BOARDS),
        }
    }

    /// A copy without the moves and keys that no prediction uses any more, to start a variation from:
    /// its size does not grow with the game.
    pub fn branch(&self) -> History {
        let kept = self.played.len().saturating_sub(RECENT_MOVES);
        History {
            position: self.position.clone(),
            forgotten: self.forgotten + kept,
            played: self.played[kept..].to_vec(),
            keys: self.reversible_keys().to_vec(),
            moved: self.moved,
            earlier_boards: self.earlier_boards.clone(),
        }
    }

    /// The position on the board.
    pub fn position(&self) -> &Chess {
        &self.position
    }

    /// The key of the position on the board.
    pub fn key(&self) -> u64 {
        self.keys[self.keys.len() - 1]
    }

    /// Keys of the positions since the last irreversible move, at most 100 plies back, the present
    /// one last.
    pub fn reversible_keys(&self) -> &[u64] {
        &self.keys[self.keys.len().saturating_sub(self.reversible() + 1)..]
    }

    /// Number of plies played.
    pub fn ply(&self) -> usize {
        self.forgotten + self.played.len()
    }

    /// The move played `back` plies ago, at most 4; 0 is the latest.
    pub fn last(&self, back: usize) -> Option<&Played> {
        self.played.iter().rev().nth(back)
    }

    /// The board `back` plies before the last move, at most 6; 0 is the one on which it was played. `None` before the
    /// game's first position.
    pub fn earlier_board(&self, back: usize) -> Option<&Board> {
        self.earlier_boards.get(back)
    }

    /// Number of times that the piece on `square` has moved in this game.
    pub fn times_moved(&self, square: Square) -> u8 {
        self.moved[usize::from(square)]
    }

    /// Number of times that the position with this key stood on the board since the last irreversible
    /// move, at most 100 plies back, the present position not counted.
    pub fn occurrences(&self, key: u64) -> usize {
        self.keys.iter().rev().skip(1).take(self.reversible()).filter(|&&past| past == key).count()
    }

    /// Plays a legal move.
    pub fn play(&mut self, legal: Move) {
        let played = Played::new(legal);
        self.moved[usize::from(played.to)] = self.moved[usize::from(played.from)].saturating_add(1);
        self.moved[usize::from(played.from)] = 0;
        self.earlier_boards.truncate(EARLIER_BOARDS - 1);
        self.earlier_boards.push_front(self.position.board().clone());
        self.position.play_unchecked(legal);
        self.played.push(played);
        self.keys.push(position_key(&self.position));
        if self.played.len() >= MAX_KEPT {
            *self = self.branch();
        }
    }

    /// Plies back to which a position could repeat.
    fn reversible(&self) -> usize {
        (self.position.halfmoves() as usize).min(REPETITION_WINDOW)
    }
}
