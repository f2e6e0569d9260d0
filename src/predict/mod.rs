//! Prediction: how likely is each legal move?

pub mod book;
mod ending;
mod exact;
pub(crate) mod exchange;
pub mod features;
pub mod fixed;
mod history;
mod memory;
mod mix;
mod model;
mod neural;
mod order;
mod position_key;
mod predictor;

pub use features::GameContext;
pub use history::History;
pub(crate) use history::arrival;
pub use model::Model;
pub use order::legal_moves;
pub use position_key::position_key;
pub use predictor::{PlayerKey, Predictor, Prepared, player_key};
