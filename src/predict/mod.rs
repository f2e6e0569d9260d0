//! Prediction: how likely is each legal move?

pub mod book;
mod ending;
pub mod findings;
mod memory;
mod mix;
mod model;
mod player;
mod predictor;
pub mod second_look;
pub mod verdict;
pub mod views;

pub use model::Model;
pub use player::Player;
pub use predictor::{Judge, Judged, Predictor, Prepared};
