//! `plyzip predict`

use std::fmt::Write as _;
use std::io;
use std::num::NonZeroU16;

use clap::Args;
use plyzip::{Error, Forecast, GameContext, GameHeader, ModelStore, Result};
use serde::Serialize;
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{ByColor, CastlingMode, Chess, FromSetup, Move, Position, PositionError};

use super::explain::{LikelyName, percent};
use crate::cli::bars::bar;
use crate::cli::files::standard;
use crate::cli::names::DEFAULT_MODEL;
use crate::cli::shown::shown;

/// `plyzip predict`
#[derive(Debug, Clone, Args)]
pub struct PredictArguments {
    /// The position, in Forsyth-Edwards Notation
    #[arg(value_name = "FEN", default_value = START)]
    pub position: String,
    /// Moves that lead from there to the position that is meant, such as 'e4 c5'. Predictions depend on them, too:
    /// plans go on
    #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true)]
    pub moves: String,
    /// The ratings of White and Black, such as `2500,2400`
    #[arg(long, value_name = "W,B", value_parser = ratings)]
    pub elo: Option<Ratings>,
    /// What predicts: `none`, the name of a model, or the path of its file
    #[arg(long, value_name = "NAME|PATH", default_value = DEFAULT_MODEL)]
    pub model: String,
    /// Print a line of JSON for each move
    #[arg(long)]
    pub json: bool,
}

/// The word for the initial position.
const START: &str = "startpos";

/// Letters of a bar.
const BAR: usize = 40;

/// The ratings of White and Black.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ratings(ByColor<Option<NonZeroU16>>);

/// Reads two ratings.
fn ratings(text: &str) -> Result<Ratings, String> {
    let wanted = || "two ratings are wanted, such as 2500,2400".to_owned();
    let (white, black) = text.split_once(',').ok_or_else(wanted)?;
    let rating = |text: &str| text.trim().parse().map(NonZeroU16::new).map_err(|_| wanted());
    Ok(Ratings(ByColor { white: rating(white)?, black: rating(black)? }))
}

/// A line of `plyzip predict --json`. Fields may be added, none goes.
#[derive(Debug, Serialize)]
struct Line<'a> {
    #[serde(rename = "move")]
    san: &'a str,
    uci: &'a str,
    probability: f64,
    bits: f64,
}

/// Prints how likely each legal move is.
pub fn run(arguments: &PredictArguments) -> Result<()> {
    let start = position(&arguments.position)?;
    let (end, moves) = played(&start, &arguments.moves)?;
    let elo = arguments.elo.map(|Ratings(elo)| elo).unwrap_or_default();
    let header = GameHeader::new().start(start).context(GameContext::new().elo(elo));
    let model = ModelStore::of_system().open(&arguments.model)?;
    let forecast = model.probabilities(&header, &moves)?;
    let named = forecast.moves.iter().map(|likely| LikelyName::new(&end, likely));
    let named: Vec<LikelyName> = named.collect();
    let text = match arguments.json {
        true => json(&named)?,
        false => table(&end, &named, &forecast, &arguments.model),
    };
    standard::print(&text)
}

/// The position that a text stands for.
fn position(text: &str) -> Result<Chess> {
    if text.trim() == START {
        return Ok(Chess::default());
    }
    let wrong = |error: &dyn std::fmt::Display| {
        Error::Usage(format!("`{text}` is no position: {error} (`{START}` is the initial one)"))
    };
    let fen: Fen = text.trim().parse().map_err(|error| wrong(&error))?;
    let read = |mode| {
        Chess::from_setup(fen.as_setup().clone(), mode)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)
            .map_err(|error| error.to_string())
    };
    // Castling from where only Chess960 has it.
    let position = read(CastlingMode::Standard)
        .or_else(|error| read(CastlingMode::Chess960).map_err(|_| error));
    position.map_err(|error| wrong(&error))
}

/// Moves in SAN or as engines write them, with or without numbers, and the position behind them.
fn played(start: &Chess, text: &str) -> Result<(Chess, Vec<Move>)> {
    let mut position = start.clone();
    let mut moves = vec![];
    for word in text.split_whitespace() {
        let name = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let name = if name.starts_with('.') { name.trim_start_matches('.') } else { word };
        if name.is_empty() {
            continue;
        }
        let san = name.parse().ok().and_then(|san: SanPlus| san.san.to_move(&position).ok());
        let uci = || name.parse().ok().and_then(|uci: UciMove| uci.to_move(&position).ok());
        let Some(next) = san.or_else(uci) else {
            let count = moves.len() + 1;
            return Err(Error::Usage(format!(
                "`{name}`, move {count} of --moves, is not legal there"
            )));
        };
        position.play_unchecked(next);
        moves.push(next);
    }
    Ok((position, moves))
}

fn json(moves: &[LikelyName]) -> Result<String> {
    let mut text = String::new();
    for LikelyName { named, probability } in moves {
        let bits = (-probability.log2()).max(0.0);
        let line = Line { san: &named.san, uci: &named.uci, probability: *probability, bits };
        text += &serde_json::to_string(&line).map_err(io::Error::from)?;
        text.push('\n');
    }
    Ok(text)
}

fn table(position: &Chess, moves: &[LikelyName], forecast: &Forecast, model: &str) -> String {
    let side = if position.turn().is_white() { "White" } else { "Black" };
    let number = position.fullmoves();
    if moves.is_empty() {
        let why =
            if position.is_check() { "is checkmated" } else { "has no legal move: stalemate" };
        return format!("{side} {why}.\n");
    }
    let mut text =
        format!("Move {number}, {side}, {} legal moves; model {}\n\n", moves.len(), shown(model));
    let likeliest = moves.first().map_or(1.0, |first| first.probability);
    for LikelyName { named, probability } in moves {
        let san = &named.san;
        let line =
            format!("{san:8} {:>8}  {}", percent(*probability), bar(*probability, likeliest, BAR));
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", line.trim_end());
    }
    let _ = writeln!(
        text,
        "\nThe game ends here with a chance of {}.",
        percent(forecast.end_probability)
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_read_as_people_write_them() {
        let start = Chess::default();
        let plain = played(&start, "e4 c5 Nf3").unwrap().1;
        for text in ["1. e4 c5 2. Nf3", "1.e4 c5 2.Nf3", "e2e4 c7c5 g1f3", "1. e4 1... c5 Nf3+"] {
            assert_eq!(played(&start, text).unwrap().1, plain, "{text}");
        }
        for text in ["e4 e5 e5", "e9", "1. e4 c5 x", "e2e5"] {
            assert!(played(&start, text).is_err(), "{text}");
        }
    }

    #[test]
    fn positions_and_ratings() {
        for text in
            [START, "8/8/4k3/8/8/3K4/8/7R w - - 97 80", "1r1k1r2/8/8/8/8/8/8/1R3KR1 w GBfb - 0 1"]
        {
            assert!(position(text).is_ok(), "{text}");
        }
        for text in ["", "start", "8/8/8/8/8/8/8/8 w - - 0 1", "k7/8/K7/8/8/8/8/9 w - - 0 1"] {
            assert!(position(text).is_err(), "{text}");
        }
        let elo = ByColor { white: NonZeroU16::new(2500), black: NonZeroU16::new(2400) };
        assert_eq!(ratings("2500, 2400"), Ok(Ratings(elo)));
        for text in ["", "2500", "a,b", "-1,3", "70000,1"] {
            assert!(ratings(text).is_err(), "{text}");
        }
    }
}
