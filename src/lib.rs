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
//! PGN ─► archive: blocks, index, checksums, limits ─► .plz
//!             │  ▲
//!             ▼  │ columns and pages
//!        plyzip-codec: pgn ─► moves, tags, comments, layout, text ─► probabilities ─► bytes
//! ```
//!
//! Five packages make the program. What decides a bit is in one of its own, so that a later generation of the format
//! begins as its next major version, and Cargo keeps the one of before:
//!
//! | package | folder | holds |
//! |---|---|---|
//! | `plyzip-codec` | `codec` | PGN, features, networks, search, mixing, streams; [`GameCodec`] and [`Model`] |
//! | `plyzip-models` | `models` | the models that are built in, as files |
//! | `plyzip-kernel` | `kernel` | one instruction of some processors, the only `unsafe` code |
//! | `plyzip` | `src` | archives, filters; the program |
//! | `plyzip-history` | `history` | codes of others, which `plyzip compare` measures |
//!
//! This library re-exports what its users need of the codec. Its own modules:
//!
//! | module | holds |
//! |---|---|
//! | [`archive`] | blocks, index, checksums, limits; the writer and the readers |
//! | `filters` | which games of an archive are asked for (feature `filters`, part of `cli`) |
//! | `openings` | which moves games go on with, and what came of them (feature `filters`) |
//! | [`unstable`] | what the project's own tools, bindings and tests need besides |
//!
//! The command line (feature `cli`, on by default) belongs to the program: `src/main.rs` and `src/cli`.
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
//! cost and what was expected instead, and [`archive::Select::explain`] the same of the games of an archive.
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
//! how. The library follows semantic versioning, but for [`unstable`]; `docs/api` lists what is public. Options, contexts
//! and results may get more fields, and errors, tokens and paces more variants. Complete as they are, and so exhaustive,
//! are [`pgn::Item`], [`pgn::Outcome`], [`archive::Verdict`] and the parts of a [`pgn::Game`]. Positions and moves are
//! types of shakmaty, which is re-exported as [`shakmaty`]; a minor version of plyzip may take a newer one.

pub mod archive;
mod drawn;
#[cfg(feature = "filters")]
pub mod filters;
mod level;
mod named;
#[cfg(feature = "filters")]
pub mod openings;
mod pools;
#[cfg(all(test, feature = "filters"))]
#[path = "../codec/src/chess/random_games.rs"]
mod random_games;
pub mod unstable;

pub use archive::{ModelStore, StoredModel};
pub use level::Level;
pub use named::{NamedMove, NamedPly};
use plyzip_codec::varint;
pub use plyzip_codec::{
    Error, Forecast, GameCodec, GameContext, GameCosts, GameHeader, Interrupt, LikelyMove,
    MAX_MOVES, Model, ModelHash, Pace, Player, PlyCost, Result, pgn, shakmaty,
};

/// The README's example, so that it keeps running.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
