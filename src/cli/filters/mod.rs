//! Which games are asked for: conditions on their numbers, their tags and their moves.

mod dates;
mod eco;
mod pattern;
mod span;
mod words;

use std::borrow::Cow;
use std::ops::Range;

pub use dates::Dates;
pub(super) use dates::parse as dates;
pub use eco::EcoCodes;
pub(super) use eco::parse as eco_codes;
pub use pattern::TagPattern;
pub(super) use pattern::parse as tag_pattern;
pub use span::Span;
pub(super) use span::parse as span;
pub use words::Words;
pub(super) use words::parse as words;

use super::arguments::GameNumbers;
use super::tag_text::tag_text;
use crate::archive::{Selection, is_late};
use crate::pgn::{Game, Tag};

/// The games that meet all conditions, or with `not` those that do not.
#[derive(Debug, Default)]
pub(super) struct Filters {
    pub conditions: Vec<Condition>,
    pub not: bool,
}

/// What is asked of a game.
#[derive(Debug)]
pub(super) enum Condition {
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
}

impl Condition {
    /// Whether game `number`, from 1 on, meets the condition; `None` if the tags do not tell, and `game` is not there
    /// to tell more.
    fn holds(&self, number: u64, tags: &[Tag], game: Option<&Game>) -> Option<bool> {
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
                game?;
                codes.contain(&value("ECO"))
            }
            Condition::Tag(pattern) => {
                if is_late(pattern.name.as_bytes()) {
                    game?;
                }
                let is_there = tags.iter().any(|tag| tag.name == pattern.name.as_bytes());
                is_there && pattern.matches(&value(&pattern.name))
            }
            Condition::Plies(span) => {
                let plies = game?.lines.first().map_or(0, |line| line.moves.len());
                span.contains(plies as u64)
            }
        })
    }
}

impl Selection for Filters {
    fn any_of(&self, numbers: Range<u64>) -> bool {
        let meets = |condition: &Condition| match condition {
            Condition::Numbers(wanted) => wanted.meet(numbers.start + 1..=numbers.end),
            _ => true,
        };
        self.not || self.conditions.iter().all(meets)
    }

    fn by_tags(&self, number: u64, tags: &[Tag]) -> Option<bool> {
        let mut verdict = Some(true);
        for condition in &self.conditions {
            match condition.holds(number + 1, tags, None) {
                Some(true) => {}
                Some(false) => return Some(self.not),
                None => verdict = None,
            }
        }
        verdict.map(|verdict| verdict != self.not)
    }

    fn by_game(&self, number: u64, game: &Game) -> bool {
        let holds = |condition: &Condition| {
            condition.holds(number + 1, &game.tags, Some(game)) == Some(true)
        };
        self.conditions.iter().all(holds) != self.not
    }
}
