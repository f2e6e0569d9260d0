//! A block: its columns and its pages.

mod columns;
mod find_repeats;
mod known_page;
mod page;
mod parts;
mod repeated;
mod sources;

pub use self::columns::{Columns, decode_columns, decode_columns_until, page_ranges};
use self::find_repeats::find_repeats;
pub use self::known_page::{
    KnownMoves, decode_known_page, decode_known_repeated_page, needs_surprisals,
};
use self::page::Stretch;
pub use self::page::{PageText, PageWatch, decode_page, decode_repeated_page, decode_watched_page};
#[cfg(test)]
pub use self::parts::{join, split};
pub use self::repeated::{RepeatSource, Repeated, RepeatedGame};
pub use self::sources::{PageSource, RepeatSources, SourceDecoder, WithModel};
use super::layout::{self, LayoutPrior};
use std::ops::Range;

use crate::parallel::in_parallel;
use crate::pgn::{self, Game, Item};
use crate::predict::{KeptEvidence, Run};
use crate::spare::Spare;
use crate::{Error, Result};

/// Bytes that each stream takes, and what it holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct BlockStats {
    /// Games in the block.
    pub games: u64,
    /// Moves in the block, those of variations included.
    pub moves: u64,
    /// Bytes of each stream.
    pub streams: StreamSizes,
}

impl BlockStats {
    /// Figures.
    pub fn new(games: u64, moves: u64, streams: StreamSizes) -> BlockStats {
        BlockStats { games, moves, streams }
    }

    /// Adds the figures of a page, which has few enough bytes for all sums to fit.
    fn add(&mut self, page: &BlockStats) {
        self.games += page.games;
        self.moves += page.moves;
        self.streams.tags += page.streams.tags;
        self.streams.moves += page.streams.moves;
        self.streams.structure += page.streams.structure;
        self.streams.comments += page.streams.comments;
        self.streams.layout += page.streams.layout;
        self.streams.text += page.streams.text;
    }
}

/// Bytes of each stream.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct StreamSizes {
    /// Tag pairs, late ones included.
    pub tags: u64,
    /// Game starts, moves and game ends.
    pub moves: u64,
    /// The kinds of the tokens between the moves.
    pub structure: u64,
    /// Clocks, evaluations and comment text.
    pub comments: u64,
    /// White space, move numbers, spellings.
    pub layout: u64,
    /// Text that is no PGN, and which items are games.
    pub text: u64,
}

impl StreamSizes {
    /// The sizes in the order of the format; [`from_fields`](StreamSizes::from_fields) is the inverse. Both name every
    /// field, so a stream that is added cannot be forgotten here.
    pub fn fields(&self) -> [u64; 6] {
        let StreamSizes { tags, moves, structure, comments, layout, text } = *self;
        [tags, moves, structure, comments, layout, text]
    }

    /// The sizes that stand in this order in [`fields`](StreamSizes::fields).
    pub fn from_fields(fields: [u64; 6]) -> StreamSizes {
        let [tags, moves, structure, comments, layout, text] = fields;
        StreamSizes { tags, moves, structure, comments, layout, text }
    }
}

/// A block, encoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncodedBlock {
    /// The columns, which all pages need.
    pub columns: Vec<u8>,
    /// The pages; none if the block has no games.
    pub pages: Vec<EncodedPage>,
    /// Its figures.
    pub stats: BlockStats,
}

/// A page, encoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncodedPage {
    /// Bytes of the original that it holds.
    pub original_bytes: usize,
    /// Its streams.
    pub payload: Vec<u8>,
}

/// Compresses one block into pages of `page_games` games, at least 1.
///
/// # Errors
/// [`Error::Model`] if the network fails, [`Error::Interrupted`] if the run is to end.
pub fn encode_block(input: &[u8], run: impl Into<Run>, page_games: u64) -> Result<EncodedBlock> {
    encode(input, &run.into(), page_games, false)
}

/// Compresses one block as [`encode_block`] does, and decodes what it has written: the columns, and each page as soon as
/// it is coded, with the evidence on its plies (positions, legal moves, features, the network's scores, the search) that
/// was computed for encoding. All that is read from the bytes or learned on the way is decoded as a reader does. It takes
/// a fraction of the time of decoding, and a page's evidence in memory for each thread: some 2 kB a ply.
///
/// # Errors
/// Those of [`encode_block`], and [`Error::Verification`] if other bytes come out.
pub fn encode_verified_block(
    input: &[u8],
    run: impl Into<Run>,
    page_games: u64,
) -> Result<EncodedBlock> {
    encode(input, &run.into(), page_games, true)
}

/// A page that is to be coded: its number, its items, its layout.
type Job = (usize, (Range<usize>, Vec<u8>));

fn encode(input: &[u8], run: &Run, page_games: u64, verify: bool) -> Result<EncodedBlock> {
    let interrupt = &run.interrupt;
    let mut document = pgn::parse_while(input, || interrupt.check())?;
    let games = document.items.iter().filter(|item| item.game().is_some()).count() as u64;
    let plies = document.items.iter().filter_map(Item::game).map(|game| game.plies() as u64);
    run.plies.announce(plies.sum());
    let (layout, prior) = if games > page_games {
        LayoutPrior::encode(input, &document.items, &document.ranges, &document.atoms)?
    } else {
        (vec![], LayoutPrior::usual()?)
    };
    let ranges = if games > 0 { page_ranges(&document.items, page_games.max(1)) } else { vec![] };
    let layouts = encode_layouts(input, &mut document, &ranges, &prior)?;
    let pgn::Document { items, ranges: places, .. } = document;
    let all: Vec<&Game> = items.iter().filter_map(Item::game).collect();
    let repeats = find_repeats(&all);
    let sources = RepeatSources::new(&repeats, page_games, ranges.len());
    if verify {
        // The page that has what is repeated is compared with its own original.
        for (page, range) in ranges.iter().enumerate() {
            sources.keep(page, items.get(range.clone()).unwrap_or_default());
        }
    }
    // Of pages that are done: to ask the system for that much memory again for each page takes time.
    let spare_evidence = Spare::<KeptEvidence>::default();
    let jobs = ranges.into_iter().zip(layouts).enumerate().collect();
    let encode_page = |decoded: Option<&Columns>, (number, (range, layout)): Job| {
        let repeats = sources.of_page(number);
        let places = places.get(range.clone()).unwrap_or_default();
        let begin = places.first().map_or(0, |first| first.start);
        let length: usize = places.iter().map(ExactSizeIterator::len).sum();
        let original = input.get(begin..begin + length).unwrap_or_default();
        let stretch =
            Stretch { items: items.get(range.clone()).unwrap_or_default(), repeats, layout };
        let Some(Columns { items, layout, .. }) = decoded else {
            let (payload, page) = page::encode(&stretch, run, None)?;
            return Ok((payload, page, original.len()));
        };
        let mut kept = spare_evidence.borrow(KeptEvidence::default);
        kept.clear();
        let games = stretch.items.iter().filter_map(pgn::Item::game);
        // The end of a game is a ply, too.
        kept.reserve(games.map(|game| game.plies() + 1).sum(), run.model().network().is_some());
        let (payload, page) = page::encode(&stretch, run, Some(&mut kept))?;
        let repeated = sources.of_kept(number, true)?;
        let mut items = items.get(range).unwrap_or_default().to_vec();
        let limit = original.len();
        let text =
            page::decode_kept(&payload, &mut items, &repeated, layout, limit, run, &mut kept);
        match text.map_err(verification)?.bytes == original {
            true => Ok((payload, page, original.len())),
            false => Err(Error::Verification("a page does not decode to its original".into())),
        }
    };
    let encode_columns = || columns::encode(&items, &layout, &repeats, interrupt);
    let ((columns, sizes), encoded) = if verify {
        let (columns, sizes) = encode_columns()?;
        let decoded = verified_columns(&columns, games, input.len(), &items)?;
        if decoded.repeats != repeats {
            return Err(Error::Verification("games repeat others than they did".into()));
        }
        ((columns, sizes), in_parallel(jobs, |job| encode_page(Some(&decoded), job))?)
    } else {
        // Nothing of a page is made of the coded columns, which take one thread a while.
        let pages = || in_parallel(jobs, |job| encode_page(None, job));
        let (columns, pages) = rayon::join(encode_columns, pages);
        (columns?, pages?)
    };
    let mut stats = BlockStats::default();
    stats.streams.tags = sizes.tags;
    stats.streams.layout = sizes.layout;
    stats.streams.text = sizes.text;
    let mut pages = vec![];
    for (payload, page, original_bytes) in encoded {
        stats.add(&page);
        pages.push(EncodedPage { original_bytes, payload });
    }
    Ok(EncodedBlock { columns, pages, stats })
}

/// The layouts of the pages with these items of a document, coded. What they have of comments is taken out of these.
fn encode_layouts(
    input: &[u8],
    document: &mut pgn::Document,
    pages: &[Range<usize>],
    prior: &LayoutPrior,
) -> Result<Vec<Vec<u8>>> {
    let pgn::Document { items, ranges, atoms, .. } = document;
    let (mut left, mut jobs) = (&mut items[..], vec![]);
    for range in pages {
        let (items, behind) = left.split_at_mut(range.len());
        jobs.push((items, &ranges[range.clone()], &atoms[range.clone()]));
        left = behind;
    }
    in_parallel(jobs, |(items, ranges, atoms)| {
        let (layout, reflowed) = layout::encode(input, items, ranges, atoms, prior)?;
        reflowed.into_iter().for_each(|comment| comment.put_into(items));
        Ok(layout)
    })
}

/// The columns decoded, which must be those of `items`: as many, of the same kinds; what no page has is compared here.
fn verified_columns(columns: &[u8], games: u64, limit: usize, items: &[Item]) -> Result<Columns> {
    let decoded = decode_columns(columns, games, limit).map_err(verification)?;
    let same = |(one, other): (&Item, &Item)| match (one, other) {
        // A page has all of a game, and compares it; a block without games has no page.
        (Item::Game(_), Item::Game(_)) => true,
        (Item::Text(one), Item::Text(other)) => games > 0 || one == other,
        _ => false,
    };
    match decoded.items.len() == items.len() && decoded.items.iter().zip(items).all(same) {
        true => Ok(decoded),
        false => Err(Error::Verification("columns do not decode to what they were made of".into())),
    }
}

/// An error of decoding what was just encoded.
fn verification(error: Error) -> Error {
    match error {
        Error::Interrupted | Error::Model(_) => error,
        error => Error::Verification(error.to_string()),
    }
}

/// The original bytes of a block with these columns; `pages` has the payload of each page and the number
/// of its original bytes, and is empty if the block has no games.
///
/// # Errors
/// [`Error::Damaged`] if the pages are not what [`encode_block`] writes, [`Error::Model`] if the network fails.
pub fn decode_pages(
    columns: Columns,
    page_games: u64,
    pages: &[(&[u8], usize)],
    run: impl Into<Run>,
) -> Result<Vec<PageText>> {
    let run = &run.into();
    let ranges = page_ranges(&columns.items, page_games.max(1));
    if ranges.len() != pages.len() {
        return Err(Error::damaged("another number of pages than its games need"));
    }
    let of_page = |number: usize| {
        let (payload, length) = pages[number];
        Ok(PageSource { items: &columns.items[ranges[number].clone()], payload, length })
    };
    let sources = RepeatSources::new(&columns.repeats, page_games, pages.len());
    sources.in_parallel(pages.len(), |number| {
        let decoder = WithModel { sources: &sources, run, page: of_page };
        let repeated = sources.repeated(number, &decoder)?;
        let PageSource { items, payload, length } = of_page(number)?;
        let mut items = items.to_vec();
        let (layout, watch) = (&columns.layout, PageWatch::Nobody);
        let text = decode_watched_page(payload, &mut items, &repeated, layout, length, run, watch)?;
        sources.keep(number, &items);
        text.ok_or_else(|| Error::Internal("a page was given up".into()))
    })
}
