//! The pictures that `plyzip compare` draws.

pub mod bars;
mod labels;
pub mod plot;
pub mod svg;
