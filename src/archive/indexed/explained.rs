//! What the moves of an archive's games cost.

use std::io::{Read, Seek};

use super::member::with_model;
use super::opened::Opened;
use super::selection::Selection;
use super::{IndexedReader, mismatch};
use crate::Result;
use crate::archive::format::contents::BlockEntry;
use crate::pgn::{Game, Item};
use crate::predict::GameCosts;
use crate::streams::{PageText, PageWatch, decode_watched_page, page_ranges};

/// A game of an archive, and what its moves cost there.
#[derive(Debug, Clone)]
pub struct ExplainedGame {
    /// Its number in the archive, from 0 on.
    pub number: u64,
    /// Its original bytes.
    pub bytes: Vec<u8>,
    /// What they say.
    pub game: Game,
    /// What its moves cost; `None` if the archive keeps it as text, since coding would not have made it smaller.
    pub costs: Option<GameCosts>,
    /// The name of the model that the moves were coded with.
    pub model: String,
}

/// A page, decoded: its text, its items with all that is known of them, and what its games cost.
type Page = (PageText, Vec<Item>, Option<Vec<GameCosts>>, String);

impl<R: Read + Seek> IndexedReader<R> {
    /// Calls `each` with each game that is wanted, in order, and what its moves cost: how likely they were as the
    /// archive has them coded, among the other games of their page, and what was likelier. Returns how many games these
    /// are. Only pages that may hold such games are decoded.
    ///
    /// ```
    /// use std::io::Cursor;
    /// use std::ops::Range;
    /// use plyzip::archive::{ArchiveWriter, IndexedReader, Selection};
    /// use plyzip::pgn::{Game, Tag};
    /// use plyzip::Model;
    ///
    /// struct All;
    ///
    /// impl Selection for All {
    ///     fn by_tags(&self, _: u64, _: &[Tag]) -> Option<bool> {
    ///         Some(true)
    ///     }
    ///     fn by_game(&self, _: u64, _: &Game) -> bool {
    ///         true
    ///     }
    /// }
    ///
    /// let game = b"[Event \"?\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *\n";
    /// let mut writer = ArchiveWriter::new(Vec::new(), Model::none())?;
    /// writer.push(&game.repeat(20))?;
    /// let (archive, summary) = writer.finish()?;
    ///
    /// let mut bits = vec![];
    /// IndexedReader::open(Cursor::new(archive))?.explain(&All, |explained| {
    ///     bits.push(explained.costs.unwrap().total_bits());
    ///     Ok(())
    /// })?;
    /// assert!(bits[0] > 2.0 * bits[19]); // the archive has learned
    /// let bytes = bits.iter().sum::<f64>() / 8.0;
    /// assert!((summary.stats.streams.moves as f64 - bytes).abs() < 8.0);
    /// # Ok::<(), plyzip::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`block`](IndexedReader::block) and of `each`.
    pub fn explain<S: Selection>(
        &mut self,
        selection: &S,
        mut each: impl FnMut(ExplainedGame) -> Result<()>,
    ) -> Result<u64> {
        let mut found = 0;
        for number in 0..self.blocks.len() {
            let BlockEntry { first_game, games, .. } = self.blocks[number];
            if games == 0 || !selection.any_of(first_game..first_game + games) {
                continue;
            }
            self.look_into(number)?;
            let page_games = match &self.block {
                Some((_, Opened::Paged { header, .. })) => header.page_games.max(1),
                _ => games,
            };
            let pages = games.div_ceil(page_games);
            for page in 0..pages {
                let first = first_game + page * page_games;
                let end = first.saturating_add(page_games).min(first_game + games);
                let verdicts = self.verdicts(selection, first_game, first, end)?;
                if verdicts.iter().all(|verdict| *verdict == Some(false)) {
                    continue;
                }
                let (text, items, costs, model) = self.page_with_costs(number, page as usize)?;
                let mut costs = costs.map(Vec::into_iter);
                let games =
                    items.into_iter().filter_map(|mut item| item.game_mut().map(std::mem::take));
                let parts = games.zip(text.games).zip(first..).zip(verdicts);
                for (((game, range), number), verdict) in parts {
                    let costs = costs.as_mut().and_then(Iterator::next);
                    if verdict.unwrap_or_else(|| selection.by_game(number, &game)) {
                        let bytes = text.bytes.get(range).ok_or_else(mismatch)?.to_vec();
                        each(ExplainedGame { number, bytes, game, costs, model: model.clone() })?;
                        found += 1;
                    }
                }
            }
        }
        Ok(found)
    }

    /// For each game from number `first` to `end` of the block that was looked into, whether it is wanted, as far as
    /// its tags tell.
    fn verdicts<S: Selection>(
        &self,
        selection: &S,
        first_of_block: u64,
        first: u64,
        end: u64,
    ) -> Result<Vec<Option<bool>>> {
        if !selection.any_of(first..end) {
            return Ok(vec![Some(false)]);
        }
        let verdicts = |items: &[Item]| {
            let games = (first_of_block..end).zip(items.iter().filter_map(Item::game));
            let games = games.skip_while(|(number, _)| *number < first);
            games.map(|(number, game)| selection.by_tags(number, &game.tags)).collect()
        };
        match &self.block {
            Some((_, Opened::Paged { columns, .. })) => Ok(verdicts(&columns.items)),
            Some((_, Opened::Single(block))) => Ok(verdicts(&block.items()?)),
            None => Err(mismatch()),
        }
    }

    /// Page `page` of block `number`, which was looked into, or all of it if it has no pages.
    fn page_with_costs(&mut self, number: usize, page: usize) -> Result<Page> {
        let offset = self.entry(number)?.offset;
        if let Some((_, Opened::Single(block))) = &self.block {
            let needed = block.needs_model();
            return with_model(&mut self.members, offset, needed, |model| {
                let mut costs = vec![];
                let watch = PageWatch::Costs(&mut costs);
                let (text, items) = block.decode_watched(|| Ok(model), watch)?;
                let text = text.ok_or_else(mismatch)?;
                Ok((text, items, needed.then_some(costs), model.name().to_owned()))
            });
        }
        let payload = self.page_payload(page)?;
        let Some((_, Opened::Paged { header, columns, .. })) = &self.block else {
            return Err(mismatch());
        };
        let place = header.pages.get(page).ok_or_else(mismatch)?;
        let range = page_ranges(&columns.items, header.page_games).into_iter().nth(page);
        let range = range.ok_or_else(mismatch)?;
        with_model(&mut self.members, offset, true, |model| {
            let mut items = columns.items[range.clone()].to_vec();
            let mut costs = vec![];
            let length = place.original_length()?;
            let layout = &columns.layout;
            let text = decode_watched_page(
                &payload,
                &mut items,
                layout,
                length,
                model,
                PageWatch::Costs(&mut costs),
            )?;
            let text = text.ok_or_else(mismatch)?;
            place.verify(&text.bytes)?;
            Ok((text, items, Some(costs), model.name().to_owned()))
        })
    }
}
