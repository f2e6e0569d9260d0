//! Standard algebraic notation: reading every usual spelling, writing each of them.

mod form;
#[cfg(test)]
mod tests;
mod word;

use shakmaty::{CastlingSide, Chess, Move, MoveList, Position, Role};

pub use self::form::SanForm;
use self::form::{CASTLING, CHECKS, PROMOTIONS, SEPARATORS};
use self::word::Word;
use crate::chess::{Lines, checkers_by, legal_moves_to};

/// The parts of a move's canonical spelling beyond the move itself.
///
/// ```
/// use plyzip_codec::unstable::pgn::{San, SanForm};
/// use shakmaty::{Chess, Position, san};
/// let mut position = Chess::default();
/// let m = "Nf3".parse::<san::San>().unwrap().to_move(&position).unwrap();
/// let mut text = Vec::new();
/// San::play(&mut position, m).unwrap().write(SanForm::default(), &mut text);
/// assert_eq!(text, b"Nf3");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct San {
    m: Move,
    file: bool,
    rank: bool,
    check: Check,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Check {
    None,
    Plain,
    Mate,
}

impl San {
    /// Number of different [`San::category`] values.
    pub const CATEGORIES: usize = 128;

    /// Plays `m` and describes its canonical spelling; `None`, with nothing played,
    /// if the move is not legal.
    pub fn play(position: &mut Chess, m: Move) -> Option<San> {
        let candidates = candidates(position, m);
        candidates.contains(&m).then(|| San::among(position, m, &candidates))
    }

    /// Plays one of `candidates`, the legal moves of its piece to its square.
    fn among(position: &mut Chess, m: Move, candidates: &[Move]) -> San {
        let (mut file, mut rank) = (false, false);
        if let Move::Normal { role, from, .. } = m
            && role != Role::Pawn
            && candidates.len() > 1
        {
            let mut others =
                candidates.iter().filter_map(|other| other.from()).filter(|&other| other != from);
            rank = others.clone().any(|other| other.file() == from.file());
            file = !rank && others.clone().next().is_some()
                || others.any(|other| other.rank() == from.rank());
        } else if m.role() == Role::Pawn {
            file = m.is_capture();
        }
        position.play_unchecked(m);
        let check = match checkers_by::<Lines>(position).any() {
            false => Check::None,
            true if position.legal_moves().is_empty() => Check::Mate,
            true => Check::Plain,
        };
        San { m, file, rank, check }
    }

    /// The kind of the move, as far as spellings may depend on it.
    pub fn category(&self) -> usize {
        usize::from(self.m.is_capture())
            | usize::from(self.check != Check::None) << 1
            | usize::from(self.check == Check::Mate) << 2
            | usize::from(self.m.is_promotion()) << 3
            | usize::from(self.m.is_castle()) << 4
            | usize::from(self.m.role() == Role::Pawn) << 5
            | usize::from(self.file || self.rank) << 6
    }

    /// Appends the move in one of its spellings.
    pub fn write(&self, form: SanForm, out: &mut Vec<u8>) {
        if let Some(side) = self.m.castling_side() {
            out.extend_from_slice(
                CASTLING[usize::from(form.castling)][usize::from(side == CastlingSide::QueenSide)],
            );
        } else {
            let role = self.m.role();
            if role != Role::Pawn {
                out.push(role.upper_char() as u8);
            } else if form.letter == 1 {
                out.push(b'P');
            }
            let (file, rank) = match form.origin {
                0 => (self.file, self.rank),
                origin => (matches!(origin, 2 | 4), matches!(origin, 3 | 4)),
            };
            if let Some(from) = self.m.from() {
                if file {
                    out.push(from.file().char() as u8);
                }
                if rank {
                    out.push(from.rank().char() as u8);
                }
            }
            out.extend_from_slice(match form.separator {
                0 if self.m.is_capture() => b"x",
                0 => b"",
                index => SEPARATORS[usize::from(index) - 1],
            });
            let to = self.m.to();
            out.extend([to.file().char() as u8, to.rank().char() as u8]);
            if let Some(promotion) = self.m.promotion() {
                let (mark, capital) = PROMOTIONS[usize::from(form.promotion)];
                out.extend_from_slice(mark);
                out.push(if capital {
                    promotion.upper_char() as u8
                } else {
                    promotion.char() as u8
                });
            }
        }
        out.extend_from_slice(match (form.check, self.check) {
            (0, Check::None) => b"",
            (0, Check::Plain) => b"+",
            (0, Check::Mate) => b"#",
            (index, _) => CHECKS[usize::from(index) - 1],
        });
    }

    /// Reads `word` as a move and plays it. With the move come its canonical
    /// spelling and the form that `word` has; the form is `None` if no form
    /// gives the word. Nothing is played unless exactly one legal move fits.
    pub(super) fn read(position: &mut Chess, word: &[u8]) -> Option<(San, Option<SanForm>)> {
        let parsed = Word::parse(word)?;
        let candidates = parsed.candidates(position);
        let m = parsed.resolve(&candidates)?;
        let san = San::among(position, m, &candidates);
        let form = parsed.form(&san);
        let mut spelled = Vec::with_capacity(16);
        san.write(form, &mut spelled);
        Some((san, (spelled == word).then_some(form)))
    }

    /// The move.
    pub fn to_move(&self) -> Move {
        self.m
    }
}

fn candidates(position: &Chess, m: Move) -> MoveList {
    match (m, m.castling_side()) {
        (Move::Normal { role, to, .. }, _) => legal_moves_to(position, role, to),
        (Move::EnPassant { to, .. }, _) => legal_moves_to(position, Role::Pawn, to),
        (_, Some(side)) => position.castling_moves(side),
        (Move::Castle { .. } | Move::Put { .. }, None) => MoveList::new(),
    }
}
