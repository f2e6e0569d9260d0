//! The limits on what an archive may ask for, as C names them.

use plyzip::archive::Limits;
use plyzip::{Error, Result};

/// What plyzip_options_set_limit limits.
///
/// Memory is bounded by the sizes of a block and of models' files. By default reading takes a few hundred megabytes,
/// and what it gives out.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum plyzip_limit {
    /// Bytes of the original, all of it: what decompression gives out. Default: 2^30 for plyzip_decompress, which has
    /// it in memory, none otherwise.
    PLYZIP_LIMIT_ORIGINAL = 0,
    /// Games of the archive. Default: none.
    PLYZIP_LIMIT_GAMES = 1,
    /// Original bytes of one block. Default: 2^26.
    PLYZIP_LIMIT_BLOCK_ORIGINAL = 2,
    /// Compressed bytes of one block. Default: 65 * 2^20.
    PLYZIP_LIMIT_BLOCK_PAYLOAD = 3,
    /// Games of one block. Default: 2^20.
    PLYZIP_LIMIT_BLOCK_GAMES = 4,
    /// Blocks of the archive. Default: 2^22.
    PLYZIP_LIMIT_BLOCKS = 5,
    /// Archives that follow each other in one. Default: 2^20.
    PLYZIP_LIMIT_MEMBERS = 6,
    /// Models that the archive names. Default: 2^10.
    PLYZIP_LIMIT_MODELS = 7,
    /// Bytes of a model's file within the archive. Default: 2^26.
    PLYZIP_LIMIT_MODEL_FILE = 8,
    /// Bytes of all models' files within the archive. Default: 2^28.
    PLYZIP_LIMIT_MODEL_FILES = 9,
}

/// The limit that C calls `number`: any number may come from there.
pub(crate) fn limit(limits: &mut Limits, number: u32) -> Result<&mut u64> {
    use plyzip_limit as Limit;
    Ok(match number {
        n if n == Limit::PLYZIP_LIMIT_ORIGINAL as u32 => &mut limits.original,
        n if n == Limit::PLYZIP_LIMIT_GAMES as u32 => &mut limits.games,
        n if n == Limit::PLYZIP_LIMIT_BLOCK_ORIGINAL as u32 => &mut limits.block_original,
        n if n == Limit::PLYZIP_LIMIT_BLOCK_PAYLOAD as u32 => &mut limits.block_payload,
        n if n == Limit::PLYZIP_LIMIT_BLOCK_GAMES as u32 => &mut limits.block_games,
        n if n == Limit::PLYZIP_LIMIT_BLOCKS as u32 => &mut limits.blocks,
        n if n == Limit::PLYZIP_LIMIT_MEMBERS as u32 => &mut limits.members,
        n if n == Limit::PLYZIP_LIMIT_MODELS as u32 => &mut limits.models,
        n if n == Limit::PLYZIP_LIMIT_MODEL_FILE as u32 => &mut limits.model_file,
        n if n == Limit::PLYZIP_LIMIT_MODEL_FILES as u32 => &mut limits.model_files,
        _ => return Err(Error::Usage(format!("there is no limit {number}"))),
    })
}
