//! The program, as people and scripts meet it. One binary, since each takes as long to compile as all of them.

#[cfg(feature = "arrow")]
mod arrow;
mod compare;
mod duplicates;
#[cfg(unix)]
mod examples;
mod explain;
mod files;
mod folder;
#[cfg(unix)]
mod hostile;
mod index;
mod inputs;
mod levels;
mod members;
mod moves;
#[path = "../pgn/mod.rs"]
mod pgn;
mod raw_pgn;
mod reading;
mod recovery;
mod scripts;
mod stats;
