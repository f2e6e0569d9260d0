//! Files and standard streams: opened, and put in place when they are complete.

#[cfg(any(not(unix), test))]
mod console;
mod ending;
mod found;
mod input;
mod interrupt;
mod kind;
mod named;
mod open_file;
mod output;
mod packed;
mod protecting;
mod push;
pub mod standard;
mod unfinished;

pub use ending::Ending;
pub use found::{found, games_found, is_named_archive, is_named_pgn};
pub use input::{Input, STANDARD};
pub use kind::{Format, Kind, head};
pub use named::at;
pub use open_file::{OpenFile, Snapshot};
pub use output::{Sink, is_same};
pub use packed::{PgnReader, PgnSource, Unpacking};
pub use protecting::Protecting;
pub use push::{Estimate, push};
