//! The costs of a game's moves as JSON, for programs.

use std::io::{self, Write};

use plyzip::Result;
use serde::Serialize;

use super::annotated::{Annotated, LikelyName};

/// A line of `plyzip explain --json`: a move. Fields may be added, none goes.
#[derive(Debug, Serialize)]
struct MoveLine<'a> {
    game: u64,
    ply: usize,
    number: String,
    #[serde(rename = "move")]
    san: &'a str,
    uci: &'a str,
    bits: f64,
    probability: f64,
    /// How many legal moves were likelier.
    rank: usize,
    legal: usize,
    /// The entropy of the prediction.
    expected_bits: f64,
    /// What it cost to tell that the game goes on.
    end_bits: f64,
    others: Vec<OtherMove<'a>>,
}

/// A move that was not played.
#[derive(Debug, Serialize)]
struct OtherMove<'a> {
    #[serde(rename = "move")]
    san: &'a str,
    uci: &'a str,
    probability: f64,
}

impl OtherMove<'_> {
    fn of(other: &LikelyName) -> OtherMove<'_> {
        OtherMove { san: &other.named.san, uci: &other.named.uci, probability: other.probability }
    }
}

/// The line behind those of a game's moves.
#[derive(Debug, Serialize)]
struct EndLine<'a> {
    game: u64,
    plies: usize,
    model: &'a str,
    /// Whether the game was predicted by itself, and not among the others of an archive.
    alone: bool,
    /// What it cost to tell that the game ends here.
    end_bits: f64,
    variation_bits: f64,
    /// All of it: the moves, the ends and the variations.
    total_bits: f64,
}

/// Writes a line for each move, and one for the end.
pub fn write(game: &Annotated, sink: &mut impl Write) -> Result<()> {
    for (number, ply) in game.plies.iter().enumerate() {
        let line = MoveLine {
            game: game.number,
            ply: number + 1,
            number: ply.named.number(),
            san: &ply.named.played.san,
            uci: &ply.named.played.uci,
            bits: ply.cost.bits(),
            probability: ply.probability(),
            rank: ply.cost.rank,
            legal: ply.cost.legal,
            expected_bits: ply.cost.expected_bits,
            end_bits: ply.cost.goes_on_bits(),
            others: ply.others.iter().map(OtherMove::of).collect(),
        };
        self::line(&line, sink)?;
    }
    let end = EndLine {
        game: game.number,
        plies: game.plies.len(),
        model: &game.model,
        alone: game.alone,
        end_bits: game.last_end_bits,
        variation_bits: game.variation_bits,
        total_bits: game.move_bits() + game.end_bits() + game.variation_bits,
    };
    line(&end, sink)
}

/// Writes one line.
pub fn line(line: &impl Serialize, sink: &mut impl Write) -> Result<()> {
    serde_json::to_writer(&mut *sink, line).map_err(io::Error::from)?;
    Ok(writeln!(sink)?)
}
