//! The tree of first moves of the games that are listed, as `plyzip tree` counts them.

use plyzip::filters::year;
use plyzip::pgn::{Game, Tag, tag_text};
use serde::Serialize;
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Move, Position};

use crate::annotated::{arrival, board, index};

/// Plies that the tree has.
pub const DEPTH: usize = 40;

/// Higher ratings are none, as `plyzip stats` has it.
const MAX_ELO: u16 = 9_999;

/// A move in 15 bits; 0 is none, since no move leads from a1 to a1.
type Packed = u16;

/// The first moves of games from the initial position, 96 bytes each.
#[derive(Debug, Default)]
pub struct Tree {
    games: Vec<Opening>,
}

/// What is kept of a game.
#[derive(Debug)]
struct Opening {
    moves: [Packed; DEPTH],
    result: Outcome,
    /// The mean of both ratings, if there are both.
    elo: Option<u16>,
    year: Option<u16>,
}

#[derive(Debug, Clone, Copy)]
enum Outcome {
    White,
    Draw,
    Black,
    Unknown,
}

/// A place in the tree, as the page reads it.
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

/// A move, and the games that go on with it. Squares count from a8 on, line by line.
#[derive(Debug, Serialize)]
struct Next {
    san: String,
    uci: String,
    from: usize,
    to: usize,
    #[serde(flatten)]
    tally: Tally,
}

/// What came of games.
#[derive(Debug, Default, Clone, Serialize)]
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
    #[serde(skip)]
    elo_sum: (u64, u64),
}

impl Tree {
    /// Games that it has.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Counts a game of which the first [`DEPTH`] moves are known, if it begins in the initial position.
    pub fn push(&mut self, game: &Game) {
        if game.start() != Some(Chess::default()) {
            return;
        }
        let mut moves = [0; DEPTH];
        let played = game.lines.first().map_or(&[][..], |line| &line.moves);
        moves.iter_mut().zip(played).for_each(|(packed, &played)| *packed = pack(played));
        let value = |name: &str| {
            let tag = game.tags.iter().find(|tag| tag.name == name.as_bytes());
            tag.map(|tag| tag_text(&tag.value))
        };
        let result = match value("Result").as_deref() {
            Some("1-0") => Outcome::White,
            Some("1/2-1/2") => Outcome::Draw,
            Some("0-1") => Outcome::Black,
            _ => Outcome::Unknown,
        };
        let year = value("Date").or_else(|| value("UTCDate")).and_then(|date| year(&date));
        self.games.push(Opening { moves, result, elo: mean_elo(&game.tags), year });
    }

    /// The place behind these moves, names as UCI has them between spaces, as JSON. `None` if a move is not legal, or
    /// if there are too many.
    pub fn json(&self, moves: &str) -> Option<String> {
        let mut position = Chess::default();
        let (mut before, mut names) = (vec![], vec![]);
        for wanted in moves.split_whitespace() {
            let legal = position.legal_moves();
            let played = legal.into_iter().find(|&m| uci(m) == wanted)?;
            names.push(SanPlus::from_move_and_play_unchecked(&mut position, played).to_string());
            before.push(pack(played));
        }
        let depth = before.len();
        if depth > DEPTH {
            return None;
        }
        let legal = position.legal_moves();
        let mut tally = Tally::default();
        let mut ended = 0;
        let mut next = vec![Tally::default(); legal.len()];
        let codes: Vec<Packed> = legal.iter().map(|&m| pack(m)).collect();
        for game in self.games.iter().filter(|game| game.moves.starts_with(&before)) {
            tally.add(game);
            match game.moves.get(depth) {
                None => {}
                Some(0) => ended += 1,
                Some(code) => {
                    if let Some(place) = codes.iter().position(|known| known == code) {
                        next[place].add(game);
                    }
                }
            }
        }
        let next = legal.iter().zip(next).filter(|(_, tally)| tally.games > 0);
        let mut next: Vec<Next> = next
            .map(|(&played, tally)| Next {
                san: SanPlus::from_move(position.clone(), played).to_string(),
                uci: uci(played),
                from: played.from().map_or(0, index),
                to: index(arrival(&position, played)),
                tally: tally.finished(),
            })
            .collect();
        next.sort_by(|a, b| b.tally.games.cmp(&a.tally.games).then_with(|| a.san.cmp(&b.san)));
        let place = Place {
            moves: names,
            board: board(&position),
            white_to_move: position.turn().is_white(),
            is_deepest: depth == DEPTH,
            ended,
            tally: tally.finished(),
            next,
        };
        serde_json::to_string(&place).ok()
    }
}

impl Tally {
    fn add(&mut self, game: &Opening) {
        self.games += 1;
        match game.result {
            Outcome::White => self.white += 1,
            Outcome::Draw => self.draws += 1,
            Outcome::Black => self.black += 1,
            Outcome::Unknown => {}
        }
        if let Some(elo) = game.elo {
            self.elo_sum = (self.elo_sum.0 + u64::from(elo), self.elo_sum.1 + 1);
        }
        if let Some(year) = game.year {
            self.first_year = Some(self.first_year.map_or(year, |first| first.min(year)));
            self.last_year = Some(self.last_year.map_or(year, |last| last.max(year)));
        }
    }

    fn finished(mut self) -> Tally {
        let decided = self.white + self.draws + self.black;
        self.score = (decided > 0)
            .then(|| (self.white as f64 + self.draws as f64 / 2.0) * 100.0 / decided as f64);
        let (sum, count) = self.elo_sum;
        self.elo = (count > 0).then(|| (sum + count / 2) / count);
        self
    }
}

/// The mean of both players' ratings, if both have one.
fn mean_elo(tags: &[Tag]) -> Option<u16> {
    let elo = |name: &str| {
        let tag = tags.iter().find(|tag| tag.name == name.as_bytes())?;
        let elo: u16 = tag_text(&tag.value).trim().parse().ok()?;
        (1..=MAX_ELO).contains(&elo).then_some(elo)
    };
    Some((elo("WhiteElo")? + elo("BlackElo")?) / 2)
}

/// A move in 15 bits: six for each square, three for what a pawn becomes.
fn pack(played: Move) -> Packed {
    let from = played.from().map_or(0, u16::from);
    let promotion = played.promotion().map_or(0, u16::from);
    from | u16::from(played.to()) << 6 | promotion << 12
}

fn uci(played: Move) -> String {
    UciMove::from_move(played, CastlingMode::Standard).to_string()
}
