//! The sections of an archive, field by field: `docs/format.md` in code.
//!
//! Each pair of functions writes and reads one part. Writers append to a buffer,
//! [`close`] adds the checksum; readers take their fields from a [`Source`].

use std::io::Read;

use super::contents::Contents;
use super::digest::Digest;
use super::figures;
use super::file_info::FileInfo;
use super::limits::{Limits, at_most};
use super::model_id::ModelId;
use super::source::{Source, reserved};
use crate::predict::GENERATION;
use crate::streams::{BlockStats, StreamSizes};
use crate::{Error, Result, varint};

/// 0xC1 is in no UTF-8 text.
const MAGIC: [u8; 4] = *b"\xC1PLZ";
/// Of the container.
const VERSION: u8 = 3;

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

/// The section of the model, complete; with its `file` if there is one.
///
/// # Errors
/// [`Error::Model`] if no reader would accept the name.
pub fn model(id: &ModelId, file: Option<&[u8]>, limits: &Limits) -> Result<Vec<u8>> {
    let kind = if file.is_some() { Kind::ModelFile } else { Kind::Model };
    let mut section = vec![kind as u8];
    varint::put(&mut section, id.name.len() as u64);
    section.extend(id.name.as_bytes());
    section.extend(id.hash.0);
    if let Some(file) = file {
        at_most(file.len() as u64, limits.model_file, "the size of the model's file")?;
        varint::put(&mut section, file.len() as u64);
        section.extend(file);
    }
    section.extend(close(&section, &[]));
    if id.name.len() as u64 > limits.model_name || id.name.contains(char::is_control) {
        return Err(Error::Model(format!("{:?} cannot be a model's name", id.name)));
    }
    Ok(section)
}

/// The section of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelSection {
    pub id: ModelId,
    /// The model's file, if the archive holds it.
    pub file: Option<Vec<u8>>,
}

/// Reads the section of the model, which has this kind, from its second byte on.
///
/// # Errors
/// Among others [`Error::Damaged`] if the file is not that of the model.
pub fn read_model<R: Read>(
    kind: Kind,
    source: &mut Source<R>,
    limits: &Limits,
) -> Result<ModelSection> {
    let length = at_most(source.varint()?, limits.model_name, "the length of the model's name")?;
    let name = String::from_utf8(source.bytes(length)?)
        .ok()
        .filter(|name| !name.contains(char::is_control))
        .ok_or_else(|| Error::damaged("the model's name is no text"))?;
    let hash = Digest(source.array()?);
    let mut file = None;
    if kind == Kind::ModelFile {
        let length = at_most(source.varint()?, limits.model_file, "the size of the model's file")?;
        file = Some(source.bytes(length)?);
    }
    source.end_section()?;
    if file.as_ref().is_some_and(|file| Digest::of(&blake3::hash(file)) != hash) {
        return Err(Error::damaged("the model's file is not that of the model"));
    }
    Ok(ModelSection { id: ModelId { name, hash }, file })
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
        self.games.map_or(Ok(()), |stats| check_games(&stats, self.original_bytes, limits))
    }

    /// Bytes of the original, in memory.
    pub fn original_length(&self) -> Result<usize> {
        in_memory(self.original_bytes)
    }

    /// Makes sure that this is the original.
    pub fn verify(&self, original: &[u8]) -> Result<()> {
        verify(original, self.original_bytes, self.original_crc)
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

/// What a block with pages says of itself before its columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnsHeader {
    /// Bytes of the original in all pages.
    pub original_bytes: u64,
    pub columns_bytes: u64,
    /// Games in each page but the last.
    pub page_games: u64,
    /// The figures of the whole block.
    pub stats: BlockStats,
    /// The pages, whose sections follow.
    pub pages: Vec<PageHeader>,
}

/// What is known of a page from the header of its block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageHeader {
    pub original_bytes: u64,
    pub payload_bytes: u64,
    /// CRC32 of the original bytes.
    pub original_crc: u32,
}

impl ColumnsHeader {
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![Kind::Columns as u8];
        varint::put(&mut bytes, self.original_bytes);
        varint::put(&mut bytes, self.columns_bytes);
        varint::put(&mut bytes, self.stats.games);
        varint::put(&mut bytes, self.page_games);
        figures::write(&self.stats, &mut bytes);
        for (number, page) in self.pages.iter().enumerate() {
            varint::put(&mut bytes, page.payload_bytes);
            // The last page has what is left.
            if number + 1 < self.pages.len() {
                varint::put(&mut bytes, page.original_bytes);
            }
            bytes.extend(page.original_crc.to_le_bytes());
        }
        bytes
    }

    /// Reads the header from its second byte on.
    pub fn read<R: Read>(source: &mut Source<R>, limits: &Limits) -> Result<ColumnsHeader> {
        let (original_bytes, columns_bytes) = (source.varint()?, source.varint()?);
        let (games, page_games) = (source.varint()?, source.varint()?);
        let stats = figures::read(games, source)?;
        let mut header =
            ColumnsHeader { original_bytes, columns_bytes, page_games, stats, pages: vec![] };
        header.check(limits)?;
        let count = header.page_count();
        let mut left = original_bytes;
        for number in 1..=count {
            let payload_bytes =
                at_most(source.varint()?, limits.block_payload, "the size of a page")?;
            let original_bytes = if number < count { source.varint()? } else { left };
            left = left
                .checked_sub(original_bytes)
                .ok_or_else(|| Error::damaged("pages larger than their block"))?;
            let original_crc = source.u32()?;
            header.pages.push(PageHeader { original_bytes, payload_bytes, original_crc });
        }
        Ok(header)
    }

    /// Number of pages.
    fn page_count(&self) -> u64 {
        self.stats.games.div_ceil(self.page_games.max(1))
    }

    /// Makes sure that the figures are possible and within the limits.
    pub fn check(&self, limits: &Limits) -> Result<()> {
        at_most(self.columns_bytes, limits.block_payload, "the size of a block's columns")?;
        check_games(&self.stats, self.original_bytes, limits)?;
        if self.page_games == 0 || self.stats.games <= self.page_games {
            return Err(Error::damaged("a block with pages that has only one"));
        }
        Ok(())
    }

    /// Bytes of the section of the columns.
    pub fn section_bytes(&self) -> u64 {
        self.to_bytes().len() as u64 + self.columns_bytes + CRC_BYTES
    }

    /// Bytes of all sections of the block.
    pub fn block_bytes(&self) -> u64 {
        self.section_bytes() + self.pages.iter().map(PageHeader::section_bytes).sum::<u64>()
    }
}

impl PageHeader {
    /// The header of a page of `original` that became `payload`.
    pub fn new(original: &[u8], payload: &[u8]) -> PageHeader {
        PageHeader {
            original_bytes: original.len() as u64,
            payload_bytes: payload.len() as u64,
            original_crc: crc32fast::hash(original),
        }
    }

    /// Bytes of the original, in memory.
    pub fn original_length(&self) -> Result<usize> {
        in_memory(self.original_bytes)
    }

    /// Makes sure that this is the original.
    pub fn verify(&self, original: &[u8]) -> Result<()> {
        verify(original, self.original_bytes, self.original_crc)
    }

    /// Bytes of the page's section: its kind, the payload and the checksum.
    pub fn section_bytes(&self) -> u64 {
        1 + self.payload_bytes + CRC_BYTES
    }
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

/// The last section and the tail: the index, the totals and the hash of the original.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct End {
    pub contents: Contents,
    pub original_hash: Digest,
    /// What was known of the original's file.
    pub file: FileInfo,
}

impl End {
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let kind = if self.file.is_empty() { Kind::End } else { Kind::EndWithFile };
        let mut bytes = vec![kind as u8];
        self.contents.write(&mut bytes);
        bytes.extend(self.original_hash.0);
        if kind == Kind::EndWithFile {
            self.file.write(&mut bytes);
        }
        bytes.extend(close(&bytes, &[]));
        let length = u32::try_from(bytes.len()).map_err(|_| {
            Error::Limit("the index is over 4 GiB; larger blocks make it smaller".into())
        })?;
        bytes.extend(length.to_le_bytes());
        Ok(bytes)
    }

    /// Reads the section, which has this kind, from its second byte on, and the tail.
    pub fn read<R: Read>(kind: Kind, source: &mut Source<R>, limits: &Limits) -> Result<End> {
        let begin = source.position() - 1;
        let contents = Contents::read(source, limits)?;
        let original_hash = Digest(source.array()?);
        let file = match kind {
            Kind::EndWithFile => FileInfo::read(source)?,
            _ => FileInfo::default(),
        };
        source.end_section()?;
        let length = source.position() - begin;
        if u64::from(source.u32()?) != length {
            return Err(Error::damaged("its last four bytes do not lead to the index"));
        }
        Ok(End { contents, original_hash, file })
    }
}
