//! The games of a block that others repeat, decoded once.

use std::fmt;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use shakmaty::Move;

use super::page::decode_repeated_page;
use super::repeated::{RepeatSource, Repeated, RepeatedGame, content};
use crate::parallel::in_parallel;
use crate::pgn::{Game, Item, Line};
use crate::predict::Run;
use crate::streams::repeats::Repeat;
use crate::{Error, Result};

/// The games of a block that others repeat, as far as their pages were decoded. A game that is repeated repeats none
/// itself; so what a page repeats takes the pages that have it, and of these, if tokens are repeated, the moves that
/// other games there repeat, and no more.
#[derive(Debug)]
pub struct RepeatSources {
    /// For each game, what it repeats.
    repeats: Vec<Option<Repeat>>,
    page_games: usize,
    pages: Vec<SourcePage>,
}

/// What other pages repeat of a page.
#[derive(Debug, Default)]
struct SourcePage {
    /// Whether they repeat moves, or more.
    has_lines: bool,
    has_games: bool,
    /// For each of its games the moves of the main line, but for those that are repeated.
    lines: OnceLock<Vec<Vec<Move>>>,
    /// The games; of those that repeat others, perhaps not all.
    games: OnceLock<Vec<Arc<Game>>>,
}

/// Who decodes pages as far as others repeat them.
pub trait SourceDecoder {
    /// The moves of the main lines of a page, but for those that are repeated; `None` if nobody needs them.
    ///
    /// # Errors
    /// Those of decoding a page.
    fn lines(&self, page: usize) -> Result<Option<Vec<Vec<Move>>>>;

    /// The games of a page, of which these are repeated.
    ///
    /// # Errors
    /// Those of decoding a page.
    fn games(&self, page: usize, repeated: &Repeated) -> Result<Vec<Item>>;
}

impl RepeatSources {
    /// Those of a block of so many pages, whose games repeat these others.
    pub fn new(repeats: &[Option<Repeat>], page_games: u64, pages: usize) -> RepeatSources {
        let page_games = usize::try_from(page_games.max(1)).unwrap_or(usize::MAX);
        let mut sources = RepeatSources { repeats: repeats.to_vec(), page_games, pages: vec![] };
        if repeats.is_empty() {
            return sources;
        }
        sources.pages.resize_with(pages, SourcePage::default);
        for (number, repeat) in repeats.iter().enumerate() {
            let Some(repeat) = repeat else { continue };
            let page = repeat.of / page_games;
            if let Some(source) =
                sources.pages.get_mut(page).filter(|_| page != number / page_games)
            {
                source.has_lines |= !repeat.has_tokens;
                source.has_games |= repeat.has_tokens;
            }
        }
        sources
    }

    /// What the games of a page repeat; empty if no game of the block repeats anything.
    pub fn of_page(&self, page: usize) -> &[Option<Repeat>] {
        let Range { start, end } = self.games(page);
        self.repeats.get(start..end.min(self.repeats.len())).unwrap_or_default()
    }

    /// The games of a page.
    fn games(&self, page: usize) -> Range<usize> {
        let start = page.saturating_mul(self.page_games);
        start..start.saturating_add(self.page_games)
    }

    /// Whether a page has a game that repeats another.
    pub fn has_repeats(&self, page: usize) -> bool {
        self.of_page(page).iter().any(Option::is_some)
    }

    /// The results of `work` on so many pages, in their order. Pages that repeat nothing come first: what others repeat of
    /// them is known when it is needed, if `work` [keeps](RepeatSources::keep) it.
    ///
    /// # Errors
    /// The error of a page that failed.
    pub fn in_parallel<T: Send>(
        &self,
        pages: usize,
        work: impl Fn(usize) -> Result<T> + Sync,
    ) -> Result<Vec<T>> {
        let (last, first): (Vec<usize>, Vec<usize>) =
            (0..pages).partition(|&page| self.has_repeats(page));
        let work = |page: usize| Ok((page, work(page)?));
        let mut results = in_parallel(first, work)?;
        results.extend(in_parallel(last, work)?);
        results.sort_by_key(|&(page, _)| page);
        Ok(results.into_iter().map(|(_, result)| result).collect())
    }

    /// The other pages of which a page repeats tokens, or, if not `tokens`, moves alone; in their order.
    fn pages_of(&self, page: usize, tokens: bool) -> Vec<usize> {
        let repeats = self.of_page(page).iter().flatten();
        let repeats = repeats.filter(|repeat| repeat.has_tokens == tokens);
        let mut pages: Vec<usize> = repeats.map(|repeat| repeat.of / self.page_games).collect();
        pages.sort_unstable();
        pages.dedup();
        pages.retain(|&source| source != page);
        pages
    }

    /// The numbers of the other pages that decoding a page takes, as far as they were not decoded.
    pub fn missing(&self, page: usize) -> Vec<usize> {
        let (mut lines, mut missing) = (self.pages_of(page, false), vec![]);
        for source in self.pages_of(page, true) {
            if self.pages.get(source).is_none_or(|page| page.games.get().is_none()) {
                missing.push(source);
                lines.extend(self.pages_of(source, false));
            }
        }
        let is_missing =
            |source: &usize| self.pages.get(*source).is_none_or(|page| page.lines.get().is_none());
        missing.extend(lines.into_iter().filter(is_missing));
        missing.sort_unstable();
        missing.dedup();
        missing
    }

    /// What the games of a page repeat. Pages that have it are decoded as far as that takes, if they are not yet.
    ///
    /// # Errors
    /// Those of `decoder`, and [`Error::Damaged`] if a game repeats none.
    pub fn repeated(&self, page: usize, decoder: &impl SourceDecoder) -> Result<Repeated> {
        if !self.has_repeats(page) {
            return Ok(Repeated::default());
        }
        for source in self.pages_of(page, true) {
            let Some(kept) = self.pages.get(source).filter(|page| page.games.get().is_none())
            else {
                continue;
            };
            self.decode_lines(source, decoder)?;
            let repeated = self.of_kept(source, false)?;
            let items = decoder.games(source, &repeated)?;
            let games = items.iter().filter_map(Item::game).map(content);
            // Another thread may have been faster.
            let _ = kept.games.set(games.collect());
        }
        self.decode_lines(page, decoder)?;
        self.of_kept(page, true)
    }

    /// Decodes the moves that a page repeats alone, if they are not decoded yet.
    fn decode_lines(&self, page: usize, decoder: &impl SourceDecoder) -> Result<()> {
        for source in self.pages_of(page, false) {
            let Some(kept) = self.pages.get(source).filter(|page| page.lines.get().is_none())
            else {
                continue;
            };
            if let Some(lines) = decoder.lines(source)? {
                let _ = kept.lines.set(lines);
            }
        }
        Ok(())
    }

    /// What the games of a page repeat, all that it takes being decoded; `tokens` only if they are needed.
    pub(super) fn of_kept(&self, page: usize, tokens: bool) -> Result<Repeated> {
        let first = self.games(page).start;
        let game = |repeat: &Option<Repeat>| {
            let Some(Repeat { of, has_tokens, .. }) = *repeat else { return Ok(None) };
            let source = match of.checked_sub(first) {
                _ if has_tokens && !tokens => RepeatSource::NotNeeded,
                Some(number) => RepeatSource::SamePage(number),
                None => self.content(of, has_tokens)?,
            };
            Ok(Some(RepeatedGame { has_tokens, source }))
        };
        let games = self.of_page(page).iter().map(game).collect::<Result<_>>()?;
        Ok(Repeated::new(games))
    }

    /// A game of another page.
    fn content(&self, game: usize, has_tokens: bool) -> Result<RepeatSource> {
        let none = || Error::damaged("a game that repeats none");
        let page = self.pages.get(game / self.page_games).ok_or_else(none)?;
        let number = game % self.page_games;
        if has_tokens {
            let games = page.games.get().ok_or_else(none)?;
            return Ok(RepeatSource::Content(games.get(number).ok_or_else(none)?.clone()));
        }
        // Lines that nobody needs are not decoded.
        let Some(lines) = page.lines.get() else { return Ok(RepeatSource::NotNeeded) };
        let moves = lines.get(number).ok_or_else(none)?.clone();
        let lines = vec![Line { branch: None, moves }];
        Ok(RepeatSource::Content(Arc::new(Game { lines, ..Game::default() })))
    }

    /// Keeps what others repeat of a page that was decoded.
    pub fn keep(&self, page: usize, items: &[Item]) {
        let Some(kept) = self.pages.get(page) else { return };
        let games = items.iter().filter_map(Item::game);
        if kept.has_lines {
            let line =
                |game: &Game| game.lines.first().map_or_else(Vec::new, |line| line.moves.clone());
            let _ = kept.lines.set(games.clone().map(line).collect());
        }
        if kept.has_games {
            let _ = kept.games.set(games.map(content).collect());
        }
    }
}

/// A page that is not decoded yet.
#[derive(Debug, Clone, Copy)]
pub struct PageSource<'a> {
    /// Its items, as the columns have them.
    pub items: &'a [Item],
    /// Its streams.
    pub payload: &'a [u8],
    /// Bytes of its original.
    pub length: usize,
}

/// Decodes pages with a model.
pub struct WithModel<'a, F> {
    /// What others repeat.
    pub sources: &'a RepeatSources,
    /// The model.
    pub run: &'a Run,
    /// What gives the pages.
    pub page: F,
}

impl<F> fmt::Debug for WithModel<'_, F> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("WithModel").finish_non_exhaustive()
    }
}

impl<'p, F: Fn(usize) -> Result<PageSource<'p>>> SourceDecoder for WithModel<'_, F> {
    fn lines(&self, page: usize) -> Result<Option<Vec<Vec<Move>>>> {
        let repeated = self.sources.of_page(page).iter().map(|repeat| {
            repeat.map(|_| RepeatedGame { has_tokens: false, source: RepeatSource::NotNeeded })
        });
        let PageSource { items, payload, length } = (self.page)(page)?;
        let mut items = items.to_vec();
        let repeated = Repeated::new(repeated.collect());
        decode_repeated_page(payload, &mut items, &repeated, length, self.run, false)?;
        let games = items.iter_mut().filter_map(Item::game_mut);
        let lines =
            games.map(|game| game.lines.first_mut().map(|line| std::mem::take(&mut line.moves)));
        Ok(Some(lines.map(Option::unwrap_or_default).collect()))
    }

    fn games(&self, page: usize, repeated: &Repeated) -> Result<Vec<Item>> {
        let PageSource { items, payload, length } = (self.page)(page)?;
        let mut items = items.to_vec();
        decode_repeated_page(payload, &mut items, repeated, length, self.run, true)?;
        Ok(items)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forge::Below;
    use crate::predict::Model;
    use crate::split_mix::SplitMix;
    use crate::streams::repeats;
    use crate::streams::{decode_columns, decode_pages, encode_block, join, split};

    /// A game with a comment, from an own start if `fen` is given.
    fn game(number: usize, fen: Option<&str>) -> String {
        let fen = fen.map_or_else(String::new, |fen| format!("[FEN \"{fen}\"]\n"));
        let knights =
            ["Nf3 Nf6", "Ng1 Ng8", "Nc3 Nc6", "Nb1 Nb8"].map(|pair| format!("{pair} {{x}} "));
        let moves: String = (0..10).map(|pair| &knights[(pair * (number + 1)) % 4][..]).collect();
        format!("[Event \"{number}\"]\n{fen}\n{moves}*\n\n")
    }

    #[test]
    fn whatever_is_said_to_be_repeated_decodes_or_is_damaged() {
        let other = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQK1NR w KQkq - 0 1";
        let text: String =
            (0..12).map(|number| game(number, (number % 5 == 4).then_some(other))).collect();
        let block = encode_block(text.as_bytes(), &Model::none(), 3).unwrap();
        let parts = split::<7>(&block.columns).unwrap();
        let pages: Vec<(&[u8], usize)> =
            block.pages.iter().map(|page| (&page.payload[..], page.original_bytes)).collect();
        let (mut decoded, mut damaged) = (0, 0);
        for seed in 0..300 {
            let mut random = SplitMix(seed);
            let mut repeats: Vec<Option<Repeat>> = vec![];
            for number in 0..12 {
                let originals: Vec<usize> =
                    (0..number).filter(|&of| repeats[of].is_none()).collect();
                let is_repeat = !originals.is_empty() && random.one_in(4);
                repeats.push(is_repeat.then(|| Repeat {
                    of: originals[random.below(originals.len())],
                    has_tags: random.one_in(2),
                    has_tokens: random.one_in(2),
                }));
            }
            let [kinds, tags, players, lengths, texts, layout, own] = parts;
            // What the block says itself is the first.
            let coded = match seed {
                0 => own.to_vec(),
                _ => repeats::encode(&repeats).unwrap(),
            };
            let columns = join::<7>([kinds, tags, players, lengths, texts, layout, &coded]);
            let texts = decode_columns(&columns, 12, text.len())
                .and_then(|columns| decode_pages(columns, 3, &pages, &Model::none()));
            match texts {
                Ok(_) => decoded += 1,
                Err(Error::Damaged(_) | Error::Limit(_)) => damaged += 1,
                Err(error) => panic!("{error}"),
            }
        }
        assert!(decoded > 0 && damaged > 100, "{decoded} {damaged}");
    }
}
