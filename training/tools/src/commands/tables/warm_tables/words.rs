//! Words that are frequent in a column.

use std::collections::{BTreeMap, HashMap};

use plyzip::pgn::Game;
use plyzip::unstable::streams::tags::{LEAST_RATING, RATING_STEP};
use plyzip::unstable::streams::warm::Dictionary;

/// Counts of words, by column; players stand under "".
#[derive(Debug, Default)]
pub struct Words {
    counts: BTreeMap<&'static str, HashMap<Vec<u8>, f64>>,
    /// The last ratings of players.
    ratings: HashMap<Vec<u8>, i64>,
}

/// Masters of the past, typed in.
const MASTERS: &str = include_str!("masters.txt");

const COLUMNS: [(&str, &str, usize); 4] =
    [("White", "", 3000), ("Black", "", 3000), ("Site", "Site", 600), ("Event", "Event", 300)];

impl Words {
    /// Takes note of a game's words; `place` is 0 at the first and 1 at the last of all games. Of late is
    /// worth more than long ago.
    pub fn count(&mut self, game: &Game, place: f64) {
        for (tag, column, _) in COLUMNS {
            if let Some(value) = game
                .tag(tag)
                .filter(|value| value.len() > 1 && !value.iter().any(u8::is_ascii_control))
            {
                let counts = self.counts.entry(column).or_default();
                *counts.entry(value.to_vec()).or_default() += 0.2 + place * place * place;
            }
        }
        for (tag, elo) in [("White", "WhiteElo"), ("Black", "BlackElo")] {
            let rating = game.tag(elo).and_then(|elo| std::str::from_utf8(elo).ok()?.parse().ok());
            if let (Some(name), Some(rating)) = (game.tag(tag), rating) {
                self.ratings.insert(name.to_vec(), rating);
            }
        }
    }

    /// The words of a column, the most frequent first.
    pub fn of(&self, column: &str) -> Vec<(&[u8], f64)> {
        let counts = self.counts.get(column).into_iter().flatten();
        let mut words: Vec<(&[u8], f64)> =
            counts.map(|(word, &count)| (&word[..], count)).collect();
        words.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(b.0)));
        words
    }

    /// The sections of the tables.
    pub fn sections(&self) -> Vec<(String, Vec<u8>)> {
        let mut sections = Vec::new();
        for (_, column, most) in &COLUMNS[1..] {
            let mut words = self.of(column);
            words.truncate(*most);
            words.sort_unstable_by_key(|&(word, _)| word);
            if column.is_empty() {
                // Not only those who play today, but also those whose games are in books.
                let known = words.len();
                for master in MASTERS.lines().map(str::as_bytes) {
                    if words[..known].iter().all(|&(word, _)| word != master) {
                        words.push((master, 6.0));
                    }
                }
                words.sort_unstable_by_key(|&(word, _)| word);
                let rating = |name: &[u8]| match self.ratings.get(name) {
                    Some(rating) => ((rating - LEAST_RATING) / RATING_STEP).clamp(0, 255) as u8,
                    None => 0,
                };
                let ratings = words.iter().map(|(name, _)| rating(name)).collect();
                sections.push(("ratings".into(), ratings));
            }
            let words = words.into_iter().map(|(word, count)| (word, (count * 4.0) as u64));
            sections.push((format!("words:{column}"), Dictionary::write(words)));
        }
        sections
    }
}
