//! What an archive holds, in figures.

use super::format::digest::Digest;
use super::format::figures::fields;
use super::format::model_id::ModelId;
use super::format::section::End;
use crate::streams::BlockStats;

/// An archive in figures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// Bytes of the original.
    pub original_bytes: u64,
    /// Bytes of the archive.
    pub archive_bytes: u64,
    /// Blocks of the archive.
    pub blocks: u64,
    /// Games, moves and bytes of each stream, over all blocks.
    pub stats: BlockStats,
    /// The model without which the archive cannot be decoded; `None` if it needs none.
    pub model: Option<ModelId>,
    /// Half the BLAKE3 hash of the original.
    pub original_hash: Digest,
}

impl Summary {
    pub(super) fn new(end: &End, model: Option<ModelId>, archive_bytes: u64) -> Summary {
        Summary {
            original_bytes: end.contents.original_bytes(),
            archive_bytes,
            blocks: end.contents.blocks.len() as u64,
            stats: end.contents.stats,
            model,
            original_hash: end.original_hash,
        }
    }

    /// Bits that the stream of moves takes for each move; `None` without moves.
    pub fn bits_per_move(&self) -> Option<f64> {
        quotient(8 * u128::from(self.stats.streams.moves), self.stats.moves)
    }

    /// Bytes of the whole archive for each game; `None` without games.
    pub fn bytes_per_game(&self) -> Option<f64> {
        quotient(u128::from(self.archive_bytes), self.stats.games)
    }

    /// The streams by name, with their bytes.
    pub fn streams(&self) -> [(&'static str, u64); 6] {
        let names = ["tags", "moves", "structure", "comments", "layout", "text"];
        let sizes = fields(&self.stats.streams);
        std::array::from_fn(|stream| (names[stream], sizes[stream]))
    }

    /// Bytes of the original for each byte of the archive.
    pub fn ratio(&self) -> f64 {
        self.original_bytes as f64 / self.archive_bytes as f64
    }
}

fn quotient(dividend: u128, divisor: u64) -> Option<f64> {
    (divisor > 0).then(|| dividend as f64 / divisor as f64)
}
