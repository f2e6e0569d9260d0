//! B1: four bits a square.

use shakmaty::{Board, Chess, Position, Square};

use super::four_bits;
use crate::bits::{BitReader, BitString};
use crate::position::placement::position_of_board;
use crate::position::{Coverage, PositionCode, Result};

/// The board square by square, a1, b1, … h8, in 4 bits each: 256 bits.
///
/// From the tutorial "Encoding chess" of Baeldung, section 3.1. Stores the pieces, however many,
/// and nothing else.
#[derive(Debug, Clone, Copy)]
pub struct BoardCentric;

/// Appends the 256 bits of a board.
pub fn push_board(bits: &mut BitString, board: &Board) {
    for square in Square::ALL {
        four_bits::push(bits, board.piece_at(square));
    }
}

/// The opposite of [`push_board`].
pub fn read_board(reader: &mut BitReader) -> Result<Board> {
    let mut board = Board::empty();
    for square in Square::ALL {
        if let Some(piece) = four_bits::read(reader)? {
            board.set_piece_at(square, piece);
        }
    }
    Ok(board)
}

impl PositionCode for BoardCentric {
    fn id(&self) -> &str {
        "B1"
    }

    fn name(&self) -> &str {
        "four bits a square"
    }

    fn estimate(&self) -> &str {
        "256 bits"
    }

    fn coverage(&self) -> Coverage {
        Coverage::BOARD
    }

    fn encode(&self, position: &Chess) -> Result<BitString> {
        let mut bits = BitString::new();
        push_board(&mut bits, position.board());
        Ok(bits)
    }

    fn decode(&self, bits: &BitString) -> Result<Chess> {
        let mut reader = bits.reader();
        let board = read_board(&mut reader)?;
        reader.finish()?;
        position_of_board(board)
    }
}
