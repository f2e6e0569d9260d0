//! What came of games.

use super::facts::{Facts, Outcome};
use crate::pgn::Tag;

/// Games by their result, as the tag Result has it.
///
/// ```
/// use plyzip::openings::GameResults;
///
/// let mut results = GameResults::default();
/// ["1-0", "1/2-1/2", "*"].into_iter().for_each(|result| results.add(result));
/// assert_eq!((results.white, results.draws, results.black, results.unknown), (1, 1, 0, 1));
/// assert_eq!((results.games(), results.score()), (3, Some(75.0)));
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct GameResults {
    /// Games that White has won.
    pub white: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games that Black has won.
    pub black: u64,
    /// Games without a result.
    pub unknown: u64,
}

impl GameResults {
    /// Counts a game with this result.
    pub fn add(&mut self, result: &str) {
        self.count(Outcome::of(result));
    }

    /// All games.
    pub fn games(&self) -> u64 {
        self.white + self.draws + self.black + self.unknown
    }

    /// White's points in percent of those of all games with a result; `None` without such games.
    pub fn score(&self) -> Option<f64> {
        let games = self.white + self.draws + self.black;
        (games > 0).then(|| (self.white as f64 + self.draws as f64 / 2.0) * 100.0 / games as f64)
    }

    /// These games and those of `other`.
    #[must_use]
    pub fn and(mut self, other: &GameResults) -> GameResults {
        self.white += other.white;
        self.draws += other.draws;
        self.black += other.black;
        self.unknown += other.unknown;
        self
    }

    fn count(&mut self, outcome: Outcome) {
        *match outcome {
            Outcome::White => &mut self.white,
            Outcome::Draw => &mut self.draws,
            Outcome::Black => &mut self.black,
            Outcome::Unknown => &mut self.unknown,
        } += 1;
    }
}

/// Results, ratings and years of games, from their tags.
///
/// ```
/// use plyzip::openings::Outcomes;
///
/// let pgn = b"[Date \"1858.??.??\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n[Date \"1851.06.21\"]\n\n1. e4 *\n";
/// let mut outcomes = Outcomes::default();
/// plyzip::pgn::parse(pgn).games().for_each(|game| outcomes.add(&game.tags));
/// assert_eq!((outcomes.games(), outcomes.results.white), (2, 1));
/// assert_eq!((outcomes.years(), outcomes.last_date()), (Some((1851, 1858)), Some("1858.??.??")));
/// assert_eq!(outcomes.elo(), None);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Outcomes {
    /// The results.
    pub results: GameResults,
    /// The mean ratings of both players, summed up, and the number of games that have both.
    ratings: (u64, u64),
    years: Option<(u16, u16)>,
    last_date: Option<String>,
}

impl Outcomes {
    /// Counts a game with these tags.
    pub fn add(&mut self, tags: &[Tag]) {
        self.count(&Facts::of(tags));
    }

    /// All games.
    pub fn games(&self) -> u64 {
        self.results.games()
    }

    /// The mean rating of both players in the games that have both ratings, rounded; `None` without such games.
    pub fn elo(&self) -> Option<u64> {
        let (sum, count) = self.ratings;
        (count > 0).then(|| (sum + count / 2) / count)
    }

    /// The first and the last year of the dates; `None` if none is known.
    pub fn years(&self) -> Option<(u16, u16)> {
        self.years
    }

    /// The last date of which the year is known, as the tag has it, but for letters behind the tenth.
    pub fn last_date(&self) -> Option<&str> {
        self.last_date.as_deref()
    }

    pub(super) fn count(&mut self, facts: &Facts) {
        self.results.count(facts.result);
        if let Some(elo) = facts.elo {
            self.ratings = (self.ratings.0 + u64::from(elo), self.ratings.1 + 1);
        }
        let Some((year, date)) = facts.year.zip(facts.date()) else { return };
        let (first, last) = self.years.unwrap_or((year, year));
        self.years = Some((first.min(year), last.max(year)));
        if self.last_date.as_deref().is_none_or(|last| last < date) {
            self.last_date = Some(date.to_owned());
        }
    }
}
