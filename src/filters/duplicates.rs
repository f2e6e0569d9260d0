//! Games that stood before.

use std::collections::HashMap;

use shakmaty::fen::Fen;
use shakmaty::{Chess, EnPassantMode};

use super::words::{fold, words};
use crate::pgn::{Game, tag_text};

/// Finds games that stood before, among those that it has seen: from the same position with the same moves, with the same
/// players, result and date. Comments, variations and all other tags may differ.
///
/// Games are told apart by 128 bits of a hash (BLAKE3) of all that; a game takes some 40 bytes of memory. Games without
/// moves are no duplicates.
///
/// ```
/// use plyzip::filters::Duplicates;
/// use plyzip::pgn;
///
/// let document = pgn::parse(b"[White \"Anderssen, A.\"]\n\n1. e4 e5 *\n\n[White \"Anderssen,Adolf\"]\n\n1. e4 e5 *\n");
/// let (mut strict, mut near) = (Duplicates::new(), Duplicates::near());
/// let mut found = vec![];
/// for (number, game) in document.games().enumerate() {
///     found.push((strict.see(number, game), near.see(number, game)));
/// }
/// assert_eq!(found, [(None, None), (None, Some(0))]);
/// ```
#[derive(Debug, Clone)]
pub struct Duplicates<T> {
    near: bool,
    /// For each game, what its first one is called.
    seen: HashMap<[u8; 16], T>,
}

impl<T: Clone> Duplicates<T> {
    /// Takes games for the same if the tags White, Black, Result and Date (or UTCDate) are the same to the letter.
    pub fn new() -> Duplicates<T> {
        Duplicates { near: false, seen: HashMap::new() }
    }

    /// Takes games for the same if their players and their results are, however the players are spelt: accents, case and
    /// punctuation do not count, and of given names only the first letter of the first. Dates do not count.
    pub fn near() -> Duplicates<T> {
        Duplicates { near: true, seen: HashMap::new() }
    }

    /// Sees a game; if it stood before, what its first one was called. Games that are new get the name `name`.
    ///
    /// The tags and the first of the [`lines`](Game::lines) of `game` are all that is looked at.
    pub fn see(&mut self, name: T, game: &Game) -> Option<T> {
        let hash = self.hash(game)?;
        match self.seen.get(&hash) {
            Some(first) => Some(first.clone()),
            None => {
                self.seen.insert(hash, name);
                None
            }
        }
    }

    /// What tells a game from others; `None` if it has no moves.
    fn hash(&self, game: &Game) -> Option<[u8; 16]> {
        let moves = &game.lines.first()?.moves;
        if moves.is_empty() {
            return None;
        }
        let mut hasher = blake3::Hasher::new();
        let mut text = |text: &str| {
            // Lengths keep one value from running into the next.
            hasher.update(&(text.len() as u64).to_le_bytes());
            hasher.update(text.as_bytes());
        };
        let start = game.start().filter(|start| *start != Chess::default());
        let fen = start.map(|start| Fen::from_position(&start, EnPassantMode::Legal).to_string());
        text(&fen.unwrap_or_default());
        let value = |name: &str| game.tag(name).map(tag_text).unwrap_or_default();
        for name in ["White", "Black"] {
            match self.near {
                true => text(&near_name(&value(name))),
                false => text(&value(name)),
            }
        }
        text(&value("Result"));
        if !self.near {
            let date = if game.tag("Date").is_some() { "Date" } else { "UTCDate" };
            text(&value(date));
        }
        let mut bytes = Vec::with_capacity(3 * moves.len());
        for played in moves {
            let promotion = played.promotion().map_or(0, |role| role as u8);
            bytes.extend([
                played.from().map_or(64, |from| from as u8),
                played.to() as u8,
                promotion,
            ]);
        }
        hasher.update(&bytes);
        hasher.finalize().as_bytes().first_chunk().copied()
    }
}

impl<T: Clone> Default for Duplicates<T> {
    fn default() -> Duplicates<T> {
        Duplicates::new()
    }
}

/// A name without what differs from one collection to the other: `carlsen m` for `Carlsen, Magnus`, `CARLSEN,M.` and
/// `Magnus Carlsen`.
fn near_name(name: &str) -> String {
    let folded = fold(name);
    // The family name stands before a comma, or else last.
    let (family, given) = match folded.split_once(',') {
        Some(parts) => parts,
        None => {
            let trimmed = folded.trim_end_matches(|letter: char| !letter.is_alphanumeric());
            match trimmed.rsplit_once(char::is_whitespace) {
                // `Carlsen M`, as some collections have it.
                Some((family, initial)) if initial.chars().count() == 1 => (family, initial),
                Some((given, family)) => (family, given),
                None => (trimmed, ""),
            }
        }
    };
    let mut near = words(family).collect::<Vec<_>>().join(" ");
    if let Some(initial) = words(given).next().and_then(|word| word.chars().next()) {
        near.push(' ');
        near.push(initial);
    }
    near
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn;

    /// Which of these games stand before one with the same number.
    fn found(mut duplicates: Duplicates<usize>, text: &str) -> Vec<Option<usize>> {
        let document = pgn::parse(text.as_bytes());
        document.games().enumerate().map(|(number, game)| duplicates.see(number, game)).collect()
    }

    fn game(tags: &[(&str, &str)], moves: &str) -> String {
        let tags: String =
            tags.iter().map(|(name, value)| format!("[{name} \"{value}\"]\n")).collect();
        format!("{tags}\n{moves}\n\n")
    }

    #[test]
    fn all_that_tells_games_apart_counts_and_nothing_else() {
        let tags = [("White", "A"), ("Black", "B"), ("Date", "1999.??.??"), ("Result", "1-0")];
        let with = |name: &str, value| {
            let mut tags = tags.to_vec();
            tags.retain(|(known, _)| *known != name);
            tags.push((name, value));
            game(&tags, "1. e4 e5 1-0")
        };
        let games = [
            game(&tags, "1. e4 e5 1-0"),
            game(&tags, "1. e4 {!} (1. d4) e5 1-0"),
            with("Event", "other"),
            with("White", "C"),
            with("Black", "A"),
            with("Date", "2000.??.??"),
            with("Result", "0-1"),
            game(&tags, "1. e4 e5 2. Nf3 1-0"),
            with("FEN", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1"),
            game(&tags, "1-0"),
            game(&tags, "1-0"),
        ];
        let wanted = [None, Some(0), Some(0), None, None, None, None, None, None, None, None];
        assert_eq!(found(Duplicates::new(), &games.concat()), wanted);
        // The date does not count.
        let near = found(Duplicates::near(), &games.concat());
        assert_eq!((near[5], near[6]), (Some(0), None));
    }

    #[test]
    fn names_are_near_if_only_their_spelling_differs() {
        for name in [
            "Carlsen, Magnus",
            "CARLSEN,M.",
            "Carlsen,M",
            "Magnus Carlsen",
            "carlsen m",
            "Carlsén, Magnus Ø.",
        ] {
            assert_eq!(near_name(name), "carlsen m", "{name}");
        }
        assert_eq!(near_name("Van den Berg,C"), "van den berg c");
        assert_eq!(near_name("Morphy"), "morphy");
        assert_eq!((near_name("?"), near_name("")), (String::new(), String::new()));
        assert_ne!(near_name("Polgar, Judit"), near_name("Polgar, Sofia"));
    }
}
