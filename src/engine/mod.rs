//! Search: what each legal move is worth some plies later.
//!
//! Principal variation search with iterative deepening, a transposition table, null moves, late
//! move reductions, the usual prunings and quiescence (see the Chess Programming Wiki for each of
//! them), over [`Nnue`]. What is unusual: the root wants a value for every likely move and not only
//! the best one, so its window stays open by [`ROOT_MARGIN`] below the best; of unlikely moves it
//! asks whether they are nearly as good ([`SearchLimits::glance`]).
//!
//! Everything is integer arithmetic in a defined order, and effort is counted in nodes, of which
//! there are never more than were asked for. What was found for a position of a game serves for
//! later ones ([`SearchState`]): the same positions in the same order give the same values on every
//! machine.

mod correction;
mod move_picker;
mod nnue;
mod parameters;
mod quiescence;
mod root;
mod search;
mod search_state;
#[cfg(test)]
mod tests;

pub use nnue::{NNUE_SIZES, Nnue};
pub use parameters::INFINITE;
pub use root::{RootScores, SearchLimits};
pub use search::Searcher;
pub use search_state::SearchState;
