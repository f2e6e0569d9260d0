//! The lines of the list of games.

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
        Ok(())
    }

    /// The lines from one place on to before another, as a JSON list; fewer if there are no more.
    pub fn json(&self, begin: usize, end: usize) -> String {
        let end = end.min(self.len());
        let lines = (begin.min(end)..end).map(|place| {
            let start = place.checked_sub(1).map_or(0, |before| self.ends[before]);
            &self.text[start..self.ends[place]]
        });
        format!("[{}]", lines.collect::<Vec<_>>().join(","))
    }
}
