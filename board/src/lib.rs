//! Runs plyzip's board network: a transformer over the 64 squares, in integers, with the same bits on every machine.
//!
//! `docs/board.md` in the repository defines the arithmetic and the file; `training/board` trains such networks and writes
//! the file. A [`Seen`] game gives [`View`]s of its positions; a [`Network`] gives the [`Outputs`] for them.
//!
//! ```text
//! Seen ─► View ─► tokens ─► blocks: attention and rays, two layers ─► heads ─► Outputs
//! ```
//!
//! | module | holds |
//! |---|---|
//! | `squares`, `packed_move`, `view` | what a network sees |
//! | `chained`, `matrix` | products of bytes |
//! | `rounding`, `requantise`, `normal` | how sums become numbers of few bits |
//! | `sizes`, `attention`, `block`, `heads`, `network` | the parts of a network |
//! | `file`, `sample` | its file; one of random weights |

mod attention;
mod block;
mod chained;
mod file;
mod heads;
mod matrix;
mod network;
mod normal;
mod packed_move;
mod requantise;
mod rounding;
mod sample;
mod sizes;
mod squares;
mod view;
mod workspace;

pub use file::MAX_FILE;
pub use heads::Outputs;
pub use network::Network;
pub use plyzip_codec::{Error, GameContext, Result, shakmaty};
pub use sample::sample;
pub use sizes::{Sizes, limits};
pub use view::{Seen, SeenMove, View};
