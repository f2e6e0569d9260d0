//! The header of a block with pages.

use std::io::Read;

use plyzip_codec::block::BlockStats;

use super::{CRC_BYTES, Kind, check_games, in_memory, verify};
use crate::archive::format::figures;
use crate::archive::format::limits::{Limits, at_most};
use crate::archive::format::source::Source;
use crate::{Error, Result, varint};

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
