#![forbid(unsafe_code)]
#![warn(missing_docs)]
//! plyzip.

pub mod archive;
pub mod cli;
pub mod entropy;
mod error;
mod game_codec;
pub mod ordinal;
pub mod pgn;
pub mod predict;
pub mod streams;

pub use error::{Error, Result};
pub use game_codec::{GameCodec, MAX_MOVES};
pub use predict::{GameContext, Model};
