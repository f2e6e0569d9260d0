//! Reading as little of a block as a game, its tags or a page takes.

use std::io::{Read, Seek};
use std::ops::Range;

use plyzip_codec::block::{PageText, PageWatch};

use super::member::with_model;
use super::{IndexedReader, mismatch};
use crate::Result;
use crate::archive::block::{Block, OpenBlock};
use crate::archive::format::contents::BlockEntry;
use crate::archive::format::limits::Limits;
use crate::archive::format::section::Kind;
use crate::archive::format::source::Source;

/// A block that is read to the end of its columns, or all of it if it is a single section. Nothing is decoded.
#[derive(Debug)]
pub(super) struct Unopened {
    block: Block,
    /// Where its first page begins in the archive.
    pages: u64,
}

impl Unopened {
    /// Whether decoding takes the model of the archive.
    pub(super) fn needs_model(&self) -> bool {
        self.block.header.needs_model()
    }

    /// Its games.
    pub(super) fn games(&self) -> u64 {
        self.block.header.figures().games
    }

    /// Decodes the columns.
    pub(super) fn open(self) -> Result<OpenBlock> {
        self.open_until(u64::MAX)
    }

    /// Decodes the columns as far as game `end` of the block takes ([`Block::open_until`]).
    pub(super) fn open_until(self, end: u64) -> Result<OpenBlock> {
        self.block.open_until(end, self.pages)
    }
}

impl<R: Read + Seek> IndexedReader<R> {
    /// Page `number` of the block at `offset`, which was looked into.
    pub(super) fn page(&mut self, offset: u64, number: usize) -> Result<PageText> {
        let (_, block) = self.block.as_ref().ok_or_else(mismatch)?;
        let payload = block.payload(number, &mut self.source)?;
        if let Some(moves) = self.moves.as_ref().filter(|_| block.needs_model()) {
            let known = block.known_page(number, &payload, moves);
            if let Some((text, _)) = self.unless_wrong(Some(known)) {
                return Ok(text);
            }
        }
        let (_, block) = self.block.as_ref().ok_or_else(mismatch)?;
        with_model(&mut self.members, offset, block.needs_model(), |run| {
            let (text, _) = block.decode_page(number, &payload, run, PageWatch::Nobody)?;
            text.ok_or_else(mismatch)
        })
    }

    /// Calls `each` with the pages of block `number`, or with all of it if its columns cannot be read. A piece that cannot
    /// be read does not stop the others. Unless they are to be decoded, only the checksums of their sections are looked
    /// at, and those of the original where that takes no model; then they have no text.
    pub(in crate::archive) fn pieces(
        &mut self,
        number: usize,
        decode: bool,
        mut each: impl FnMut(Piece) -> Result<()>,
    ) -> Result<()> {
        let BlockEntry { first_game, games, original_offset, original_bytes, offset, .. } =
            *self.entry(number)?;
        let end = first_game + games;
        let (page_games, pages) = match self.look_into(number) {
            Err(error) => {
                let original = original_offset..original_offset + original_bytes;
                return each(Piece { games: first_game..end, original, text: Err(error) });
            }
            Ok(block) => {
                let pages = block.pages.iter();
                let pages = pages.map(|page| (page.header.original_bytes, page.needs_model()));
                (block.page_games, pages.collect::<Vec<_>>())
            }
        };
        let (mut game, mut byte) = (first_game, original_offset);
        for (index, (bytes, needs_model)) in pages.into_iter().enumerate() {
            let text = match decode || !needs_model {
                true => self.page(offset, index).map(|text| text.bytes),
                false => self.page_payload(index).map(|_| vec![]),
            };
            let games = game..game.saturating_add(page_games).min(end);
            let original = byte..byte + bytes;
            (game, byte) = (games.end, original.end);
            each(Piece { games, original, text })?;
        }
        Ok(())
    }

    /// The payload of page `number` of the block that was looked into.
    fn page_payload(&mut self, number: usize) -> Result<Vec<u8>> {
        let (_, block) = self.block.as_ref().ok_or_else(mismatch)?;
        block.page(number)?.payload(&mut self.source)
    }

    /// The end of the original: the last of its pages, or blocks without pages, that are not empty.
    ///
    /// # Errors
    /// Those of [`game`](IndexedReader::game).
    pub fn last_text(&mut self) -> Result<Vec<u8>> {
        for number in (0..self.blocks.len()).rev() {
            let BlockEntry { original_bytes, offset, .. } = self.blocks[number];
            if original_bytes == 0 {
                continue;
            }
            let pages = &self.look_into(number)?.pages;
            let page = pages.iter().rposition(|page| page.header.original_bytes > 0);
            if let Some(page) = page {
                return Ok(self.page(offset, page)?.bytes);
            }
        }
        Ok(vec![])
    }

    /// Reads the columns of block `number`, unless that was the last to be looked into.
    pub(super) fn look_into(&mut self, number: usize) -> Result<&OpenBlock> {
        if self.block.as_ref().is_none_or(|(known, _)| *known != number) {
            let opened = self.read_block(number)?.open()?;
            self.moves = self.block_moves(number);
            self.page = None;
            self.block = Some((number, opened));
        }
        self.block.as_ref().map(|(_, block)| block).ok_or_else(mismatch)
    }

    /// Reads block `number` as far as its columns, or all of it if it is a single section.
    pub(super) fn read_block(&mut self, number: usize) -> Result<Unopened> {
        let block = self.begin_of_block(number, Block::read_first)?;
        Ok(Unopened { block, pages: self.source.position() })
    }

    /// Reads all sections of block `number`.
    pub(super) fn whole_block(&mut self, number: usize) -> Result<Block> {
        self.begin_of_block(number, Block::read)
    }

    fn begin_of_block(
        &mut self,
        number: usize,
        read: impl FnOnce(Kind, &mut Source<R>, &Limits) -> Result<Block>,
    ) -> Result<Block> {
        let entry = *self.entry(number)?;
        self.source.seek(entry.offset)?;
        let kind = Kind::read(&mut self.source)?;
        if !kind.begins_block() {
            return Err(mismatch());
        }
        let block = read(kind, &mut self.source, &self.limits)?;
        let header = &block.header;
        let found = (header.bytes(), header.original_bytes(), header.figures().games);
        match found == (entry.bytes, entry.original_bytes, entry.games) {
            true => Ok(block),
            false => Err(mismatch()),
        }
    }
}

/// A part of a block that is read alone.
#[derive(Debug)]
pub(in crate::archive) struct Piece {
    /// The numbers of its games in the archive.
    pub games: Range<u64>,
    /// Its bytes of the original.
    pub original: Range<u64>,
    /// These bytes.
    pub text: Result<Vec<u8>>,
}
