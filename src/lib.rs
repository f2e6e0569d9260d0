#![forbid(unsafe_code)]
// The library never panics over its input; tests may.
#![cfg_attr(
    not(test),
    warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)
)]
//! Lossless compression of chess archives: a neural network predicts the moves, an entropy
//! coder stores the surprise.
//!
//! ```text
//! PGN bytes ─ pgn ─► games + layout + what makes no sense
//!   │
//!   ├─ moves ─ chess ─► features ─► network ─► engine ─► analysis ─► predict ─┐
//!   │         (order)  (indices)   (logits)   (values)  (evidence)  (mixture) │
//!   │                                                                         │
//!   ├─ tags, comments, clocks, layout, text ─ streams: models of their own ───┤
//!   │                                                                         ▼
//!   └─────────────────────── archive ◄─ blocks ◄─ bytes ◄─ entropy: the range coder
//! ```
//!
//! Decompression is the same pipeline read backwards, with the same predictors in the
//! same order. Each module is a folder of `src` that depends only on the modules above it:
//!
//! | module | holds |
//! |---|---|
//! | [`pgn`] | bytes to games and back |
//! | `entropy` | integers to bytes: the range coder, models that learn, fixed-point arithmetic |
//! | `chess` | the canonical order of moves, keys of positions, history, exchanges |
//! | `features` | what is known of a position and of each legal move, as indices |
//! | `network` | the ONNX graph: proved exact, partitioned, run |
//! | `engine` | the search: parameters, moves in order, evaluation by a small network |
//! | `analysis` | what the search found, as evidence; a second network that ranks moves with it |
//! | `predict` | how likely each legal move is: the pipeline, the mixer, counts, books, models |
//! | `streams` | what a block is made of: moves, tags, comments, layout, text |
//! | [`archive`] | blocks, index, checksums, limits; the writer and the readers |
//! | `filters` | which games of an archive are asked for (feature `filters`, part of `cli`) |
//! | `cli` | the command line (feature `cli`, on by default) |
//!
//! Two more modules are there to compare with: [`ordinal`] and [`position`] are codes for games and for single
//! positions that others have described; both write [`bits`]. Modules without a link are private; [`unstable`]
//! makes parts of them visible to the project's own training tools and tests.
//!
//! # Archives
//!
//! [`archive::ArchiveWriter`] and [`archive::ArchiveReader`] write and read archives as streams
//! of games or bytes:
//!
//! ```
//! use plyzip::archive::{ArchiveReader, ArchiveWriter};
//! use plyzip::Model;
//!
//! let pgn = b"[Event \"Casual\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
//! let mut writer = ArchiveWriter::new(Vec::new(), Model::embedded()?)?;
//! writer.push(pgn)?;
//! let (archive, summary) = writer.finish()?;
//! assert_eq!(summary.stats.moves, 4);
//!
//! let mut back = Vec::new();
//! ArchiveReader::new(&archive[..])?.copy_to(&mut back)?;
//! assert_eq!(back, pgn);
//! # Ok::<(), plyzip::Error>(())
//! ```
//!
//! # Single games
//!
//! [`GameCodec`] encodes one game's moves to a few bytes, for those who keep games in a database. Bytes that are read
//! with another model or [`GameHeader`] give an error.
//!
//! # Predictions
//!
//! [`Model::probabilities`] tells how likely each legal move of a position is, [`Model::costs`] what the moves of a game
//! cost and what was expected instead, and [`archive::IndexedReader::explain`] the same of the games of an archive.
//!
//! # Errors and limits
//!
//! Any input, damaged or malicious, gives either the right bytes or an [`Error`] that tells whether the input, the
//! caller or plyzip is to blame. The library never panics, hangs or takes memory without bound. [`archive::Limits`]
//! says how much an archive may ask for.
//!
//! # Stability
//!
//! What a version wrote, archives and single games, every later version reads, from 1.0 on: `docs/generation.md` says
//! how. The library follows semantic versioning, but for [`unstable`] and the module `cli`. Positions and moves are
//! types of shakmaty, which is re-exported as [`shakmaty`]; a minor version of plyzip may take a newer one.

#[cfg(test)]
extern crate self as plyzip;

mod analysis;
pub mod archive;
pub mod bits;
mod brief_lock;
mod chess;
#[cfg(feature = "cli")]
pub mod cli;
mod engine;
mod entropy;
mod error;
mod features;
#[cfg(feature = "filters")]
pub mod filters;
#[cfg(test)]
mod forge;
mod game_codec;
mod interrupt;
mod level;
mod network;
pub mod ordinal;
pub mod pgn;
mod pools;
pub mod position;
mod predict;
mod split_mix;
mod streams;
pub mod unstable;
mod varint;

pub use archive::{ModelStore, StoredModel};
pub use error::{Error, Result};
pub use features::{GameContext, Pace};
pub use game_codec::{Forecast, GameCodec, GameHeader, MAX_MOVES};
pub use interrupt::Interrupt;
pub use level::Level;
pub use predict::{GameCosts, LikelyMove, Model, Player, PlyCost};
/// The rules of chess, with the types of positions and moves that this crate takes and gives.
pub use shakmaty;

/// The README's example, so that it keeps running.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
