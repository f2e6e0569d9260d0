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
    /// What its moves cost; `None` if the archive does not code them: it keeps the game as text, since coding would not have
    /// made it smaller, or has the moves from a game before that is the same.
    pub costs: Option<GameCosts>,
    /// The name of the model that the moves were coded with.
    pub model: String,
}

impl<R: Read + Seek> IndexedReader<R> {
    /// [`Select::explain`](super::Select::explain)
    pub(super) fn explain_games<S: Selection>(
        &mut self,
        selection: &S,
        first: u64,
        each: &mut dyn FnMut(ExplainedGame) -> Result<()>,
    ) -> Result<u64> {
        let mut found = 0;
        for number in 0..self.blocks.len() {
            let BlockEntry { first_game, games, offset, .. } = self.blocks[number];
            if games == 0 || found == first || !selection.any_of(first_game..first_game + games) {
                continue;
            }
            self.progress.look_into(first_game, games);
            let block = self.read_block(number)?;
            let candidates = Candidates::of(block, offset, first_game, selection, None, false)?;
            self.progress.want(candidates.pages().count());
            for page in candidates.pages() {
                if found == first {
                    break;
                }
                let job = self.job(&page)?;
                let model = job.model_name().to_owned();
                let mut costs = vec![];
                let (text, items) = job.decode(PageWatch::Costs(&mut costs))?;
                self.progress.page_done(true);
                let text = text.ok_or_else(mismatch)?;
                // None of a block that is stored, nor of a game that repeats another.
                let repeats = job.repeats();
                let is_coded = |index| repeats.get(index).is_none_or(Option::is_none);
                let mut costs = costs.into_iter();
                let games =
                    items.into_iter().filter_map(|mut item| item.game_mut().map(std::mem::take));
                let parts = games.zip(text.games).zip(page.verdicts()).enumerate();
                for (index, ((game, range), verdict)) in parts {
                    let costs = costs.next().filter(|_| is_coded(index));
                    let number = page.number_of(index);
                    if verdict.unwrap_or_else(|| selection.by_game(number, &game)) {
                        if found == first {
                            break;
                        }
                        let bytes = text.bytes.get(range).ok_or_else(mismatch)?.to_vec();
                        each(ExplainedGame { number, bytes, game, costs, model: model.clone() })?;
                        found += 1;
                        self.progress.find(1);
                    }
                }
            }
            self.progress.pass(first_game + games, 0);
        }
        Ok(found)
    }
}
