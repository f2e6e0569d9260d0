//! A block with pages: columns in a section, and each page in one of its own.

use std::io::Read;
use std::ops::Range;

use plyzip_codec::block::{
    Columns, EncodedBlock, EncodedPage, PageText, PageWatch, Run, decode_columns, decode_pages,
    decode_watched_page, in_parallel, page_ranges,
};

use crate::archive::format::figures;
use crate::archive::format::limits::Limits;
use crate::archive::format::section::{ColumnsHeader, Kind, PageHeader};
use crate::archive::format::source::Source;
use crate::archive::moves_index::{BlockMoves, PageRecord};
use crate::pgn::Item;
use crate::{Error, Result};

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
    pub(super) fn decode(&self, run: &Run) -> Result<Vec<u8>> {
        let columns = self.columns.decode()?;
        let header = &self.columns.header;
        let mut pages: Vec<(&[u8], usize)> = vec![];
        for (payload, page) in self.pages.iter().zip(&header.pages) {
            pages.push((payload, page.original_length()?));
        }
        let texts = decode_pages(columns, header.page_games, &pages, run)?;
        let mut original = vec![];
        for (text, page) in texts.iter().zip(&header.pages) {
            page.verify(&text.bytes)?;
            original.extend_from_slice(&text.bytes);
        }
        Ok(original)
    }

    /// The original bytes, and what an index keeps of each page.
    pub(super) fn decode_recorded(
        &self,
        run: &Run,
        records: &mut Vec<PageRecord>,
    ) -> Result<Vec<u8>> {
        let columns = self.columns.decode()?;
        let header = &self.columns.header;
        let ranges = page_ranges(&columns.items, header.page_games.max(1));
        if ranges.len() != self.pages.len() {
            return Err(other_pages());
        }
        let jobs = ranges.into_iter().zip(&header.pages).zip(&self.pages).collect();
        let decode = |((range, page), payload): ((Range<usize>, &PageHeader), &Vec<u8>)| {
            let mut items = columns.items.get(range).ok_or_else(other_pages)?.to_vec();
            let (layout, length) = (&columns.layout, page.original_length()?);
            let mut surprisals = vec![];
            let watch = PageWatch::Surprisals(&mut surprisals);
            let text = decode_watched_page(payload, &mut items, layout, length, run, watch)?;
            let text = text.ok_or_else(other_pages)?;
            page.verify(&text.bytes)?;
            Ok((text.bytes, PageRecord::of_page(payload, &items, &surprisals)?))
        };
        let mut original = vec![];
        for (bytes, record) in in_parallel(jobs, decode)? {
            original.extend(bytes);
            records.push(record);
        }
        Ok(original)
    }

    /// The original bytes, with these moves.
    pub(super) fn decode_known(&self, moves: &BlockMoves) -> Result<Vec<u8>> {
        let columns = self.columns.decode()?;
        let header = &self.columns.header;
        let ranges = page_ranges(&columns.items, header.page_games.max(1));
        if ranges.len() != self.pages.len() {
            return Err(other_pages());
        }
        let jobs = ranges.into_iter().zip(&header.pages).zip(&self.pages).enumerate().collect();
        let decode = |(number, ((range, page), payload)): (usize, ((_, &PageHeader), &Vec<u8>))| {
            Ok(known_page(page, payload, &columns, range, moves, number)?.0)
        };
        Ok(in_parallel(jobs, decode)?.into_iter().flat_map(|text| text.bytes).collect())
    }
}

/// Page `number` of a block, whose items are in this `range` of the columns, with moves that are known: its text, and
/// what its games say.
pub fn known_page(
    header: &PageHeader,
    payload: &[u8],
    columns: &Columns,
    range: Range<usize>,
    moves: &BlockMoves,
    number: usize,
) -> Result<(PageText, Vec<Item>)> {
    let page = moves.whole_page(number)?;
    let mut items = columns.items.get(range).ok_or_else(other_pages)?.to_vec();
    let (layout, length) = (&columns.layout, header.original_length()?);
    let text =
        moves.index.with_openings(|all| page.decode(payload, &mut items, layout, length, all))?;
    header.verify(&text.bytes)?;
    Ok((text, items))
}

fn other_pages() -> Error {
    Error::damaged("another number of pages than its games need")
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
