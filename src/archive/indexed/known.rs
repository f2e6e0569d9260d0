//! Searching with the moves of an index instead of decoding pages.

use std::io::{Read, Seek};
use std::ops::ControlFlow;

use super::candidates::{Found, Page};
use super::scout::Extent;
use super::selection::{Selection, Verdict};
use super::{IndexedReader, mismatch};
use crate::archive::block::PagePayload;
use crate::archive::format::contents::BlockEntry;
use crate::archive::moves_index::{
    BlockMoves, ChunkPlace, MemberId, MovesIndex, Start, Wanted, fault,
};
use crate::pgn::{Game, Item, Line};
use crate::{Error, Result};
use plyzip_codec::block::in_parallel;
use shakmaty::Chess;

/// What an index tells of a page.
enum Lookup {
    /// Nothing: its block has no moves there.
    Unknown,
    /// All that is wanted.
    Done(Found),
    /// Which games are wanted, if their moves tell; the page is to be decoded.
    Decode(Vec<Verdict>),
    /// The index is not what it should be.
    Wrong(Error),
}

impl<R: Read + Seek> IndexedReader<R> {
    /// The number of games, from the first on, whose moves are read from an index.
    pub fn indexed_games(&self) -> u64 {
        let Some((_, blocks)) = &self.index else { return 0 };
        let games = self.summary.stats.games;
        self.blocks.get(*blocks).map_or(games, |block| block.first_game)
    }

    /// Why the index is not used any more, or why it never was: it belongs to another archive, or what it says is wrong.
    /// What was answered before stands: only counts and lists take moves from it without proof.
    pub fn index_fault(&self) -> Option<&str> {
        self.index_fault.as_deref()
    }

    /// What tells each of the archives that follow each other from all others, up to the first whose end is lost.
    pub(super) fn member_ids(&self) -> Vec<MemberId> {
        self.members.iter().map_while(|member| member.id.clone()).collect()
    }

    /// Takes an index, if it is one of this archive.
    pub(super) fn take_index(&mut self, index: Option<MovesIndex>) {
        let Some(index) = index else { return };
        let known = index.known(&self.member_ids());
        let blocks = self.members[..known].iter().map(|member| member.blocks.len()).sum();
        match known {
            0 => self.index_fault = Some("it belongs to another archive".into()),
            _ => self.index = Some((index, blocks)),
        }
    }

    /// The moves of a block, if the index has them.
    pub(super) fn block_moves(&self, number: usize) -> Option<BlockMoves> {
        let (index, blocks) = self.index.as_ref()?;
        let entry = self.blocks.get(number).filter(|_| number < *blocks)?;
        BlockMoves::new(index, number, entry.original_bytes)
    }

    /// What the index gave; `None` if it gave something wrong, and from now on nothing.
    pub(super) fn unless_wrong<T>(&mut self, given: Option<Result<T>>) -> Option<T> {
        match given? {
            Ok(given) => Some(given),
            Err(error) => {
                self.index_fault = Some(fault(error));
                (self.index, self.moves) = (None, None);
                None
            }
        }
    }

    /// Makes sure, without a model, that the index says of all games that it has what the archive says: all of their pages
    /// are decoded, and their checksums compared. Gives back the number of these games.
    ///
    /// # Errors
    /// [`Error::Usage`] if there is no index, or none that fits; [`Error::Damaged`] if it says something else, and for what
    /// is wrong with the archive.
    pub fn check_index(&mut self) -> Result<u64> {
        let fault = self.index_fault.clone().unwrap_or_else(|| "there is none".into());
        let (_, blocks) = self.index.as_ref().ok_or(Error::Usage(fault))?;
        for number in 0..*blocks {
            if let Some(moves) = self.block_moves(number) {
                self.whole_block(number)?.open()?.decode_known(&moves.checked_in_full())?;
            }
        }
        Ok(self.indexed_games())
    }

    /// How many games of these blocks are wanted, if the index tells without their tags and pages.
    pub(super) fn count_known<S: Selection>(
        &mut self,
        numbers: &[usize],
        selection: &S,
    ) -> Option<u64> {
        let (index, blocks) = self.index.as_ref()?;
        if selection.reads_tags() || numbers.iter().any(|number| number >= blocks) {
            return None;
        }
        let mut jobs: Vec<(&BlockEntry, u64, &ChunkPlace)> = vec![];
        for &number in numbers {
            let (entry, chunks) = (self.blocks.get(number)?, index.chunks(number));
            let mut first_game = entry.first_game;
            for chunk in chunks {
                jobs.push((entry, first_game, chunk));
                first_game = first_game.checked_add(chunk.games)?;
            }
            // A block that is stored has no moves there; another number of games belongs to another block.
            if first_game != entry.first_game + entry.games {
                return None;
            }
        }
        let counted = in_parallel(jobs, |(entry, first_game, place)| {
            count_in(index, place, entry.original_bytes, first_game, selection)
        });
        let counted = counted.map(|counts| counts.into_iter().sum::<Option<u64>>());
        self.unless_wrong(Some(counted))?
    }

    /// For each page, what is found in it by the moves of the index; `None` if it is to be decoded with the model.
    pub(super) fn find_known<S: Selection>(
        &mut self,
        pages: &[Page<'_>],
        selection: &S,
        extent: Extent,
    ) -> Vec<Option<Found>> {
        let mut found: Vec<Option<Found>> = pages.iter().map(|_| None).collect();
        if self.index.is_none() {
            return found;
        }
        let looked_up =
            in_parallel(pages.iter().collect(), |page| Ok(page.look_up(selection, extent)));
        let mut jobs = vec![];
        for (place, lookup) in looked_up.unwrap_or_default().into_iter().enumerate() {
            match lookup {
                Lookup::Unknown => {}
                Lookup::Done(all) => found[place] = Some(all),
                Lookup::Decode(verdicts) => {
                    let page = &pages[place];
                    // Of a page that cannot be read, this is told when it is decoded with the model.
                    let payload = page.block.opened.payload(page.number, &mut self.source);
                    if let Ok(payload) = payload {
                        jobs.push((place, page, payload, verdicts));
                    }
                }
                Lookup::Wrong(error) => {
                    self.unless_wrong::<()>(Some(Err(error)));
                }
            }
        }
        let decoded = in_parallel(jobs, |(place, page, payload, verdicts)| {
            Ok((place, page.decode_known(&payload, &verdicts, selection, extent)))
        });
        for (place, decoded) in decoded.unwrap_or_default() {
            found[place] = self.unless_wrong(Some(decoded));
        }
        found
    }
}

impl Page<'_> {
    /// What the index tells of the page.
    fn look_up<S: Selection>(&self, selection: &S, extent: Extent) -> Lookup {
        match &self.block.moves {
            None => Lookup::Unknown,
            Some(moves) => self.try_look_up(moves, selection, extent).unwrap_or_else(Lookup::Wrong),
        }
    }

    fn try_look_up<S: Selection>(
        &self,
        moves: &BlockMoves,
        selection: &S,
        extent: Extent,
    ) -> Result<Lookup> {
        let mut verdicts = self.verdicts().to_vec();
        let is_open = verdicts.contains(&Verdict::Open);
        let is_enough = matches!(extent, Extent::Nothing | Extent::Moves(_) | Extent::Tags);
        if !is_open && !is_enough {
            return Ok(Lookup::Decode(verdicts));
        }
        if is_open {
            self.decide(moves, &mut verdicts, selection)?;
        }
        let wanted =
            verdicts.iter().enumerate().filter(|(_, verdict)| **verdict == Verdict::Wanted);
        let wanted: Vec<usize> = wanted.map(|(index, _)| index).collect();
        let mut found = Found { wanted, ..Found::default() };
        if !is_enough && !found.wanted.is_empty() {
            return Ok(Lookup::Decode(verdicts));
        }
        if extent != Extent::Nothing {
            self.fill(moves, &mut found, extent)?;
        }
        Ok(Lookup::Done(found))
    }

    /// Finds for each game whether it is wanted, by its moves, then by all of its tags, and else by both.
    fn decide<S: Selection>(
        &self,
        moves: &BlockMoves,
        verdicts: &mut [Verdict],
        selection: &S,
    ) -> Result<()> {
        let page = moves.page(self.number, Wanted::MOVES)?;
        page.check_games(verdicts.len())?;
        moves.index.with_openings(|openings| {
            for (index, verdict) in verdicts.iter_mut().enumerate() {
                if !verdict.is_open() {
                    continue;
                }
                let game = self.block.game(self.games.start + index)?;
                let summary = page.summary(index, game)?;
                let Some(mut follower) = selection.follow(self.number_of(index), &game.tags) else {
                    continue;
                };
                let Some(start) = game.start() else {
                    *verdict = follower.end();
                    continue;
                };
                *verdict = follower.see_summary(&summary);
                if !verdict.is_open() {
                    continue;
                }
                let is_whole = page.play(index, start, openings, |position, played| {
                    *verdict = follower.see(position, played);
                    if !verdict.is_open() {
                        ControlFlow::Break(())
                    } else {
                        ControlFlow::Continue(())
                    }
                })?;
                if is_whole {
                    *verdict = follower.end();
                }
            }
            Ok::<(), Error>(())
        })?;
        if !verdicts.contains(&Verdict::Open) {
            return Ok(());
        }
        let page = moves.page(self.number, Wanted { late: true, ..Wanted::MOVES })?;
        let mut late = page.late();
        moves.index.with_openings(|openings| {
            for (index, verdict) in verdicts.iter_mut().enumerate() {
                let game = self.block.game(self.games.start + index)?;
                let mut tags = game.tags.clone();
                late.fill(&mut tags)?;
                let number = self.number_of(index);
                if verdict.is_open() {
                    *verdict = selection.by_all_tags(number, &tags);
                }
                if verdict.is_open() {
                    let moves = match game.start() {
                        Some(start) => page.first_moves(index, start, usize::MAX, openings)?,
                        None => vec![],
                    };
                    let lines = vec![Line { branch: None, moves }];
                    let game = Game { tags, lines, tokens: vec![] };
                    *verdict = selection.by_game(number, &game).into();
                }
            }
            Ok(())
        })
    }

    /// Fills in what is wanted of the games that were found: their first moves, or all of their tags; and their plies.
    fn fill(&self, moves: &BlockMoves, found: &mut Found, extent: Extent) -> Result<()> {
        let plies = match extent {
            Extent::Moves(plies) => plies,
            _ => 0,
        };
        let late = extent == Extent::Tags;
        let page = moves.page(self.number, Wanted { moves: plies > 0, extra: false, late })?;
        let games = self.games.len();
        page.check_games(games)?;
        let mut values = page.late();
        let mut wanted = found.wanted.iter().peekable();
        moves.index.with_openings(|openings| {
            for index in 0..games {
                let game = self.block.game(self.games.start + index)?;
                found.games.push(index);
                let is_wanted = wanted.next_if(|&&wanted| wanted == index).is_some();
                if !is_wanted && !late {
                    found.plies.push(0);
                    found.items.push(Item::Game(Game::default()));
                    continue;
                }
                let mut tags = game.tags.clone();
                if late {
                    values.fill(&mut tags)?;
                }
                let moves = match game.start() {
                    Some(start) if plies > 0 => page.first_moves(index, start, plies, openings)?,
                    _ => vec![],
                };
                found.plies.push(page.summary(index, game)?.plies);
                let lines = vec![Line { branch: None, moves }];
                found.items.push(Item::Game(Game { tags, lines, tokens: vec![] }));
            }
            Ok(())
        })
    }

    /// Decodes the page, as far as it is wanted, with the moves of the index.
    fn decode_known<S: Selection>(
        &self,
        payload: &PagePayload,
        verdicts: &[Verdict],
        selection: &S,
        extent: Extent,
    ) -> Result<Found> {
        let moves = self.block.moves.as_ref().ok_or_else(mismatch)?;
        // What is given out is proved by the checksum of the bytes.
        let (text, items) = self.block.opened.known_page(self.number, payload, moves)?;
        let games = items.iter().enumerate().filter(|(_, item)| item.game().is_some());
        let games: Vec<usize> = games.map(|(place, _)| place).collect();
        let mut found = Found { text: Some(text), items, games, ..Found::default() };
        for (index, verdict) in verdicts.iter().enumerate() {
            let is_wanted = match verdict {
                Verdict::Open => selection.by_game(self.number_of(index), found.game(index)?),
                known => *known == Verdict::Wanted,
            };
            if is_wanted {
                found.wanted.push(index);
            }
        }
        found.keep(extent);
        Ok(found)
    }
}

/// How many games of a chunk are wanted; `None` if some of them need their tags or their page.
fn count_in<S: Selection>(
    index: &MovesIndex,
    place: &ChunkPlace,
    original: u64,
    first_game: u64,
    selection: &S,
) -> Result<Option<u64>> {
    let chunk = index.chunk(place, original, Wanted::SUMMARIES)?;
    let (mut count, mut open) = (0, vec![]);
    for (number, (game, &(start, summary))) in (first_game..).zip(chunk.games.iter().enumerate()) {
        let verdict = match selection.by_tags(number, &[]) {
            Verdict::Open => {
                let Some(mut follower) = selection.follow(number, &[]) else { return Ok(None) };
                let verdict = match start {
                    Start::Tags => return Ok(None),
                    Start::Unknown => follower.end(),
                    Start::Initial => follower.see_summary(&summary),
                };
                if verdict.is_open() && start == Start::Initial {
                    open.push((game, follower));
                    continue;
                }
                verdict
            }
            known => known,
        };
        match verdict {
            Verdict::Wanted => count += 1,
            Verdict::Unwanted => {}
            Verdict::Open => return Ok(None),
        }
    }
    if open.is_empty() {
        return Ok(Some(count));
    }
    let chunk = index.chunk(place, original, Wanted::MOVES)?;
    index.with_openings(|openings| {
        for (game, mut follower) in open {
            let mut verdict = Verdict::Open;
            let is_whole = chunk.play(game, Chess::default(), openings, |position, played| {
                verdict = follower.see(position, played);
                if !verdict.is_open() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })?;
            if is_whole {
                verdict = follower.end();
            }
            match verdict {
                Verdict::Wanted => count += 1,
                Verdict::Unwanted => {}
                Verdict::Open => return Ok(None),
            }
        }
        Ok(Some(count))
    })
}
