//! A block with pages: columns in a section, and each page in one of its own.

use std::io::Read;

use plyzip_codec::block::{Columns, EncodedBlock, EncodedPage, decode_columns, decode_pages};

use crate::archive::format::figures;
use crate::archive::format::limits::Limits;
use crate::archive::format::section::{ColumnsHeader, Kind, PageHeader};
use crate::archive::format::source::Source;
use crate::{Error, Model, Result};

/// A block with a section for each page.
#[derive(Debug)]
pub struct PagedBlock {
    pub(super) columns: ColumnsSection,
    /// The streams of each page.
    pub(super) pages: Vec<Vec<u8>>,
}

/// The columns of a block with pages.
#[derive(Debug)]
pub struct ColumnsSection {
    pub header: ColumnsHeader,
    pub(super) payload: Vec<u8>,
}

impl PagedBlock {
    /// A block of `original` that was encoded to pages of so many games.
    pub(super) fn new(original: &[u8], encoded: EncodedBlock, page_games: u64) -> PagedBlock {
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
            stats: encoded.stats,
            pages: encoded.pages.iter().map(header).collect(),
        };
        let columns = ColumnsSection { header, payload: encoded.columns };
        let pages = encoded.pages.into_iter().map(|page| page.payload).collect();
        PagedBlock { columns, pages }
    }

    /// Bytes that the block takes of an archive, its figures in the totals included, but for the index.
    pub(super) fn cost(&self) -> u64 {
        let mut bytes = Vec::new();
        figures::write(&self.columns.header.stats, &mut bytes);
        self.columns.header.block_bytes() + bytes.len() as u64
    }

    /// The original bytes.
    pub(super) fn decode(&self, model: &Model) -> Result<Vec<u8>> {
        let columns = self.columns.decode()?;
        let header = &self.columns.header;
        let mut pages: Vec<(&[u8], usize)> = vec![];
        for (payload, page) in self.pages.iter().zip(&header.pages) {
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
