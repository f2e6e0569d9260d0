//! Streams: what a block is made of, and how each part is coded.
//!
//! A block is a stretch of the input with whole games in it. It has columns, which are coded over all of its games, and
//! pages of some games each, which decode alone once the columns are known:
//!
//! | of | stream | holds |
//! |---|---|---|
//! | columns | items | number and kinds of the block's items |
//! | columns | tags | which tags each game has, and all values but the late ones |
//! | columns | text | what is no PGN |
//! | columns | layout | what the layouts of the pages begin with |
//! | page | moves | the main lines, with their ends; then, knowing the structure, the variations |
//! | page | structure | which tokens stand between the moves; lengths of variations |
//! | page | comments | clocks, evaluations and text |
//! | page | late tags | what the moves foretell: ECO, Opening, PlyCount |
//! | page | layout | everything between the tokens, and unusual spellings |
//! | page | text | what stands in games and makes no sense |
//!
//! Each stream may use everything above it.

mod block;
pub mod bytes;
mod candidates;
mod columns;
pub mod comments;
mod interner;
pub mod layout;
mod made_once;
pub mod moves;
mod page;
mod parts;
mod spelling;
pub mod structure;
pub mod tags;
pub mod text;
mod top_symbols;
mod variations;
pub mod warm;

pub use block::{BlockStats, EncodedBlock, EncodedPage, StreamSizes, decode_pages, encode_block};
pub use columns::{Columns, decode_columns, page_ranges};
pub use page::{PageText, decode_page};
