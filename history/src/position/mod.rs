//! Codes for single positions, from 1993 to 2017, for comparison.
//!
//! Each is written from its text: Reinhard Scharnagl's posting "Compact encoding
//! of chess positions II" (2005), Anup K. Parikh's "Chess Storage System (Positions)" (2011 to
//! 2017), Baeldung's tutorial on encoding chess, and Tobias D. Robison's "Efficient notation of
//! chess games" (1993). None is part of the archive format.
//!
//! ```
//! for code in plyzip_history::position::all() {
//!     let bits = code.encode(&shakmaty::Chess::default())?;
//!     assert_eq!(code.decode(&bits)?.board(), shakmaty::Chess::default().board());
//!     println!("{} {}: {} bits", code.id(), code.name(), bits.len());
//! }
//! # use shakmaty::Position;
//! # Ok::<(), plyzip_history::position::CodeError>(())
//! ```

mod baeldung;
mod coverage;
mod error;
mod game_state;
mod inada;
mod leading_game;
mod parikh;
mod placement;
mod scharnagl;

use shakmaty::Chess;

use crate::bits::BitString;

pub use baeldung::{BoardCentric, Grouped, PieceCentric, RunLength};
pub use coverage::Coverage;
pub use error::{CodeError, Result};
pub use game_state::GameState;
pub use inada::{inada_bound, inada_bound_of};
pub use leading_game::LeadingGame;
pub use parikh::Parikh;
pub use scharnagl::Scharnagl;

/// A code for positions of standard chess.
pub trait PositionCode {
    /// Short and unique, as in the table of systems: `S1`, `P1`, `B1` …
    fn id(&self) -> &str;

    /// In a few words.
    fn name(&self) -> &str;

    /// What the code's text says of its size.
    fn estimate(&self) -> &str;

    /// What it keeps of a position.
    fn coverage(&self) -> Coverage;

    /// The code of `position`.
    ///
    /// # Errors
    /// [`CodeError::Uncovered`] if the code is not made for such a position.
    fn encode(&self, position: &Chess) -> Result<BitString>;

    /// The position that [`encode`](PositionCode::encode) wrote, the same in all that
    /// [`coverage`](PositionCode::coverage) names; the rest is made up so that the position is
    /// legal.
    ///
    /// # Errors
    /// [`CodeError::Damaged`] if the bits are not the code of a legal position.
    fn decode(&self, bits: &BitString) -> Result<Chess>;
}

/// All codes, in the order of the table of systems: S1, P1, B1, B2 with its five widths
/// of run lengths, B3, B4, B5. [`LeadingGame`] needs more than a position and is not among them.
pub fn all() -> Vec<Box<dyn PositionCode>> {
    let mut codes: Vec<Box<dyn PositionCode>> = vec![
        Box::new(Scharnagl),
        Box::new(Parikh),
        Box::new(BoardCentric),
        Box::new(RunLength::BEST),
    ];
    for length_bits in [2, 4, 5, 6] {
        codes.extend(
            RunLength::new(length_bits).map(|code| Box::new(code) as Box<dyn PositionCode>),
        );
    }
    codes.push(Box::new(PieceCentric));
    codes.push(Box::new(Grouped));
    codes.push(Box::new(GameState));
    codes
}
