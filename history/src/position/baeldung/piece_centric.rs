//! B3: ten bits a piece.

use shakmaty::{Board, Chess, Position};

use super::four_bits;
use crate::bits::BitString;
use crate::position::placement::{place, position_of_board, square};
use crate::position::{Coverage, PositionCode, Result};

/// The pieces one by one, 4 bits for which it is and 6 for its square: 320 bits for 32 pieces.
///
/// From the tutorial "Encoding chess" of Baeldung, section 3.2. Stores the pieces, however many,
/// and nothing else. The text does not say how a reader knows the last piece; here
/// the code ends where its bits do.
#[derive(Debug, Clone, Copy)]
pub struct PieceCentric;

impl PositionCode for PieceCentric {
    fn id(&self) -> &str {
        "B3"
    }

    fn name(&self) -> &str {
        "ten bits a piece"
    }

    fn estimate(&self) -> &str {
        "320 bits for 32 pieces"
    }

    fn coverage(&self) -> Coverage {
        Coverage::BOARD
    }

    fn encode(&self, position: &Chess) -> Result<BitString> {
        let mut bits = BitString::new();
        for (square, piece) in position.board().iter() {
            four_bits::push(&mut bits, Some(piece));
            bits.push_bits(u64::from(square), 6);
        }
        Ok(bits)
    }

    fn decode(&self, bits: &BitString) -> Result<Chess> {
        let mut reader = bits.reader();
        let mut board = Board::empty();
        while reader.remaining() > 0 {
            let piece = four_bits::read_piece(&mut reader)?;
            place(&mut board, square(reader.bits(6)?)?, piece)?;
        }
        position_of_board(board)
    }
}
