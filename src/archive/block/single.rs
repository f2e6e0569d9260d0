//! A block in one section.

use std::io::Read;
use std::ops::Range;

use plyzip_codec::block::{
    Columns, EncodedBlock, PageText, PageWatch, Run, decode_columns, decode_watched_page,
};

use crate::archive::format::limits::Limits;
use crate::archive::format::section::{BlockHeader, Kind};
use crate::archive::format::source::Source;
use crate::archive::moves_index::{BlockMoves, PageRecord};
use crate::pgn::{self, Item};
use crate::{Error, Result, varint};

/// A block in one section.
#[derive(Debug)]
pub struct SingleBlock {
    pub(super) header: BlockHeader,
    pub(super) payload: Vec<u8>,
}

impl SingleBlock {
    /// A block of `original` that was encoded to at most one page; `None` if it did not shrink.
    pub(super) fn new(original: &[u8], encoded: EncodedBlock) -> Option<SingleBlock> {
        let mut payload = encoded.columns;
        if let Some(page) = encoded.pages.first() {
            let columns = std::mem::take(&mut payload);
            varint::put_length(&mut payload, columns.len());
            payload.extend(columns);
            payload.extend_from_slice(&page.payload);
        }
        // A payload as long as the original would be taken for a stored one.
        (payload.len() < original.len()).then(|| SingleBlock {
            header: BlockHeader::new(original, &payload, encoded.stats),
            payload,
        })
    }

    /// Reads the section, which has this kind, from its second byte on.
    ///
    /// # Errors
    /// [`Error::Damaged`] and its like; also if the block is stored and holds other games than it says. Of a coded one
    /// that is found when it is decoded.
    pub fn read<R: Read>(
        kind: Kind,
        source: &mut Source<R>,
        limits: &Limits,
    ) -> Result<SingleBlock> {
        let block = SingleBlock::read_payload(BlockHeader::read(kind, source, limits)?, source)?;
        block.check_stored_games()?;
        Ok(block)
    }

    /// Reads what follows the header, without counting games.
    pub fn read_payload<R: Read>(
        header: BlockHeader,
        source: &mut Source<R>,
    ) -> Result<SingleBlock> {
        let payload = source.bytes(header.payload_bytes)?;
        source.end_section()?;
        Ok(SingleBlock { header, payload })
    }

    /// Makes sure that a stored block has the games that it says.
    pub fn check_stored_games(&self) -> Result<()> {
        match self.header.games.filter(|_| self.header.is_stored()) {
            Some(stats) if pgn::parse(&self.payload).games().count() as u64 != stats.games => {
                Err(Error::damaged("other games than announced"))
            }
            _ => Ok(()),
        }
    }

    /// Makes sure, without a model, that a stored block is what it was made from. Of a coded one nothing is known.
    pub fn verify_stored(&self) -> Result<()> {
        match self.header.is_stored() {
            true => self.header.verify(&self.payload),
            false => Ok(()),
        }
    }

    /// Whether decoding takes the model of the archive.
    pub fn needs_model(&self) -> bool {
        self.header.games.is_some() && !self.header.is_stored()
    }

    /// The original bytes, and where the games lie in them.
    pub fn decode<'m>(&self, model: impl FnOnce() -> Result<&'m Run>) -> Result<PageText> {
        let (text, _) = self.decode_watched(model, PageWatch::Nobody)?;
        text.ok_or_else(|| Error::Internal("a block was given up".into()))
    }

    /// The original bytes, where the games lie in them, and what they say. No bytes if who watches is done before: then
    /// the games have the moves until there. Of a stored block nobody sees anything.
    pub fn decode_watched<'m>(
        &self,
        model: impl FnOnce() -> Result<&'m Run>,
        watch: PageWatch<'_>,
    ) -> Result<(Option<PageText>, Vec<Item>)> {
        let length = self.header.original_length()?;
        let (text, items) = if self.header.is_stored() {
            let (items, ranges) = self.stored_items();
            let ranges = items.iter().zip(ranges);
            let games = ranges.filter(|(item, _)| item.game().is_some());
            let games = games.map(|(_, range)| range).collect();
            (PageText { bytes: self.payload.clone(), games }, items)
        } else {
            // A model that is missing is said before anything is decoded.
            let model = self.header.games.map(|_| model()).transpose()?;
            let (Columns { mut items, layout }, page) = self.parts(length)?;
            let text = match page.zip(model) {
                Some((page, model)) => {
                    let text =
                        decode_watched_page(page, &mut items, &layout, length, model, watch)?;
                    let Some(text) = text else { return Ok((None, items)) };
                    text
                }
                None => {
                    let bytes = items.iter().filter_map(Item::text).flatten().copied().collect();
                    PageText { bytes, games: vec![] }
                }
            };
            (text, items)
        };
        self.header.verify(&text.bytes)?;
        Ok((Some(text), items))
    }

    /// The original bytes, where the games lie in them, and what they say, with these moves.
    ///
    /// # Errors
    /// [`Error::Damaged`] if the moves are others, or if the block is stored or has no games, so that nobody needs moves.
    pub fn known(&self, moves: &BlockMoves) -> Result<(PageText, Vec<Item>)> {
        let none = || Error::damaged("an index of a block without coded games");
        if !self.needs_model() {
            return Err(none());
        }
        let length = self.header.original_length()?;
        let (Columns { mut items, layout }, page) = self.parts(length)?;
        let page = page.ok_or_else(none)?;
        let known = moves.whole_page(0)?;
        let text = moves
            .index
            .with_openings(|all| known.decode(page, &mut items, &layout, length, all))?;
        self.header.verify(&text.bytes)?;
        Ok((text, items))
    }

    /// The original bytes, and what an index keeps of the page, if it has coded games.
    pub(super) fn decode_recorded(
        &self,
        run: &Run,
        records: &mut Vec<PageRecord>,
    ) -> Result<Vec<u8>> {
        let mut surprisals = vec![];
        let watch = PageWatch::Surprisals(&mut surprisals);
        let (text, items) = self.decode_watched(|| Ok(run), watch)?;
        if let Some(page) = self.page()? {
            records.push(PageRecord::of_page(page, &items, &surprisals)?);
        }
        let text = text.ok_or_else(|| Error::Internal("a block was given up".into()))?;
        Ok(text.bytes)
    }

    /// The streams of the page, if there are coded games.
    pub fn page(&self) -> Result<Option<&[u8]>> {
        match self.needs_model() {
            true => Ok(self.parts(self.header.original_length()?)?.1),
            false => Ok(None),
        }
    }

    /// The items as the columns have them.
    pub fn items(&self) -> Result<Vec<Item>> {
        if self.header.is_stored() {
            return Ok(self.stored_items().0);
        }
        Ok(self.parts(self.header.original_length()?)?.0.items)
    }

    /// What a stored block holds, and where each item lies: all of it is text if it has no games by its kind, whatever it looks like.
    fn stored_items(&self) -> (Vec<Item>, Vec<Range<usize>>) {
        if self.header.games.is_some() {
            let document = pgn::parse(&self.payload);
            return (document.items, document.ranges);
        }
        let all = std::iter::once(0..self.payload.len()).collect();
        (vec![Item::Text(self.payload.clone())], all)
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
