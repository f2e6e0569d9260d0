//! The moves of a page, from an index.

use std::ops::ControlFlow;
use std::sync::Arc;

use shakmaty::{Chess, Move};

use super::chunk::{Chunk, PagePlace};
use super::openings::Openings;
use super::rank::Walk;
use super::record::{Start, take_rank};
use super::summary::GameSummary;
use crate::pgn::{Game, Item, Tag};
use crate::{Error, Result, varint};
use plyzip_codec::block::LayoutPrior;
use plyzip_codec::block::is_late;
use plyzip_codec::block::{
    KnownMoves, PageText, Repeated, decode_known_page, decode_known_repeated_page,
};

/// The moves of a page, from an index.
#[derive(Debug, Clone)]
pub struct PageMoves {
    pub(super) chunk: Arc<Chunk>,
    pub(super) page: PagePlace,
}

impl PageMoves {
    /// How the start of a game of the page is known, and what is known of the game.
    pub fn game(&self, index: usize) -> Result<(Start, GameSummary)> {
        let own = index < self.page.games;
        let game = self.chunk.games.get(self.page.first_game + index).filter(|_| own);
        game.copied().ok_or_else(other_games)
    }

    /// Makes sure that the page has so many games.
    pub fn check_games(&self, games: usize) -> Result<()> {
        if games == self.page.games { Ok(()) } else { Err(other_games()) }
    }

    /// What is known of a game, which has these tags.
    pub fn summary(&self, index: usize, game: &Game) -> Result<GameSummary> {
        let (start, summary) = self.game(index)?;
        match start == Start::of(game) {
            true => Ok(summary),
            false => Err(other_games()),
        }
    }

    /// Plays the main line of a game as [`Chunk::play`] does.
    pub fn play(
        &self,
        index: usize,
        start: Chess,
        openings: &mut Openings,
        see: impl FnMut(&Chess, Option<Move>) -> ControlFlow<()>,
    ) -> Result<bool> {
        self.game(index)?;
        self.chunk.play(self.page.first_game + index, start, openings, see)
    }

    /// The first moves of a game as played, at most so many.
    pub fn first_moves(
        &self,
        index: usize,
        start: Chess,
        plies: usize,
        openings: &mut Openings,
    ) -> Result<Vec<Move>> {
        let mut moves = vec![];
        self.play(index, start, openings, |_, played| {
            moves.extend(played);
            if moves.len() >= plies { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        moves.truncate(plies);
        Ok(moves)
    }

    /// Decodes the page; its `items` get what they say.
    pub fn decode(
        &self,
        payload: &[u8],
        items: &mut [Item],
        repeated: &Repeated,
        prior: &LayoutPrior,
        limit: usize,
        openings: &mut Openings,
    ) -> Result<PageText> {
        let text = self.with_known(items, openings, |items, known| {
            decode_known_page(payload, items, repeated, prior, limit, known)
        })?;
        if self.chunk.has.late {
            let mut late = self.late();
            for tag in items.iter().filter_map(Item::game).flat_map(|game| &game.tags) {
                if is_late(&tag.name) && late.next()? != tag.value {
                    return Err(Error::damaged("an index with other tags"));
                }
            }
        }
        Ok(text)
    }

    /// Decodes the page as far as other pages repeat it.
    pub fn decode_repeated(
        &self,
        payload: &[u8],
        items: &mut [Item],
        repeated: &Repeated,
        limit: usize,
        openings: &mut Openings,
    ) -> Result<()> {
        self.with_known(items, openings, |items, known| {
            decode_known_repeated_page(payload, items, repeated, limit, known)
        })
    }

    /// The result of `decode` with the moves of the page.
    fn with_known<T>(
        &self,
        items: &mut [Item],
        openings: &mut Openings,
        decode: impl FnOnce(&mut [Item], KnownMoves<'_>) -> Result<T>,
    ) -> Result<T> {
        let mut main_lines = vec![];
        self.check_games(items.iter().filter(|item| item.game().is_some()).count())?;
        for (index, game) in items.iter().filter_map(Item::game).enumerate() {
            let summary = self.summary(index, game)?;
            let mut moves = vec![];
            if let Some(start) = game.start() {
                let mut found = GameSummary::default();
                self.play(index, start, openings, |position, played| {
                    moves.extend(played);
                    if moves.len() as u64 == summary.plies {
                        found = GameSummary::new(summary.plies, position);
                    }
                    ControlFlow::Continue(())
                })?;
                if found != summary {
                    return Err(Error::damaged("an index with other ends of games"));
                }
            }
            main_lines.push(moves);
        }
        let mut ranks = self.chunk.variations(&self.page);
        let mut variation = |position: Chess, length: usize| {
            let mut walk = Walk::new(position);
            let mut moves = vec![];
            for _ in 0..length {
                let rank = take_rank(&mut ranks).ok_or_else(other_games)?;
                let played = walk.at(rank).ok_or_else(illegal)?;
                walk.play(played);
                moves.push(played);
            }
            Ok(moves)
        };
        let surprisals = self.chunk.surprisals(&self.page);
        let known = KnownMoves { main_lines, surprisals, variation: &mut variation };
        decode(items, known)
    }

    /// The values of the tags that the moves foretell, of the games of the page in their order.
    pub fn late(&self) -> LateValues<'_> {
        LateValues(self.chunk.late(&self.page))
    }
}

/// The values of the tags that the moves foretell, of some games.
#[derive(Debug)]
pub struct LateValues<'a>(&'a [u8]);

impl<'a> LateValues<'a> {
    /// The value of the next tag.
    pub fn next(&mut self) -> Result<&'a [u8]> {
        let length = varint::take_length(&mut self.0)?;
        let (value, rest) = self.0.split_at_checked(length).ok_or_else(other_games)?;
        self.0 = rest;
        Ok(value)
    }

    /// Fills in the values of the tags of the next game.
    pub fn fill(&mut self, tags: &mut [Tag]) -> Result<()> {
        for tag in tags.iter_mut().filter(|tag| is_late(&tag.name)) {
            tag.value = self.next()?.to_vec();
        }
        Ok(())
    }
}

fn illegal() -> Error {
    Error::damaged("an index with an illegal move")
}

fn other_games() -> Error {
    Error::damaged("an index of other games")
}
