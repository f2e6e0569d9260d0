//! Prediction: how likely is each legal move?

mod activation;
mod bags;
pub mod book;
mod cut;
mod ending;
pub mod evaluate;
mod exact;
pub(crate) mod exchange;
pub mod features;
pub mod fixed;
mod game_context;
mod history;
mod memory;
mod mix;
mod model;
mod neural;
mod order;
mod position_key;
mod predictor;
mod quiescence;
mod relations;
pub mod search;
mod tactics;
pub mod values;
pub mod verdict;

pub use game_context::{GameContext, Pace};
pub use history::History;
pub(crate) use history::arrival;
pub use model::Model;
pub use neural::Scores;
pub use order::legal_moves;
pub use position_key::position_key;
pub use predictor::{Judge, Judged, PlayerKey, Predictor, Prepared, player_key};
pub use search::{SearchMemory, Searcher};
pub use tactics::{Prospect, Tactics};
