//! The codes of Baeldung's tutorial, B1 to B4, and what they share.

mod board_centric;
mod four_bits;
mod grouped;
mod piece_centric;
mod run_length;

pub use board_centric::{BoardCentric, push_board, read_board};
pub use grouped::Grouped;
pub use piece_centric::PieceCentric;
pub use run_length::RunLength;
