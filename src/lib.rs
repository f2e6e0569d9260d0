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
//! PGN bytes ─ lex ─► games + layout ─┬─ moves ───► predict ─► frequencies ─► coder ─┐
//!            (pgn)                   ├─ tags, comments, clocks, layout ─► own models ┤
//!                                    └─ what makes no sense ─► text ────────────────┴─► blocks ─► archive
//! ```
//!
//! Decompression is the same pipeline read backwards, with the same predictors in the
//! same order. Each station is a module, and depends only on those further down:
//!
//! | module | holds |
//! |---|---|
//! | [`cli`] | the command line |
//! | [`archive`] | blocks, index, checksums, limits; the writer and the readers; where models are looked for |
//! | [`streams`] | what a block is made of: moves, tags, comments, layout, text |
//! | [`predict`] | how likely each legal move is: models, memory, mixing |
//! | [`entropy`] | integers to bytes: the range coder and models that learn |
//! | [`pgn`] | bytes to games and back |
//!
//! Beside it stand [`ordinal`] and [`position`], codes for games and for single positions that others have
//! described, to compare with; they write [`bits`].
//!
//! # Archives
//!
//! [`archive::ArchiveWriter`] and [`archive::ArchiveReader`] write and read archives as streams
//! of games or bytes:
//!
//! ```
//! use plyzip::archive::{ArchiveReader, ArchiveWriter};
//! use plyzip::predict::Model;
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
//! [`GameCodec`] encodes one game's moves to a few bytes, for those who keep games in a database.
//!
//! # Errors and limits
//!
//! Input from anywhere gives the right bytes or an [`Error`] that names who is to blame; it never panics, hangs or takes
//! memory without bound. [`archive::Limits`] says how much an archive may ask for.

pub mod archive;
pub mod bits;
pub mod cli;
pub mod entropy;
mod error;
mod game_codec;
pub mod ordinal;
pub mod pgn;
pub mod position;
pub mod predict;
pub mod streams;
mod varint;

pub use archive::{ModelStore, StoredModel};
pub use error::{Error, Result};
pub use game_codec::{GameCodec, MAX_MOVES};
pub use predict::{GameContext, Model, Pace, Player};

/// The README's example, so that it keeps running.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
