//! The header of a block: sizes, checksums and figures before its payloads.

use std::io::Read;

use plyzip_codec::block::BlockStats;

use crate::archive::format::figures;
use crate::archive::format::limits::Limits;
use crate::archive::format::section::{BlockHeader, ColumnsHeader, Kind, PageHeader};
use crate::archive::format::source::Source;
use crate::{Error, Result};

/// The header of a block, in one section or in several. Code behind [`OpenBlock`](super::OpenBlock) does not tell these
/// apart.
#[derive(Debug, Clone)]
pub enum Header {
    /// All of it is one section: a block without games, one of a single page, or the original as it is.
    Section(BlockHeader),
    /// Its columns are a section, and each page is one of its own.
    Columns(ColumnsHeader),
}

impl Header {
    /// Reads the header of a block whose first section has this kind, from its second byte on.
    ///
    /// # Errors
    /// [`Error::Damaged`] and its like; also if no block begins with such a section.
    pub fn read<R: Read>(kind: Kind, source: &mut Source<R>, limits: &Limits) -> Result<Header> {
        match kind {
            Kind::Columns => Ok(Header::Columns(ColumnsHeader::read(source, limits)?)),
            Kind::Games | Kind::Text => {
                Ok(Header::Section(BlockHeader::read(kind, source, limits)?))
            }
            _ => Err(Error::damaged("a section that begins no block")),
        }
    }

    /// The bytes before the first payload.
    pub fn to_bytes(&self) -> Vec<u8> {
        match self {
            Header::Section(header) => header.to_bytes(),
            Header::Columns(header) => header.to_bytes(),
        }
    }

    /// Bytes of the first payload: of the columns, or of all.
    pub fn payload_bytes(&self) -> u64 {
        match self {
            Header::Section(header) => header.payload_bytes,
            Header::Columns(header) => header.columns_bytes,
        }
    }

    /// The pages that have sections of their own.
    pub fn pages(&self) -> &[PageHeader] {
        match self {
            Header::Section(_) => &[],
            Header::Columns(header) => &header.pages,
        }
    }

    /// Whether the payload is the original as it is.
    pub fn is_stored(&self) -> bool {
        matches!(self, Header::Section(header) if header.is_stored())
    }

    /// Whether decoding takes the model of the archive.
    pub fn needs_model(&self) -> bool {
        match self {
            Header::Section(header) => header.games.is_some() && !header.is_stored(),
            Header::Columns(_) => true,
        }
    }

    /// Bytes of the original.
    pub fn original_bytes(&self) -> u64 {
        match self {
            Header::Section(header) => header.original_bytes,
            Header::Columns(header) => header.original_bytes,
        }
    }

    /// Bytes of all sections of the block, as the index has them.
    pub fn bytes(&self) -> u64 {
        match self {
            Header::Section(header) => header.section_bytes(),
            Header::Columns(header) => header.block_bytes(),
        }
    }

    /// The figures that count towards the archive's.
    pub fn figures(&self) -> BlockStats {
        match self {
            Header::Section(header) => header.figures(),
            Header::Columns(header) => header.stats,
        }
    }

    /// Bytes that the block takes of an archive, its figures in the totals included, but for the index.
    pub fn cost(&self) -> u64 {
        match self {
            Header::Section(header) => header.cost(),
            Header::Columns(header) => {
                let mut bytes = Vec::new();
                figures::write(&header.stats, &mut bytes);
                header.block_bytes() + bytes.len() as u64
            }
        }
    }

    /// Makes sure that the figures are possible and within the limits.
    pub fn check(&self, limits: &Limits) -> Result<()> {
        match self {
            Header::Section(header) => header.check(limits),
            Header::Columns(header) => header.check(limits),
        }
    }
}
