//! What was played next, and what came of it: counts of games by the move that they go on with (feature `filters`).
//!
//! - [`NextMoves`] counts the games that come to one place, by moves or by whatever moves, and keeps none of them;
//! - [`OpeningTree`] keeps the first moves of games, and counts them for any place in their tree;
//! - [`Outcomes`] are the counts: results, ratings, years.

mod facts;
mod next_moves;
mod outcomes;
mod tree;

pub use facts::mean_elo;
pub use next_moves::NextMoves;
pub use outcomes::{GameResults, Outcomes};
pub use tree::OpeningTree;
