//! Games that look a little like games: a known opening, then whoever can takes, checks or promotes.

use plyzip::pgn::Outcome;
use plyzip::unstable::chess::legal_moves;
use shakmaty::san::{San, SanPlus};
use shakmaty::{Chess, KnownOutcome, Move, Position, Role};

use crate::games::Random;

/// Openings that everybody knows: their code, their name, their moves.
const OPENINGS: [(&str, &str, &str); 14] = [
    ("C65", "Ruy Lopez: Berlin Defense", "e4 e5 Nf3 Nc6 Bb5 Nf6"),
    ("C84", "Ruy Lopez: Closed", "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7"),
    ("C50", "Italian Game: Giuoco Piano", "e4 e5 Nf3 Nc6 Bc4 Bc5"),
    ("C42", "Petrov's Defense", "e4 e5 Nf3 Nf6"),
    ("B90", "Sicilian Defense: Najdorf Variation", "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6"),
    ("B33", "Sicilian Defense: Open", "e4 c5 Nf3 Nc6 d4 cxd4 Nxd4 Nf6 Nc3 e5"),
    ("B12", "Caro-Kann Defense: Advance Variation", "e4 c6 d4 d5 e5 Bf5"),
    ("C02", "French Defense: Advance Variation", "e4 e6 d4 d5 e5 c5 c3"),
    ("B01", "Scandinavian Defense", "e4 d5 exd5 Qxd5 Nc3 Qa5"),
    ("D37", "Queen's Gambit Declined", "d4 d5 c4 e6 Nc3 Nf6 Nf3 Be7"),
    ("E20", "Nimzo-Indian Defense", "d4 Nf6 c4 e6 Nc3 Bb4"),
    ("E61", "King's Indian Defense", "d4 Nf6 c4 g6 Nc3 Bg7"),
    ("D02", "Queen's Pawn Game: London System", "d4 d5 Nf3 Nf6 Bf4"),
    ("A20", "English Opening: King's English Variation", "c4 e5"),
];

/// A game that was played.
pub struct Played {
    pub eco: &'static str,
    pub opening: &'static str,
    /// Move by move, as PGN writes them.
    pub san: Vec<String>,
    /// The position before each move, and the last.
    pub positions: Vec<Chess>,
    pub moves: Vec<Move>,
    pub outcome: Outcome,
}

/// A game of at most `longest` plies behind its opening.
pub fn game(random: &mut Random, longest: usize) -> Played {
    let (eco, opening, line) = OPENINGS[random.below(OPENINGS.len())];
    let mut positions = vec![Chess::default()];
    let (mut san, mut moves) = (vec![], vec![]);
    let mut words = line.split(' ');
    let plies = line.split(' ').count() + 1 + random.below(longest);
    while moves.len() < plies {
        let mut position = positions.last().unwrap().clone();
        if position.is_game_over() {
            break;
        }
        let chosen = match words.next() {
            Some(word) => word.parse::<San>().unwrap().to_move(&position).unwrap(),
            None => choose(&position, random),
        };
        san.push(SanPlus::from_move_and_play_unchecked(&mut position, chosen).to_string());
        moves.push(chosen);
        positions.push(position);
    }
    let outcome = match positions.last().unwrap().outcome().known() {
        Some(KnownOutcome::Decisive { winner }) if winner.is_white() => Outcome::White,
        Some(KnownOutcome::Decisive { .. }) => Outcome::Black,
        Some(KnownOutcome::Draw) => Outcome::Draw,
        None => [Outcome::White, Outcome::Black, Outcome::Draw][random.below(3)],
    };
    Played { eco, opening, san, positions, moves, outcome }
}

/// A legal move: the one that seems best after a glance, most of the time.
pub fn choose(position: &Chess, random: &mut Random) -> Move {
    let value = |role: Role| match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 0,
    };
    let mut best = None;
    for played in legal_moves(position) {
        let mut after = position.clone();
        after.play_unchecked(played);
        let taken = played.capture().map_or(0, value);
        // What the enemy can take for nothing is what stands on the square now.
        let lost = after.legal_moves().iter().any(|answer| answer.to() == played.to());
        let moved = played.promotion().map_or(value(played.role()), value);
        let score = 10 * taken - if lost { 8 * moved } else { 0 }
            + 40 * i32::from(after.is_checkmate())
            + 20 * i32::from(played.is_castle())
            + 30 * i32::from(played.is_promotion())
            + 4 * i32::from(after.is_check())
            + random.below(16) as i32;
        if best.is_none_or(|(known, _)| score > known) {
            best = Some((score, played));
        }
    }
    best.unwrap().1
}

/// The game with move numbers, the result behind it, in lines of at most `width`.
pub fn movetext(played: &Played, width: usize) -> String {
    let mut words = vec![];
    for (ply, san) in played.san.iter().enumerate() {
        if ply % 2 == 0 {
            words.push(format!("{}.", ply / 2 + 1));
        }
        words.push(san.clone());
    }
    words.push(played.outcome.as_str().into());
    wrap(&words, width)
}

/// Words in lines of at most `width`.
pub fn wrap(words: &[String], width: usize) -> String {
    let mut text = String::new();
    let mut column = 0;
    for word in words {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > width {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text += word;
        column += length;
    }
    text + "\n"
}

/// Tags, one a line.
pub fn tags(tags: &[(&str, String)]) -> String {
    tags.iter().map(|(name, value)| format!("[{name} \"{value}\"]\n")).collect()
}
