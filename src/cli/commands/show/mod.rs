//! Commands that print what there is, and change nothing.

mod info;
mod list;
mod models;

pub use info::{InfoArguments, run as info};
pub use list::{ListArguments, run as list};
pub use models::{ModelsArguments, run as models};
