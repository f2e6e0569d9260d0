//! Blocks: what an archive asks of the codec.
//!
//! A block is a stretch of PGN with whole games in it. It is coded as columns, for all of its games, and as pages of
//! some games each, which decode alone once the columns are known. [`encode_block`] makes both;
//! [`decode_columns`] and then [`decode_page`] or [`decode_pages`] read them. Where they stand in an archive, and how
//! they are checked, is the archive's business.
//!
//! ```
//! use plyzip_codec::Model;
//! use plyzip_codec::block::{decode_columns, decode_pages, encode_block};
//!
//! let pgn = b"1. f3 e5 2. g4 Qh4# 0-1\n\n1. e4 e5 *\n";
//! let block = encode_block(pgn, &Model::none(), 192)?;
//! assert_eq!((block.stats.games, block.stats.moves), (2, 6));
//!
//! let columns = decode_columns(&block.columns, 2, pgn.len())?;
//! let pages: Vec<(&[u8], usize)> =
//!     block.pages.iter().map(|page| (&page.payload[..], page.original_bytes)).collect();
//! let texts = decode_pages(columns, 192, &pages, &Model::none())?;
//! assert_eq!(texts[0].bytes, pgn);
//! # Ok::<(), plyzip_codec::Error>(())
//! ```

pub use crate::parallel::in_parallel;
pub use crate::pgn::weight::prefix_within;
pub use crate::predict::{PlyCounter, Run, Surprisal};
pub use crate::streams::layout::LayoutPrior;
pub use crate::streams::moves::{CodedPly, PlyObserver};
pub use crate::streams::repeats::Repeat;
pub use crate::streams::tags::is_late;
pub use crate::streams::{
    BlockStats, Columns, EncodedBlock, EncodedPage, KnownMoves, PageSource, PageText, PageWatch,
    RepeatSource, RepeatSources, Repeated, RepeatedGame, SourceDecoder, StreamSizes, WithModel,
    decode_columns, decode_columns_until, decode_known_page, decode_known_repeated_page,
    decode_page, decode_pages, decode_repeated_page, decode_watched_page, encode_block,
    encode_verified_block, needs_surprisals, page_ranges,
};
