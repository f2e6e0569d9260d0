//! Which games are asked for: conditions on their numbers, their tags and their moves (feature `filters`).

mod dates;
mod eco;
mod first_moves;
mod follow;
mod game_numbers;
mod material;
mod named;
mod pattern;
mod position;
mod span;
mod words;

use std::borrow::Cow;
use std::ops::Range;

pub use dates::Dates;
#[cfg(feature = "arrow")]
pub(crate) use dates::days_since_1970;
pub(crate) use dates::parse as dates;
#[cfg(feature = "cli")]
pub(crate) use dates::year;
pub use eco::EcoCodes;
pub(crate) use eco::parse as eco_codes;
pub use first_moves::FirstMoves;
pub(crate) use first_moves::parse as first_moves;
pub use game_numbers::GameNumbers;
pub(crate) use game_numbers::game_numbers;
pub use material::Material;
pub(crate) use material::parse as material;
#[cfg(feature = "cli")]
pub(crate) use named::RESULTS;
pub use pattern::TagPattern;
pub(crate) use pattern::parse as tag_pattern;
pub use position::WantedPosition;
pub(crate) use position::parse as position;
pub use span::Span;
pub(crate) use span::parse as span;
pub use words::Words;
pub(crate) use words::parse as words;

use self::follow::Followers;
use crate::archive::{Follower, Selection, is_late};
use crate::pgn::{Game, Tag, tag_text};

/// The games that meet all conditions, or with `not` those that do not.
#[derive(Debug, Clone, Default)]
pub struct Filters {
    pub(crate) conditions: Vec<Condition>,
    pub(crate) not: bool,
    /// No other games than these, counted from 0 on, whatever the conditions.
    pub(crate) within: Option<Range<u64>>,
}

/// What is asked of a game.
#[derive(Debug, Clone)]
pub(crate) enum Condition {
    Numbers(GameNumbers),
    /// One of these tags has the words.
    Words(&'static [&'static str], Words),
    Dates(Dates),
    /// The ratings of both players.
    Elo(Span),
    Result(&'static str),
    Eco(EcoCodes),
    Tag(TagPattern),
    Plies(Span),
    FirstMoves(FirstMoves),
    Position(WantedPosition),
    Material(Material),
}

impl Condition {
    /// Whether game `number`, from 1 on, meets the condition; `None` if the tags do not tell, and `game` is not there
    /// to tell more. `late` says whether the tags that the moves foretell are among them.
    fn holds(&self, number: u64, tags: &[Tag], late: bool, game: Option<&Game>) -> Option<bool> {
        let value = |name: &str| {
            let tag = tags.iter().find(|tag| tag.name == name.as_bytes());
            tag.map_or(Cow::Borrowed(""), |tag| tag_text(&tag.value))
        };
        Some(match self {
            Condition::Numbers(numbers) => numbers.contain(number),
            Condition::Words(names, words) => names.iter().any(|name| words.are_in(&value(name))),
            Condition::Dates(dates) => {
                let date = value("Date");
                dates.contain(&if date.is_empty() { value("UTCDate") } else { date })
            }
            Condition::Elo(span) => {
                ["WhiteElo", "BlackElo"].iter().all(|name| span.contains_text(&value(name)))
            }
            Condition::Result(result) => value("Result") == *result,
            Condition::Eco(codes) => {
                late.then_some(())?;
                codes.contain(&value("ECO"))
            }
            Condition::Tag(pattern) => {
                if is_late(pattern.name.as_bytes()) {
                    late.then_some(())?;
                }
                let is_there = tags.iter().any(|tag| tag.name == pattern.name.as_bytes());
                is_there && pattern.matches(&value(&pattern.name))
            }
            Condition::Plies(_)
            | Condition::FirstMoves(_)
            | Condition::Position(_)
            | Condition::Material(_) => follow::verdict_on(game?, self.follower()?)?,
        })
    }

    /// What follows the moves of a game, if the condition is one on moves.
    fn follower(&self) -> Option<Box<dyn Follower + '_>> {
        match self {
            Condition::Plies(span) => Some(follow::plies(*span)),
            Condition::FirstMoves(moves) => Some(moves.follower()),
            Condition::Position(position) => Some(position.follower()),
            Condition::Material(material) => Some(material.follower()),
            _ => None,
        }
    }
}

impl Filters {
    /// Whether the tags tell that a game is wanted; `late` says whether those that the moves foretell are among them.
    fn by(&self, number: u64, tags: &[Tag], late: bool) -> Option<bool> {
        let mut verdict = Some(true);
        for condition in &self.conditions {
            match condition.holds(number + 1, tags, late, None) {
                Some(true) => {}
                Some(false) => return Some(self.not),
                None => verdict = None,
            }
        }
        verdict.map(|verdict| verdict != self.not)
    }
}

impl Selection for Filters {
    fn any_of(&self, numbers: Range<u64>) -> bool {
        let meets = |condition: &Condition| match condition {
            Condition::Numbers(wanted) => wanted.meet(numbers.start + 1..=numbers.end),
            _ => true,
        };
        let outside =
            |within: &Range<u64>| within.start >= numbers.end || within.end <= numbers.start;
        if self.within.as_ref().is_some_and(outside) {
            return false;
        }
        self.not || self.conditions.iter().all(meets)
    }

    fn reads_tags(&self) -> bool {
        let reads = |condition: &Condition| match condition {
            Condition::Numbers(_)
            | Condition::Plies(_)
            | Condition::FirstMoves(_)
            | Condition::Position(_)
            | Condition::Material(_) => false,
            Condition::Words(..)
            | Condition::Dates(_)
            | Condition::Elo(_)
            | Condition::Result(_)
            | Condition::Eco(_)
            | Condition::Tag(_) => true,
        };
        self.conditions.iter().any(reads)
    }

    fn by_tags(&self, number: u64, tags: &[Tag]) -> Option<bool> {
        if self.within.as_ref().is_some_and(|within| !within.contains(&number)) {
            return Some(false);
        }
        self.by(number, tags, false)
    }

    fn by_all_tags(&self, number: u64, tags: &[Tag]) -> Option<bool> {
        self.by(number, tags, true)
    }

    fn follow<'a>(&'a self, number: u64, tags: &[Tag]) -> Option<Box<dyn Follower + 'a>> {
        let open =
            |condition: &&Condition| condition.holds(number + 1, tags, false, None).is_none();
        let open = self.conditions.iter().filter(open);
        let others = open.clone().any(|condition| condition.follower().is_none());
        Followers::new(open, others, self.not).map(|followers| Box::new(followers) as _)
    }

    fn by_game(&self, number: u64, game: &Game) -> bool {
        let holds = |condition: &Condition| {
            condition.holds(number + 1, &game.tags, true, Some(game)) == Some(true)
        };
        self.conditions.iter().all(holds) != self.not
    }
}
