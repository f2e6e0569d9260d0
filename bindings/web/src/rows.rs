//! The lines of the list of games.

use std::cmp::Ordering;

use plyzip::pgn::{Tag, tag_text};

/// The tags that a line shows, in the order of its cells.
const CELLS: [&str; 8] =
    ["White", "WhiteElo", "Black", "BlackElo", "Result", "Date", "Event", "Site"];

/// Letters of a cell that are kept: a hostile archive has no room for more.
const LETTERS: usize = 120;

/// Lines of games, each as JSON in a single text: an archive can have millions.
#[derive(Debug, Default)]
pub struct Rows {
    text: String,
    /// Where each line ends in the text.
    ends: Vec<usize>,
    /// The numbers of the lines in the order in which they are shown, if that is another.
    order: Option<Vec<usize>>,
}

/// What lines are sorted by. What says nothing comes last, in either direction.
#[derive(Debug, PartialEq, PartialOrd)]
enum Key {
    Number(u64),
    Text(String),
    Nothing,
}

impl Rows {
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Appends the line of a game: its number, from 0 on, then its cells.
    pub fn push(&mut self, number: u64, tags: &[Tag]) -> serde_json::Result<()> {
        let cell = |name: &str| -> String {
            let tag = tags.iter().find(|tag| tag.name == name.as_bytes());
            let text = tag.map(|tag| tag_text(&tag.value)).unwrap_or_default();
            text.chars().take(LETTERS).collect()
        };
        let line = serde_json::to_string(&(number, CELLS.map(cell)))?;
        self.text += &line;
        self.ends.push(self.text.len());
        self.order = None;
        Ok(())
    }

    /// Sorts the lines by a cell, counted from the number of the game on. Lines with the same cell are in the order of
    /// their numbers.
    pub fn sort(&mut self, cell: usize, descending: bool) {
        let keys: Vec<Key> = (0..self.len()).map(|line| key(self.line(line), cell)).collect();
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_by(|&one, &other| {
            let (one, other) = (&keys[one], &keys[other]);
            let ordering = one.partial_cmp(other).unwrap_or(Ordering::Equal);
            match descending && *one != Key::Nothing && *other != Key::Nothing {
                true => ordering.reverse(),
                false => ordering,
            }
        });
        self.order = Some(order);
    }

    fn line(&self, number: usize) -> &str {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start..self.ends[number]]
    }

    /// The lines from one place on to before another, as a JSON list; fewer if there are no more.
    pub fn json(&self, begin: usize, end: usize) -> String {
        let end = end.min(self.len());
        let lines = (begin.min(end)..end)
            .map(|place| self.line(self.order.as_ref().map_or(place, |order| order[place])));
        format!("[{}]", lines.collect::<Vec<_>>().join(","))
    }
}

/// What a line is sorted by.
fn key(line: &str, cell: usize) -> Key {
    let Ok((number, cells)) = serde_json::from_str::<(u64, [String; CELLS.len()])>(line) else {
        return Key::Nothing;
    };
    let Some(name) = cell.checked_sub(1).and_then(|cell| CELLS.get(cell)) else {
        return Key::Number(number);
    };
    let text = cells[cell - 1].trim().to_lowercase();
    if text.chars().all(|letter| matches!(letter, '?' | '-' | '.' | '*')) {
        return Key::Nothing;
    }
    match name.ends_with("Elo") {
        true => text.parse().map_or(Key::Nothing, Key::Number),
        // Of a year or month that is unknown, the days come first.
        false => Key::Text(text.replace('?', " ")),
    }
}
