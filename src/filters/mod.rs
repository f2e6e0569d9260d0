//! Filters: conditions on the numbers, the tags and the moves of games (feature `filters`).

mod dates;
mod duplicates;
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
use std::str::FromStr;

pub use dates::{Dates, days_since_1970, year};
pub use duplicates::Duplicates;
pub use eco::EcoCodes;
pub use first_moves::FirstMoves;
pub use game_numbers::GameNumbers;
pub use material::Material;
pub use named::{RESULT_NAMES, RESULTS, result};
pub use pattern::TagPattern;
pub use position::WantedPosition;
pub use span::Span;
pub use words::Words;

use self::follow::Followers;
use crate::archive::{Follower, Selection, Verdict, is_late};
use crate::pgn::{Game, Tag, tag_text};
use crate::{Error, Result};

/// The games that meet all conditions, or those that do not.
///
/// Each condition is a type that is read from a text, as the option of `plyzip extract` has it:
///
/// ```
/// use std::io::Cursor;
/// use plyzip::Model;
/// use plyzip::archive::{ArchiveWriter, IndexedReader};
/// use plyzip::filters::{Condition, Filters};
///
/// let mut writer = ArchiveWriter::new(Vec::new(), Model::none())?;
/// writer.push(b"[White \"Morphy, Paul\"]\n[Date \"1858.??.??\"]\n\n1. e4 e5 2. Nf3 d6 1-0\n")?;
/// let mut reader = IndexedReader::open(Cursor::new(writer.finish()?.0))?;
///
/// let filters = Filters::new()
///     .and(Condition::player("morphy".parse()?))
///     .and(Condition::Dates("1857..1859".parse()?))
///     .and(Condition::FirstMoves("e4 e5 Nf3".parse()?));
/// assert_eq!(reader.select(&filters).count()?, 1);
/// assert_eq!(reader.select(&filters.negated()).count()?, 0);
/// # Ok::<(), plyzip::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Filters {
    conditions: Vec<Condition>,
    not: bool,
    /// No other games than these, counted from 0 on, whatever the conditions.
    within: Option<Range<u64>>,
}

/// What is asked of a game.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Condition {
    /// Its number is one of these.
    Numbers(GameNumbers),
    /// One of these tags has the words.
    Words(&'static [&'static str], Words),
    /// It was played on these days.
    Dates(Dates),
    /// The ratings of both players are in this span.
    Elo(Span),
    /// The tag Result has this value, one of [`RESULTS`].
    Result(&'static str),
    /// The tag ECO is one of these codes.
    Eco(EcoCodes),
    /// A tag's value matches.
    Tag(TagPattern),
    /// It has so many plies.
    Plies(Span),
    /// It begins with these moves.
    FirstMoves(FirstMoves),
    /// It goes through this position.
    Position(WantedPosition),
    /// It has exactly these pieces on the board at some ply.
    Material(Material),
}

/// The games that meet all of these conditions.
impl FromIterator<Condition> for Filters {
    fn from_iter<I: IntoIterator<Item = Condition>>(conditions: I) -> Filters {
        Filters { conditions: conditions.into_iter().collect(), ..Filters::default() }
    }
}

/// Reads a type's conditions as the option of `plyzip extract` has them.
macro_rules! from_str {
    ($($type:ty: $parse:path),+ $(,)?) => {
        $(impl FromStr for $type {
            type Err = Error;

            /// # Errors
            /// [`Error::Usage`] with what is wanted instead.
            fn from_str(text: &str) -> Result<$type> {
                $parse(text).map_err(Error::Usage)
            }
        })+
    };
}

from_str! {
    Dates: dates::parse,
    EcoCodes: eco::parse,
    FirstMoves: first_moves::parse,
    GameNumbers: game_numbers::parse,
    Material: material::parse,
    Span: span::parse,
    TagPattern: pattern::parse,
    WantedPosition: position::parse,
    Words: words::parse,
}

impl Condition {
    /// White or Black has these words in the name.
    pub fn player(words: Words) -> Condition {
        Condition::Words(&["White", "Black"], words)
    }

    /// Whether game `number`, from 1 on, meets the condition; open if the tags do not tell, and `game` is not there
    /// to tell more. `late` says whether the tags that the moves foretell are among them.
    fn holds(&self, number: u64, tags: &[Tag], late: bool, game: Option<&Game>) -> Verdict {
        let value = |name: &str| {
            let tag = tags.iter().find(|tag| tag.name == name.as_bytes());
            tag.map_or(Cow::Borrowed(""), |tag| tag_text(&tag.value))
        };
        let holds = match self {
            Condition::Numbers(numbers) => numbers.contains(number),
            Condition::Words(names, words) => names.iter().any(|name| words.matches(&value(name))),
            Condition::Dates(dates) => {
                let date = value("Date");
                dates.contains(&if date.is_empty() { value("UTCDate") } else { date })
            }
            Condition::Elo(span) => {
                ["WhiteElo", "BlackElo"].iter().all(|name| span.contains_text(&value(name)))
            }
            Condition::Result(result) => value("Result") == *result,
            Condition::Eco(_) if !late => return Verdict::Open,
            Condition::Eco(codes) => codes.contains(&value("ECO")),
            Condition::Tag(pattern) => {
                if is_late(pattern.name.as_bytes()) && !late {
                    return Verdict::Open;
                }
                let is_there = tags.iter().any(|tag| tag.name == pattern.name.as_bytes());
                is_there && pattern.matches(&value(&pattern.name))
            }
            Condition::Plies(_)
            | Condition::FirstMoves(_)
            | Condition::Position(_)
            | Condition::Material(_) => {
                return match (game, self.follower()) {
                    (Some(game), Some(follower)) => follow::verdict_on(game, follower),
                    _ => Verdict::Open,
                };
            }
        };
        holds.into()
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
    /// All games.
    pub fn new() -> Filters {
        Filters::default()
    }

    /// The same, but each game has to meet `condition`, too.
    #[must_use]
    pub fn and(mut self, condition: Condition) -> Filters {
        self.conditions.push(condition);
        self
    }

    /// Whether the tags tell that a game is wanted; `late` says whether those that the moves foretell are among them.
    fn by(&self, number: u64, tags: &[Tag], late: bool) -> Verdict {
        let mut verdict = Verdict::from(!self.not);
        for condition in &self.conditions {
            match condition.holds(number + 1, tags, late, None) {
                Verdict::Wanted => {}
                Verdict::Unwanted => return self.not.into(),
                Verdict::Open => verdict = Verdict::Open,
            }
        }
        verdict
    }
}

impl Selection for Filters {
    fn any_of(&self, numbers: Range<u64>) -> bool {
        let meets = |condition: &Condition| match condition {
            Condition::Numbers(wanted) => wanted.meets(numbers.start + 1..=numbers.end),
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

    fn by_tags(&self, number: u64, tags: &[Tag]) -> Verdict {
        if self.within.as_ref().is_some_and(|within| !within.contains(&number)) {
            return Verdict::Unwanted;
        }
        self.by(number, tags, false)
    }

    fn by_all_tags(&self, number: u64, tags: &[Tag]) -> Verdict {
        self.by(number, tags, true)
    }

    fn follow<'a>(&'a self, number: u64, tags: &[Tag]) -> Option<Box<dyn Follower + 'a>> {
        let open =
            |condition: &&Condition| condition.holds(number + 1, tags, false, None).is_open();
        let open = self.conditions.iter().filter(open);
        let others = open.clone().any(|condition| condition.follower().is_none());
        Followers::new(open, others, self.not).map(|followers| Box::new(followers) as _)
    }

    fn by_game(&self, number: u64, game: &Game) -> bool {
        let holds = |condition: &Condition| {
            condition.holds(number + 1, &game.tags, true, Some(game)) == Verdict::Wanted
        };
        self.conditions.iter().all(holds) != self.not
    }
}
