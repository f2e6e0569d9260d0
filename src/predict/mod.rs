//! Prediction: how likely is each legal move?

pub mod book;
mod ending;
mod memory;
mod mix;
mod model;
mod player;
mod predictor;

pub use model::Model;
pub use player::Player;
pub use predictor::{Judge, Judged, Predictor, Prepared};
