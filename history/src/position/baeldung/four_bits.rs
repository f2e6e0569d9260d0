//! The four bits in which Baeldung's codes name a piece.

use shakmaty::Piece;

use crate::bits::{BitReader, BitString};
use crate::position::placement::pieces;
use crate::position::{CodeError, Result};

/// 0 for no piece, 1 to 6 for White's pawn, knight, bishop, rook, queen and king, 7 to
/// 12 for Black's; the text leaves the order open.
pub fn push(bits: &mut BitString, piece: Option<Piece>) {
    let place = piece.and_then(|piece| pieces().position(|other| other == piece));
    bits.push_bits(place.map_or(0, |place| place as u64 + 1), 4);
}

/// The opposite of [`push`].
pub fn read(reader: &mut BitReader) -> Result<Option<Piece>> {
    match reader.bits(4)? as usize {
        0 => Ok(None),
        number => {
            let piece = pieces().nth(number - 1);
            piece.map(Some).ok_or(CodeError::Damaged("there are only twelve pieces"))
        }
    }
}

/// Like [`read`], where there has to be a piece.
pub fn read_piece(reader: &mut BitReader) -> Result<Piece> {
    read(reader)?.ok_or(CodeError::Damaged("an empty square among the pieces"))
}
