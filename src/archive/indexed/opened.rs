//! Reading as little of a block as a game, its tags or a page takes.

use std::io::{Read, Seek};
use std::ops::Range;

use plyzip_codec::block::{Columns, PageText, decode_page, page_ranges};

use super::member::with_model;
use super::{IndexedReader, mismatch};
use crate::Result;
use crate::archive::block::{Block, ColumnsSection, SingleBlock, known_page, read_page};
use crate::archive::format::contents::BlockEntry;
use crate::archive::format::section::{ColumnsHeader, Kind};

/// A block as far as it is read to reach its games.
#[derive(Debug)]
pub(super) enum Opened {
    Single(SingleBlock),
    Paged { header: ColumnsHeader, columns: Columns, pages: Vec<PagePlace> },
}

/// Where a page is.
#[derive(Debug, Clone)]
pub(super) struct PagePlace {
    /// Where its section begins in the archive.
    pub offset: u64,
    /// Its items among those of the columns.
    pub items: Range<usize>,
}

/// A block that is read to the end of its columns, or all of it if it has no pages. Nothing is decoded.
#[derive(Debug)]
pub(super) enum Unopened {
    Single(SingleBlock),
    Paged {
        section: ColumnsSection,
        /// Where its first page begins in the archive.
        pages: u64,
    },
}

impl Unopened {
    /// Decodes the columns.
    pub(super) fn open(self) -> Result<Opened> {
        Ok(match self {
            Unopened::Single(block) => Opened::Single(block),
            Unopened::Paged { section, pages } => {
                let columns = section.decode()?;
                let header = section.header;
                // Once for all pages, of which a block can have a million.
                let ranges = page_ranges(&columns.items, header.page_games);
                let offsets = header.pages.iter().scan(pages, |next, page| {
                    let offset = *next;
                    *next += page.section_bytes();
                    Some(offset)
                });
                let pages = offsets.zip(ranges);
                let pages = pages.map(|(offset, items)| PagePlace { offset, items }).collect();
                Opened::Paged { header, columns, pages }
            }
        })
    }
}

impl<R: Read + Seek> IndexedReader<R> {
    /// Page `number` of the block at `offset`, which was looked into, or all of the block if it has no pages.
    pub(super) fn page_or_block(&mut self, offset: u64, number: usize) -> Result<PageText> {
        let Some((_, Opened::Single(block))) = &self.block else {
            return self.page(offset, number);
        };
        let known = self.moves.as_ref().map(|moves| Ok(block.known(moves)?.0));
        if let Some(text) = self.unless_wrong(known) {
            return Ok(text);
        }
        let Some((_, Opened::Single(block))) = &self.block else { return Err(mismatch()) };
        let needed = block.needs_model();
        with_model(&mut self.members, offset, needed, |run| block.decode(|| Ok(run)))
    }

    /// The payload of page `number` of the block that was looked into.
    pub(super) fn page_payload(&mut self, number: usize) -> Result<Vec<u8>> {
        let Some((_, Opened::Paged { header, pages, .. })) = &self.block else {
            return Err(mismatch());
        };
        let page = header.pages.get(number).ok_or_else(mismatch)?;
        let place = pages.get(number).ok_or_else(mismatch)?;
        self.source.seek(place.offset)?;
        read_page(page, &mut self.source)
    }

    /// Page `number` of the block at `offset`, which was looked into.
    pub(super) fn page(&mut self, offset: u64, number: usize) -> Result<PageText> {
        let payload = self.page_payload(number)?;
        let known = self.known_text(&payload, number);
        if let Some(text) = self.unless_wrong(known) {
            return Ok(text);
        }
        let Some((_, Opened::Paged { header, columns, pages })) = &self.block else {
            return Err(mismatch());
        };
        let page = header.pages.get(number).ok_or_else(mismatch)?;
        let place = pages.get(number).ok_or_else(mismatch)?;
        let length = page.original_length()?;
        with_model(&mut self.members, offset, true, |run| {
            let mut items = columns.items[place.items.clone()].to_vec();
            let text = decode_page(&payload, &mut items, &columns.layout, length, run)?;
            page.verify(&text.bytes)?;
            Ok(text)
        })
    }

    /// Page `number` of the block that was looked into, if its moves are known.
    fn known_text(&self, payload: &[u8], number: usize) -> Option<Result<PageText>> {
        let (moves, (_, Opened::Paged { header, columns, pages })) =
            (self.moves.as_ref()?, self.block.as_ref()?)
        else {
            return None;
        };
        let (page, place) = (header.pages.get(number)?, pages.get(number)?);
        let range = place.items.clone();
        let known = known_page(page, payload, columns, range, moves, number);
        Some(known.map(|(text, _)| text))
    }

    /// Calls `each` with the pieces of block `number`: its pages, or all of it. A piece that cannot be read does not
    /// stop the others. Unless they are to be decoded, only the checksums of their sections are looked at, of stored blocks
    /// those of the original too, and they have no text.
    pub(in crate::archive) fn pieces(
        &mut self,
        number: usize,
        decode: bool,
        mut each: impl FnMut(Piece) -> Result<()>,
    ) -> Result<()> {
        let BlockEntry { first_game, games, original_offset, original_bytes, offset, .. } =
            *self.entry(number)?;
        let whole =
            (first_game..first_game + games, original_offset..original_offset + original_bytes);
        let pages = match self.look_into(number) {
            Err(error) => {
                return each(Piece { games: whole.0, original: whole.1, text: Err(error) });
            }
            Ok(()) => match &self.block {
                Some((_, Opened::Paged { header, .. })) => header.clone(),
                opened => {
                    let text = match (decode, opened) {
                        (true, _) => self.page_or_block(offset, 0).map(|text| text.bytes),
                        (false, Some((_, Opened::Single(block)))) => {
                            block.verify_stored().map(|()| vec![])
                        }
                        (false, _) => Ok(vec![]),
                    };
                    return each(Piece { games: whole.0, original: whole.1, text });
                }
            },
        };
        let (mut game, mut byte) = (first_game, original_offset);
        for (index, page) in pages.pages.iter().enumerate() {
            let text = match decode {
                true => self.page(offset, index).map(|text| text.bytes),
                false => self.page_payload(index).map(|_| vec![]),
            };
            let games = game..(game + pages.page_games).min(whole.0.end);
            let original = byte..byte + page.original_bytes;
            (game, byte) = (games.end, original.end);
            each(Piece { games, original, text })?;
        }
        Ok(())
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
            self.look_into(number)?;
            let page = match &self.block {
                Some((_, Opened::Paged { header, .. })) => {
                    header.pages.iter().rposition(|page| page.original_bytes > 0)
                }
                _ => Some(0),
            };
            if let Some(page) = page {
                return Ok(self.page_or_block(offset, page)?.bytes);
            }
        }
        Ok(vec![])
    }

    /// Reads the columns of block `number`, or all of it if it has no pages, unless that was the last to be looked into.
    pub(super) fn look_into(&mut self, number: usize) -> Result<()> {
        if self.block.as_ref().is_some_and(|(known, _)| *known == number) {
            return Ok(());
        }
        let opened = self.read_block(number)?.open()?;
        self.moves = self.block_moves(number);
        self.block = Some((number, opened));
        self.page = None;
        Ok(())
    }

    /// Reads block `number` as far as its columns, or all of it if it has no pages.
    pub(super) fn read_block(&mut self, number: usize) -> Result<Unopened> {
        let entry = *self.entry(number)?;
        self.source.seek(entry.offset)?;
        let kind = self.block_kind()?;
        if kind != Kind::Columns {
            return match self.rest_of_block(kind, &entry)? {
                Block::Single(block) => Ok(Unopened::Single(block)),
                Block::Paged(_) => Err(mismatch()),
            };
        }
        let section = ColumnsSection::read(&mut self.source, &self.limits)?;
        let header = &section.header;
        let found = (header.block_bytes(), header.original_bytes, header.stats.games);
        if found != (entry.bytes, entry.original_bytes, entry.games) {
            return Err(mismatch());
        }
        Ok(Unopened::Paged { section, pages: self.source.position() })
    }

    /// The kind of the section here, which begins a block.
    pub(super) fn block_kind(&mut self) -> Result<Kind> {
        match Kind::read(&mut self.source)? {
            kind @ (Kind::Games | Kind::Text | Kind::Columns) => Ok(kind),
            _ => Err(mismatch()),
        }
    }

    /// All sections of a block, from the second byte on of the first, which has this kind.
    pub(super) fn rest_of_block(&mut self, kind: Kind, entry: &BlockEntry) -> Result<Block> {
        let block = Block::read(kind, &mut self.source, &self.limits)?;
        let found = (block.bytes(), block.original_bytes(), block.figures().games);
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
