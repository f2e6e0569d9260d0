#![forbid(unsafe_code)]
// The library never panics over its input; tests may.
#![cfg_attr(
    not(test),
    warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)
)]
//! Codes for chess games and positions that others have described, from 1993 on, as `plyzip compare` measures them.
//!
//! [`ordinal`] has codes for games, [`position`] codes for single positions; both write [`bits`]. None of them is part
//! of an archive. `docs/history.md` of plyzip tells who described what, and has the figures.

pub mod bits;
pub mod ordinal;
pub mod position;

#[cfg(test)]
#[path = "../../codec/src/chess/random_games.rs"]
mod random_games;
