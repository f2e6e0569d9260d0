//! Some pages of a block, together: what is known of their games, and their moves.

use std::ops::ControlFlow;

use shakmaty::{Chess, Move};

use super::openings::{Openings, Place};
use super::rank::Walk;
use super::record::{PageRecord, Start, take_rank};
use super::section::{pack, unpack};
use super::summary::GameSummary;
use crate::{Error, Result, varint};
use plyzip_codec::block::Surprisal;

/// A chunk ends behind the page that makes its ranks as many as this: enough to compress them well, and few enough to be
/// unpacked for a single game.
const RANKS: usize = 256 << 10;

/// Sections of a chunk.
pub const SECTIONS: usize = 4;

/// The sections of a chunk as they stand in an index, and what they hold.
#[derive(Debug, Clone, Default)]
pub struct PackedChunk {
    pub pages: u64,
    pub games: u64,
    /// What is known of the games; the ranks of the main lines; what some pages have beside that; late tags.
    pub sections: [Vec<u8>; SECTIONS],
}

/// Gathers pages to chunks.
#[derive(Debug, Default)]
pub struct ChunkWriter {
    pages: Vec<PageRecord>,
    ranks: usize,
}

impl ChunkWriter {
    /// Adds a page; a chunk, if that is full now.
    pub fn push(&mut self, page: PageRecord) -> Result<Option<PackedChunk>> {
        self.ranks += page.ranks.len();
        self.pages.push(page);
        if self.ranks >= RANKS { self.finish() } else { Ok(None) }
    }

    /// The last chunk of a block, if there are pages left.
    pub fn finish(&mut self) -> Result<Option<PackedChunk>> {
        let pages = std::mem::take(&mut self.pages);
        self.ranks = 0;
        if pages.is_empty() {
            return Ok(None);
        }
        let mut head = vec![];
        for page in &pages {
            varint::put_length(&mut head, page.games.len());
            varint::put_length(&mut head, page.ranks.len());
            varint::put_length(&mut head, page.variations.len());
            varint::put_length(&mut head, page.late.len());
            head.push(u8::from(page.surprisals.is_some()));
        }
        let games: Vec<_> = pages.iter().flat_map(|page| &page.games).copied().collect();
        head.extend(games.iter().map(|(start, _)| *start as u8));
        for (_, summary) in &games {
            varint::put(&mut head, summary.plies);
        }
        for column in COLUMNS {
            head.extend(games.iter().map(|&(_, mut summary)| *column(&mut summary)));
        }
        let mut extra = vec![];
        for page in &pages {
            extra.extend(&page.variations);
        }
        for surprisals in pages.iter().filter_map(|page| page.surprisals.as_ref()) {
            extra.extend(surprisals.iter().map(|surprisal| surprisal.cost));
            extra.extend(surprisals.iter().map(|surprisal| surprisal.entropy));
        }
        let ranks: Vec<&[u8]> = pages.iter().map(|page| &page.ranks[..]).collect();
        let late: Vec<&[u8]> = pages.iter().map(|page| &page.late[..]).collect();
        Ok(Some(PackedChunk {
            pages: pages.len() as u64,
            games: games.len() as u64,
            sections: [pack(&head)?, pack(&ranks.concat())?, pack(&extra)?, pack(&late.concat())?],
        }))
    }
}

/// The columns of bytes, one for each game, in the order of the format.
const COLUMNS: [fn(&mut GameSummary) -> &mut u8; 6] = [
    |summary| &mut summary.pawns.white,
    |summary| &mut summary.pawns.black,
    |summary| &mut summary.men.white,
    |summary| &mut summary.men.black,
    |summary| &mut summary.home_pawns.white,
    |summary| &mut summary.home_pawns.black,
];

/// Which sections of a chunk are wanted; the first always is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Wanted {
    /// The moves of the main lines.
    pub moves: bool,
    /// Those of variations, and surprisals.
    pub extra: bool,
    /// The values of the tags that the moves foretell.
    pub late: bool,
}

impl Wanted {
    /// Nothing but what is known of the games.
    pub const SUMMARIES: Wanted = Wanted { moves: false, extra: false, late: false };
    /// The moves of the main lines.
    pub const MOVES: Wanted = Wanted { moves: true, extra: false, late: false };
    /// What decoding a page takes.
    pub const PAGE: Wanted = Wanted { moves: true, extra: true, late: false };

    /// Whether each section is wanted, in their order.
    pub fn sections(self) -> [bool; SECTIONS] {
        [true, self.moves, self.extra, self.late]
    }

    /// Whether all of `other` is in here.
    pub fn includes(self, other: Wanted) -> bool {
        self.sections().into_iter().zip(other.sections()).all(|(own, other)| own || !other)
    }
}

/// A chunk, unpacked as far as it is wanted.
#[derive(Debug)]
pub struct Chunk {
    pub has: Wanted,
    pub pages: Vec<PagePlace>,
    pub games: Vec<(Start, GameSummary)>,
    ranks: Vec<u8>,
    /// For each game, where its ranks begin; and where the last end.
    starts: Vec<u32>,
    extra: Vec<u8>,
    late: Vec<u8>,
}

/// Where the parts of a page are in its chunk.
#[derive(Debug, Clone, Copy)]
pub struct PagePlace {
    /// The first of its games, and their number.
    pub first_game: usize,
    pub games: usize,
    ranks: usize,
    variations: (usize, usize),
    late: (usize, usize),
    /// Where the costs of its plies begin, if they are there, and the number of plies.
    surprisals: Option<(usize, usize)>,
}

impl Chunk {
    /// Unpacks a chunk of so many pages and games, whose block has `original` bytes: a move takes at least two of them.
    pub fn unpack(
        sections: &[Vec<u8>; SECTIONS],
        pages: u64,
        games: u64,
        original: u64,
        wanted: Wanted,
    ) -> Result<Chunk> {
        let [head, ranks, extra, late] = sections;
        // A game takes at most a start, ten bytes of plies and the columns; it has a byte in the original.
        let games_limit = games.min(original).saturating_mul(11 + COLUMNS.len() as u64);
        let head =
            unpack(head, games_limit.saturating_add(pages.min(original).saturating_mul(41)))?;
        let mut chunk = Chunk {
            has: wanted,
            pages: vec![],
            games: vec![],
            ranks: vec![],
            starts: vec![],
            extra: vec![],
            late: vec![],
        };
        let [ranks_length, extra_length, late_length] = chunk.read_head(&head, pages, games)?;
        if wanted.moves {
            chunk.ranks = unpack(ranks, original)?;
            is(chunk.ranks.len() as u64 == ranks_length)?;
            chunk.find_games()?;
        }
        if wanted.extra {
            chunk.extra = unpack(extra, original.saturating_mul(2))?;
            is(chunk.extra.len() as u64 == extra_length)?;
        }
        if wanted.late {
            chunk.late = unpack(late, original.saturating_mul(2))?;
            is(chunk.late.len() as u64 == late_length)?;
        }
        Ok(chunk)
    }

    /// Reads what is known of the pages and games; the lengths of the other sections.
    fn read_head(&mut self, mut head: &[u8], pages: u64, games: u64) -> Result<[u64; 3]> {
        is(pages <= head.len() as u64 && games <= head.len() as u64)?;
        let (mut first_game, mut ranks) = (0usize, 0usize);
        let (mut variations, mut late) = (0usize, 0usize);
        let add = |sum: usize, length: usize| sum.checked_add(length).ok_or_else(broken);
        let mut with_surprisals = vec![];
        for _ in 0..pages {
            let games = varint::take_length(&mut head)?;
            let own_ranks = varint::take_length(&mut head)?;
            let own = varint::take_length(&mut head)?;
            let own_late = varint::take_length(&mut head)?;
            let (&flag, rest) = head.split_first().ok_or_else(broken)?;
            is(flag <= 1)?;
            head = rest;
            with_surprisals.push(flag == 1);
            let place = (variations, add(variations, own)?);
            let late_place = (late, add(late, own_late)?);
            self.pages.push(PagePlace {
                first_game,
                games,
                ranks: own_ranks,
                variations: place,
                late: late_place,
                surprisals: None,
            });
            first_game = add(first_game, games)?;
            ranks = add(ranks, own_ranks)?;
            variations = place.1;
            late = late_place.1;
        }
        is(first_game as u64 == games)?;
        let count = first_game;
        let starts = take(&mut head, count)?;
        for &start in starts {
            self.games.push((Start::from_byte(start)?, GameSummary::default()));
        }
        for (start, summary) in &mut self.games {
            summary.plies = varint::take_length(&mut head)? as u64;
            is(*start != Start::Unknown || summary.plies == 0)?;
        }
        for column in COLUMNS {
            let bytes = take(&mut head, count)?;
            for ((_, summary), &byte) in self.games.iter_mut().zip(bytes) {
                *column(summary) = byte;
            }
        }
        is(head.is_empty())?;
        let mut next = variations;
        for (page, with_surprisals) in self.pages.iter_mut().zip(with_surprisals) {
            if with_surprisals {
                let games = &self.games[page.first_game..][..page.games];
                let plies = games.iter().map(|(_, summary)| summary.plies);
                let plies = plies.fold(0u64, u64::saturating_add);
                let plies = usize::try_from(plies).map_err(|_| broken())?;
                page.surprisals = Some((next, plies));
                next = add(next, plies)?;
                next = add(next, plies)?;
            }
        }
        Ok([ranks as u64, next as u64, late as u64])
    }

    /// Finds where the ranks of each game begin.
    fn find_games(&mut self) -> Result<()> {
        let mut rest = &self.ranks[..];
        let place =
            |rest: &[u8]| u32::try_from(self.ranks.len() - rest.len()).map_err(|_| broken());
        let mut starts = Vec::with_capacity(self.games.len() + 1);
        for page in &self.pages {
            let end = rest.len().checked_sub(page.ranks).ok_or_else(broken)?;
            for (_, summary) in &self.games[page.first_game..][..page.games] {
                starts.push(place(rest)?);
                is(summary.plies <= rest.len() as u64)?;
                for _ in 0..summary.plies {
                    take_rank(&mut rest).ok_or_else(broken)?;
                }
            }
            is(rest.len() == end)?;
        }
        starts.push(place(rest)?);
        self.starts = starts;
        Ok(())
    }

    /// Plays the main line of a game from `start`, and shows each position and the move that led there, until `see` has
    /// enough. Whether it was played to its end.
    pub fn play(
        &self,
        game: usize,
        start: Chess,
        openings: &mut Openings,
        mut see: impl FnMut(&Chess, Option<Move>) -> ControlFlow<()>,
    ) -> Result<bool> {
        let mut place = match self.games.get(game) {
            Some((Start::Initial, _)) => Place::Known(0, 0),
            _ => Place::Own(Box::new(Walk::new(start))),
        };
        if see(openings.walk(&place).position(), None).is_break() {
            return Ok(false);
        }
        let illegal = || Error::damaged("an index with an illegal move");
        let mut ranks = self.ranks(game);
        while let Some(rank) = take_rank(&mut ranks) {
            let played = openings.step(&mut place, rank).ok_or_else(illegal)?;
            if see(openings.walk(&place).position(), Some(played)).is_break() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The ranks of the moves of a game.
    fn ranks(&self, game: usize) -> &[u8] {
        match (self.starts.get(game), self.starts.get(game + 1)) {
            (Some(&begin), Some(&end)) => &self.ranks[begin as usize..end as usize],
            _ => &[],
        }
    }

    /// The ranks of the moves of all variations of a page.
    pub fn variations(&self, page: &PagePlace) -> &[u8] {
        self.extra.get(page.variations.0..page.variations.1).unwrap_or_default()
    }

    /// Bytes of moves, surprisals and late tags that are unpacked.
    pub fn bytes(&self) -> u64 {
        (self.ranks.len() + self.extra.len() + self.late.len()) as u64
    }

    /// The values of the late tags of all games of a page.
    pub fn late(&self, page: &PagePlace) -> &[u8] {
        self.late.get(page.late.0..page.late.1).unwrap_or_default()
    }

    /// The surprisals of the games of a page; none if they are not needed.
    pub fn surprisals(&self, page: &PagePlace) -> Vec<Vec<Surprisal>> {
        let Some((begin, plies)) = page.surprisals else { return vec![] };
        let costs = self.extra.get(begin..begin + plies).unwrap_or_default();
        let entropies = self.extra.get(begin + plies..begin + 2 * plies).unwrap_or_default();
        let mut all = costs.iter().zip(entropies);
        let of_game = |&(_, summary): &(Start, GameSummary)| {
            let own = all.by_ref().take(summary.plies as usize);
            own.map(|(&cost, &entropy)| Surprisal { cost, entropy }).collect()
        };
        self.games[page.first_game..][..page.games].iter().map(of_game).collect()
    }
}

fn take<'a>(bytes: &mut &'a [u8], count: usize) -> Result<&'a [u8]> {
    let (taken, rest) = bytes.split_at_checked(count).ok_or_else(broken)?;
    *bytes = rest;
    Ok(taken)
}

fn is(condition: bool) -> Result<()> {
    if condition { Ok(()) } else { Err(broken()) }
}

fn broken() -> Error {
    Error::damaged("an index whose parts do not fit each other")
}
