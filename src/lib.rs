#![forbid(unsafe_code)]
#![warn(missing_docs)]
//! plyzip.

pub mod archive;
pub mod cli;
pub mod entropy;
mod error;
pub mod pgn;
pub mod predict;
pub mod streams;

pub use error::{Error, Result};
