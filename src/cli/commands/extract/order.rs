//! Games in the order of their tags.

use std::cmp::{Ordering, Reverse};
use std::fs::File;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::str::FromStr;

use plyzip::pgn::{Game, tag_text};
use plyzip::{Error, Result};

/// Tags that games are sorted by, the most important first.
#[derive(Debug, Clone)]
pub struct Order(Vec<Key>);

#[derive(Debug, Clone)]
struct Key {
    /// The name of a tag, or `elo`.
    name: String,
    descending: bool,
}

/// Names that need not be written as the tag is.
const NAMES: [(&str, &str); 9] = [
    ("event", "Event"),
    ("site", "Site"),
    ("date", "Date"),
    ("round", "Round"),
    ("white", "White"),
    ("black", "Black"),
    ("result", "Result"),
    ("eco", "ECO"),
    ("elo", ELO),
];

/// Not a tag: the mean of both ratings.
const ELO: &str = "elo";

impl FromStr for Order {
    type Err = String;

    fn from_str(text: &str) -> Result<Order, String> {
        let keys = text.split(',').map(|key| {
            let key = key.trim();
            let (name, descending) = match key.strip_prefix('-') {
                Some(name) => (name, true),
                None => (key, false),
            };
            let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
            if name.is_empty() || !name.chars().all(is_name) {
                return Err("names of tags are wanted, such as date,white or -elo".to_owned());
            }
            let known = NAMES.iter().find(|(short, _)| short.eq_ignore_ascii_case(name));
            let name = known.map_or(name, |(_, name)| name).to_owned();
            Ok(Key { name, descending })
        });
        Ok(Order(keys.collect::<Result<_, _>>()?))
    }
}

/// The value of a tag as it is sorted: numbers by their size, unknown ones last.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Value {
    Known(Vec<Piece>),
    Unknown,
}

/// A stretch of digits, or of other letters.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Piece {
    Number(u64),
    Letters(String),
}

impl Key {
    fn value(&self, game: &Game) -> Value {
        let value = |name: &str| game.tag(name).map(tag_text).unwrap_or_default();
        if self.name == ELO {
            let elo = |name| value(name).trim().parse::<u64>().ok().filter(|&elo| elo > 0);
            return match elo("WhiteElo").zip(elo("BlackElo")) {
                Some((white, black)) => Value::Known(vec![Piece::Number(white + black)]),
                None => Value::Unknown,
            };
        }
        let text = match &self.name[..] {
            "Date" if game.tag("Date").is_none() => value("UTCDate"),
            name => value(name),
        };
        let text = text.trim();
        match text.is_empty() || text.starts_with('?') || text == "-" {
            true => Value::Unknown,
            false => Value::Known(pieces(&text.to_lowercase())),
        }
    }

    fn compare(&self, one: &Value, other: &Value) -> Ordering {
        match (self.descending, one, other) {
            (true, Value::Known(one), Value::Known(other)) => Reverse(one).cmp(&Reverse(other)),
            _ => one.cmp(other),
        }
    }
}

fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = vec![];
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_digit = first.is_ascii_digit();
        let end = rest.find(|letter: char| letter.is_ascii_digit() != is_digit);
        let (piece, behind) = rest.split_at(end.unwrap_or(rest.len()));
        pieces.push(match piece.parse() {
            Ok(number) if is_digit => Piece::Number(number),
            _ => Piece::Letters(piece.to_owned()),
        });
        rest = behind;
    }
    pieces
}

/// Games that wait in a file without a name until all of them are known.
pub(super) struct Sorting {
    order: Order,
    file: BufWriter<File>,
    /// Where the next one begins.
    end: u64,
    games: Vec<Waiting>,
}

struct Waiting {
    values: Vec<Value>,
    begin: u64,
    length: usize,
}

impl Sorting {
    /// No games yet.
    ///
    /// # Errors
    /// [`Error::Io`] if there is no place for temporary files.
    pub fn new(order: Order) -> Result<Sorting> {
        Ok(Sorting { order, file: BufWriter::new(tempfile::tempfile()?), end: 0, games: vec![] })
    }

    /// One more.
    ///
    /// # Errors
    /// [`Error::Io`] if the file cannot be written.
    pub fn push(&mut self, game: &Game, bytes: &[u8]) -> Result<()> {
        let values = self.order.0.iter().map(|key| key.value(game)).collect();
        self.games.push(Waiting { values, begin: self.end, length: bytes.len() });
        self.end += bytes.len() as u64;
        Ok(self.file.write_all(bytes)?)
    }

    /// Gives `each` all of them in their order; games with the same values stay in that of before.
    ///
    /// # Errors
    /// Those of `each`, and [`Error::Io`] if the file cannot be read.
    pub fn finish(self, mut each: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
        let Sorting { order, file, mut games, .. } = self;
        let mut file = file.into_inner().map_err(|error| Error::Io(error.into_error()))?;
        games.sort_by(|one, other| {
            let values = one.values.iter().zip(&other.values);
            let parts = order.0.iter().zip(values);
            parts.fold(Ordering::Equal, |before, (key, (one, other))| {
                before.then_with(|| key.compare(one, other))
            })
        });
        let mut bytes = vec![];
        for Waiting { begin, length, .. } in games {
            bytes.resize(length, 0);
            file.seek(SeekFrom::Start(begin))?;
            file.read_exact(&mut bytes)?;
            each(&bytes)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use plyzip::pgn;

    use super::*;

    #[test]
    fn numbers_count_by_size_and_the_unknown_is_last() {
        let game = |round: &str, elo: &str| {
            format!("[Round \"{round}\"]\n[WhiteElo \"{elo}\"]\n[BlackElo \"{elo}\"]\n\n*\n\n")
        };
        let text: String =
            [("10", "2500"), ("?", ""), ("9.2", "2700"), ("9.10", "2700"), ("1", "900")]
                .map(|(round, elo)| game(round, elo))
                .concat();
        let sorted = |order: &str| {
            let mut sorting = Sorting::new(order.parse().unwrap()).unwrap();
            let document = pgn::parse(text.as_bytes());
            for (game, range) in document.games().zip(&document.ranges) {
                sorting.push(game, &text.as_bytes()[range.clone()]).unwrap();
            }
            let mut rounds = vec![];
            let push = |game: &[u8]| {
                let game = String::from_utf8(game.to_vec()).unwrap();
                rounds.push(game.split('"').nth(1).unwrap().to_owned());
                Ok(())
            };
            sorting.finish(push).unwrap();
            rounds
        };
        assert_eq!(sorted("round"), ["1", "9.2", "9.10", "10", "?"]);
        assert_eq!(sorted("-round"), ["10", "9.10", "9.2", "1", "?"]);
        assert_eq!(sorted("-elo,-round"), ["9.10", "9.2", "10", "1", "?"]);
        assert_eq!(sorted("Elo"), ["1", "10", "9.2", "9.10", "?"]);
        for wrong in ["", ",", "-", "a b", "date,"] {
            assert!(wrong.parse::<Order>().is_err(), "{wrong}");
        }
    }
}
