//! Prediction: how likely is each legal move?

mod model;
mod order;

pub use model::Model;
pub use order::legal_moves;
