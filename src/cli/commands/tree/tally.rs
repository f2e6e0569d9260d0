//! Counts of games by the move that they go on with.

use std::collections::HashMap;

use shakmaty::Move;

use crate::cli::commands::stats::{Results, mean_elo};
use plyzip::filters::year;
use plyzip::pgn::{Tag, tag_text};

/// Games that go on with some move, or that end.
#[derive(Debug, Clone, Default)]
pub(super) struct Games {
    pub results: Results,
    /// The mean ratings of both players, summed up, and the number of games that have both.
    elo: (u64, u64),
    /// The first and the last year.
    pub years: Option<(u16, u16)>,
    /// The last date.
    pub last: Option<String>,
}

/// The counts of all games.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub all: Games,
    /// By the next move; `None` where the game ends.
    pub next: HashMap<Option<Move>, Games>,
}

impl Tally {
    /// Counts a game with these tags, which goes on so.
    pub fn add(&mut self, tags: &[Tag], next: Option<Move>) {
        self.all.add(tags);
        self.next.entry(next).or_default().add(tags);
    }
}

impl Games {
    /// The mean rating of the games that have both ratings.
    pub fn elo(&self) -> Option<u64> {
        let (sum, count) = self.elo;
        (count > 0).then(|| (sum + count / 2) / count)
    }

    fn add(&mut self, tags: &[Tag]) {
        let value = |name: &str| {
            let tag = tags.iter().find(|tag| tag.name == name.as_bytes());
            tag.map(|tag| tag_text(&tag.value))
        };
        self.results.add(&value("Result").unwrap_or_default());
        if let Some(elo) = mean_elo(tags) {
            self.elo = (self.elo.0 + u64::from(elo), self.elo.1 + 1);
        }
        let Some(date) = value("Date").or_else(|| value("UTCDate")) else { return };
        let Some(year) = year(&date) else { return };
        let (first, last) = self.years.unwrap_or((year, year));
        self.years = Some((first.min(year), last.max(year)));
        if self.last.as_ref().is_none_or(|last| **last < *date) {
            self.last = Some(date.into_owned());
        }
    }
}
