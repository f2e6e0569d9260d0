//! Decoding a page on another thread than the one that reads the archive.

use std::ops::Range;

use plyzip_codec::block::{Columns, PageText, PageWatch, Run, decode_watched_page};

use super::mismatch;
use crate::archive::block::SingleBlock;
use crate::archive::format::section::PageHeader;
use crate::pgn::Item;
use crate::{Error, Result};

/// A page that is to be decoded.
pub(super) enum PageJob<'a> {
    /// A block of one page.
    Single(&'a SingleBlock, Run),
    Paged {
        place: &'a PageHeader,
        columns: &'a Columns,
        items: Range<usize>,
        payload: Vec<u8>,
        run: Run,
    },
}

impl PageJob<'_> {
    /// The name of the model that the page was coded with.
    pub fn model_name(&self) -> &str {
        match self {
            PageJob::Single(_, run) | PageJob::Paged { run, .. } => run.model().name(),
        }
    }

    /// The page's text, and its items with everything that is known of them. No text if who watches is done before.
    pub fn decode(self, watch: PageWatch<'_>) -> Result<(Option<PageText>, Vec<Item>)> {
        let (text, items) = match self {
            PageJob::Single(block, run) => block.decode_watched(|| Ok(&run), watch)?,
            PageJob::Paged { place, columns, items, payload, run } => {
                let mut items = columns.items.get(items).ok_or_else(mismatch)?.to_vec();
                let (length, layout) = (place.original_length()?, &columns.layout);
                let text = decode_watched_page(&payload, &mut items, layout, length, &run, watch)?;
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
