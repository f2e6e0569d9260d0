//! Moves as they are spelled, before a position says which they are.

use shakmaty::{CastlingSide, Chess, File, Move, MoveList, Position, Rank, Role, Square};

use super::form::{CASTLING, CHECKS, PROMOTIONS, SanForm};
use super::{Check, San};
use crate::chess::legal_moves_to;

/// A move as it is spelled.
pub(super) struct Word<'a> {
    body: Body,
    suffix: &'a [u8],
}

enum Body {
    Castling {
        side: CastlingSide,
        glyph: u8,
    },
    Piece {
        role: Role,
        letter: bool,
        file: Option<File>,
        rank: Option<Rank>,
        separator: u8,
        to: Square,
        promotion: Option<(Role, u8)>,
    },
}

impl Word<'_> {
    pub(super) fn parse(word: &[u8]) -> Option<Word<'_>> {
        let marks = word.iter().rev().take_while(|byte| matches!(byte, b'+' | b'#' | b'-')).count();
        let (text, suffix) = word.split_at(word.len() - marks);
        for (glyph, sides) in CASTLING.iter().enumerate() {
            for (side, &spelling) in
                [CastlingSide::KingSide, CastlingSide::QueenSide].into_iter().zip(sides)
            {
                if text == spelling {
                    let body = Body::Castling { side, glyph: glyph as u8 };
                    return Some(Word { body, suffix });
                }
            }
        }
        let (role, letter, text) = match text.split_first()? {
            (b'P', rest) => (Role::Pawn, true, rest),
            (&byte @ (b'N' | b'B' | b'R' | b'Q' | b'K'), rest) => {
                (Role::from_char(char::from(byte))?, true, rest)
            }
            _ => (Role::Pawn, false, text),
        };
        let (promotion, text) = match (role, text) {
            (Role::Pawn, [rest @ .., mark @ (b'=' | b'/'), piece]) => {
                (Some((*piece, &[*mark][..])), rest)
            }
            (Role::Pawn, [.., b'1'..=b'8', piece @ b'A'..=b'z']) => {
                (Some((*piece, &b""[..])), &text[..text.len() - 1])
            }
            _ => (None, text),
        };
        let promotion = match promotion {
            None => None,
            Some((piece, mark)) => {
                let style = PROMOTIONS.iter().position(|&(spelled, capital)| {
                    spelled == mark && capital == piece.is_ascii_uppercase()
                })?;
                Some((Role::from_char(char::from(piece))?, style as u8))
            }
        };
        let [from @ .., file, rank] = text else { return None };
        let to = Square::from_coords(
            File::from_char(char::from(*file))?,
            Rank::from_char(char::from(*rank))?,
        );
        let (separator, from) = match from {
            [from @ .., b'x'] => (1, from),
            [from @ .., b'-'] => (2, from),
            [from @ .., b':'] => (3, from),
            _ => (0, from),
        };
        let (file, rank) = match *from {
            [] => (None, None),
            [one] => match File::from_char(char::from(one)) {
                Some(file) => (Some(file), None),
                None => (None, Some(Rank::from_char(char::from(one))?)),
            },
            [file, rank] => {
                (Some(File::from_char(char::from(file))?), Some(Rank::from_char(char::from(rank))?))
            }
            _ => return None,
        };
        let body = Body::Piece { role, letter, file, rank, separator, to, promotion };
        Some(Word { body, suffix })
    }

    /// The legal moves of its piece to its square.
    pub(super) fn candidates(&self, position: &Chess) -> MoveList {
        match self.body {
            Body::Castling { side, .. } => position.castling_moves(side),
            Body::Piece { role, to, .. } => legal_moves_to(position, role, to),
        }
    }

    /// The one of these moves that is meant; `None` if there is none, or more than one.
    pub(super) fn resolve(&self, candidates: &[Move]) -> Option<Move> {
        match self.body {
            Body::Castling { .. } => candidates.first().copied(),
            Body::Piece { file, rank, promotion, .. } => {
                let mut fitting = candidates.iter().filter(|m| {
                    m.from().is_some_and(|from| {
                        file.is_none_or(|file| file == from.file())
                            && rank.is_none_or(|rank| rank == from.rank())
                    }) && m.promotion() == promotion.map(|(role, _)| role)
                });
                let m = *fitting.next()?;
                fitting.next().is_none().then_some(m)
            }
        }
    }

    pub(super) fn form(&self, san: &San) -> SanForm {
        let mut form = SanForm::default();
        match self.body {
            Body::Castling { glyph, .. } => form.castling = glyph,
            Body::Piece { role, letter, file, rank, separator, promotion, .. } => {
                form.letter = u8::from(letter && role == Role::Pawn);
                let origin = (file.is_some(), rank.is_some());
                if origin != (san.file, san.rank) {
                    form.origin = 1 + u8::from(origin.0) + 2 * u8::from(origin.1);
                }
                if separator != u8::from(san.m.is_capture()) {
                    form.separator = separator + 1;
                }
                form.promotion = promotion.map_or(0, |(_, style)| style);
            }
        }
        let canonical: &[u8] = match san.check {
            Check::None => b"",
            Check::Plain => b"+",
            Check::Mate => b"#",
        };
        if self.suffix != canonical
            && let Some(index) = CHECKS.iter().position(|&check| check == self.suffix)
        {
            form.check = index as u8 + 1;
        }
        form
    }
}
