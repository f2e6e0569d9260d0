//! The move picker: the moves of a position in the order in which the search tries them, those with
//! the highest scores first.
//!
//! Most nodes are cut off after one move or two, so moves are generated in stages: first the move of
//! the transposition table, then captures and promotions, then quiet moves.

mod packed_move;
#[cfg(test)]
mod tests;

use shakmaty::{Bitboard, Chess, Move, MoveList, Position, Role, Square};

use crate::chess::{captures, castles, gain, is_quiet, loses_more_than, quiets, role_value};

pub use packed_move::PackedMove;

/// Scores of the table's move; of captures and promotions that lose no material, at least; of the
/// first killer, the second having one less; and of captures that lose material, at least. Other
/// quiet moves have scores between [`BAD_CAPTURE`] / 2 and [`SECOND_KILLER`].
const TABLE_MOVE: i32 = 1_000_000;
pub const GOOD_CAPTURE: i32 = 200_000;
pub const FIRST_KILLER: i32 = 150_000;
pub const SECOND_KILLER: i32 = FIRST_KILLER - 1;
pub const BAD_CAPTURE: i32 = -200_000;

/// Entries that stand for a move that was picked, and for one that will not be.
const PICKED: i32 = i32::MIN;
const DROPPED: i32 = i32::MIN + 1;

/// What the picker does next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Picks the table's move.
    TableMove,
    /// Generates captures and promotions.
    Captures,
    /// Generates quiet moves, when no capture is left that loses no material.
    Quiets,
    /// Picks what is left.
    Generated,
}

/// Picks the moves of one position.
#[derive(Debug)]
pub struct MovePicker {
    stage: Stage,
    /// Whether quiet moves are picked.
    with_quiets: bool,
    table_move: PackedMove,
    moves: MoveList,
    /// The entry of the first move in [`MoveScores`].
    first: usize,
}

/// The scores of the moves of all positions of a line, one position after the other, as [`pack`]
/// writes them. One list for the line takes less memory than a list for each node.
pub type MoveScores = Vec<i32>;

impl MovePicker {
    /// A picker of the moves of a position, `table_move` first. It appends to `scores`; who made the
    /// picker truncates the list when done.
    pub fn new(table_move: PackedMove, scores: &MoveScores) -> MovePicker {
        let stage = if table_move.is_none() { Stage::Captures } else { Stage::TableMove };
        let (moves, first) = (MoveList::new(), scores.len());
        MovePicker { stage, with_quiets: true, table_move, moves, first }
    }

    /// Restricts a new picker to captures that win more than `bound` centipawns at once.
    pub fn only_captures(&mut self, position: &Chess, bound: i32, scores: &mut MoveScores) {
        self.stage = Stage::Generated;
        let board = position.board();
        let victims = Role::ALL.into_iter().filter(|&role| role_value(role) > bound);
        let victims = victims.fold(Bitboard::EMPTY, |set, role| set | board.by_role(role));
        captures(position, victims, false, &mut self.moves);
        for (index, &candidate) in self.moves.iter().enumerate() {
            let gain = gain(candidate);
            let score = GOOD_CAPTURE + mvv_lva(candidate, gain);
            scores.push(if gain > bound { pack(score, index) } else { DROPPED });
        }
    }

    /// The next move and its score; `None` if no move is left. Captures may be illegal: see
    /// [`captures`]. `quiet_score` gives the score of a quiet move, by role, departure and
    /// [`Move::to`].
    #[inline]
    pub fn pick(
        &mut self,
        position: &Chess,
        scores: &mut MoveScores,
        quiet_score: impl Fn(Role, Square, Square) -> i32,
    ) -> Option<(i32, Move)> {
        if self.stage == Stage::TableMove {
            self.stage = Stage::Captures;
            if let Some(table_move) = self.table_move.unpack(position) {
                return Some((TABLE_MOVE, table_move));
            }
        }
        if self.stage == Stage::Captures {
            self.stage = Stage::Quiets;
            self.add_captures(position, scores);
        }
        loop {
            let left = &mut scores[self.first..];
            let highest = left.iter().copied().fold(DROPPED, i32::max);
            let (score, index) = unpack(highest);
            if score < GOOD_CAPTURE && self.stage == Stage::Quiets {
                self.stage = Stage::Generated;
                if self.with_quiets {
                    self.add_quiets(position, scores, &quiet_score);
                    continue;
                }
            }
            if highest == DROPPED {
                return None;
            }
            let candidate = self.moves[index];
            // Static exchange evaluation waits until a capture's turn comes, which it seldom does. A
            // capture that loses material gets another turn after the quiet moves.
            if score >= GOOD_CAPTURE && loses_more_than(position, candidate, 0) {
                left[index] = pack(score - GOOD_CAPTURE + BAD_CAPTURE, index);
                continue;
            }
            left[index] = PICKED;
            return Some((score, candidate));
        }
    }

    #[inline(never)]
    fn add_captures(&mut self, position: &Chess, scores: &mut MoveScores) {
        captures(position, position.them(), true, &mut self.moves);
        for (index, &candidate) in self.moves.iter().enumerate() {
            let score = GOOD_CAPTURE + mvv_lva(candidate, gain(candidate));
            let picked = PackedMove::new(candidate) == self.table_move;
            scores.push(if picked { PICKED } else { pack(score, index) });
        }
    }

    #[inline(never)]
    fn add_quiets(
        &mut self,
        position: &Chess,
        scores: &mut MoveScores,
        quiet_score: impl Fn(Role, Square, Square) -> i32,
    ) {
        let (moves, table_move) = (&mut self.moves, self.table_move);
        let mut add = |candidate, role, from, to| {
            let index = moves.len();
            // No legal game leads to more moves than the list has room for; a board that was set up
            // with more loses the last of them.
            if moves.try_push(candidate).is_ok() {
                let score = quiet_score(role, from, to);
                let picked = PackedMove::from_squares(from, to) == table_move;
                scores.push(if picked { PICKED } else { pack(score, index) });
            }
        };
        quiets(position, |role, from, to| {
            let (capture, promotion) = (None, None);
            add(Move::Normal { role, from, capture, to, promotion }, role, from, to);
        });
        castles(position, |castle| {
            if let Move::Castle { king, rook } = castle {
                add(castle, Role::King, king, rook);
            }
        });
    }

    /// Drops the quiet moves that were not picked yet.
    pub fn drop_quiets(&mut self, scores: &mut MoveScores) {
        if std::mem::replace(&mut self.with_quiets, false) && self.stage == Stage::Generated {
            for (score, &candidate) in scores[self.first..].iter_mut().zip(&self.moves) {
                if is_quiet(candidate) && *score != PICKED {
                    *score = DROPPED;
                }
            }
        }
    }

    /// The quiet moves that were picked. The table's move is among them once
    /// the stage of quiet moves was reached.
    pub fn picked_quiets<'a>(&'a self, scores: &'a MoveScores) -> impl Iterator<Item = Move> + 'a {
        let moves = scores[self.first..].iter().zip(&self.moves);
        moves.filter(|(score, m)| **score == PICKED && is_quiet(**m)).map(|(_, &m)| m)
    }
}

/// A score and the move's index in the picker's list, in one number: the higher score is greater,
/// and of equal scores that with the lower index.
fn pack(score: i32, index: usize) -> i32 {
    score << 9 | (511 - index) as i32
}

/// The score and index that [`pack`] was given.
fn unpack(packed: i32) -> (i32, usize) {
    (packed >> 9, 511 - (packed & 511) as usize)
}

/// The score among captures and promotions of one that wins `gain` centipawns at once: the most
/// valuable victim first, then the least valuable attacker. From 0 to less than [`TABLE_MOVE`] -
/// [`GOOD_CAPTURE`].
fn mvv_lva(candidate: Move, gain: i32) -> i32 {
    16 * gain - role_value(candidate.role()).min(1000)
}
