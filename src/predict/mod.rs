//! Prediction: how likely is each legal move?

mod activation;
mod bags;
pub mod book;
mod correction;
mod cut;
mod ending;
pub mod evaluate;
mod exact;
pub mod features;
pub mod findings;
pub use crate::entropy::fixed;
mod game_context;
mod memory;
mod mix;
mod model;
mod neural;
mod picker;
mod player;
mod predictor;
mod quiescence;
mod relations;
pub mod search;
pub mod second_look;
mod tactics;
pub mod values;
pub mod verdict;
pub mod views;

pub use crate::chess::{History, legal_moves, position_key};
pub use game_context::{GameContext, Pace};
pub use model::Model;
pub use neural::Scores;
pub use player::Player;
pub use predictor::{Judge, Judged, Predictor, Prepared};
pub use search::{SearchMemory, Searcher};
pub use tactics::{Prospect, Tactics};
