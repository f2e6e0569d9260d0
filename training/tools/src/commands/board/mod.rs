//! The board network of a model: what it says, and what that weighs.

pub mod offsets;
pub mod outputs;
pub mod sample;
pub mod weights;
