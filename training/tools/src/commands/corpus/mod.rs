//! Games, as networks learn from them.

pub mod batches;
pub mod context;
pub mod labels;
pub mod pack;
pub mod samples;
pub mod split;
