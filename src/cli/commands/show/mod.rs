//! Commands that print what there is, and change nothing.

mod info;
mod list;

pub use info::{InfoArguments, run as info};
pub use list::{ListArguments, run as list};
