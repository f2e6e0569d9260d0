//! The figures of an archive.

use plyzip_codec::block::BlockStats;

use super::format::digest::Digest;
use super::format::figures::add;
use super::format::file_info::FileInfo;
use super::format::limits::{Limits, at_most};
use super::format::model_id::ModelId;
use super::format::section::End;
use super::recovery::{self, Share};
use crate::{Error, Result};

/// What [`Limits::members`] limits.
pub(super) const MEMBERS: &str = "the number of members";

/// An archive in figures.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// Bytes of the original.
    pub original_bytes: u64,
    /// Bytes of the archive.
    pub archive_bytes: u64,
    /// Blocks of the archive.
    pub blocks: u64,
    /// Games, moves and bytes of each stream, over all blocks.
    pub stats: BlockStats,
    /// The models without which it cannot be decoded: at most one for each archive that it was put together from.
    pub models: Vec<ModelId>,
    /// Half the BLAKE3 hash of the original; of each part, if the archive was put together from several.
    pub original_hashes: Vec<Digest>,
    /// Name and time of the original's file, if the archive was told; of the first part.
    pub file: FileInfo,
    /// Bytes of recovery records, which are among those of the archive.
    pub recovery_bytes: u64,
    /// Members: archives that follow each other, without those that hold a recovery record.
    pub members: u64,
}

impl Summary {
    pub(super) fn new(end: &End, model: Option<ModelId>, archive_bytes: u64) -> Summary {
        let is_record = end.contents.blocks.is_empty()
            && model.as_ref().is_some_and(|model| model.name == recovery::NAME);
        if is_record {
            // What stands there is no model, and it has no original.
            return Summary {
                original_bytes: 0,
                archive_bytes,
                blocks: 0,
                stats: BlockStats::default(),
                models: vec![],
                original_hashes: vec![],
                file: FileInfo::default(),
                recovery_bytes: archive_bytes,
                members: 0,
            };
        }
        Summary {
            original_bytes: end.contents.original_bytes(),
            archive_bytes,
            blocks: end.contents.blocks.len() as u64,
            stats: end.contents.stats,
            models: model.into_iter().collect(),
            original_hashes: vec![end.original_hash],
            file: end.file.clone(),
            recovery_bytes: 0,
            members: 1,
        }
    }

    /// The figures of this archive and the one that follows it.
    ///
    /// # Errors
    /// [`Error::Damaged`](crate::Error::Damaged) if sums do not fit 64 bits, as no real ones fail to, and
    /// [`Error::Limit`](crate::Error::Limit).
    pub(super) fn and(mut self, next: Summary, limits: &Limits) -> Result<Summary> {
        let sum = |a: u64, b: u64| {
            a.checked_add(b).ok_or_else(|| Error::damaged("sizes that no file has"))
        };
        self.original_bytes = sum(self.original_bytes, next.original_bytes)?;
        self.archive_bytes = sum(self.archive_bytes, next.archive_bytes)?;
        self.blocks = sum(self.blocks, next.blocks)?;
        self.recovery_bytes = sum(self.recovery_bytes, next.recovery_bytes)?;
        self.members = sum(self.members, next.members)?;
        add(&mut self.stats, &next.stats)?;
        for model in next.models {
            if !self.models.contains(&model) {
                self.models.push(model);
                at_most(self.models.len() as u64, limits.models, "the number of models")?;
            }
        }
        self.original_hashes.extend(next.original_hashes);
        at_most(self.original_hashes.len() as u64, limits.members, MEMBERS)?;
        Ok(self)
    }

    /// Bits that the stream of moves takes for each move; `None` without moves.
    pub fn bits_per_move(&self) -> Option<f64> {
        quotient(8 * u128::from(self.stats.streams.moves), self.stats.moves)
    }

    /// Bytes of the whole archive for each game; `None` without games.
    pub fn bytes_per_game(&self) -> Option<f64> {
        quotient(u128::from(self.archive_bytes), self.stats.games)
    }

    /// The share of the rest that the parity of the recovery records is, about; `None` without any.
    pub fn recovery_share(&self) -> Option<Share> {
        /// What a record takes besides parity.
        const FRAME: u64 = 160;
        let bytes = Some(self.recovery_bytes).filter(|&bytes| bytes > 0)?;
        match bytes.saturating_sub(FRAME) {
            // The least that there is.
            0..=64 => Some(Share::default()),
            parity => Some(Share::of_bytes(parity, self.archive_bytes - bytes)),
        }
    }

    /// The streams by name, with their bytes.
    pub fn streams(&self) -> [(&'static str, u64); 6] {
        let names = ["tags", "moves", "structure", "comments", "layout", "text"];
        let sizes = self.stats.streams.fields();
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
