//! A page to step through games in a browser: one file with everything in it.

use std::io;

use plyzip::Result;
use plyzip::unstable::{drawn_board, drawn_square};
use serde::Serialize;

use super::annotated::{Annotated, LikelyName, percent};
use super::table::{self, CAUTION};
use crate::cli::shown::shown;

/// The page, with places for what differs from game to game between `@`.
const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
const PIECES: &str = include_str!("pieces.svg");

/// Surprises that the arrow keys lead to.
const SURPRISES: usize = 8;

/// What the script reads of a game.
#[derive(Debug, Serialize)]
struct Game<'a> {
    number: u64,
    title: String,
    figures: String,
    /// The pieces before the first move.
    start: String,
    plies: Vec<Ply<'a>>,
}

/// A move. Squares count from a8 on, line by line.
#[derive(Debug, Serialize)]
struct Ply<'a> {
    name: String,
    /// The number of the move.
    count: String,
    white: bool,
    san: &'a str,
    from: usize,
    to: usize,
    bits: f64,
    probability: f64,
    chance: String,
    about: String,
    surprising: bool,
    others: Vec<Other<'a>>,
    /// The pieces after it.
    board: String,
}

/// A move that was not played.
#[derive(Debug, Serialize)]
struct Other<'a> {
    san: &'a str,
    from: usize,
    to: usize,
    probability: f64,
    chance: String,
}

impl Other<'_> {
    fn of(other: &LikelyName) -> Other<'_> {
        let LikelyName { named, probability } = other;
        Other {
            san: &named.san,
            from: drawn_square(named.from),
            to: drawn_square(named.to),
            probability: *probability,
            chance: percent(*probability),
        }
    }
}

/// A page of games, to which one after the other is added.
#[derive(Debug, Default)]
pub struct Page {
    /// The title of the first.
    title: String,
    games: usize,
    /// JSON of each, with commas between.
    json: String,
}

impl Page {
    /// Adds a game.
    pub fn add(&mut self, game: &Annotated) -> Result<()> {
        let json = serde_json::to_string(&data(game)).map_err(io::Error::from)?;
        match self.games {
            0 => self.title = shown(&game.title()).into_owned(),
            _ => self.json.push(','),
        }
        self.games += 1;
        // In a script, nothing but `<` could begin anything else.
        self.json += &json.replace('<', "\\u003c");
        Ok(())
    }

    /// The games that it has.
    pub fn games(&self) -> usize {
        self.games
    }

    /// All of the page.
    pub fn finish(self) -> String {
        let title = match self.games {
            1 => self.title,
            games => format!("{games} games"),
        };
        let parts = [
            ("title", escaped(&title)),
            ("caution", escaped(CAUTION)),
            ("style", STYLE.to_owned()),
            ("script", SCRIPT.to_owned()),
            ("pieces", PIECES.to_owned()),
            ("games", format!("[{}]", self.json)),
        ];
        filled(PAGE, &parts)
    }
}

/// A template with its places filled. What is filled in is not searched again.
fn filled(template: &str, parts: &[(&str, String)]) -> String {
    let mut pieces = template.split('@');
    let mut text = pieces.next().unwrap_or_default().to_owned();
    while let Some(name) = pieces.next() {
        text.extend(parts.iter().filter(|(known, _)| *known == name).map(|(_, part)| &part[..]));
        text.extend(pieces.next());
    }
    text
}

/// Text that is no more than text in HTML, also between quotes.
fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;").replace('\'', "&#39;")
}

fn data(game: &Annotated) -> Game<'_> {
    let surprises = game.surprises(SURPRISES);
    let plies = game.plies.iter().enumerate().map(|(number, ply)| Ply {
        name: ply.name(),
        count: ply.named.move_number().to_string(),
        white: ply.named.color().is_white(),
        san: &ply.named.played.san,
        from: drawn_square(ply.named.played.from),
        to: drawn_square(ply.named.played.to),
        bits: ply.cost.bits(),
        probability: ply.probability(),
        chance: percent(ply.probability()),
        about: match ply.cost.legal {
            1 => "No other move was legal.".into(),
            _ => table::surprise(ply).replace(" %", "\u{a0}%"),
        },
        surprising: surprises.contains(&number),
        others: ply.others.iter().map(Other::of).collect(),
        board: drawn_board(&ply.named.after),
    });
    Game {
        number: game.number,
        title: shown(&game.title()).into_owned(),
        figures: table::figures(game),
        start: drawn_board(&game.start),
        plies: plies.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_filled_once() {
        let parts = [("a", "@b@".to_owned()), ("b", "x".to_owned())];
        assert_eq!(filled("1 @a@ 2 @b@@a@ 3", &parts), "1 @b@ 2 x@b@ 3");
    }

    #[test]
    fn text_is_only_text() {
        assert_eq!(escaped("<a href=\"x\">'&'"), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;");
    }
}
