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
//! | page | late tags | values predicted from the moves: ECO, Opening, PlyCount |
//! | page | layout | everything between the tokens, and unusual spellings |
//! | page | text | what stands in games and makes no sense |
//!
//! Each stream may use everything above it.

mod block;
pub mod comments;
pub mod layout;
pub mod moves;
pub mod repeats;
pub mod structure;
pub mod tags;
pub mod text;
mod values;
pub mod warm;

pub use block::{
    BlockStats, Columns, EncodedBlock, EncodedPage, KnownMoves, PageSource, PageText, PageWatch,
    RepeatSource, RepeatSources, Repeated, RepeatedGame, SourceDecoder, StreamSizes, WithModel,
    decode_columns, decode_columns_until, decode_known_page, decode_known_repeated_page,
    decode_page, decode_pages, decode_repeated_page, decode_watched_page, encode_block,
    encode_verified_block, needs_surprisals, page_ranges,
};
#[cfg(test)]
pub use block::{join, split};
pub use text::bytes;
