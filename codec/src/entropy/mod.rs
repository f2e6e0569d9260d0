//! Entropy coding: integers in, bytes out.
//!
//! [constriction]'s range coder behind tables that are ours. Nothing here
//! touches a floating-point number, so a probability is the same on every
//! machine.
//!
//! The models learn while they code and code in one function for both
//! directions: a [`Coder`] that writes returns the symbol that it was given, one
//! that reads ignores it and returns what the archive says. A model written once
//! against the trait cannot have an encoder and a decoder that disagree.
//!
//! [constriction]: https://docs.rs/constriction

mod bit;
mod coder;
mod distribution;
pub mod fixed;
mod logistic;
mod meter;
mod mixing;
mod recoder;
mod symbol;

pub use bit::BitModel;
pub use coder::{Coder, Decoder, Encoder};
pub use distribution::{BIT_PRECISION, TABLE_PRECISION};
pub use logistic::{MAX_STRETCH, squash, stretch};
pub use meter::{Meter, Silent};
pub use mixing::{ContextMixer, Node, Nodes, hash, hash_bytes};
pub use recoder::Recoder;
pub use symbol::{NumberModel, SymbolModel};
