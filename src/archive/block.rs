//! One block: bytes to checked sections and back.

use std::io::{Read, Write};

use super::format::figures;
use super::format::limits::Limits;
use super::format::section::{BlockHeader, ColumnsHeader, Kind, PageHeader, close};
use super::format::source::Source;
use super::options::WriterOptions;
use crate::pgn::{self, Item};
use crate::predict::Model;
use crate::streams::{
    BlockStats, Columns, EncodedPage, PageText, decode_columns, decode_page, decode_pages,
    encode_block,
};
use crate::{Error, Result, varint};

/// A block as it stands in an archive.
#[derive(Debug)]
pub enum Block {
    /// In one section: a block without games, one of a single page, or the original as it is.
    Single(SingleBlock),
    /// Columns in a section, and each page in one of its own.
    Paged(PagedBlock),
}

/// A block in one section.
#[derive(Debug)]
pub struct SingleBlock {
    header: BlockHeader,
    payload: Vec<u8>,
}

/// A block with a section for each page.
#[derive(Debug)]
pub struct PagedBlock {
    columns: ColumnsSection,
    /// The streams of each page.
    pages: Vec<Vec<u8>>,
}

/// The columns of a block with pages.
#[derive(Debug)]
pub struct ColumnsSection {
    pub header: ColumnsHeader,
    payload: Vec<u8>,
}

impl Block {
    /// Encodes `original`, or stores it if that takes less of the archive: `naming` is how many bytes the archive grows
    /// by if this block is the first that needs the model. If the options say so, what was encoded is decoded again and
    /// compared.
    pub fn encode(
        original: &[u8],
        model: &Model,
        naming: u64,
        options: &WriterOptions,
        limits: &Limits,
    ) -> Result<Block> {
        let page_games = options.games_of_page(model);
        let encoded = encode_block(original, model, page_games)?;
        let stats = encoded.stats;
        let stored = BlockHeader::new(original, original, stats);
        let block = if encoded.pages.len() > 1 {
            let mut rest = original;
            let header = |page: &EncodedPage| {
                let (original, behind) = rest.split_at(page.original_bytes.min(rest.len()));
                rest = behind;
                PageHeader::new(original, &page.payload)
            };
            let header = ColumnsHeader {
                original_bytes: original.len() as u64,
                columns_bytes: encoded.columns.len() as u64,
                page_games,
                stats,
                pages: encoded.pages.iter().map(header).collect(),
            };
            let columns = ColumnsSection { header, payload: encoded.columns };
            let pages = encoded.pages.into_iter().map(|page| page.payload).collect();
            Block::Paged(PagedBlock { columns, pages })
        } else {
            let mut payload = encoded.columns;
            if let Some(page) = encoded.pages.first() {
                let columns = std::mem::take(&mut payload);
                varint::put_length(&mut payload, columns.len());
                payload.extend(columns);
                payload.extend_from_slice(&page.payload);
            }
            // A payload as long as the original would be taken for a stored one.
            if payload.len() >= original.len() {
                return Block::stored(stored, original, limits);
            }
            Block::Single(SingleBlock {
                header: BlockHeader::new(original, &payload, stats),
                payload,
            })
        };
        let naming = if block.needs_model() { naming } else { 0 };
        if block.cost() + naming >= stored.cost() {
            return Block::stored(stored, original, limits);
        }
        block.check(limits)?;
        if options.verify {
            let decoded = block
                .decode(|| Ok(model))
                .map_err(|error| Error::Verification(error.to_string()))?;
            if decoded != original {
                return Err(Error::Verification("a block does not decode to its original".into()));
            }
        }
        Ok(block)
    }

    fn stored(header: BlockHeader, original: &[u8], limits: &Limits) -> Result<Block> {
        header.check(limits)?;
        Ok(Block::Single(SingleBlock { header, payload: original.to_vec() }))
    }

    /// Writes the sections.
    pub fn write<W: Write>(&self, sink: &mut W) -> Result<()> {
        let mut section = |header: &[u8], payload: &[u8]| {
            sink.write_all(header)?;
            sink.write_all(payload)?;
            sink.write_all(&close(header, payload))
        };
        match self {
            Block::Single(block) => section(&block.header.to_bytes(), &block.payload)?,
            Block::Paged(PagedBlock { columns, pages }) => {
                section(&columns.header.to_bytes(), &columns.payload)?;
                for page in pages {
                    section(&[Kind::Page as u8], page)?;
                }
            }
        }
        Ok(())
    }

    /// Reads a block whose first section has the given kind from its second byte on.
    ///
    /// # Errors
    /// [`Error::Damaged`] and its like; also if no block begins with such a section.
    pub fn read<R: Read>(kind: Kind, source: &mut Source<R>, limits: &Limits) -> Result<Block> {
        if kind != Kind::Columns {
            let header = BlockHeader::read(kind, source, limits)?;
            let payload = source.bytes(header.payload_bytes)?;
            source.end_section()?;
            return Ok(Block::Single(SingleBlock { header, payload }));
        }
        let columns = ColumnsSection::read(source, limits)?;
        let mut pages = vec![];
        for header in &columns.header.pages {
            pages.push(read_page(header, source)?);
        }
        Ok(Block::Paged(PagedBlock { columns, pages }))
    }

    /// A block whose pages are read later, one by one.
    pub fn without_pages(columns: ColumnsSection) -> Block {
        Block::Paged(PagedBlock { columns, pages: vec![] })
    }

    /// Whether decoding takes the model of the archive.
    pub fn needs_model(&self) -> bool {
        match self {
            Block::Single(block) => block.needs_model(),
            Block::Paged(_) => true,
        }
    }

    /// Bytes of the original.
    pub fn original_bytes(&self) -> u64 {
        match self {
            Block::Single(block) => block.header.original_bytes,
            Block::Paged(block) => block.columns.header.original_bytes,
        }
    }

    /// Bytes of its sections, as the index has them.
    pub fn bytes(&self) -> u64 {
        match self {
            Block::Single(block) => block.header.section_bytes(),
            Block::Paged(block) => block.columns.header.block_bytes(),
        }
    }

    /// The figures that count towards the archive's.
    pub fn figures(&self) -> BlockStats {
        match self {
            Block::Single(block) => block.header.figures(),
            Block::Paged(block) => block.columns.header.stats,
        }
    }

    /// Bytes that the block takes of an archive, its figures in the totals included, but for the index.
    fn cost(&self) -> u64 {
        match self {
            Block::Single(block) => block.header.cost(),
            Block::Paged(block) => {
                let mut bytes = Vec::new();
                figures::write(&block.columns.header.stats, &mut bytes);
                block.columns.header.block_bytes() + bytes.len() as u64
            }
        }
    }

    /// Makes sure that the figures are possible and within the limits.
    fn check(&self, limits: &Limits) -> Result<()> {
        match self {
            Block::Single(block) => block.header.check(limits),
            Block::Paged(block) => block.columns.header.check(limits),
        }
    }

    /// The original bytes. `model` gives the archive's model and is only asked if it is needed.
    pub fn decode<'m>(&self, model: impl FnOnce() -> Result<&'m Model>) -> Result<Vec<u8>> {
        match self {
            Block::Single(block) => Ok(block.decode(model)?.bytes),
            Block::Paged(block) => {
                let model = model()?;
                let columns = block.columns.decode()?;
                let header = &block.columns.header;
                let mut pages: Vec<(&[u8], usize)> = vec![];
                for (payload, page) in block.pages.iter().zip(&header.pages) {
                    pages.push((payload, page.original_length()?));
                }
                let texts = decode_pages(columns, header.page_games, &pages, model)?;
                let mut original = vec![];
                for (text, page) in texts.iter().zip(&header.pages) {
                    page.verify(&text.bytes)?;
                    original.extend_from_slice(&text.bytes);
                }
                Ok(original)
            }
        }
    }
}

impl SingleBlock {
    /// Whether decoding takes the model of the archive.
    pub fn needs_model(&self) -> bool {
        self.header.games.is_some() && !self.header.is_stored()
    }

    /// The original bytes, and where the games lie in them.
    pub fn decode<'m>(&self, model: impl FnOnce() -> Result<&'m Model>) -> Result<PageText> {
        let length = self.header.original_length()?;
        let text = if self.header.is_stored() {
            let document = pgn::parse(&self.payload);
            let ranges = document.items.iter().zip(document.ranges);
            let games = ranges.filter(|(item, _)| item.game().is_some());
            let games = games.map(|(_, range)| range).collect();
            PageText { bytes: self.payload.clone(), games }
        } else {
            // A model that is missing is said before anything is decoded.
            let model = self.header.games.map(|_| model()).transpose()?;
            let (Columns { mut items, layout }, page) = self.parts(length)?;
            match page.zip(model) {
                Some((page, model)) => decode_page(page, &mut items, &layout, length, model)?,
                None => {
                    let bytes = items.iter().filter_map(Item::text).flatten().copied().collect();
                    PageText { bytes, games: vec![] }
                }
            }
        };
        self.header.verify(&text.bytes)?;
        Ok(text)
    }

    /// The items as the columns have them.
    pub fn items(&self) -> Result<Vec<Item>> {
        if self.header.is_stored() {
            return Ok(pgn::parse(&self.payload).items);
        }
        Ok(self.parts(self.header.original_length()?)?.0.items)
    }

    /// The columns, and the page if there are games.
    fn parts(&self, length: usize) -> Result<(Columns, Option<&[u8]>)> {
        let Some(stats) = self.header.games else {
            return Ok((decode_columns(&self.payload, 0, length)?, None));
        };
        let mut rest = &self.payload[..];
        let columns = varint::take_length(&mut rest)?;
        let (columns, page) = rest
            .split_at_checked(columns)
            .ok_or_else(|| Error::damaged("columns longer than their block"))?;
        Ok((decode_columns(columns, stats.games, length)?, Some(page)))
    }
}

impl ColumnsSection {
    /// Reads the section from its second byte on.
    pub fn read<R: Read>(source: &mut Source<R>, limits: &Limits) -> Result<ColumnsSection> {
        let header = ColumnsHeader::read(source, limits)?;
        let payload = source.bytes(header.columns_bytes)?;
        source.end_section()?;
        Ok(ColumnsSection { header, payload })
    }

    /// The columns, decoded.
    pub fn decode(&self) -> Result<Columns> {
        let length = usize::try_from(self.header.original_bytes)
            .map_err(|_| Error::Limit("a block is larger than memory".into()))?;
        decode_columns(&self.payload, self.header.stats.games, length)
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
