//! A place of the tree of first moves, as the page reads it.

use plyzip::NamedMove;
use plyzip::openings::{GameResults, NextMoves, OpeningTree, Outcomes};
use plyzip::unstable::drawn_board;
use serde::Serialize;
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Move, Position};

use crate::annotated::DrawnMove;

/// A place in the tree.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Place {
    /// The names of the moves that lead there.
    moves: Vec<String>,
    /// The pieces there.
    board: String,
    white_to_move: bool,
    /// Whether the tree ends there, whatever the games do.
    is_deepest: bool,
    /// Games that end there.
    ended: u64,
    #[serde(flatten)]
    tally: Tally,
    /// The most frequent first.
    next: Vec<Next>,
}

/// A move, and the games that go on with it.
#[derive(Debug, Serialize)]
struct Next {
    #[serde(flatten)]
    named: DrawnMove,
    #[serde(flatten)]
    tally: Tally,
}

/// What came of games.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Tally {
    games: u64,
    white: u64,
    draws: u64,
    black: u64,
    /// White's points in percent of the games that have a result.
    score: Option<f64>,
    elo: Option<u64>,
    first_year: Option<u16>,
    last_year: Option<u16>,
}

/// The place behind these moves, names as UCI has them between spaces, as JSON. `None` if a move is not legal, or if
/// there are too many.
pub fn json(tree: &OpeningTree, moves: &str) -> Option<String> {
    let mut position = Chess::default();
    let (mut before, mut names) = (vec![], vec![]);
    for wanted in moves.split_whitespace() {
        let legal = position.legal_moves();
        let played = legal.into_iter().find(|&m| uci(m) == wanted)?;
        names.push(SanPlus::from_move_and_play_unchecked(&mut position, played).to_string());
        before.push(played);
    }
    let found = tree.after(&before).ok()?;
    let place = Place {
        moves: names,
        board: drawn_board(&position),
        white_to_move: position.turn().is_white(),
        is_deepest: before.len() == OpeningTree::PLIES,
        ended: found.ended().games(),
        tally: Tally::of(found.all()),
        next: next(&found),
    };
    serde_json::to_string(&place).ok()
}

fn next(found: &NextMoves) -> Vec<Next> {
    let position = found.position();
    let next = found.moves().into_iter().map(|(played, games)| Next {
        named: NamedMove::new(position, played).into(),
        tally: Tally::of(games),
    });
    next.collect()
}

impl Tally {
    fn of(games: &Outcomes) -> Tally {
        let GameResults { white, draws, black, .. } = games.results;
        let years = games.years();
        Tally {
            games: games.games(),
            white,
            draws,
            black,
            score: games.results.score(),
            elo: games.elo(),
            first_year: years.map(|(first, _)| first),
            last_year: years.map(|(_, last)| last),
        }
    }
}

fn uci(played: Move) -> String {
    UciMove::from_move(played, CastlingMode::Standard).to_string()
}
