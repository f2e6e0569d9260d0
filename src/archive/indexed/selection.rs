//! Selections of an archive's games.

use std::ops::Range;

use shakmaty::{Chess, Move};

use crate::archive::moves_index::GameSummary;
use crate::pgn::{Game, Tag};

/// Whether a game is wanted, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It is, whatever else there is to know of it.
    Wanted,
    /// It is not, whatever else there is to know of it.
    Unwanted,
    /// That depends on what is not known yet.
    Open,
}

impl Verdict {
    /// Whether it depends on what is not known yet.
    pub fn is_open(self) -> bool {
        self == Verdict::Open
    }

    /// This verdict, or if it is open the one that `decide` comes to.
    #[must_use]
    pub fn or_else(self, decide: impl FnOnce() -> Verdict) -> Verdict {
        match self {
            Verdict::Open => decide(),
            known => known,
        }
    }

    /// Whether the game is wanted; `decide` says so if it is open.
    pub(in crate::archive) fn unwrap_or_else(self, decide: impl FnOnce() -> bool) -> bool {
        match self {
            Verdict::Wanted => true,
            Verdict::Unwanted => false,
            Verdict::Open => decide(),
        }
    }
}

/// `true` is [`Verdict::Wanted`].
impl From<bool> for Verdict {
    fn from(wanted: bool) -> Verdict {
        match wanted {
            true => Verdict::Wanted,
            false => Verdict::Unwanted,
        }
    }
}

/// All games.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AllGames;

impl Selection for AllGames {
    fn reads_tags(&self) -> bool {
        false
    }

    fn by_tags(&self, _: u64, _: &[Tag]) -> Verdict {
        Verdict::Wanted
    }

    fn by_game(&self, _: u64, _: &Game) -> bool {
        true
    }
}

/// Which games of an archive are wanted. Numbers of games count from 0 on.
///
/// A game is asked about up to three times, each time with more of it decoded: its tags, its moves one by one, all of
/// it. As soon as there is an answer, nobody asks again.
pub trait Selection: Sync {
    /// Whether any game of these numbers may be wanted. Blocks of other games are not read.
    fn any_of(&self, _numbers: Range<u64>) -> bool {
        true
    }

    /// Whether tags make a difference. If not, an archive that has an index is searched without reading them, and the
    /// other methods may get none.
    fn reads_tags(&self) -> bool {
        true
    }

    /// Whether a game is wanted, as far as its number and its tags tell. If they leave it open, its page is
    /// decoded. Tags of which [`is_late`] says so have no value here.
    fn by_tags(&self, number: u64, tags: &[Tag]) -> Verdict;

    /// Whether a game is wanted, as far as all of its tags tell, those that the moves foretell included. An index has these.
    fn by_all_tags(&self, _number: u64, _tags: &[Tag]) -> Verdict {
        Verdict::Open
    }

    /// What follows the moves of a game that its tags leave open. `None`, as by default, if all of the game is needed.
    /// A page of which no game is wanted is decoded no farther than the moves that tell so.
    fn follow<'a>(&'a self, _number: u64, _tags: &[Tag]) -> Option<Box<dyn Follower + 'a>> {
        None
    }

    /// Whether a game is wanted, with all of its tags and moves. Has to agree with [`follow`](Selection::follow).
    fn by_game(&self, number: u64, game: &Game) -> bool;
}

/// Follows a game as it was played, without variations.
pub trait Follower {
    /// Sees a position: the first one, and the one behind each move, with this move. Whether the game is wanted, if
    /// that is sure now.
    fn see(&mut self, position: &Chess, played: Option<Move>) -> Verdict;

    /// Sees what an index knows of a game before any of its moves. Whether the game is wanted, if that is sure now.
    fn see_summary(&mut self, _summary: &GameSummary) -> Verdict {
        Verdict::Open
    }

    /// There are no more moves. Whether the game is wanted, if that is sure now. Games of variants that plyzip does not
    /// play, or from a position that is not legal, have neither positions nor moves.
    fn end(&mut self) -> Verdict;
}

/// Whether the values of tags of this name stand in the pages, because the moves foretell them: of `ECO` and `Opening`,
/// for instance.
pub fn is_late(name: &[u8]) -> bool {
    plyzip_codec::block::is_late(name)
}
