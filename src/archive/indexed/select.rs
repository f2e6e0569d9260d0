//! Looking through the games of an archive: tags from the columns alone, and pages only where they are needed.

use std::io::{Read, Seek};

use plyzip_codec::block::in_parallel;

use super::candidates::{Candidates, Found, Page};
use super::opened::{Opened, Unopened};
use super::scout::Extent;
use super::selection::Selection;
use super::{IndexedReader, mismatch};
use crate::Result;
use crate::pgn::{Game, Item, Tag};

/// What takes the number of each game that is found, and what was asked for of it.
enum Visitor<'a> {
    /// Nobody: they are counted.
    Count,
    Tags(&'a mut dyn FnMut(u64, &[Tag]) -> Result<()>),
    /// As far as so many of the first moves.
    Moves(usize, &'a mut dyn FnMut(u64, &Game) -> Result<()>),
    /// So many of the first moves, and the number of all.
    Openings(usize, &'a mut dyn FnMut(u64, &Game, u64) -> Result<()>),
    /// All tags, and the number of plies.
    Lines(&'a mut dyn FnMut(u64, &[Tag], u64) -> Result<()>),
    Games(&'a mut dyn FnMut(u64, &Game) -> Result<()>),
    Texts(&'a mut dyn FnMut(u64, &[u8]) -> Result<()>),
}

impl Visitor<'_> {
    fn extent(&self) -> Extent {
        match self {
            Visitor::Count | Visitor::Tags(_) => Extent::Nothing,
            Visitor::Moves(plies, _) | Visitor::Openings(plies, _) => Extent::Moves(*plies),
            Visitor::Lines(_) => Extent::Tags,
            Visitor::Games(_) => Extent::Game,
            Visitor::Texts(_) => Extent::Text,
        }
    }
}

impl<R: Read + Seek> IndexedReader<R> {
    /// Calls `each` with the number, from 0 on, and the tags of each game, in order. No page is read; values of tags
    /// that the moves foretell ([`is_late`](super::is_late)) are missing. Blocks are decoded in parallel.
    ///
    /// # Errors
    /// Those of [`tags`](IndexedReader::tags) and of `each`.
    pub fn for_each_tags(&mut self, mut each: impl FnMut(u64, &[Tag]) -> Result<()>) -> Result<()> {
        let with_games = self.blocks.iter().enumerate().filter(|(_, block)| block.games > 0);
        let numbers: Vec<usize> = with_games.map(|(number, _)| number).collect();
        for batch in numbers.chunks(rayon::current_num_threads()) {
            let unopened = self.read_blocks(batch)?;
            let items = in_parallel(unopened, |(_, block)| match block.open()? {
                Opened::Single(block) => block.items(),
                Opened::Paged { columns, .. } => Ok(columns.items),
            })?;
            for (number, items) in batch.iter().zip(&items) {
                let games =
                    (self.entry(*number)?.first_game..).zip(items.iter().filter_map(Item::game));
                for (number, game) in games {
                    each(number, &game.tags)?;
                }
            }
        }
        Ok(())
    }

    /// Calls `each` with the number and the original bytes of each game that is wanted, in order, and returns how many
    /// these are: at most `first`. Only pages that hold a game that is wanted, or that only its moves can tell about,
    /// are decoded; all of this in parallel.
    ///
    /// ```
    /// use std::io::Cursor;
    /// use plyzip::archive::{ArchiveWriter, IndexedReader, Selection};
    /// use plyzip::pgn::{Game, Tag};
    /// use plyzip::Model;
    ///
    /// struct Event(&'static str);
    ///
    /// impl Selection for Event {
    ///     fn by_tags(&self, _: u64, tags: &[Tag]) -> Option<bool> {
    ///         Some(tags.iter().any(|tag| tag.name == b"Event" && tag.value == self.0.as_bytes()))
    ///     }
    ///     fn by_game(&self, _: u64, _: &Game) -> bool {
    ///         unreachable!("the tags have told it")
    ///     }
    /// }
    ///
    /// let mut writer = ArchiveWriter::new(Vec::new(), Model::none())?;
    /// writer.push(b"[Event \"A\"]\n\n1. e4 *\n\n[Event \"B\"]\n\n1. d4 *\n")?;
    /// let mut reader = IndexedReader::open(Cursor::new(writer.finish()?.0))?;
    /// let mut found = Vec::new();
    /// reader.select(&Event("B"), u64::MAX, |_, game| Ok(found.extend_from_slice(game)))?;
    /// assert_eq!(found, b"[Event \"B\"]\n\n1. d4 *\n");
    /// # Ok::<(), plyzip::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`block`](IndexedReader::block) and of `each`.
    pub fn select<S: Selection>(
        &mut self,
        selection: &S,
        first: u64,
        mut each: impl FnMut(u64, &[u8]) -> Result<()>,
    ) -> Result<u64> {
        self.search(selection, first, &mut Visitor::Texts(&mut each))
    }

    /// How many games are wanted, at most `first`. Only pages with a game that only its moves can tell about are
    /// decoded.
    ///
    /// # Errors
    /// Those of [`block`](IndexedReader::block).
    pub fn count<S: Selection>(&mut self, selection: &S, first: u64) -> Result<u64> {
        self.search(selection, first, &mut Visitor::Count)
    }

    /// Calls `each` as [`select`](IndexedReader::select) does, with the tags that stand in the columns: values of tags
    /// that the moves foretell ([`is_late`](super::is_late)) are missing. Pages are decoded as
    /// [`count`](IndexedReader::count) does it.
    ///
    /// # Errors
    /// Those of [`block`](IndexedReader::block) and of `each`.
    pub fn select_tags<S: Selection>(
        &mut self,
        selection: &S,
        first: u64,
        mut each: impl FnMut(u64, &[Tag]) -> Result<()>,
    ) -> Result<u64> {
        self.search(selection, first, &mut Visitor::Tags(&mut each))
    }

    /// Calls `each` with games as far as they are known when `plies` moves of each are decoded, or all of a game that has
    /// fewer: the tags as [`select_tags`](IndexedReader::select_tags) has them, and at least so many moves of the first
    /// of its [`lines`](Game::lines). A few plies take a small part of the time of all.
    ///
    /// # Errors
    /// Those of [`block`](IndexedReader::block) and of `each`.
    pub fn select_moves<S: Selection>(
        &mut self,
        selection: &S,
        first: u64,
        plies: usize,
        mut each: impl FnMut(u64, &Game) -> Result<()>,
    ) -> Result<u64> {
        self.search(selection, first, &mut Visitor::Moves(plies, &mut each))
    }

    /// Calls `each` as [`select_moves`](IndexedReader::select_moves) does, and with the number of plies of the game as
    /// played. With an index, no moves are decoded but those that are wanted; without, all.
    ///
    /// # Errors
    /// Those of [`block`](IndexedReader::block) and of `each`.
    pub fn select_openings<S: Selection>(
        &mut self,
        selection: &S,
        first: u64,
        plies: usize,
        mut each: impl FnMut(u64, &Game, u64) -> Result<()>,
    ) -> Result<u64> {
        self.search(selection, first, &mut Visitor::Openings(plies, &mut each))
    }

    /// Calls `each` as [`select_tags`](IndexedReader::select_tags) does, with all tags, those that the moves foretell
    /// included, and the number of plies of the game as played. Pages are decoded; with an index, no more than that takes.
    ///
    /// # Errors
    /// Those of [`block`](IndexedReader::block) and of `each`.
    pub fn select_lines<S: Selection>(
        &mut self,
        selection: &S,
        first: u64,
        mut each: impl FnMut(u64, &[Tag], u64) -> Result<()>,
    ) -> Result<u64> {
        self.search(selection, first, &mut Visitor::Lines(&mut each))
    }

    /// Calls `each` as [`select`](IndexedReader::select) does, with all that a game says instead of its bytes.
    ///
    /// # Errors
    /// Those of [`block`](IndexedReader::block) and of `each`.
    pub fn select_games<S: Selection>(
        &mut self,
        selection: &S,
        first: u64,
        mut each: impl FnMut(u64, &Game) -> Result<()>,
    ) -> Result<u64> {
        self.search(selection, first, &mut Visitor::Games(&mut each))
    }

    fn search<S: Selection>(
        &mut self,
        selection: &S,
        first: u64,
        visitor: &mut Visitor<'_>,
    ) -> Result<u64> {
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
            if matches!(visitor, Visitor::Count)
                && let Some(counted) = self.count_known(batch, selection)
            {
                found = first.min(found + counted);
                continue;
            }
            let unopened = self.read_blocks(batch)?.into_iter();
            let unopened =
                unopened.map(|(number, block)| (number, block, self.block_moves(number)));
            let unopened = unopened.collect();
            let entries = &self.blocks;
            let candidates = in_parallel(unopened, |(number, block, moves)| {
                let entry = entries.get(number).ok_or_else(mismatch)?;
                Candidates::of(block, entry.offset, entry.first_game, selection, moves)
            })?;
            let pages: Vec<Page<'_>> = candidates.iter().flat_map(Candidates::pages).collect();
            for pages in pages.chunks(2 * threads) {
                found += self.search_pages(pages, selection, first - found, visitor)?;
            }
        }
        Ok(found)
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
            sure += page.verdicts().iter().filter(|verdict| **verdict == Some(true)).count() as u64;
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
            }
            count += 1;
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
            let needed = extent != Extent::Nothing || page.verdicts().contains(&None);
            let job = needed.then(|| self.job(page)).transpose()?;
            jobs.push((page, job));
        }
        let mut decoded =
            in_parallel(jobs, |(page, job)| page.search(job, selection, extent))?.into_iter();
        let found = found.iter_mut().map(|found| found.take().or_else(|| decoded.next()));
        found.collect::<Option<_>>().ok_or_else(mismatch)
    }

    /// The blocks of these numbers, as far as their columns.
    fn read_blocks(&mut self, numbers: &[usize]) -> Result<Vec<(usize, Unopened)>> {
        numbers.iter().map(|&number| Ok((number, self.read_block(number)?))).collect()
    }
}
