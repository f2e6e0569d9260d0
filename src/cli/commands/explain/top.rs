//! The most surprising moves and the least predictable games.

use std::fmt::Write as _;

use plyzip::Result;
use serde::Serialize;

use super::annotated::{Annotated, percent};
use super::{json, table};
use crate::cli::shown::shown;

/// Games of fewer plies tell little: an average of two moves is chance.
const FEWEST_PLIES: usize = 10;

/// The most surprising moves of all games.
#[derive(Debug)]
pub struct Top {
    count: usize,
    moves: Vec<TopMove>,
    games: Vec<TopGame>,
    all_games: u64,
    all_plies: u64,
    bits: f64,
}

/// A move. In JSON, fields may be added, and none goes.
#[derive(Debug, Serialize)]
struct TopMove {
    bits: f64,
    probability: f64,
    game: u64,
    ply: usize,
    number: String,
    #[serde(rename = "move")]
    san: String,
    uci: String,
    /// The likeliest other move and its probability.
    expected: Option<String>,
    expected_probability: Option<f64>,
    title: String,
}

/// A game. In JSON, fields may be added, and none goes.
#[derive(Debug, Serialize)]
struct TopGame {
    bits_per_ply: f64,
    game: u64,
    plies: usize,
    title: String,
}

/// A line of JSON.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Line<'a> {
    Move(&'a TopMove),
    Game(&'a TopGame),
}

impl Top {
    /// The top of no games, with so many places.
    pub fn new(count: usize) -> Top {
        Top { count, moves: vec![], games: vec![], all_games: 0, all_plies: 0, bits: 0.0 }
    }

    /// Takes a game into account.
    pub fn add(&mut self, game: &Annotated) {
        let plies = game.plies.len();
        let bits = game.move_bits();
        self.all_games += 1;
        self.all_plies += plies as u64;
        self.bits += bits;
        for (number, ply) in game.plies.iter().enumerate() {
            let first = ply.others.first();
            let bits = ply.cost.bits();
            insert(
                &mut self.moves,
                self.count,
                bits,
                |known| known.bits,
                || TopMove {
                    bits,
                    probability: ply.probability(),
                    game: game.number,
                    ply: number + 1,
                    number: ply.named.number(),
                    san: ply.named.played.san.clone(),
                    uci: ply.named.played.uci.clone(),
                    expected: first.map(|other| other.named.san.clone()),
                    expected_probability: first.map(|other| other.probability),
                    title: game.title(),
                },
            );
        }
        if plies >= FEWEST_PLIES {
            let bits_per_ply = bits / plies as f64;
            insert(
                &mut self.games,
                self.count,
                bits_per_ply,
                |known| known.bits_per_ply,
                || TopGame { bits_per_ply, game: game.number, plies, title: game.title() },
            );
        }
    }

    /// A line of JSON for each move, then one for each game.
    pub fn json(&self) -> Result<String> {
        let moves = self.moves.iter().map(Line::Move);
        let mut lines = vec![];
        for line in moves.chain(self.games.iter().map(Line::Game)) {
            json::line(&line, &mut lines)?;
        }
        Ok(String::from_utf8_lossy(&lines).into_owned())
    }

    /// Two tables.
    pub fn table(&self) -> String {
        let mut text = format!("{} games, {} plies", self.all_games, self.all_plies);
        // Writing to a string cannot fail: below, results are dropped.
        if self.all_plies > 0 {
            let _ = write!(text, ", {:.2} bits a ply", self.bits / self.all_plies as f64);
        }
        text += "\n\nThe most surprising moves:\n\n   bits   chance     game  move, and what was expected\n";
        for top in &self.moves {
            let TopMove { bits, probability, game, number, san, title, .. } = top;
            let chance = percent(*probability);
            let _ = write!(text, "{bits:7.1} {chance:>8} {game:>8}  {number} {san}");
            if let Some((expected, probability)) =
                top.expected.as_ref().zip(top.expected_probability)
            {
                let _ = write!(text, " ({expected} {})", percent(probability));
            }
            let _ = writeln!(text, ", {}", shown(title));
        }
        text += "\nThe least predictable games:\n\nbits/ply   plies     game\n";
        for TopGame { bits_per_ply, game, plies, title } in &self.games {
            let _ = writeln!(text, "{bits_per_ply:8.2} {plies:7} {game:>8}  {}", shown(title));
        }
        let _ = writeln!(text, "\n{}", table::CAUTION);
        text
    }
}

/// Keeps what has the most bits, the first of what has the same.
fn insert<T>(
    top: &mut Vec<T>,
    count: usize,
    bits: f64,
    of: impl Fn(&T) -> f64,
    next: impl FnOnce() -> T,
) {
    let place = top.partition_point(|known| of(known) >= bits);
    if place < count {
        top.truncate(count - 1);
        top.insert(place, next());
    }
}
