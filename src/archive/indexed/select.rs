//! Looking through the games of an archive: tags from the columns alone, and pages only where they are needed.

use std::io::{Read, Seek};
use std::ops::Range;

use super::member::with_model;
use super::opened::{Opened, PagePlace, Unopened};
use super::{IndexedReader, mismatch};
use crate::archive::block::{SingleBlock, read_page};
use crate::archive::format::section::PageHeader;
use crate::pgn::{Game, Item, Tag};
use crate::predict::Model;
use crate::streams::{Columns, PageText, decode_page, in_parallel};
use crate::{Error, Result};

/// Which games of an archive are wanted. Numbers of games count from 0 on.
pub trait Selection: Sync {
    /// Whether any game of these numbers may be wanted. Blocks of other games are not read.
    fn any_of(&self, _numbers: Range<u64>) -> bool {
        true
    }

    /// Whether a game is wanted, as far as its number and its tags tell. `None` if they do not: then its page is
    /// decoded, and [`by_game`](Selection::by_game) is asked. Tags of which [`is_late`] says so have no value here.
    fn by_tags(&self, number: u64, tags: &[Tag]) -> Option<bool>;

    /// Whether a game is wanted, with all of its tags and moves.
    fn by_game(&self, number: u64, game: &Game) -> bool;
}

/// Whether the values of tags of this name stand in the pages, because the moves foretell them: of `ECO` and `Opening`,
/// for instance.
pub fn is_late(name: &[u8]) -> bool {
    crate::streams::tags::is_late(name)
}

/// What takes the number and the bytes of each game.
type Visitor<'a> = &'a mut dyn FnMut(u64, &[u8]) -> Result<()>;

/// A block whose columns are decoded, and what is wanted of it.
struct Candidates {
    offset: u64,
    first_game: u64,
    opened: Opened,
    /// For each game, whether it is wanted, if its tags tell.
    verdicts: Vec<Option<bool>>,
}

/// A page, and which of its games may be wanted.
struct Page<'a> {
    block: &'a Candidates,
    number: usize,
    /// Its games, counted in the block.
    games: Range<usize>,
}

/// A page that is to be decoded.
enum Job<'a> {
    /// A block of one page.
    Single(&'a SingleBlock, Model),
    Paged {
        place: &'a PageHeader,
        columns: &'a Columns,
        items: Range<usize>,
        payload: Vec<u8>,
        model: Model,
    },
}

impl<R: Read + Seek> IndexedReader<R> {
    /// Calls `each` with the number, from 0 on, and the tags of each game, in order. No page is read; values of tags
    /// that the moves foretell ([`is_late`]) are missing. Blocks are decoded in parallel.
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
        self.search(selection, first, Some(&mut each))
    }

    /// How many games are wanted, at most `first`. Only pages with a game that only its moves can tell about are
    /// decoded.
    ///
    /// # Errors
    /// Those of [`block`](IndexedReader::block).
    pub fn count<S: Selection>(&mut self, selection: &S, first: u64) -> Result<u64> {
        self.search(selection, first, None)
    }

    fn search<S: Selection>(
        &mut self,
        selection: &S,
        first: u64,
        mut each: Option<Visitor<'_>>,
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
            let unopened = self.read_blocks(batch)?;
            let entries = &self.blocks;
            let candidates = in_parallel(unopened, |(number, block)| {
                let entry = entries.get(number).ok_or_else(mismatch)?;
                Candidates::of(block, entry.offset, entry.first_game, selection)
            })?;
            let pages: Vec<Page<'_>> = candidates.iter().flat_map(Candidates::pages).collect();
            for pages in pages.chunks(2 * threads) {
                found += self.search_pages(pages, selection, first - found, &mut each)?;
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
        each: &mut Option<Visitor<'_>>,
    ) -> Result<u64> {
        // Pages behind those that surely have enough are not decoded.
        let mut sure = 0;
        let enough = pages.iter().position(|page| {
            let before = sure;
            sure += page.verdicts().iter().filter(|verdict| **verdict == Some(true)).count() as u64;
            before >= first
        });
        pages = &pages[..enough.unwrap_or(pages.len())];
        let mut jobs = vec![];
        for page in pages {
            let needed = each.is_some() || page.verdicts().contains(&None);
            let job = needed.then(|| self.job(page)).transpose()?;
            jobs.push((page, job));
        }
        let decoded = in_parallel(jobs, |(page, job)| {
            let (text, items) = match job {
                Some(job) => job.decode()?,
                None => (None, vec![]),
            };
            Ok((text, page.wanted(&items, selection)?))
        })?;
        let mut found = 0;
        for (page, (text, wanted)) in pages.iter().zip(&decoded) {
            let left = usize::try_from(first - found).unwrap_or(usize::MAX);
            for index in wanted.iter().take(left) {
                if let (Some(each), Some(text)) = (each.as_mut(), text) {
                    let range = text.games.get(*index).cloned().ok_or_else(mismatch)?;
                    let game = page.block.first_game + (page.games.start + index) as u64;
                    each(game, &text.bytes[range])?;
                }
                found += 1;
            }
        }
        Ok(found)
    }

    /// The blocks of these numbers, as far as their columns.
    fn read_blocks(&mut self, numbers: &[usize]) -> Result<Vec<(usize, Unopened)>> {
        numbers.iter().map(|&number| Ok((number, self.read_block(number)?))).collect()
    }

    /// What decoding a page takes.
    fn job<'a>(&mut self, page: &Page<'a>) -> Result<Job<'a>> {
        let offset = page.block.offset;
        let mut model =
            |needed| with_model(&mut self.members, offset, needed, |model| Ok(model.clone()));
        match &page.block.opened {
            Opened::Single(block) => Ok(Job::Single(block, model(block.needs_model())?)),
            Opened::Paged { header, columns, pages } => {
                let model = model(true)?;
                let place = header.pages.get(page.number).ok_or_else(mismatch)?;
                let PagePlace { offset, items } =
                    pages.get(page.number).cloned().ok_or_else(mismatch)?;
                self.source.seek(offset)?;
                let payload = read_page(place, &mut self.source)?;
                Ok(Job::Paged { place, columns, items, payload, model })
            }
        }
    }
}

impl Candidates {
    fn of<S: Selection>(
        block: Unopened,
        offset: u64,
        first_game: u64,
        selection: &S,
    ) -> Result<Candidates> {
        let opened = block.open()?;
        let verdicts = |items: &[Item]| {
            let games = items.iter().filter_map(Item::game);
            (first_game..)
                .zip(games)
                .map(|(number, game)| selection.by_tags(number, &game.tags))
                .collect()
        };
        let verdicts = match &opened {
            Opened::Single(block) => verdicts(&block.items()?),
            Opened::Paged { columns, .. } => verdicts(&columns.items),
        };
        Ok(Candidates { offset, first_game, opened, verdicts })
    }

    /// The pages that hold games which may be wanted.
    fn pages(&self) -> impl Iterator<Item = Page<'_>> {
        let games = self.verdicts.len();
        let page_games = match &self.opened {
            Opened::Single(_) => games,
            Opened::Paged { header, .. } => {
                usize::try_from(header.page_games).unwrap_or(usize::MAX)
            }
        };
        let pages =
            (0..games).step_by(page_games.max(1)).enumerate().map(move |(number, start)| Page {
                block: self,
                number,
                games: start..start.saturating_add(page_games).min(games),
            });
        pages.filter(|page| page.verdicts().iter().any(|verdict| *verdict != Some(false)))
    }
}

impl Page<'_> {
    fn verdicts(&self) -> &[Option<bool>] {
        &self.block.verdicts[self.games.clone()]
    }

    /// The games that are wanted, counted in the page. Its `items` are only looked at if its tags leave a game open.
    fn wanted<S: Selection>(&self, items: &[Item], selection: &S) -> Result<Vec<usize>> {
        let mut games = items.iter().filter_map(Item::game);
        let mut wanted = vec![];
        for (index, verdict) in self.verdicts().iter().enumerate() {
            let game = games.next();
            let number = self.block.first_game + (self.games.start + index) as u64;
            let is_wanted = match verdict {
                Some(verdict) => *verdict,
                None => selection.by_game(number, game.ok_or_else(mismatch)?),
            };
            if is_wanted {
                wanted.push(index);
            }
        }
        Ok(wanted)
    }
}

impl Job<'_> {
    /// The page's text, and its items with everything that is known of them.
    fn decode(self) -> Result<(Option<PageText>, Vec<Item>)> {
        let (text, items) = match self {
            Job::Single(block, model) => block.decode_items(|| Ok(&model), None)?,
            Job::Paged { place, columns, items, payload, model } => {
                let mut items = columns.items.get(items).ok_or_else(mismatch)?.to_vec();
                let length = place.original_length()?;
                let text = decode_page(&payload, &mut items, &columns.layout, length, &model)?;
                place.verify(&text.bytes)?;
                (text, items)
            }
        };
        if items.iter().filter(|item| item.game().is_some()).count() != text.games.len() {
            return Err(Error::damaged("a page with other games than it had"));
        }
        Ok((Some(text), items))
    }
}
