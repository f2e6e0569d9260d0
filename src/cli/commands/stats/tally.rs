//! Counts of games by year, rating and length.

use std::collections::BTreeMap;

use plyzip::filters::year;
use plyzip::pgn::tag_text;
use plyzip::pgn::{Game, Tag};

use super::openings::Openings;
use plyzip::openings::{GameResults, mean_elo};

/// Rating points of a band.
pub(super) const BAND: u16 = 100;

/// Plies of a class of lengths, and the number of classes; the last has no end.
pub(super) const CLASS: usize = 20;
const CLASSES: usize = 11;

/// The counts of all games. They take no more memory for more games.
#[derive(Debug)]
pub(super) struct Tally {
    pub all: GameResults,
    /// By the year of the date; `None` if it is unknown.
    pub years: BTreeMap<Option<u16>, GameResults>,
    /// By the mean of both ratings, rounded down to a whole band; `None` if one is unknown.
    pub ratings: BTreeMap<Option<u16>, GameResults>,
    pub openings: Openings,
    /// `None` if nobody asked for them.
    pub lengths: Option<Lengths>,
    /// The name of the file that games come from now, if there are several.
    pub file: Option<String>,
}

/// Lengths of games as played.
#[derive(Debug, Default)]
pub(super) struct Lengths {
    /// By plies, in classes.
    pub classes: [GameResults; CLASSES],
    /// Plies of all games.
    pub plies: u64,
    /// The longest game.
    pub longest: Option<Longest>,
}

/// A game that is longer than all others.
#[derive(Debug)]
pub(super) struct Longest {
    /// The name of its file, if there are several.
    pub file: Option<String>,
    pub number: u64,
    pub plies: usize,
}

impl Tally {
    /// Nothing yet; openings are counted for so many plies.
    pub fn new(depth: usize, lengths: bool) -> Tally {
        Tally {
            all: GameResults::default(),
            years: BTreeMap::new(),
            ratings: BTreeMap::new(),
            openings: Openings::new(depth),
            lengths: lengths.then(Lengths::default),
            file: None,
        }
    }

    /// Number of games.
    pub fn games(&self) -> u64 {
        self.all.games()
    }

    /// Counts a game with its number and its tags, and with its first moves and the number of all if they are known.
    pub fn add(&mut self, number: u64, tags: &[Tag], game: Option<(&Game, u64)>) {
        let value = |name: &str| {
            let tag = tags.iter().find(|tag| tag.name == name.as_bytes());
            tag.map(|tag| tag_text(&tag.value))
        };
        let result = value("Result").unwrap_or_default();
        let date = value("Date").or_else(|| value("UTCDate"));
        let mean = mean_elo(tags);
        self.all.add(&result);
        self.years.entry(date.and_then(|date| year(&date))).or_default().add(&result);
        self.ratings.entry(mean.map(|elo| elo / BAND * BAND)).or_default().add(&result);
        let Some((game, plies)) = game else { return };
        self.openings.add(game, &result);
        if let Some(lengths) = &mut self.lengths {
            let plies = usize::try_from(plies).unwrap_or(usize::MAX);
            lengths.add(plies, &result);
            if lengths.longest.as_ref().is_none_or(|longest| plies > longest.plies) {
                lengths.longest = Some(Longest { file: self.file.clone(), number, plies });
            }
        }
    }
}

impl Lengths {
    fn add(&mut self, plies: usize, result: &str) {
        self.classes[(plies / CLASS).min(CLASSES - 1)].add(result);
        self.plies += plies as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tags(values: &[(&str, &str)]) -> Vec<Tag> {
        let tag = |&(name, value): &(&str, &str)| Tag { name: name.into(), value: value.into() };
        values.iter().map(tag).collect()
    }

    #[test]
    fn absurd_values_are_unknown() {
        let mut tally = Tally::new(4, true);
        for (date, elo) in [
            ("99999999999.01.01", "99999999999999999999"),
            ("-1.01.01", "-5"),
            ("", "0"),
            ("\u{ff}", "10000"),
            ("????", "2500.5"),
        ] {
            tally.add(1, &tags(&[("Date", date), ("WhiteElo", elo), ("BlackElo", elo)]), None);
        }
        let most =
            [("Date", "9999"), ("WhiteElo", "9999"), ("BlackElo", "9999"), ("Result", "1-0")];
        tally.add(2, &tags(&most), None);
        let keys =
            |map: &BTreeMap<Option<u16>, GameResults>| map.keys().copied().collect::<Vec<_>>();
        assert_eq!(keys(&tally.years), [None, Some(9999)]);
        assert_eq!(keys(&tally.ratings), [None, Some(9900)]);
        assert_eq!(tally.all, GameResults { white: 1, unknown: 5, ..GameResults::default() });
        assert_eq!((tally.all.score(), GameResults::default().score()), (Some(100.0), None));
    }
}
