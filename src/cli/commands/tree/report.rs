//! A tree as text and as JSON.

use std::fmt::Write as _;

use serde::Serialize;
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position};

use crate::cli::bars::bar;
use crate::cli::counted::counted;
use crate::cli::shown::shown;
use plyzip::openings::{GameResults, NextMoves, Outcomes};
use plyzip::{Error, LikelyMove, Result};

/// Letters of the longest bar.
const BAR: usize = 20;

/// The tree as it is printed. Fields may be added, none goes.
#[derive(Debug, Serialize)]
pub(super) struct Tree {
    fen: String,
    /// The moves that lead there, if it is asked for games that have begun so.
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<String>>,
    games: u64,
    #[serde(flatten)]
    figures: Figures,
    /// Games that end there.
    ended: u64,
    /// The most frequent first.
    next: Vec<Next>,
}

/// A move, and the games that go on with it.
#[derive(Debug, Serialize)]
struct Next {
    #[serde(rename = "move")]
    san: String,
    uci: String,
    games: u64,
    #[serde(flatten)]
    figures: Figures,
    #[serde(skip_serializing_if = "Option::is_none")]
    probability: Option<f64>,
}

/// What came of some games.
#[derive(Debug, Serialize)]
struct Figures {
    #[serde(flatten)]
    results: GameResults,
    /// White's points in percent.
    score: Option<f64>,
    elo: Option<u64>,
    first_year: Option<u16>,
    last_year: Option<u16>,
    last_date: Option<String>,
}

impl Figures {
    fn of(games: &Outcomes) -> Figures {
        Figures {
            results: games.results,
            score: games.results.score(),
            elo: games.elo(),
            first_year: games.years().map(|(first, _)| first),
            last_year: games.years().map(|(_, last)| last),
            last_date: games.last_date().map(str::to_owned),
        }
    }
}

impl Tree {
    /// The moves that were played in at least so many games.
    pub fn new(counted: &NextMoves, likely: &[LikelyMove], min_games: u64) -> Tree {
        let (position, moves) = (counted.position(), counted.moves().into_iter());
        let next = moves.filter(|(_, games)| games.games() >= min_games).map(|(played, games)| {
            let known = likely.iter().find(|likely| likely.played == played);
            Next {
                san: san(&mut position.clone(), played),
                uci: UciMove::from_move(played, CastlingMode::Standard).to_string(),
                games: games.games(),
                figures: Figures::of(games),
                probability: known.map(|likely| likely.probability),
            }
        });
        let mut walk = Chess::default();
        Tree {
            fen: Fen::from_position(position, EnPassantMode::Legal).to_string(),
            moves: counted.before().map(|moves| moves.iter().map(|&m| san(&mut walk, m)).collect()),
            games: counted.all().games(),
            figures: Figures::of(counted.all()),
            ended: counted.ended().games(),
            next: next.collect(),
        }
    }

    /// A line of JSON.
    pub fn json(&self) -> Result<String> {
        let json = serde_json::to_string(self);
        json.map(|json| json + "\n").map_err(|error| Error::Internal(error.to_string()))
    }

    /// A table with bars. Writing to a string cannot fail.
    pub fn text(&self, position: &Chess) -> String {
        let mut text = String::new();
        let side = position.turn().fold_wb("White", "Black");
        let place = match self.moves.as_deref() {
            Some([]) => "the initial position".to_owned(),
            Some(moves) => moves.join(" "),
            None => self.fen.clone(),
        };
        let _ = write!(text, "{place}\n{} to move, {}", side, counted(self.games, "game"));
        if let Some(score) = self.figures.score {
            let _ = write!(text, ", White scores {score:.1}%");
        }
        text.push('\n');
        if !self.next.is_empty() {
            let predicted = self.next.iter().any(|next| next.probability.is_some());
            let chance = if predicted { "  chance" } else { "" };
            let _ = writeln!(
                text,
                "\n{:8} {:>9} {:>6}   {:BAR$} {:>5} {:>5} {:>5} {:>6} {:>5}{chance}   years",
                "move", "games", "share", "", "White", "drawn", "Black", "score", "Elo",
            );
        }
        let most = self.next.first().map_or(0, |next| next.games) as f64;
        for next in &self.next {
            next.write(self.games, most, &mut text);
        }
        if self.ended > 0 {
            let _ = writeln!(
                text,
                "({} there)",
                match self.ended {
                    1 => "1 game ends".to_owned(),
                    games => format!("{games} games end"),
                }
            );
        }
        text
    }
}

impl Next {
    fn write(&self, all: u64, most: f64, text: &mut String) {
        let Figures { results, score, elo, first_year, last_year, last_date } = &self.figures;
        let share = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
        let _ = write!(
            text,
            "{:8} {:>9} {:>5.1}%   {}",
            self.san,
            self.games,
            share(self.games, all),
            bar(self.games as f64, most, BAR),
        );
        for part in [results.white, results.draws, results.black] {
            let _ = write!(text, " {:>4.0}%", share(part, self.games));
        }
        let _ = match score {
            Some(score) => write!(text, " {score:>5.1}%"),
            None => write!(text, " {:>6}", ""),
        };
        let _ = write!(text, " {:>5}", elo.map(|elo| elo.to_string()).unwrap_or_default());
        if let Some(probability) = self.probability {
            let _ = write!(text, " {:>6.2}%", 100.0 * probability);
        }
        if let (Some(first), Some(last)) = (first_year, last_year) {
            let years = if first == last { first.to_string() } else { format!("{first}-{last}") };
            let _ = write!(text, "   {years}");
        }
        if let Some(date) = last_date {
            let _ = write!(text, ", last {}", shown(date));
        }
        text.push('\n');
    }
}

/// A move's name, and the position behind it.
fn san(position: &mut Chess, played: Move) -> String {
    SanPlus::from_move_and_play_unchecked(position, played).to_string()
}
