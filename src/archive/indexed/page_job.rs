//! Decoding a page on another thread than the one that reads the archive.

use std::io::{Read, Seek};
use std::ops::Range;

use plyzip_codec::block::{Columns, PageText, PageWatch, decode_watched_page};

use super::candidates::Page;
use super::member::with_model;
use super::opened::{Opened, PagePlace};
use super::{IndexedReader, mismatch};
use crate::archive::block::{SingleBlock, read_page};
use crate::archive::format::section::PageHeader;
use crate::pgn::Item;
use crate::{Error, Model, Result};

/// A page that is to be decoded.
pub(super) enum PageJob<'a> {
    /// A block of one page.
    Single(&'a SingleBlock, Model),
    Paged {
        place: &'a PageHeader,
        columns: &'a Columns,
        items: Range<usize>,
        payload: Vec<u8>,
        model: Model,
    },
}

impl<R: Read + Seek> IndexedReader<R> {
    /// What decoding a page takes.
    pub(super) fn job<'a>(&mut self, page: &Page<'a>) -> Result<PageJob<'a>> {
        let offset = page.block.offset;
        let mut model =
            |needed| with_model(&mut self.members, offset, needed, |model| Ok(model.clone()));
        match &page.block.opened {
            Opened::Single(block) => Ok(PageJob::Single(block, model(block.needs_model())?)),
            Opened::Paged { header, columns, pages } => {
                let model = model(true)?;
                let place = header.pages.get(page.number).ok_or_else(mismatch)?;
                let found = pages.get(page.number).cloned().ok_or_else(mismatch)?;
                let PagePlace { offset, items } = found;
                self.source.seek(offset)?;
                let payload = read_page(place, &mut self.source)?;
                Ok(PageJob::Paged { place, columns, items, payload, model })
            }
        }
    }
}

impl PageJob<'_> {
    /// The name of the model that the page was coded with.
    pub fn model_name(&self) -> &str {
        match self {
            PageJob::Single(_, model) | PageJob::Paged { model, .. } => model.name(),
        }
    }

    /// The page's text, and its items with everything that is known of them. No text if who watches is done before.
    pub fn decode(self, watch: PageWatch<'_>) -> Result<(Option<PageText>, Vec<Item>)> {
        let (text, items) = match self {
            PageJob::Single(block, model) => block.decode_watched(|| Ok(&model), watch)?,
            PageJob::Paged { place, columns, items, payload, model } => {
                let mut items = columns.items.get(items).ok_or_else(mismatch)?.to_vec();
                let (length, layout) = (place.original_length()?, &columns.layout);
                let text =
                    decode_watched_page(&payload, &mut items, layout, length, &model, watch)?;
                if let Some(text) = &text {
                    place.verify(&text.bytes)?;
                }
                (text, items)
            }
        };
        let games = items.iter().filter(|item| item.game().is_some()).count();
        if text.as_ref().is_some_and(|text| text.games.len() != games) {
            return Err(Error::damaged("a page with other games than it had"));
        }
        Ok((text, items))
    }
}
