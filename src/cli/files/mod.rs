//! Files and standard streams: opened, and put in place when they are complete.

mod input;
mod interrupt;
mod output;
pub mod standard;
mod unfinished;

pub use input::{Input, at};
pub use output::{Sink, is_same};
