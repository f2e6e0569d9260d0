//! The sections of an archive, field by field: `docs/format.md` in code.
//!
//! Each pair of functions writes and reads one part. Writers append to a buffer,
//! [`close`] adds the checksum; readers take their fields from a [`Source`].

mod block;
mod columns;
mod end;
mod model;

use std::io::Read;

pub use self::block::BlockHeader;
pub use self::columns::{ColumnsHeader, PageHeader};
pub use self::end::End;
pub use self::model::{ModelSection, model, read_model};

use plyzip_codec::GENERATION;
use plyzip_codec::block::BlockStats;

use super::limits::{Limits, at_most};
use super::source::{Source, reserved};
use crate::{Error, Result};

/// 0xC1 is in no UTF-8 text.
pub const MAGIC: [u8; 4] = *b"\xC1PLZ";
/// Of the container.
const VERSION: u8 = 3;

/// Bytes of the tail: the length of the end section.
pub const TAIL_BYTES: u64 = 4;
/// Bytes of the checksum that ends each section.
const CRC_BYTES: u64 = 4;

/// What a section is; its first byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Model = 1,
    /// A block with games.
    Games = 2,
    /// A block without.
    Text = 3,
    End = 4,
    /// The columns of a block whose pages follow.
    Columns = 5,
    /// A page of such a block.
    Page = 6,
    /// The model, with its file.
    ModelFile = 7,
    /// The end, with what was known of the original's file.
    EndWithFile = 8,
}

impl Kind {
    pub fn read<R: Read>(source: &mut Source<R>) -> Result<Kind> {
        match source.begin_section()? {
            1 => Ok(Kind::Model),
            2 => Ok(Kind::Games),
            3 => Ok(Kind::Text),
            4 => Ok(Kind::End),
            5 => Ok(Kind::Columns),
            6 => Ok(Kind::Page),
            7 => Ok(Kind::ModelFile),
            8 => Ok(Kind::EndWithFile),
            kind => Err(Error::Unsupported(format!(
                "kind {kind} of the section that ends before byte {}",
                source.position()
            ))),
        }
    }

    /// Whether a block begins with such a section.
    pub fn begins_block(self) -> bool {
        matches!(self, Kind::Games | Kind::Text | Kind::Columns)
    }
}

/// Ends the section in `section`, whose payload, if any, is kept apart, and returns its checksum.
pub fn close(section: &[u8], payload: &[u8]) -> [u8; 4] {
    let mut crc = crc32fast::Hasher::new();
    crc.update(section);
    crc.update(payload);
    crc.finalize().to_le_bytes()
}

pub fn header() -> Vec<u8> {
    [&MAGIC[..], &[VERSION, GENERATION, 0]].concat()
}

pub fn read_header<R: Read>(source: &mut Source<R>) -> Result<()> {
    if source.array()? != MAGIC {
        return Err(Error::damaged("it does not begin like a plyzip archive"));
    }
    match source.byte()? {
        VERSION => {}
        version => return Err(Error::Unsupported(format!("version {version} of the format"))),
    }
    match source.byte()? {
        GENERATION => {}
        generation => {
            return Err(Error::Unsupported(format!("generation {generation} of the predictor")));
        }
    }
    reserved(source.byte()?, 0, "flags")
}

/// Makes sure that a block's games and moves are possible: each takes at least a byte.
fn check_games(stats: &BlockStats, original_bytes: u64, limits: &Limits) -> Result<()> {
    at_most(original_bytes, limits.block_original, "the original size of a block")?;
    at_most(stats.games, limits.block_games, "the number of games of a block")?;
    if stats.games == 0 || stats.games > original_bytes || stats.moves > original_bytes {
        return Err(Error::damaged("a block has impossible figures"));
    }
    Ok(())
}

fn in_memory(bytes: u64) -> Result<usize> {
    usize::try_from(bytes).map_err(|_| Error::Limit("a block is larger than memory".into()))
}

fn verify(original: &[u8], bytes: u64, crc: u32) -> Result<()> {
    if original.len() as u64 != bytes || crc32fast::hash(original) != crc {
        let message = "a block is sound, but decodes to other bytes than it was made from";
        return Err(Error::damaged(message));
    }
    Ok(())
}
