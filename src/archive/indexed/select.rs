//! Looking through the games of an archive: tags from the columns alone, and pages only where they are needed.

use std::fmt;
use std::io::{Read, Seek};
use std::ops::Range;

use plyzip_codec::block::in_parallel;

use super::candidates::{Candidates, Found, Page};
use super::opened::Unopened;
use super::scout::Extent;
use super::selection::{Selection, Verdict};
use super::visitor::Visitor;
use super::{ExplainedGame, IndexedReader, mismatch};
use crate::Result;
use crate::archive::format::contents::BlockEntry;
use crate::pgn::{Game, Tag};

/// The games that a [`Selection`] wants, and how many of them; [`IndexedReader::select`] makes it for an archive, and
/// [`PgnGames::select`](crate::archive::PgnGames::select) for PGN. Each of its methods but [`first`](Select::first) looks
/// through the games, in their order, and returns how many are wanted. Blocks and pages are decoded in parallel.
#[must_use = "nothing is looked for before it is said what is wanted of the games"]
pub struct Select<'a, S> {
    games: &'a mut dyn Searchable<S>,
    selection: &'a S,
    first: Option<u64>,
}

/// Games that can be looked through.
pub(in crate::archive) trait Searchable<S> {
    /// Shows `visitor` the first of the games that `selection` wants, at most `first`; how many these are.
    fn search(&mut self, selection: &S, first: u64, visitor: &mut Visitor<'_>) -> Result<u64>;

    /// Calls `each` with the same games and what their moves cost.
    fn explain(
        &mut self,
        selection: &S,
        first: u64,
        each: &mut dyn FnMut(ExplainedGame) -> Result<()>,
    ) -> Result<u64>;
}

impl<S> fmt::Debug for Select<'_, S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Select").field("first", &self.first).finish_non_exhaustive()
    }
}

impl<R: Read + Seek> IndexedReader<R> {
    /// The games that are wanted: all that `selection` wants, unless [`Select::first`] says less.
    ///
    /// ```
    /// use std::io::Cursor;
    /// use plyzip::archive::{ArchiveWriter, IndexedReader, Selection, Verdict};
    /// use plyzip::pgn::{Game, Tag};
    /// use plyzip::Model;
    ///
    /// struct Event(&'static str);
    ///
    /// impl Selection for Event {
    ///     fn by_tags(&self, _: u64, tags: &[Tag]) -> Verdict {
    ///         tags.iter().any(|tag| tag.name == b"Event" && tag.value == self.0.as_bytes()).into()
    ///     }
    ///     fn by_game(&self, _: u64, _: &Game) -> bool {
    ///         unreachable!("the tags have told it")
    ///     }
    /// }
    ///
    /// let mut writer = ArchiveWriter::new(Vec::new(), Model::none())?;
    /// writer.push(b"[Event \"A\"]\n\n1. e4 *\n\n[Event \"B\"]\n\n1. d4 *\n\n[Event \"B\"]\n\n1. c4 *\n")?;
    /// let mut reader = IndexedReader::open(Cursor::new(writer.finish()?.0))?;
    /// assert_eq!(reader.select(&Event("B")).count()?, 2);
    /// let mut found = Vec::new();
    /// reader.select(&Event("B")).first(1).bytes(|_, game| Ok(found.extend_from_slice(game)))?;
    /// assert_eq!(found, b"[Event \"B\"]\n\n1. d4 *\n\n");
    /// # Ok::<(), plyzip::Error>(())
    /// ```
    pub fn select<'a, S: Selection>(&'a mut self, selection: &'a S) -> Select<'a, S> {
        Select::new(self, selection)
    }
}

impl<'a, S: Selection> Select<'a, S> {
    /// All of `games` that `selection` wants.
    pub(in crate::archive) fn new(games: &'a mut dyn Searchable<S>, selection: &'a S) -> Self {
        Select { games, selection, first: None }
    }

    /// No more than the first so many of them; with `None`, all.
    pub fn first(self, games: impl Into<Option<u64>>) -> Self {
        Select { first: games.into(), ..self }
    }

    /// How many there are. Only pages with a game that only its moves can tell about are decoded.
    ///
    /// # Errors
    /// Those of [`IndexedReader::block`].
    pub fn count(self) -> Result<u64> {
        self.search(&mut Visitor::Count)
    }

    /// Calls `each` with the number, from 0 on, and the original bytes of each game. Only pages that hold a game that is
    /// wanted, or that only its moves can tell about, are decoded.
    ///
    /// # Errors
    /// Those of [`IndexedReader::block`] and of `each`.
    pub fn bytes(self, mut each: impl FnMut(u64, &[u8]) -> Result<()>) -> Result<u64> {
        self.search(&mut Visitor::Texts(&mut each))
    }

    /// Calls `each` as [`bytes`](Select::bytes) does, with all that a game says instead of its bytes.
    ///
    /// # Errors
    /// Those of [`IndexedReader::block`] and of `each`.
    pub fn games(self, mut each: impl FnMut(u64, &Game) -> Result<()>) -> Result<u64> {
        self.search(&mut Visitor::Games(&mut each))
    }

    /// Calls `each` as [`games`](Select::games) does, and with the original bytes of each game.
    ///
    /// # Errors
    /// Those of [`IndexedReader::block`] and of `each`.
    pub fn games_and_bytes(
        self,
        mut each: impl FnMut(u64, &Game, &[u8]) -> Result<()>,
    ) -> Result<u64> {
        self.search(&mut Visitor::Whole(&mut each))
    }

    /// Calls `each` with the number and the tags that stand in the columns: values of tags that the moves foretell
    /// ([`is_late`](super::is_late)) are missing. Pages are decoded as [`count`](Select::count) does it.
    ///
    /// # Errors
    /// Those of [`IndexedReader::block`] and of `each`.
    pub fn tags(self, mut each: impl FnMut(u64, &[Tag]) -> Result<()>) -> Result<u64> {
        self.search(&mut Visitor::Tags(&mut each))
    }

    /// Calls `each` with the number, all tags, those that the moves foretell included, and the number of plies of the game
    /// as played. Pages are decoded; with an index, no more than that takes.
    ///
    /// # Errors
    /// Those of [`IndexedReader::block`] and of `each`.
    pub fn all_tags(self, mut each: impl FnMut(u64, &[Tag], u64) -> Result<()>) -> Result<u64> {
        self.search(&mut Visitor::Lines(&mut each))
    }

    /// Calls `each` with games as far as they are known when `plies` moves of each are decoded, or all of a game that has
    /// fewer: the tags as [`tags`](Select::tags) has them, and at least so many moves of the first of its
    /// [`lines`](Game::lines). A few plies take a small part of the time of all.
    ///
    /// # Errors
    /// Those of [`IndexedReader::block`] and of `each`.
    pub fn moves(
        self,
        plies: usize,
        mut each: impl FnMut(u64, &Game) -> Result<()>,
    ) -> Result<u64> {
        self.search(&mut Visitor::Moves(plies, &mut each))
    }

    /// Calls `each` as [`moves`](Select::moves) does, and with the number of plies of the game as played. With an index, no
    /// moves are decoded but those that are wanted; without, all.
    ///
    /// # Errors
    /// Those of [`IndexedReader::block`] and of `each`.
    pub fn openings(
        self,
        plies: usize,
        mut each: impl FnMut(u64, &Game, u64) -> Result<()>,
    ) -> Result<u64> {
        self.search(&mut Visitor::Openings(plies, &mut each))
    }

    /// Calls `each` with each game, and what its moves cost: how likely they were as the archive has them coded, among the
    /// other games of their page, and what was likelier. Only pages that may hold such games are decoded, one after the
    /// other.
    ///
    /// ```
    /// use std::io::Cursor;
    /// use plyzip::Model;
    /// use plyzip::archive::{AllGames, ArchiveWriter, IndexedReader};
    ///
    /// let game = b"[Event \"?\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *\n";
    /// let mut writer = ArchiveWriter::new(Vec::new(), Model::none())?;
    /// writer.push(&game.repeat(20))?;
    /// let (archive, summary) = writer.finish()?;
    ///
    /// let mut bits = vec![];
    /// IndexedReader::open(Cursor::new(archive))?.select(&AllGames).explain(|explained| {
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
    /// Those of [`IndexedReader::block`] and of `each`.
    pub fn explain(self, mut each: impl FnMut(ExplainedGame) -> Result<()>) -> Result<u64> {
        let Select { games, selection, first } = self;
        games.explain(selection, first.unwrap_or(u64::MAX), &mut each)
    }

    fn search(self, visitor: &mut Visitor<'_>) -> Result<u64> {
        let Select { games, selection, first } = self;
        games.search(selection, first.unwrap_or(u64::MAX), visitor)
    }
}

impl<R: Read + Seek, S: Selection> Searchable<S> for IndexedReader<R> {
    fn explain(
        &mut self,
        selection: &S,
        first: u64,
        each: &mut dyn FnMut(ExplainedGame) -> Result<()>,
    ) -> Result<u64> {
        self.explain_games(selection, first, each)
    }

    fn search(&mut self, selection: &S, first: u64, visitor: &mut Visitor<'_>) -> Result<u64> {
        let blocks = self.blocks.iter().enumerate().filter(|(_, block)| {
            block.games > 0 && selection.any_of(block.first_game..block.first_game + block.games)
        });
        let blocks: Vec<usize> = blocks.map(|(number, _)| number).collect();
        let threads = rayon::current_num_threads();
        let mut found = 0;
        for batch in blocks.chunks(threads) {
            if found == first {
                break;
            }
            let games = self.games_of(batch);
            self.progress.look_into(games.start, games.end - games.start);
            if matches!(visitor, Visitor::Count)
                && let Some(counted) = self.count_known(batch, selection)
            {
                let before = found;
                found = first.min(found + counted);
                self.progress.pass(games.end, found - before);
                continue;
            }
            let unopened = self.read_blocks(batch)?.into_iter();
            let unopened =
                unopened.map(|(number, block)| (number, block, self.block_moves(number)));
            let unopened = unopened.collect();
            let entries = &self.blocks;
            let wants_text = visitor.extent().includes_text();
            let candidates = in_parallel(unopened, |(number, block, moves)| {
                let entry = entries.get(number).ok_or_else(mismatch)?;
                let BlockEntry { offset, first_game, .. } = *entry;
                Candidates::of(block, offset, first_game, selection, moves, wants_text)
            })?;
            let pages: Vec<Page<'_>> = candidates.iter().flat_map(Candidates::pages).collect();
            self.progress.want(pages.len());
            // Threads wait for each other at the end of each step, which tells where pages take a moment.
            let is_known = candidates.iter().all(|block| block.moves.is_some());
            let step = threads * if is_known { 8 } else { 2 };
            for pages in pages.chunks(step) {
                found += self.search_pages(pages, selection, first - found, visitor)?;
            }
            self.progress.pass(games.end, 0);
        }
        Ok(found)
    }
}

impl<R: Read + Seek> IndexedReader<R> {
    /// The numbers of the games from the first of these blocks to the last.
    fn games_of(&self, numbers: &[usize]) -> Range<u64> {
        let block = |number: Option<&usize>| number.and_then(|&number| self.blocks.get(number));
        let begin = block(numbers.first()).map_or(0, |block| block.first_game);
        let end = block(numbers.last()).map_or(0, |block| block.first_game + block.games);
        begin..end.max(begin)
    }

    /// Searches pages for at most `first` games.
    fn search_pages<S: Selection>(
        &mut self,
        mut pages: &[Page<'_>],
        selection: &S,
        first: u64,
        visitor: &mut Visitor<'_>,
    ) -> Result<u64> {
        // Pages behind those that surely have enough are not decoded.
        let mut sure = 0;
        let enough = pages.iter().position(|page| {
            let before = sure;
            sure += page.verdicts().iter().filter(|verdict| **verdict == Verdict::Wanted).count()
                as u64;
            before >= first
        });
        pages = &pages[..enough.unwrap_or(pages.len())];
        let found = self.find(pages, selection, visitor)?;
        let found = pages
            .iter()
            .zip(&found)
            .flat_map(|(page, found)| found.wanted.iter().map(move |&index| (page, found, index)));
        let mut count = 0;
        for (page, found, index) in found.take(usize::try_from(first).unwrap_or(usize::MAX)) {
            let number = page.number_of(index);
            match visitor {
                Visitor::Count => {}
                Visitor::Tags(each) => each(number, page.tags(index)?)?,
                Visitor::Moves(_, each) | Visitor::Games(each) => each(number, found.game(index)?)?,
                Visitor::Openings(_, each) => {
                    each(number, found.game(index)?, found.plies(index)?)?;
                }
                Visitor::Lines(each) => {
                    each(number, &found.game(index)?.tags, found.plies(index)?)?;
                }
                Visitor::Texts(each) => each(number, found.text(index)?)?,
                Visitor::Whole(each) => each(number, found.game(index)?, found.text(index)?)?,
            }
            count += 1;
            self.progress.find(1);
        }
        Ok(count)
    }

    /// What is found in each of these pages: by their moves in the index, as far as it has them, and by decoding them with
    /// the model.
    fn find<S: Selection>(
        &mut self,
        pages: &[Page<'_>],
        selection: &S,
        visitor: &Visitor<'_>,
    ) -> Result<Vec<Found>> {
        let mut found = self.find_known(pages, selection, visitor.extent());
        let extent = match visitor {
            // The number of all moves shows when all of them are decoded.
            Visitor::Openings(..) => Extent::Moves(usize::MAX),
            _ => visitor.extent(),
        };
        let mut jobs = vec![];
        for (page, _) in pages.iter().zip(&found).filter(|(_, found)| found.is_none()) {
            let needed = extent != Extent::Nothing || page.verdicts().contains(&Verdict::Open);
            let job = needed.then(|| self.job(page)).transpose()?;
            jobs.push((page, job));
        }
        let progress = &self.progress;
        found.iter().flatten().for_each(|_| progress.page_done(false));
        let mut decoded = in_parallel(jobs, |(page, job)| {
            let is_decoded = job.is_some();
            let found = page.search(job, selection, extent);
            progress.page_done(is_decoded);
            found
        })?
        .into_iter();
        let found = found.iter_mut().map(|found| found.take().or_else(|| decoded.next()));
        found.collect::<Option<_>>().ok_or_else(mismatch)
    }

    /// The blocks of these numbers, as far as their columns.
    fn read_blocks(&mut self, numbers: &[usize]) -> Result<Vec<(usize, Unopened)>> {
        numbers.iter().map(|&number| Ok((number, self.read_block(number)?))).collect()
    }
}
