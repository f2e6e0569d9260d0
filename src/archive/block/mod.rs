//! One block: bytes to checked sections and back.
//!
//! ```text
//! original ─► Block: a header and payloads, as they stand in an archive ─► OpenBlock: columns and pages ─► original
//! ```

mod header;
mod opened;

use std::io::{Read, Write};

use plyzip_codec::block::{EncodedBlock, Run, encode_block, encode_verified_block};

pub use self::header::Header;
pub use self::opened::{OpenBlock, PagePayload};
use super::format::limits::Limits;
use super::format::section::{BlockHeader, ColumnsHeader, Kind, PageHeader, close};
use super::format::source::Source;
use super::moves_index::PageRecord;
use super::options::WriterOptions;
use crate::{Error, Result, pgn, varint};

/// A block as it stands in an archive.
#[derive(Debug, Clone)]
pub struct Block {
    pub header: Header,
    /// Of its sections: that of the columns first, or the only one.
    payloads: Vec<Vec<u8>>,
}

impl Block {
    /// Encodes `original`, or stores it if that takes less of the archive: `naming` is how many bytes the archive grows
    /// by if this block is the first that needs the model. If the options say so, what was encoded is decoded again and
    /// compared; and so it is if somebody wants the `records` that an index has of its pages.
    pub fn encode(
        original: &[u8],
        run: &Run,
        naming: u64,
        options: &WriterOptions,
        limits: &Limits,
        records: Option<&mut Vec<PageRecord>>,
    ) -> Result<Block> {
        let page_games = options.games_of_page(run.model(), original);
        let encoded = match options.verify && records.is_none() {
            true => encode_verified_block(original, run, page_games)?,
            false => encode_block(original, run, page_games)?,
        };
        let stored = Header::Section(BlockHeader::new(original, original, encoded.stats));
        let block = match encoded.pages.len() {
            0 | 1 => Block::in_one_section(original, encoded),
            _ => Some(Block::in_pages(original, encoded, page_games)),
        };
        let naming = |block: &Block| if block.header.needs_model() { naming } else { 0 };
        let is_smaller = |block: &Block| block.header.cost() + naming(block) < stored.cost();
        let Some(block) = block.filter(is_smaller) else {
            stored.check(limits)?;
            return Ok(Block { header: stored, payloads: vec![original.to_vec()] });
        };
        block.header.check(limits)?;
        if let Some(records) = records {
            let decoded =
                block.clone().open().and_then(|block| block.decode_recorded(run, records));
            let decoded = decoded.map_err(|error| Error::Verification(error.to_string()))?;
            if decoded != original {
                return Err(Error::Verification("a block does not decode to its original".into()));
            }
        }
        Ok(block)
    }

    /// A block of `original` that was encoded to at most one page; `None` if it did not shrink.
    fn in_one_section(original: &[u8], encoded: EncodedBlock) -> Option<Block> {
        let mut payload = encoded.columns;
        if let Some(page) = encoded.pages.first() {
            let columns = std::mem::take(&mut payload);
            varint::put_length(&mut payload, columns.len());
            payload.extend(columns);
            payload.extend_from_slice(&page.payload);
        }
        // A payload as long as the original would be taken for a stored one.
        (payload.len() < original.len()).then(|| Block {
            header: Header::Section(BlockHeader::new(original, &payload, encoded.stats)),
            payloads: vec![payload],
        })
    }

    /// A block of `original` that was encoded to pages of so many games.
    fn in_pages(original: &[u8], encoded: EncodedBlock, page_games: u64) -> Block {
        let mut rest = original;
        let mut pages = vec![];
        for page in &encoded.pages {
            let (original, behind) = rest.split_at(page.original_bytes.min(rest.len()));
            rest = behind;
            pages.push(PageHeader::new(original, &page.payload));
        }
        let header = Header::Columns(ColumnsHeader {
            original_bytes: original.len() as u64,
            columns_bytes: encoded.columns.len() as u64,
            page_games,
            stats: encoded.stats,
            pages,
        });
        let pages = encoded.pages.into_iter().map(|page| page.payload);
        Block { header, payloads: [encoded.columns].into_iter().chain(pages).collect() }
    }

    /// Writes the sections.
    pub fn write<W: Write>(&self, sink: &mut W) -> Result<()> {
        let header = self.header.to_bytes();
        for (place, payload) in self.payloads.iter().enumerate() {
            let header = if place == 0 { &header[..] } else { &[Kind::Page as u8] };
            sink.write_all(header)?;
            sink.write_all(payload)?;
            sink.write_all(&close(header, payload))?;
        }
        Ok(())
    }

    /// Reads a block whose first section has the given kind, from its second byte on.
    ///
    /// # Errors
    /// [`Error::Damaged`] and its like; also if no block begins with such a section, and if the block is stored and holds
    /// other games than it says. Of a coded one that is found when it is decoded.
    pub fn read<R: Read>(kind: Kind, source: &mut Source<R>, limits: &Limits) -> Result<Block> {
        let mut block = Block::read_first(kind, source, limits)?;
        for page in block.header.pages() {
            block.payloads.push(read_page(page, source)?);
        }
        Ok(block)
    }

    /// The same, but of a block with pages their columns alone.
    pub fn read_first<R: Read>(
        kind: Kind,
        source: &mut Source<R>,
        limits: &Limits,
    ) -> Result<Block> {
        let block = Block::read_payload(Header::read(kind, source, limits)?, source)?;
        block.check_stored_games()?;
        Ok(block)
    }

    /// Reads the rest of the first section behind its header, without counting games.
    pub fn read_payload<R: Read>(header: Header, source: &mut Source<R>) -> Result<Block> {
        let payload = source.bytes(header.payload_bytes())?;
        source.end_section()?;
        Ok(Block { header, payloads: vec![payload] })
    }

    /// Makes sure that a stored block has the games that it says.
    pub fn check_stored_games(&self) -> Result<()> {
        let games = self.header.figures().games;
        let found = |payload: &Vec<u8>| pgn::parse(payload).games().count() as u64;
        let is_counted = games > 0 && self.header.is_stored();
        match is_counted && self.payloads.first().map(found) != Some(games) {
            true => Err(Error::damaged("other games than announced")),
            false => Ok(()),
        }
    }

    /// Decodes the columns.
    ///
    /// # Errors
    /// [`Error::Damaged`] and its like.
    pub fn open(self) -> Result<OpenBlock> {
        self.open_until(u64::MAX, 0)
    }

    /// The same as far as game `end` of the block takes: pages behind it can not be decoded, and their games may have no
    /// tags. What was not read of its pages has its sections from byte `pages` of the archive on.
    pub fn open_until(self, end: u64, pages: u64) -> Result<OpenBlock> {
        let Block { header, payloads } = self;
        OpenBlock::new(header, payloads, end, pages)
    }
}

/// Reads the section of a page.
pub fn read_page<R: Read>(header: &PageHeader, source: &mut Source<R>) -> Result<Vec<u8>> {
    if Kind::read(source)? != Kind::Page {
        return Err(Error::damaged("a block without all of its pages"));
    }
    let payload = source.bytes(header.payload_bytes)?;
    source.end_section()?;
    Ok(payload)
}
