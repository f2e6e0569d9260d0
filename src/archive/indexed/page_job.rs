//! Decoding a page on another thread than the one that reads the archive.

use plyzip_codec::block::{PageText, PageWatch, Repeat, Run};

use crate::archive::block::{OpenBlock, PagePayload};
use crate::pgn::Item;
use crate::{Error, Result};

/// A page that is to be decoded.
pub(super) struct PageJob<'a> {
    pub block: &'a OpenBlock,
    /// Its number in the block.
    pub number: usize,
    pub payload: PagePayload,
    pub run: Run,
}

impl PageJob<'_> {
    /// The name of the model that the page was coded with.
    pub fn model_name(&self) -> &str {
        self.run.model().name()
    }

    /// The streams of the page.
    pub fn streams(&self) -> Result<&[u8]> {
        Ok(self.block.source(self.number, &self.payload)?.payload)
    }

    /// What the games of the page repeat.
    pub fn repeats(&self) -> &[Option<Repeat>] {
        self.block.repeats(self.number)
    }

    /// The page's text, and its items with everything that is known of them. No text if who watches is done before.
    pub fn decode(&self, watch: PageWatch<'_>) -> Result<(Option<PageText>, Vec<Item>)> {
        let PageJob { block, number, payload, run } = self;
        let (text, items) = block.decode_page(*number, payload, run, watch)?;
        let games = items.iter().filter(|item| item.game().is_some()).count();
        if text.as_ref().is_some_and(|text| text.games.len() != games) {
            return Err(Error::damaged("a page with other games than it had"));
        }
        Ok((text, items))
    }
}
