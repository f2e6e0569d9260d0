//! One block: bytes to checked sections and back.

mod paged;
mod single;

use std::io::{Read, Write};

use plyzip_codec::block::{BlockStats, Run, encode_block, encode_verified_block};

use self::paged::PagedBlock;
pub use self::paged::{ColumnsSection, known_page, read_page};
pub use self::single::SingleBlock;
use super::format::limits::Limits;
use super::format::section::{BlockHeader, Kind, close};
use super::format::source::Source;
use super::moves_index::{BlockMoves, PageRecord};
use super::options::WriterOptions;
use crate::{Error, Result};

/// A block as it stands in an archive.
#[derive(Debug)]
pub enum Block {
    /// In one section: a block without games, one of a single page, or the original as it is.
    Single(SingleBlock),
    /// Columns in a section, and each page in one of its own.
    Paged(PagedBlock),
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
        let page_games = options.games_of_page(run.model());
        let encoded = match options.verify && records.is_none() {
            true => encode_verified_block(original, run, page_games)?,
            false => encode_block(original, run, page_games)?,
        };
        let stats = encoded.stats;
        let stored = BlockHeader::new(original, original, stats);
        let block = if encoded.pages.len() > 1 {
            Block::Paged(PagedBlock::new(original, encoded, page_games))
        } else {
            match SingleBlock::new(original, encoded) {
                Some(block) => Block::Single(block),
                None => return Block::stored(stored, original, limits),
            }
        };
        let naming = if block.needs_model() { naming } else { 0 };
        if block.cost() + naming >= stored.cost() {
            return Block::stored(stored, original, limits);
        }
        block.check(limits)?;
        if let Some(records) = records {
            let decoded = block.decode_recorded(run, records);
            let decoded = decoded.map_err(|error| Error::Verification(error.to_string()))?;
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
            return Ok(Block::Single(SingleBlock::read(kind, source, limits)?));
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
            Block::Paged(block) => block.cost(),
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
    pub fn decode<'m>(&self, model: impl FnOnce() -> Result<&'m Run>) -> Result<Vec<u8>> {
        match self {
            Block::Single(block) => Ok(block.decode(model)?.bytes),
            Block::Paged(block) => block.decode(model()?),
        }
    }
    /// The original bytes, and what an index keeps of each page.
    fn decode_recorded(&self, run: &Run, records: &mut Vec<PageRecord>) -> Result<Vec<u8>> {
        match self {
            Block::Single(block) => block.decode_recorded(run, records),
            Block::Paged(block) => block.decode_recorded(run, records),
        }
    }

    /// The original bytes, without a model: `moves` has the moves.
    ///
    /// # Errors
    /// [`Error::Damaged`] if it has others, among others.
    pub fn decode_known(&self, moves: &BlockMoves) -> Result<Vec<u8>> {
        match self {
            Block::Single(block) => Ok(block.known(moves)?.0.bytes),
            Block::Paged(block) => block.decode_known(moves),
        }
    }
}
