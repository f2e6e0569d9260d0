//! The search: values of the legal moves, some plies deep.
//!
//! Principal variation search with iterative deepening, a transposition table, null moves, late
//! move reductions, the usual prunings and quiescence (see the Chess Programming Wiki for each of
//! them), evaluated by [`Nnue`]. Unlike a program that plays, the root wants a value for every likely
//! move and not only the best one, so its window stays open by [`ROOT_MARGIN`](parameters::ROOT_MARGIN)
//! below the best value. Unlikely moves are scouted: a null window tells whether they come near the
//! best ([`SearchLimits::scout_margin`]).
//!
//! Everything is integer arithmetic in a defined order, and effort is counted in nodes, never more
//! than the limit. The searches of a game's positions share a [`SearchState`]: the same positions in
//! the same order give the same values on every machine.

mod alpha_beta;
mod correction;
mod move_picker;
pub mod nnue;
mod parameters;
mod pruning;
mod quiescence;
mod reply;
mod root;
#[cfg(feature = "training")]
mod sample;
#[cfg(feature = "training")]
mod sampling;
mod search_state;
mod searcher;
#[cfg(test)]
mod tests;

pub use move_picker::PackedMove;
pub use nnue::{MAX_NUMBERS, NNUE_SIZES, Nnue};
pub use parameters::INFINITE;
pub use reply::Reply;
pub use root::{RootScores, SearchLimits};
pub use search_state::SearchState;
pub use searcher::Searcher;
