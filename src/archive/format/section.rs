//! The sections of an archive, field by field: `docs/format.md` in code.
//!
//! Each pair of functions writes and reads one part. Writers append to a buffer,
//! [`close`] adds the checksum; readers take their fields from a [`Source`].

use std::io::Read;

use super::contents::Contents;
use super::digest::Digest;
use super::figures;
use super::limits::{Limits, at_most};
use super::model_id::ModelId;
use super::source::{Source, reserved};
use crate::streams::{BlockStats, StreamSizes};
use crate::{Error, Result, varint};

/// 0xC1 is in no UTF-8 text.
const MAGIC: [u8; 4] = *b"\xC1PLZ";
const VERSION: u8 = 2;

/// Bytes of the tail: the length of the end section.
pub const TAIL_BYTES: u64 = 4;
/// Bytes of the checksum that ends each section.
const CRC_BYTES: u64 = 4;

/// From this size on, a stored block has no figures: below, all numbers take at most two bytes, so
/// that an archive with one block stays within 64 bytes of its original even with them.
const STORED_WITH_FIGURES: u64 = 1 << 14;

/// What a section is; its first byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Model = 1,
    /// A block with games.
    Games = 2,
    /// A block without.
    Text = 3,
    End = 4,
}

impl Kind {
    pub fn read<R: Read>(source: &mut Source<R>) -> Result<Kind> {
        match source.begin_section()? {
            1 => Ok(Kind::Model),
            2 => Ok(Kind::Games),
            3 => Ok(Kind::Text),
            4 => Ok(Kind::End),
            kind => Err(Error::Unsupported(format!(
                "kind {kind} of the section that ends before byte {}",
                source.position()
            ))),
        }
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
    [&MAGIC[..], &[VERSION, 0]].concat()
}

pub fn read_header<R: Read>(source: &mut Source<R>) -> Result<()> {
    if source.array()? != MAGIC {
        return Err(Error::damaged("it does not begin like a plyzip archive"));
    }
    match source.byte()? {
        VERSION => {}
        version => return Err(Error::Unsupported(format!("version {version} of the format"))),
    }
    reserved(source.byte()?, 0, "flags")
}

/// The section of the model, complete.
///
/// # Errors
/// [`Error::Model`] if no reader would accept the name.
pub fn model(id: &ModelId, limits: &Limits) -> Result<Vec<u8>> {
    let mut section = vec![Kind::Model as u8];
    varint::put(&mut section, id.name.len() as u64);
    section.extend(id.name.as_bytes());
    section.extend(id.hash.0);
    section.extend(close(&section, &[]));
    if id.name.len() as u64 > limits.model_name || id.name.contains(char::is_control) {
        return Err(Error::Model(format!("{:?} cannot be a model's name", id.name)));
    }
    Ok(section)
}

/// Reads the section of the model from its second byte on.
pub fn read_model<R: Read>(source: &mut Source<R>, limits: &Limits) -> Result<ModelId> {
    let length = at_most(source.varint()?, limits.model_name, "the length of the model's name")?;
    let name = String::from_utf8(source.bytes(length)?)
        .ok()
        .filter(|name| !name.contains(char::is_control))
        .ok_or_else(|| Error::damaged("the model's name is no text"))?;
    let hash = Digest(source.array()?);
    source.end_section()?;
    Ok(ModelId { name, hash })
}

/// What a block says of itself before its payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockHeader {
    pub original_bytes: u64,
    pub payload_bytes: u64,
    /// CRC32 of the original bytes.
    pub original_crc: u32,
    /// The figures of a block with games; `None` without games.
    pub games: Option<BlockStats>,
}

impl BlockHeader {
    /// The header of a block of `original` that became `payload`.
    pub fn new(original: &[u8], payload: &[u8], stats: BlockStats) -> BlockHeader {
        let mut header = BlockHeader {
            original_bytes: original.len() as u64,
            payload_bytes: payload.len() as u64,
            original_crc: crc32fast::hash(original),
            games: (stats.games > 0).then_some(stats),
        };
        if header.is_stored() {
            let streams = StreamSizes { text: header.payload_bytes, ..StreamSizes::default() };
            header.games = header
                .games
                .filter(|_| header.original_bytes < STORED_WITH_FIGURES)
                .map(|stats| BlockStats { streams, ..stats });
        }
        header
    }

    /// Whether the payload is the original as it is: a block that did not shrink.
    pub fn is_stored(&self) -> bool {
        self.payload_bytes == self.original_bytes
    }

    pub fn to_bytes(self) -> Vec<u8> {
        let kind = if self.games.is_some() { Kind::Games } else { Kind::Text };
        let mut bytes = vec![kind as u8];
        varint::put(&mut bytes, self.original_bytes);
        varint::put(&mut bytes, self.payload_bytes);
        bytes.extend(self.original_crc.to_le_bytes());
        if let Some(stats) = &self.games {
            varint::put(&mut bytes, stats.games);
            figures::write(stats, &mut bytes);
        }
        bytes
    }

    /// Reads a header of the given kind from its second byte on.
    pub fn read<R: Read>(
        kind: Kind,
        source: &mut Source<R>,
        limits: &Limits,
    ) -> Result<BlockHeader> {
        let mut header = BlockHeader {
            original_bytes: source.varint()?,
            payload_bytes: source.varint()?,
            original_crc: source.u32()?,
            games: None,
        };
        if kind == Kind::Games {
            let games = source.varint()?;
            header.games = Some(figures::read(games, source)?);
        }
        header.check(limits)?;
        Ok(header)
    }

    /// Makes sure that the figures are possible and within the limits.
    pub fn check(&self, limits: &Limits) -> Result<()> {
        at_most(self.original_bytes, limits.block_original, "the original size of a block")?;
        at_most(self.payload_bytes, limits.block_payload, "the size of a block")?;
        match &self.games {
            // A game takes at least a byte, and so does a move.
            Some(stats)
                if stats.games == 0
                    || stats.games > self.original_bytes
                    || stats.moves > self.original_bytes =>
            {
                Err(Error::damaged("a block has impossible figures"))
            }
            _ => Ok(()),
        }
    }

    /// Bytes of the whole section: this header, the payload and the checksum.
    pub fn section_bytes(&self) -> u64 {
        self.to_bytes().len() as u64 + self.payload_bytes + CRC_BYTES
    }

    /// Bytes that the section and its figures in the archive's totals take, these counted as if
    /// they were the only ones.
    pub fn cost(&self) -> u64 {
        let mut figures = Vec::new();
        if let Some(stats) = &self.games {
            figures::write(stats, &mut figures);
        }
        self.section_bytes() + figures.len() as u64
    }

    /// The figures that count towards the archive's.
    pub fn figures(&self) -> BlockStats {
        self.games.unwrap_or_else(|| figures::of_text(self.section_bytes()))
    }
}

/// The last section and the tail: the index, the totals and the hash of the original.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct End {
    pub contents: Contents,
    pub original_hash: Digest,
}

impl End {
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let mut bytes = vec![Kind::End as u8];
        self.contents.write(&mut bytes);
        bytes.extend(self.original_hash.0);
        bytes.extend(close(&bytes, &[]));
        let length = u32::try_from(bytes.len()).map_err(|_| {
            Error::Limit("the index is over 4 GiB; larger blocks make it smaller".into())
        })?;
        bytes.extend(length.to_le_bytes());
        Ok(bytes)
    }

    /// Reads the section from its second byte on and the tail, and makes sure that nothing follows.
    pub fn read<R: Read>(source: &mut Source<R>, limits: &Limits) -> Result<End> {
        let begin = source.position() - 1;
        let contents = Contents::read(source, limits)?;
        let original_hash = Digest(source.array()?);
        source.end_section()?;
        let length = source.position() - begin;
        if u64::from(source.u32()?) != length {
            return Err(Error::damaged("its last four bytes do not lead to the index"));
        }
        source.expect_end()?;
        Ok(End { contents, original_hash })
    }
}
