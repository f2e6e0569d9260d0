//! Prediction: how likely is each legal move?

pub mod book;
mod correction;
mod ending;
pub mod findings;
mod memory;
mod mix;
mod model;
mod picker;
mod player;
mod predictor;
pub mod search;
pub mod second_look;
pub mod values;
pub mod verdict;
pub mod views;

pub use model::Model;
pub use player::Player;
pub use predictor::{Judge, Judged, Predictor, Prepared};
pub use search::{SearchMemory, Searcher};
