//! Limits on what an archive may ask for.

use crate::{Error, Model, Result};

/// Bounds that a reader checks before it allocates anything, and that a writer keeps.
///
/// An archive is input from anywhere; without bounds, a few bytes could claim a
/// block of exabytes. The defaults hold every archive that plyzip writes and keep
/// a reader within a few hundred megabytes.
///
/// ```
/// use plyzip::archive::{ArchiveReader, Limits, ReaderOptions};
///
/// let limits = Limits::new().block_original(1 << 20);
/// let options = ReaderOptions::new().limits(limits);
/// assert!(ArchiveReader::with_options(&b"no archive"[..], options).is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Original bytes of one block. Default: 64 MiB.
    pub block_original: u64,
    /// Compressed bytes of one block. Default: 65 MiB, a little more than
    /// `block_original` because a block need not shrink.
    pub block_payload: u64,
    /// Games of one block. Default: 2<sup>20</sup>.
    pub block_games: u64,
    /// Blocks of an archive, hence entries of its index, and, where the index is read first, of all archives that follow
    /// each other. Default: 2<sup>22</sup>.
    pub blocks: u64,
    /// Archives that follow each other. Default: 2<sup>20</sup>.
    pub members: u64,
    /// Bytes of the original, over all archives that follow each other: what decoding writes. Default: no limit.
    pub original: u64,
    /// Games, over all archives that follow each other. Default: no limit.
    pub games: u64,
    /// Models that archives which follow each other name. Default: 1024.
    pub models: u64,
    /// Bytes of a model's file within an archive. Default: 64 MiB.
    pub model_file: u64,
    /// Bytes of all models' files, which an [`IndexedReader`](crate::archive::IndexedReader) keeps. Default: 256 MiB.
    pub model_files: u64,
    /// Bytes of a model's name. Default: 64.
    pub model_name: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            block_original: 64 << 20,
            block_payload: 65 << 20,
            block_games: 1 << 20,
            blocks: 1 << 22,
            members: 1 << 20,
            original: u64::MAX,
            games: u64::MAX,
            models: 1 << 10,
            model_file: Model::MAX_FILE,
            model_files: 256 << 20,
            model_name: 64,
        }
    }
}

impl Limits {
    /// The defaults.
    pub fn new() -> Limits {
        Limits::default()
    }

    /// The same, with at most so many original bytes of one block.
    #[must_use]
    pub fn block_original(self, block_original: u64) -> Limits {
        Limits { block_original, ..self }
    }

    /// The same, with at most so many compressed bytes of one block.
    #[must_use]
    pub fn block_payload(self, block_payload: u64) -> Limits {
        Limits { block_payload, ..self }
    }

    /// The same, with at most so many games of one block.
    #[must_use]
    pub fn block_games(self, block_games: u64) -> Limits {
        Limits { block_games, ..self }
    }

    /// The same, with at most so many blocks.
    #[must_use]
    pub fn blocks(self, blocks: u64) -> Limits {
        Limits { blocks, ..self }
    }

    /// The same, with at most so many archives that follow each other.
    #[must_use]
    pub fn members(self, members: u64) -> Limits {
        Limits { members, ..self }
    }

    /// The same, with at most so many bytes of the original.
    #[must_use]
    pub fn original(self, original: u64) -> Limits {
        Limits { original, ..self }
    }

    /// The same, with at most so many games.
    #[must_use]
    pub fn games(self, games: u64) -> Limits {
        Limits { games, ..self }
    }

    /// The same, with at most so many models.
    #[must_use]
    pub fn models(self, models: u64) -> Limits {
        Limits { models, ..self }
    }

    /// The same, with at most so many bytes of a model's file.
    #[must_use]
    pub fn model_file(self, model_file: u64) -> Limits {
        Limits { model_file, ..self }
    }

    /// The same, with at most so many bytes of all models' files.
    #[must_use]
    pub fn model_files(self, model_files: u64) -> Limits {
        Limits { model_files, ..self }
    }

    /// The same, with at most so many bytes of a model's name.
    #[must_use]
    pub fn model_name(self, model_name: u64) -> Limits {
        Limits { model_name, ..self }
    }

    /// Makes sure that an original of so many bytes and games is within the limits.
    ///
    /// # Errors
    /// [`Error::Limit`]
    pub(in crate::archive) fn check_original(&self, bytes: u64, games: u64) -> Result<()> {
        at_most(bytes, self.original, "the size of the original")?;
        at_most(games, self.games, "the number of games")?;
        Ok(())
    }
}

/// `value`, if it does not exceed `limit`; `what` completes the sentence "… is over the limit".
pub fn at_most(value: u64, limit: u64, what: &str) -> Result<u64> {
    if value > limit {
        return Err(Error::Limit(format!("{what} is {value}, over the limit of {limit}")));
    }
    Ok(value)
}
