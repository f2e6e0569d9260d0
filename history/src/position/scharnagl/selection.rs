//! The codes of single pieces.

use shakmaty::{Bitboard, Role, Square};

use super::tally::Tally;
use crate::bits::{BitReader, BitString};
use crate::position::Result;

/// The code of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Selection {
    /// In two bits: the piece cannot be a pawn.
    NoPawn,
    /// Mode 0: pawns are frequent.
    ManyPawns,
    /// Mode 1: sliding pieces are frequent.
    ManySliders,
}

impl Selection {
    /// The code of the piece on `square`, given what is known of its side.
    pub fn new(square: Square, tally: Tally, many_sliders: bool) -> Selection {
        if Bitboard::BACKRANKS.contains(square) || tally.initial_pawns() >= 8 {
            Selection::NoPawn
        } else if many_sliders {
            Selection::ManySliders
        } else {
            Selection::ManyPawns
        }
    }

    /// Appends the code of a piece.
    pub fn push(self, bits: &mut BitString, role: Role) {
        let piece = match role {
            Role::Queen => 3,
            Role::Rook => 2,
            Role::Bishop => 1,
            _ => 0,
        };
        match (self, role) {
            (Selection::ManyPawns, Role::Pawn) => bits.push_bits(0, 1),
            (Selection::ManyPawns, _) => bits.push_bits(4 | piece, 3),
            (Selection::ManySliders, Role::Pawn) => bits.push_bits(0, 3),
            (Selection::ManySliders, Role::Knight) => bits.push_bits(1, 3),
            _ => bits.push_bits(piece, 2),
        }
    }

    /// The opposite of [`Selection::push`].
    pub fn read(self, reader: &mut BitReader) -> Result<Role> {
        if self == Selection::ManyPawns && !reader.bit()? {
            return Ok(Role::Pawn);
        }
        Ok(match reader.bits(2)? {
            3 => Role::Queen,
            2 => Role::Rook,
            1 => Role::Bishop,
            _ if self == Selection::ManySliders && !reader.bit()? => Role::Pawn,
            _ => Role::Knight,
        })
    }
}
