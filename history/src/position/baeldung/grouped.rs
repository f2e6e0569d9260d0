//! B4: the pieces by kind.

use shakmaty::{Board, Chess, Position};

use super::four_bits;
use crate::bits::BitString;
use crate::position::placement::{pieces, place, position_of_board, square};
use crate::position::{CodeError, Coverage, PositionCode, Result};

/// The pieces by kind: 4 bits for the kind, 3 for how many there are, less one, and 6 for the
/// square of each. Kinds that are not on the board cost nothing.
///
/// From the tutorial "Encoding chess" of Baeldung, section 3.2. Stores the pieces and nothing
/// else; nine or ten pieces of one kind, which promotions allow, are left out by the
/// text for their cost. The text does not say how a reader knows the last kind;
/// here the code ends where its bits do.
#[derive(Debug, Clone, Copy)]
pub struct Grouped;

impl PositionCode for Grouped {
    fn id(&self) -> &str {
        "B4"
    }

    fn name(&self) -> &str {
        "six bits a piece, by kind"
    }

    fn estimate(&self) -> &str {
        "276 bits for 32 pieces, 139 for a late position"
    }

    fn coverage(&self) -> Coverage {
        Coverage::BOARD
    }

    fn encode(&self, position: &Chess) -> Result<BitString> {
        let mut bits = BitString::new();
        for piece in pieces() {
            let squares = position.board().by_piece(piece);
            match squares.count() as u64 {
                0 => continue,
                count @ 1..=8 => {
                    four_bits::push(&mut bits, Some(piece));
                    bits.push_bits(count - 1, 3);
                }
                _ => return Err(CodeError::Uncovered("more than eight pieces of one kind")),
            }
            for square in squares {
                bits.push_bits(u64::from(square), 6);
            }
        }
        Ok(bits)
    }

    fn decode(&self, bits: &BitString) -> Result<Chess> {
        let mut reader = bits.reader();
        let mut board = Board::empty();
        while reader.remaining() > 0 {
            let piece = four_bits::read_piece(&mut reader)?;
            for _ in 0..=reader.bits(3)? {
                place(&mut board, square(reader.bits(6)?)?, piece)?;
            }
        }
        position_of_board(board)
    }
}
