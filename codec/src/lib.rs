#![forbid(unsafe_code)]
// The library never panics over its input; tests may.
#![cfg_attr(
    not(test),
    warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)
)]
//! Generation 1 of plyzip's codec: all that decides a bit of what its archives and single games hold.
//!
//! Programs use [plyzip](https://docs.rs/plyzip), which re-exports what is of use to them. This package is one of its
//! own so that it can be frozen: a program that reads two generations depends on this package twice, under two names,
//! once for each major version. `docs/generation.md` says how.
//!
//! ```text
//! PGN bytes ─ pgn ─► games + layout + what makes no sense
//!   │
//!   ├─ moves ─ chess ─► features ─► network ─► engine ─► analysis ─► predict ─┐
//!   │         (order)  (indices)   (logits)   (values)  (evidence)  (mixture) │
//!   │                                                                         │
//!   └─ tags, comments, clocks, layout, text ─ streams: models of their own ───┤
//!                                                                             ▼
//!            plyzip: archive ◄─ block ◄─ bytes ◄─ entropy: the range coder ◄──┘
//! ```
//!
//! Decoding is the same pipeline read backwards, with the same predictors in the same order. Each module depends only
//! on the modules above it:
//!
//! | module | holds |
//! |---|---|
//! | [`pgn`] | bytes to games and back |
//! | `entropy` | integers to bytes: the range coder, models that learn, fixed-point arithmetic |
//! | `chess` | the canonical order of moves, keys of positions, history, exchanges |
//! | `features` | what is known of a position and of each legal move, as indices |
//! | `network` | the ONNX graph: proved exact, partitioned, run |
//! | `board_network` | a transformer over the squares, in integers: other logits for the same moves |
//! | `engine` | the search: parameters, moves in order, evaluation by a small network |
//! | `analysis` | what the search found, as evidence; a second network that ranks moves with it |
//! | `predict` | how likely each legal move is: the pipeline, the mixer, counts, books, models |
//! | `streams` | what a block is made of: moves, tags, comments, layout, text |
//! | [`block`] | what an archive asks of `streams` |
//! | `game_codec` | [`GameCodec`]: one game in a few bytes; [`Model::probabilities`], [`Model::costs`] |
//!
//! Modules without a link are private; [`unstable`] makes parts of them visible to the project's own packages.

// Files that other packages include name this one.
#[cfg(test)]
extern crate self as plyzip_codec;

mod analysis;
pub mod block;
mod board_network;
mod brief_lock;
mod chess;
mod engine;
mod entropy;
mod error;
mod features;
#[cfg(test)]
mod forge;
mod game_codec;
mod interrupt;
mod network;
mod parallel;
pub mod pgn;
mod predict;
mod spare;
mod split_mix;
mod streams;
pub mod unstable;
pub mod varint;

pub use error::{Error, Result};
pub use features::{GameContext, Pace};
pub use game_codec::{Forecast, GameCodec, GameHeader, MAX_MOVES};
pub use interrupt::Interrupt;
pub use predict::{GENERATION, GameCosts, LikelyMove, Model, ModelHash, Player, PlyCost};
/// The rules of chess, with the types of positions and moves that this crate takes and gives.
pub use shakmaty;
