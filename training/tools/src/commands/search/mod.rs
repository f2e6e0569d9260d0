//! Data for the search and its networks, and matches between two searches.

mod analyses;
pub mod mixer_scales;
pub mod nnue_positions;
pub mod play_match;
pub mod search_features;
pub mod search_positions;
mod uci_engine;
