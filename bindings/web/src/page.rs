//! The page of an archive that was decoded last, with what its moves cost.

use std::io::{Read, Seek};
use std::ops::Range;

use plyzip::Result;
use plyzip::archive::{ExplainedGame, IndexedReader};
use plyzip::filters::Filters;

/// The games of a page: decoding one takes as long as decoding all.
#[derive(Debug)]
pub struct Page {
    first: u64,
    games: Vec<ExplainedGame>,
}

impl Page {
    /// Decodes the games of these numbers.
    pub fn decode<R: Read + Seek>(
        reader: &mut IndexedReader<R>,
        numbers: Range<u64>,
    ) -> Result<Page> {
        let first = numbers.start;
        let mut games = vec![];
        reader.select(&Filters::default().within(numbers)).explain(|game| {
            games.push(game);
            Ok(())
        })?;
        Ok(Page { first, games })
    }

    /// The game of this number, if it is one of the page.
    pub fn game(&self, number: u64) -> Option<&ExplainedGame> {
        self.games.get(usize::try_from(number.checked_sub(self.first)?).ok()?)
    }
}
