//! Blocks and pages with games that may be wanted.

use std::ops::Range;

use plyzip_codec::block::{PageText, PageWatch};

use super::mismatch;
use super::opened::Unopened;
use super::page_job::PageJob;
use super::scout::{Extent, Scout};
use super::selection::{Selection, Verdict};
use crate::Result;
use crate::archive::block::OpenBlock;
use crate::archive::moves_index::BlockMoves;
use crate::pgn::{Game, Item, Tag};

/// A block whose columns are decoded, and what is wanted of it.
pub(super) struct Candidates {
    pub offset: u64,
    pub first_game: u64,
    pub opened: OpenBlock,
    /// For each game, whether it is wanted, if its tags tell.
    verdicts: Vec<Verdict>,
    /// For each game, the number of its item.
    games: Vec<usize>,
    /// The moves of its pages, if an index has them.
    pub moves: Option<BlockMoves>,
}

impl Candidates {
    /// A block, of which the columns are decoded and looked at. If the text of games is wanted, moves of the index are
    /// unpacked meanwhile.
    pub fn of<S: Selection>(
        block: Unopened,
        offset: u64,
        first_game: u64,
        selection: &S,
        moves: Option<BlockMoves>,
        wants_text: bool,
    ) -> Result<Candidates> {
        let end = end_of_wanted(selection, first_game..first_game + block.games());
        let wanted = end - first_game;
        let unpack = || {
            let last = wanted.checked_sub(1).filter(|_| wants_text);
            if let (Some(moves), Some(game)) = (&moves, last) {
                moves.prepare(game);
            }
        };
        let (opened, ()) = rayon::join(|| block.open_until(wanted), unpack);
        let opened = opened?;
        let items = opened.columns.items.iter().enumerate();
        let games = items.filter_map(|(place, item)| item.game().map(|_| place)).collect();
        let mut candidates =
            Candidates { offset, first_game, opened, verdicts: vec![], games, moves };
        let verdict = |index: usize| {
            let number = first_game + index as u64;
            match number < end {
                true => Ok(selection.by_tags(number, candidates.tags(index)?)),
                false => Ok(Verdict::Unwanted),
            }
        };
        candidates.verdicts = (0..candidates.games.len()).map(verdict).collect::<Result<_>>()?;
        Ok(candidates)
    }

    /// A game with its tags, as far as columns have them.
    pub fn game(&self, index: usize) -> Result<&Game> {
        let item = self.games.get(index).and_then(|&place| self.opened.columns.items.get(place));
        item.and_then(Item::game).ok_or_else(mismatch)
    }

    fn tags(&self, index: usize) -> Result<&[Tag]> {
        Ok(&self.game(index)?.tags)
    }

    /// The pages that hold games which may be wanted.
    pub fn pages(&self) -> impl Iterator<Item = Page<'_>> {
        let games = self.verdicts.len();
        let page_games = usize::try_from(self.opened.page_games).unwrap_or(usize::MAX);
        let pages = (0..games).step_by(page_games).enumerate().map(move |(number, start)| Page {
            block: self,
            number,
            games: start..start.saturating_add(page_games).min(games),
        });
        pages.filter(|page| page.verdicts().iter().any(|verdict| *verdict != Verdict::Unwanted))
    }
}

/// The number behind the last of these games that may be wanted; the first of them if none may.
fn end_of_wanted<S: Selection>(selection: &S, games: Range<u64>) -> u64 {
    let Range { start: mut low, end: mut high } = games;
    while low < high {
        let middle = low + (high - low) / 2;
        match selection.any_of(middle..games.end) {
            true => low = middle + 1,
            false => high = middle,
        }
    }
    low
}

/// A page, and which of its games may be wanted.
pub(super) struct Page<'a> {
    pub block: &'a Candidates,
    /// Its number in the block.
    pub number: usize,
    /// Its games, counted in the block.
    pub games: Range<usize>,
}

impl Page<'_> {
    /// For each game, whether it is wanted, if its tags tell.
    pub fn verdicts(&self) -> &[Verdict] {
        &self.block.verdicts[self.games.clone()]
    }

    /// The number in the archive of a game of the page.
    pub fn number_of(&self, index: usize) -> u64 {
        self.block.first_game + (self.games.start + index) as u64
    }

    /// The tags of a game of the page, as far as columns have them.
    pub fn tags(&self, index: usize) -> Result<&[Tag]> {
        self.block.tags(self.games.start + index)
    }

    /// Finds the games that are wanted; `job` decodes the page, if anything of it is needed.
    pub fn search<S: Selection>(
        &self,
        job: Option<PageJob<'_>>,
        selection: &S,
        extent: Extent,
    ) -> Result<Found> {
        let mut known = vec![];
        for (index, verdict) in self.verdicts().iter().enumerate() {
            let game = self.block.game(self.games.start + index)?;
            known.push((self.number_of(index), game, *verdict));
        }
        let Some(job) = job else {
            let wanted =
                (0..known.len()).filter(|&index| known[index].2 == Verdict::Wanted).collect();
            return Ok(Found { wanted, ..Found::default() });
        };
        let mut scout = Scout::new(known.into_iter(), selection, extent);
        // Nobody sees moves that are repeated: where there are some, the games of the page are looked at when all of them
        // are known.
        let watch = match self.block.opened.has_repeats(self.number) {
            true => PageWatch::Nobody,
            false => PageWatch::Plies(&mut scout),
        };
        let (text, items) = job.decode(watch)?;
        let games = items.iter().enumerate();
        let games: Vec<usize> =
            games.filter_map(|(place, item)| item.game().map(|_| place)).collect();
        let mut found = Found { text, items, games, ..Found::default() };
        for (index, verdict) in scout.verdicts().into_iter().enumerate() {
            let is_wanted = match verdict {
                Verdict::Open => selection.by_game(self.number_of(index), found.game(index)?),
                known => known == Verdict::Wanted,
            };
            if is_wanted {
                found.wanted.push(index);
            }
        }
        found.keep(extent);
        Ok(found)
    }
}

/// What was found in a page.
#[derive(Default)]
pub(super) struct Found {
    /// Its bytes, if it was decoded to the end.
    pub text: Option<PageText>,
    /// Its items, as far as it was decoded.
    pub items: Vec<Item>,
    /// For each game, the number of its item.
    pub games: Vec<usize>,
    /// For each game, the plies of its main line, where its moves are not all there.
    pub plies: Vec<u64>,
    /// The games that are wanted, counted in the page.
    pub wanted: Vec<usize>,
}

impl Found {
    /// Drops what nobody wants: the games of a page may take much more memory than its bytes.
    pub fn keep(&mut self, extent: Extent) {
        if !matches!(extent, Extent::Text | Extent::Whole) {
            self.text = None;
        }
        if matches!(extent, Extent::Nothing | Extent::Text) {
            self.items = vec![];
            return;
        }
        let mut wanted = self.wanted.iter().peekable();
        let games = self.items.iter_mut().filter_map(Item::game_mut);
        for (index, game) in games.enumerate() {
            if wanted.next_if(|&&wanted| wanted == index).is_none() {
                *game = Game::default();
            } else if !matches!(extent, Extent::Game | Extent::Whole) {
                game.tokens = vec![];
                game.lines.truncate(1);
            }
        }
    }

    /// A game, as far as it was decoded.
    pub fn game(&self, index: usize) -> Result<&Game> {
        let item = self.games.get(index).and_then(|&place| self.items.get(place));
        item.and_then(Item::game).ok_or_else(mismatch)
    }

    /// Plies of a game as played.
    pub fn plies(&self, index: usize) -> Result<u64> {
        match self.plies.get(index) {
            Some(&plies) => Ok(plies),
            None => Ok(self.game(index)?.lines.first().map_or(0, |line| line.moves.len() as u64)),
        }
    }

    /// The bytes of a game.
    pub fn text(&self, index: usize) -> Result<&[u8]> {
        let text = self.text.as_ref().ok_or_else(mismatch)?;
        let range = text.games.get(index).cloned().ok_or_else(mismatch)?;
        text.bytes.get(range).ok_or_else(mismatch)
    }
}
