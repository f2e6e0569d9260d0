//! What is wanted of the games that are found.

use super::scout::Extent;
use crate::Result;
use crate::pgn::{Game, Tag};

/// What takes the number of each game, its tags and its plies.
type EachLine<'a> = &'a mut dyn FnMut(u64, &[Tag], u64) -> Result<()>;

/// What takes the number of each game, what it says, and its bytes.
type EachWhole<'a> = &'a mut dyn FnMut(u64, &Game, &[u8]) -> Result<()>;

/// What takes the number of each game that is found, and what was asked for of it.
pub(in crate::archive) enum Visitor<'a> {
    /// Nobody: they are counted.
    Count,
    Tags(&'a mut dyn FnMut(u64, &[Tag]) -> Result<()>),
    /// As far as so many of the first moves.
    Moves(usize, &'a mut dyn FnMut(u64, &Game) -> Result<()>),
    /// So many of the first moves, and the number of all.
    Openings(usize, &'a mut dyn FnMut(u64, &Game, u64) -> Result<()>),
    /// All tags, and the number of plies.
    Lines(EachLine<'a>),
    Games(&'a mut dyn FnMut(u64, &Game) -> Result<()>),
    Texts(&'a mut dyn FnMut(u64, &[u8]) -> Result<()>),
    /// All that it says, and its bytes.
    Whole(EachWhole<'a>),
}

impl Visitor<'_> {
    /// How much of a page it takes.
    pub(super) fn extent(&self) -> Extent {
        match self {
            Visitor::Count | Visitor::Tags(_) => Extent::Nothing,
            Visitor::Moves(plies, _) | Visitor::Openings(plies, _) => Extent::Moves(*plies),
            Visitor::Lines(_) => Extent::Tags,
            Visitor::Games(_) => Extent::Game,
            Visitor::Texts(_) => Extent::Text,
            Visitor::Whole(_) => Extent::Whole,
        }
    }

    /// Whether it takes the moves of a game, or how many there are.
    pub fn takes_moves(&self) -> bool {
        match self {
            Visitor::Count | Visitor::Tags(_) | Visitor::Moves(0, _) | Visitor::Texts(_) => false,
            Visitor::Moves(..)
            | Visitor::Openings(..)
            | Visitor::Lines(_)
            | Visitor::Games(_)
            | Visitor::Whole(_) => true,
        }
    }
}
