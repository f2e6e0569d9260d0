//! The targets, which the tests of plyzip run, too.

#[path = "../../tests/fuzz/targets/mod.rs"]
mod targets;

pub use targets::*;
