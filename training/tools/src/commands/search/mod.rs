//! What the search and its networks learn from, and which of two searches plays better.

mod analyses;
pub mod nnue_positions;
pub mod play_match;
pub mod search_features;
pub mod search_positions;
