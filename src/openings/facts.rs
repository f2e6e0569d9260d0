//! What is counted of a game, read from its tags.

use std::borrow::Cow;

use crate::filters::year;
use crate::pgn::{Tag, tag_text};

/// Higher ratings are none.
const MAX_ELO: u16 = 9_999;

/// Letters of a date, as PGN has them.
const DATE: usize = 10;

/// What is counted of a game.
#[derive(Debug, Clone, Copy)]
pub(super) struct Facts {
    pub result: Outcome,
    /// The mean of both ratings, if there are both.
    pub elo: Option<u16>,
    /// The year of its date, if it is known.
    pub year: Option<u16>,
    /// The date as the tag has it, with spaces behind it if it is shorter.
    date: [u8; DATE],
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    White,
    Draw,
    Black,
    Unknown,
}

impl Outcome {
    /// What the tag Result says.
    pub fn of(result: &str) -> Outcome {
        match result {
            "1-0" => Outcome::White,
            "1/2-1/2" => Outcome::Draw,
            "0-1" => Outcome::Black,
            _ => Outcome::Unknown,
        }
    }
}

impl Facts {
    /// Those of a game with these tags: `Result`, `WhiteElo`, `BlackElo`, and `Date` or else `UTCDate`.
    pub fn of(tags: &[Tag]) -> Facts {
        let result = Outcome::of(&value(tags, "Result").unwrap_or_default());
        let date = value(tags, "Date").or_else(|| value(tags, "UTCDate")).unwrap_or_default();
        let mut letters = [b' '; DATE];
        for (place, letter) in letters.iter_mut().zip(date.chars()) {
            *place = u8::try_from(letter).ok().filter(u8::is_ascii_graphic).unwrap_or(b'?');
        }
        Facts { result, elo: mean_elo(tags), year: year(&date), date: letters }
    }

    /// The date, if its year is known.
    pub fn date(&self) -> Option<&str> {
        self.year?;
        Some(std::str::from_utf8(&self.date).ok()?.trim_end())
    }
}

/// The mean of both players' ratings, which are numbers from 1 to 9,999, rounded down; `None` unless both have one.
///
/// ```
/// use plyzip::openings::mean_elo;
///
/// let pgn = plyzip::pgn::parse(b"[WhiteElo \"2500\"]\n[BlackElo \"2401\"]\n\n1. e4 *\n");
/// let game = pgn.into_games().next().unwrap();
/// assert_eq!(mean_elo(&game.tags), Some(2450));
/// assert_eq!(mean_elo(&game.tags[..1]), None);
/// ```
pub fn mean_elo(tags: &[Tag]) -> Option<u16> {
    let elo = |name| {
        let elo: u16 = value(tags, name)?.trim().parse().ok()?;
        (1..=MAX_ELO).contains(&elo).then_some(elo)
    };
    Some((elo("WhiteElo")? + elo("BlackElo")?) / 2)
}

fn value<'a>(tags: &'a [Tag], name: &str) -> Option<Cow<'a, str>> {
    let tag = tags.iter().find(|tag| tag.name == name.as_bytes());
    tag.map(|tag| tag_text(&tag.value))
}
