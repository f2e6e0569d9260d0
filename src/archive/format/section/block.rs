//! The header of a block in one section.

use std::io::Read;

use plyzip_codec::block::{BlockStats, StreamSizes};

use super::{CRC_BYTES, Kind, check_games, in_memory};
use crate::archive::format::figures;
use crate::archive::format::limits::{Limits, at_most};
use crate::archive::format::source::Source;
use crate::{Error, Result, varint};

/// From this size on, a stored block has no figures: below, all numbers take at most two bytes, so
/// that an archive with one block stays within 64 bytes of its original even with them.
const STORED_WITH_FIGURES: u64 = 1 << 14;

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
            let mut streams = StreamSizes::default();
            streams.text = header.payload_bytes;
            header.games = header
                .games
                .filter(|_| header.original_bytes < STORED_WITH_FIGURES)
                .map(|stats| BlockStats::new(stats.games, stats.moves, streams));
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
        // Whoever counts the games of a stored block parses it, which takes many times its bytes.
        if self.games.is_some() && self.is_stored() && self.original_bytes >= STORED_WITH_FIGURES {
            return Err(Error::damaged("a stored block of this size that has figures"));
        }
        self.games.map_or(Ok(()), |stats| check_games(&stats, self.original_bytes, limits))
    }

    /// Bytes of the original, in memory.
    pub fn original_length(&self) -> Result<usize> {
        in_memory(self.original_bytes)
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
