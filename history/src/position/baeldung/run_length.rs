//! B2: runs of equal squares.

use shakmaty::{Board, Chess, Position, Square};

use super::four_bits;
use crate::bits::BitString;
use crate::position::placement::position_of_board;
use crate::position::{CodeError, Coverage, PositionCode, Result};

/// The board as runs of equal squares, a1, b1, … h8: 4 bits for what stands there, then 2 to
/// 6 bits for the length of the run, less one.
///
/// From the tutorial "Encoding chess" of Baeldung, section 3.1. Stores the pieces, however many,
/// and nothing else. A run that is longer than its bits allow is stored in parts.
///
/// ```
/// use plyzip_history::position::{PositionCode, RunLength};
/// let bits = |length_bits| -> Option<usize> {
///     Some(RunLength::new(length_bits)?.encode(&shakmaty::Chess::default()).ok()?.len())
/// };
/// assert_eq!([2, 3, 4, 5, 6].map(bits), [168, 154, 160, 171, 190].map(Some));
/// assert_eq!(bits(7), None);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct RunLength {
    length_bits: u32,
}

impl RunLength {
    /// The text finds 3 bits to be best.
    pub const BEST: RunLength = RunLength { length_bits: 3 };

    /// Runs with lengths of 2 to 6 bits; `None` for other widths.
    pub fn new(length_bits: u32) -> Option<RunLength> {
        (2..=6).contains(&length_bits).then_some(RunLength { length_bits })
    }

    /// Bits of a run.
    pub fn run_bits(self) -> u32 {
        4 + self.length_bits
    }
}

impl PositionCode for RunLength {
    fn id(&self) -> &str {
        match self.length_bits {
            2 => "B2-2",
            4 => "B2-4",
            5 => "B2-5",
            6 => "B2-6",
            _ => "B2",
        }
    }

    fn name(&self) -> &str {
        match self.length_bits {
            2 => "runs, lengths in 2 bits",
            4 => "runs, lengths in 4 bits",
            5 => "runs, lengths in 5 bits",
            6 => "runs, lengths in 6 bits",
            _ => "runs, lengths in 3 bits",
        }
    }

    fn estimate(&self) -> &str {
        match self.length_bits {
            4 => "160 bits for the initial position, at most 512",
            6 => "190 bits for the initial position, at most 640",
            _ => "210 bits for a late position",
        }
    }

    fn coverage(&self) -> Coverage {
        Coverage::BOARD
    }

    fn encode(&self, position: &Chess) -> Result<BitString> {
        let board = position.board();
        let squares = Square::ALL.map(|square| board.piece_at(square));
        let mut bits = BitString::new();
        for run in squares.chunk_by(|a, b| a == b) {
            for part in run.chunks(1 << self.length_bits) {
                four_bits::push(&mut bits, part[0]);
                bits.push_bits(part.len() as u64 - 1, self.length_bits);
            }
        }
        Ok(bits)
    }

    fn decode(&self, bits: &BitString) -> Result<Chess> {
        let mut reader = bits.reader();
        let mut board = Board::empty();
        let mut squares = Square::ALL.into_iter();
        while squares.len() > 0 {
            let piece = four_bits::read(&mut reader)?;
            for _ in 0..=reader.bits(self.length_bits)? {
                let square =
                    squares.next().ok_or(CodeError::Damaged("more than 64 squares are filled"))?;
                if let Some(piece) = piece {
                    board.set_piece_at(square, piece);
                }
            }
        }
        reader.finish()?;
        position_of_board(board)
    }
}
