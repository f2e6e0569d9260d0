//! The index of an archive: the places of its blocks.

use std::io::Read;

use plyzip_codec::block::{BlockStats, StreamSizes};

use super::figures;
use super::limits::{Limits, at_most};
use super::source::Source;
use crate::{Error, Result, varint};

/// Bytes of the header: magic, version, generation, flags.
pub const HEADER_BYTES: u64 = 7;

/// Where a block is, in the archive and in the original.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct BlockEntry {
    /// Where its first section begins in the archive.
    pub offset: u64,
    /// Bytes of its sections.
    pub bytes: u64,
    /// Where its first byte stands in the original.
    pub original_offset: u64,
    /// Bytes of the original that it holds.
    pub original_bytes: u64,
    /// Games in the blocks before it.
    pub first_game: u64,
    /// Games that it holds.
    pub games: u64,
}

/// Where the section of the model is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModelEntry {
    pub offset: u64,
    pub bytes: u64,
    /// Blocks before it.
    pub position: u64,
}

/// The sections of an archive up to its end, as they are written or read, and their figures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contents {
    pub blocks: Vec<BlockEntry>,
    pub model: Option<ModelEntry>,
    pub stats: BlockStats,
    /// Where the next section begins.
    pub next: u64,
}

impl Contents {
    /// The contents of an archive that has only its header.
    pub fn new() -> Contents {
        Contents {
            blocks: Vec::new(),
            model: None,
            stats: BlockStats::default(),
            next: HEADER_BYTES,
        }
    }

    /// Bytes of the original in all blocks.
    pub fn original_bytes(&self) -> u64 {
        self.blocks.last().map_or(0, |last| last.original_offset + last.original_bytes)
    }

    /// Adds the section of the model.
    pub fn push_model(&mut self, bytes: u64) -> Result<()> {
        if self.model.is_some() {
            return Err(Error::damaged("it names two models"));
        }
        let position = self.blocks.len() as u64;
        self.model = Some(ModelEntry { offset: self.next, bytes, position });
        self.next = sum(self.next, bytes)?;
        Ok(())
    }

    /// Adds the sections of a block, with its figures.
    pub fn push_block(
        &mut self,
        bytes: u64,
        original_bytes: u64,
        stats: &BlockStats,
        limits: &Limits,
    ) -> Result<()> {
        at_most(self.blocks.len() as u64 + 1, limits.blocks, "the number of blocks")?;
        let original_offset = self.original_bytes();
        sum(original_offset, original_bytes)?;
        let next = sum(self.next, bytes)?;
        let first_game = self.stats.games;
        figures::add(&mut self.stats, stats)?;
        self.blocks.push(BlockEntry {
            offset: self.next,
            bytes,
            original_offset,
            original_bytes,
            first_game,
            games: stats.games,
        });
        self.next = next;
        Ok(())
    }

    /// Appends the fields as the end section has them.
    pub fn write(&self, out: &mut Vec<u8>) {
        varint::put(out, self.blocks.len() as u64);
        match &self.model {
            None => varint::put(out, 0),
            Some(model) => {
                varint::put(out, model.position + 1);
                varint::put(out, model.bytes);
            }
        }
        for block in &self.blocks {
            varint::put(out, block.bytes);
            varint::put(out, block.original_bytes);
            varint::put(out, block.games);
        }
        if self.has_figures() {
            figures::write(&self.stats, out);
        }
    }

    /// Whether the end section has figures: those of a single block stand in the block, and not twice.
    fn has_figures(&self) -> bool {
        self.stats.games > 0 && self.blocks.len() > 1
    }

    /// Takes over the figures of the only block, which the end section leaves out.
    pub fn set_figures_of_only_block(&mut self, stats: &BlockStats) {
        if let [block] = &self.blocks[..]
            && block.games == stats.games
        {
            self.stats = *stats;
        }
    }

    /// Reads what [`write`](Contents::write) wrote. Of a single block, only the number of games is known then.
    pub fn read<R: Read>(source: &mut Source<R>, limits: &Limits) -> Result<Contents> {
        let mut contents = Contents::new();
        let blocks = at_most(source.varint()?, limits.blocks, "the number of blocks")?;
        let model = match source.varint()?.checked_sub(1) {
            None => None,
            Some(position) if position <= blocks => Some((position, source.varint()?)),
            Some(_) => return Err(Error::damaged("the index has a model after the last block")),
        };
        for number in 0..=blocks {
            if let Some((position, bytes)) = model
                && position == number
            {
                contents.push_model(bytes)?;
            }
            if number == blocks {
                break;
            }
            let bytes = source.varint()?;
            let original_bytes = source.varint()?;
            let games = source.varint()?;
            let stats = if games == 0 {
                figures::of_text(bytes)
            } else {
                BlockStats::new(games, 0, StreamSizes::default())
            };
            contents.push_block(bytes, original_bytes, &stats, limits)?;
        }
        if contents.has_figures() {
            contents.stats = figures::read(contents.stats.games, source)?;
        }
        Ok(contents)
    }
}

fn sum(a: u64, b: u64) -> Result<u64> {
    a.checked_add(b).ok_or_else(|| Error::damaged("a size that no file has"))
}
