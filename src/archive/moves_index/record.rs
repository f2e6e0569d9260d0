//! The record of a page in an index.

use shakmaty::Chess;

use super::rank::Walk;
use super::summary::GameSummary;
use crate::pgn::{Game, Item};
use crate::{Error, Result, varint};
use plyzip_codec::block::Repeat;
use plyzip_codec::block::Surprisal;
use plyzip_codec::block::is_late;
use plyzip_codec::block::needs_surprisals;

/// How the start of a game is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// It is the initial position.
    Initial = 0,
    /// The tags tell it.
    Tags = 1,
    /// It is not, and the game has no moves.
    Unknown = 2,
}

impl Start {
    /// That of a game.
    pub fn of(game: &Game) -> Start {
        match game.start() {
            None => Start::Unknown,
            Some(start) if start == Chess::default() => Start::Initial,
            Some(_) => Start::Tags,
        }
    }

    /// The start that a byte stands for.
    pub fn from_byte(byte: u8) -> Result<Start> {
        match byte {
            0 => Ok(Start::Initial),
            1 => Ok(Start::Tags),
            2 => Ok(Start::Unknown),
            _ => Err(Error::damaged("an index with a start that is none")),
        }
    }
}

/// What an index keeps of a page.
#[derive(Debug, Clone, Default)]
pub struct PageRecord {
    pub games: Vec<(Start, GameSummary)>,
    /// The ranks of the moves of all main lines.
    pub ranks: Vec<u8>,
    /// Those of all variations, but for games that repeat those of others.
    pub variations: Vec<u8>,
    /// The values of the tags that the moves foretell, of all games, each with its length.
    pub late: Vec<u8>,
    /// How the moves of the main lines compared with their predictions, if reading the page takes that.
    pub surprisals: Option<Vec<Surprisal>>,
}

impl PageRecord {
    /// Of the page with these streams, of which all is known: its items, what its games repeat, and the surprisals of each
    /// game.
    pub fn of_page(
        page: &[u8],
        items: &[Item],
        repeats: &[Option<Repeat>],
        surprisals: &[Vec<Surprisal>],
    ) -> Result<PageRecord> {
        let needed = needs_surprisals(page, items, repeats)?;
        PageRecord::new(items, repeats, needed.then_some(surprisals))
    }

    /// Of a page with these items; `surprisals` are those of each game, if they are needed.
    fn new(
        items: &[Item],
        repeats: &[Option<Repeat>],
        surprisals: Option<&[Vec<Surprisal>]>,
    ) -> Result<PageRecord> {
        let mut record = PageRecord::default();
        if let Some(surprisals) = surprisals {
            record.surprisals = Some(surprisals.iter().flatten().copied().collect());
        }
        for (number, game) in items.iter().filter_map(Item::game).enumerate() {
            for tag in game.tags.iter().filter(|tag| is_late(&tag.name)) {
                varint::put_length(&mut record.late, tag.value.len());
                record.late.extend(&tag.value);
            }
            let repeat = repeats.get(number).and_then(Option::as_ref);
            record.add(game, repeat.is_some_and(|repeat| repeat.has_tokens))?;
        }
        if record.surprisals.as_ref().is_some_and(|all| all.len() as u64 != record.plies()) {
            return Err(Error::Internal("surprisals of other moves than a page has".into()));
        }
        Ok(record)
    }

    fn plies(&self) -> u64 {
        self.games.iter().map(|(_, summary)| summary.plies).sum()
    }

    /// Adds a game; without its variations, if it repeats those of another.
    fn add(&mut self, game: &Game, repeats_tokens: bool) -> Result<()> {
        let Some(start) = game.start() else {
            self.games.push((Start::Unknown, GameSummary::default()));
            return Ok(());
        };
        let mut walk = Walk::new(start.clone());
        let moves = game.lines.first().map_or(&[][..], |line| &line.moves);
        for &played in moves {
            put_rank(&mut self.ranks, walk.rank(played).ok_or_else(illegal)?);
            walk.play(played);
        }
        let summary = GameSummary::new(moves.len() as u64, walk.position());
        self.games.push((Start::of(game), summary));
        if repeats_tokens {
            return Ok(());
        }
        // Where each line starts, and how far it was played through for the variations that leave it.
        let mut lines: Vec<Option<(Walk, Walk, usize)>> = vec![None; game.lines.len()];
        if let Some(first) = lines.first_mut() {
            let walk = Walk::new(start);
            *first = Some((walk.clone(), walk, 0));
        }
        for (number, line) in game.lines.iter().enumerate().skip(1) {
            let branch = line.branch.ok_or_else(illegal)?;
            let (parent, ply) = (branch.line as usize, branch.ply as usize);
            let open = lines.get_mut(parent).and_then(Option::as_mut);
            let (begin, walk, at) = open.ok_or_else(illegal)?;
            if *at > ply {
                (*walk, *at) = (begin.clone(), 0);
            }
            for &played in game.lines[parent].moves.get(*at..ply).ok_or_else(illegal)? {
                walk.play(played);
            }
            *at = ply;
            let begin = Walk::new(walk.position().clone());
            let mut walk = begin.clone();
            for &played in &line.moves {
                put_rank(&mut self.variations, walk.rank(played).ok_or_else(illegal)?);
                walk.play(played);
            }
            lines[number] = Some((begin.clone(), begin, 0));
        }
        Ok(())
    }
}

/// A byte, or two from 255 on: no position has 510 legal moves.
fn put_rank(ranks: &mut Vec<u8>, rank: usize) {
    match u8::try_from(rank) {
        Ok(rank @ ..=254) => ranks.push(rank),
        _ => ranks.extend([255, (rank - 255) as u8]),
    }
}

/// Takes a rank off the start of `ranks`; `None` if they are at their end.
#[inline]
pub fn take_rank(ranks: &mut &[u8]) -> Option<usize> {
    let (&first, rest) = ranks.split_first()?;
    if first < 255 {
        *ranks = rest;
        return Some(usize::from(first));
    }
    let (&second, rest) = rest.split_first()?;
    *ranks = rest;
    Some(255 + usize::from(second))
}

fn illegal() -> Error {
    Error::Internal("a game with an illegal move".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_take_one_byte_or_two() {
        let all: Vec<usize> = (0..=510).collect();
        let mut bytes = vec![];
        all.iter().for_each(|&rank| put_rank(&mut bytes, rank));
        assert_eq!(bytes.len(), 255 + 2 * 256);
        let mut rest = &bytes[..];
        let back: Vec<usize> = std::iter::from_fn(|| take_rank(&mut rest)).collect();
        assert_eq!(back, all);
        assert_eq!(take_rank(&mut &[255][..]), None);
    }
}
