//! The `.plz` archive: blocks that decode alone, an index, checksums.
//!
//! ```text
//! header | model | block | block | ... | end (index, totals, hash) | tail
//! ```
//!
//! `docs/format.md` gives every field and its reason. An archive can be written to
//! a pipe and read from one; a reader that can seek finds the index from the last four bytes.
//!
//! - [`ArchiveWriter`] takes PGN, as bytes or game by game, and cuts it into blocks;
//! - [`ArchiveReader`] gives the blocks or games back in order, from any [`Read`](std::io::Read);
//! - [`IndexedReader`] decodes any one block alone, from a source that can seek;
//! - [`RangeReader`] is such a source over a network.
//!
//! ```
//! use plyzip::archive::{ArchiveReader, ArchiveWriter};
//! use plyzip::Model;
//!
//! let game = b"[Event \"Casual\"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n\n";
//! let mut writer = ArchiveWriter::new(Vec::new(), Model::none())?;
//! writer.push_game(game)?;
//! writer.push_game(game)?;
//! let (archive, summary) = writer.finish()?;
//! assert_eq!(summary.archive_bytes, archive.len() as u64);
//!
//! for read in ArchiveReader::new(&archive[..])?.games() {
//!     assert_eq!(read?, game);
//! }
//! # Ok::<(), plyzip::Error>(())
//! ```

mod block;
mod format;
mod indexed;
mod model_slot;
mod model_store;
mod moves_index;
mod options;
mod pending;
mod pgn_games;
mod progress;
mod range_reader;
mod reader;
mod recovery;
mod salvage;
mod summary;
mod writer;

pub use format::contents::BlockEntry;
pub use format::digest::Digest;
pub use format::file_info::FileInfo;
pub use format::limits::Limits;
pub use format::model_id::ModelId;
pub use format::section::MAGIC;
pub use indexed::{
    AllGames, ExplainedGame, Follower, IndexedReader, Select, Selection, Verdict, is_late,
};
pub use model_store::{ModelStore, StoredModel};
pub use moves_index::{GameSummary, MovesIndex};
pub use options::WriterOptions;
pub use pgn_games::PgnGames;
pub use plyzip_codec::block::{BlockStats, StreamSizes};
pub use progress::Progress;
pub use range_reader::RangeReader;
pub use reader::{ArchiveReader, Games, ReaderOptions};
pub use recovery::{Protected, ProtectedState, Repair, Share, recovery};
pub use salvage::{Missing, Salvage, assess, salvage};
pub use summary::Summary;
pub use writer::ArchiveWriter;
