//! Streams: what a block is made of, and how each part is coded.
//!
//! A block is a stretch of the input with whole games in it. It decodes
//! alone, in this order; each stream may use everything before it:
//!
//! | stream | holds |
//! |---|---|
//! | items | number and kinds of the block's items |
//! | tags | which tags each game has, and all values but the late ones |
//! | moves | the main lines, with their ends; then, knowing the structure, the variations |
//! | structure | which tokens stand between the moves; lengths of variations |
//! | comments | clocks, evaluations and text |
//! | late tags | what the moves foretell: ECO, Opening, PlyCount |
//! | layout | everything between the tokens, and unusual spellings |
//! | text | what is no PGN |

mod block;
pub mod bytes;
mod candidates;
pub mod comments;
mod interner;
pub mod layout;
pub mod moves;
mod spelling;
pub mod structure;
pub mod tags;
pub mod text;
mod top_symbols;
pub mod warm;

pub use block::{BlockStats, StreamSizes, decode_block, encode_block};
