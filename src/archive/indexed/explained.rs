//! The costs of the moves of an archive's games.

use std::io::{Read, Seek};

use plyzip_codec::block::PageWatch;

use super::candidates::Candidates;
use super::selection::Selection;
use super::{IndexedReader, mismatch};
use crate::archive::format::contents::BlockEntry;
use crate::pgn::Game;
use crate::{GameCosts, Result};

/// A game of an archive, and what its moves cost there.
#[derive(Debug, Clone)]
#[non_exhaustive]
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
            let BlockEntry { first_game, games, offset, .. } = self.blocks[number];
            if games == 0 || !selection.any_of(first_game..first_game + games) {
                continue;
            }
            let block = self.read_block(number)?;
            let candidates = Candidates::of(block, offset, first_game, selection, None)?;
            for page in candidates.pages() {
                let job = self.job(&page)?;
                let model = job.model_name().to_owned();
                let mut costs = vec![];
                let (text, items) = job.decode(PageWatch::Costs(&mut costs))?;
                let text = text.ok_or_else(mismatch)?;
                // None of a block that is stored.
                let mut costs = costs.into_iter();
                let games =
                    items.into_iter().filter_map(|mut item| item.game_mut().map(std::mem::take));
                let parts = games.zip(text.games).zip(page.verdicts()).enumerate();
                for (index, ((game, range), verdict)) in parts {
                    let (costs, number) = (costs.next(), page.number_of(index));
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
}
