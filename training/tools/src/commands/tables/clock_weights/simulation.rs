//! Clocks of players who do not exist.
//!
//! A player takes a share of the time left, more in the middle of a game and less in the opening,
//! more where the choice is open or the move surprising, less for recaptures; times are log-normal
//! around that, with a slow drift of the player's mood; some moves are entered beforehand and
//! take no time at all. A player whose time runs out loses. The constants are guesses from what
//! chess servers publish of usual time controls and from looking at blitz games; none is fitted.

use plyzip::pgn::{Game, Outcome, Tag, Token};
use plyzip::unstable::predict::Surprisal;
use shakmaty::{Move, Role};

use crate::commands::random::SplitMix;

/// Seconds to begin with, seconds gained with each move, and how many games of a hundred.
const CONTROLS: [(i64, i64, u32); 11] = [
    (60, 0, 24),
    (120, 1, 7),
    (180, 0, 24),
    (180, 2, 11),
    (300, 0, 13),
    (300, 3, 8),
    (600, 0, 6),
    (600, 5, 2),
    (900, 10, 2),
    (1800, 0, 1),
    (5400, 30, 2),
];

/// Random numbers from a seed, the same everywhere but for the rounding of logarithms.
pub struct Chance(SplitMix);

impl Chance {
    pub fn new(seed: u64) -> Chance {
        Chance(SplitMix::new(seed))
    }

    /// Between 0 and 1, neither included.
    fn even(&mut self) -> f64 {
        self.0.even()
    }

    /// From the normal distribution of mean 0 and variance 1.
    fn normal(&mut self) -> f64 {
        (-2.0 * self.even().ln()).sqrt() * (std::f64::consts::TAU * self.even()).cos()
    }

    fn control(&mut self) -> (i64, i64) {
        let mut left = (self.even() * 100.0) as u32;
        for (start, increment, games) in CONTROLS {
            match left.checked_sub(games) {
                Some(rest) => left = rest,
                None => return (start, increment),
            }
        }
        (180, 0)
    }
}

/// A player's habits in one game.
struct Habits {
    /// How much more than others the player takes, as all that follows a natural logarithm.
    slowness: f64,
    /// Of the time for a single move.
    deviation: f64,
    /// How readily moves are entered beforehand, from 0 to 1.
    hurry: f64,
    /// Moves after which the player is out of the book.
    book: f64,
    /// The drift of the player's mood.
    mood: f64,
    last: f64,
    clock: f64,
}

/// What is known of a move before its time is drawn.
struct Ply {
    number: usize,
    surprisal: Surprisal,
    reply: Surprisal,
    recapture: bool,
    castling: bool,
    /// Of the king or a pawn.
    small: bool,
}

fn bits(eighths: u8) -> f64 {
    f64::from(eighths) / f64::from(Surprisal::UNIT)
}

impl Habits {
    fn new(chance: &mut Chance, clock: f64) -> Habits {
        Habits {
            slowness: 0.3 * chance.normal() - 0.05,
            deviation: 0.75 + 0.2 * chance.even(),
            hurry: chance.even() * chance.even(),
            book: 6.0 + 6.0 * chance.even(),
            mood: 0.0,
            last: 1.0,
            clock,
        }
    }

    /// Seconds for a move.
    fn think(&mut self, chance: &mut Chance, ply: &Ply, increment: f64, other: f64) -> f64 {
        let number = ply.number as f64;
        let moves_left = (34.0 - 0.35 * number).max(17.0);
        let pace = (self.clock / moves_left + 0.85 * increment).max(0.05);
        let known = 1.0 / (1.0 + ((number - self.book) / 2.0).exp());
        let middle = 0.5 * (-((number - 18.0) / 14.0).powi(2)).exp();
        let (cost, entropy) = (bits(ply.surprisal.cost), bits(ply.surprisal.entropy));
        self.mood = 0.35 * self.mood + 0.25 * chance.normal();

        let mut expected = pace.ln() - 0.35 + middle + self.slowness + self.mood;
        expected -= known * (1.1 + 0.35 * pace.ln().max(0.0));
        expected += 0.07 * (cost - 2.0).clamp(-2.0, 4.0) + 0.16 * (entropy - 2.2);
        expected += 0.05 * (bits(ply.reply.cost) - 2.0).clamp(-2.0, 4.0);
        expected += 0.08 * (other.ln() - pace.ln()).clamp(-1.5, 1.5);
        for (applies, less) in
            [(ply.recapture, 0.55), (entropy == 0.0, 0.5), (ply.castling, 0.2), (ply.small, 0.05)]
        {
            expected -= if applies { less } else { 0.0 };
        }
        let thought = (expected + self.deviation * chance.normal()).exp();
        let hand = 0.1 + 0.3 * chance.even() + 0.2 * pace.min(2.0);
        let obvious = 0.12 + 0.9 * known + if ply.recapture { 0.6 } else { 0.0 };
        let beforehand = self.hurry
            * obvious
            * (1.5 - 0.25 * entropy).clamp(0.2, 1.5)
            * (2.5 / (pace + 0.8)).min(2.0);
        if chance.even() < beforehand {
            if chance.even() < 0.3 { 0.1 } else { 0.0 }
        } else {
            (hand + 0.85 * thought).max(0.1)
        }
    }
}

fn clock(seconds: f64) -> String {
    let seconds = seconds.round() as i64;
    format!(" [%clk {}:{:02}:{:02}] ", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// The moves of `game` with clocks behind them, as long as both players have time.
pub fn with_clocks(chance: &mut Chance, game: &Game, surprisals: &[Surprisal]) -> Game {
    let (start, increment) = chance.control();
    let mut players = [0; 2].map(|_| Habits::new(chance, start as f64));
    let moves: Vec<Move> = game.lines.first().map_or_else(Vec::new, |line| line.moves.clone());
    let surprisal =
        |ply: Option<usize>| ply.and_then(|ply| surprisals.get(ply)).copied().unwrap_or_default();
    let mut played = Game { tags: game.tags.clone(), lines: game.lines.clone(), ..Game::default() };
    let mut loser = None;
    for (ply, made) in moves.iter().enumerate() {
        let side = ply % 2;
        let before = ply.checked_sub(1).map(|before| moves[before]);
        let known = Ply {
            number: ply / 2,
            surprisal: surprisal(Some(ply)),
            reply: surprisal(ply.checked_sub(1)),
            recapture: made.is_capture()
                && before.is_some_and(|b| b.is_capture() && b.to() == made.to()),
            castling: made.is_castle(),
            small: matches!(made.role(), Role::King | Role::Pawn),
        };
        // The first move of each side is free.
        if ply >= 2 {
            let other = players[1 - side].last;
            let player = &mut players[side];
            let took = player.think(chance, &known, increment as f64, other);
            if took >= player.clock {
                loser = Some(side);
                break;
            }
            player.last = took.max(0.3);
            player.clock += increment as f64 - took;
        }
        let comment = Token::Comment(clock(players[side].clock).into_bytes());
        played.tokens.extend([Token::Move, comment]);
    }
    let shown = played.tokens.len() / 2;
    for line in &mut played.lines {
        line.moves.truncate(shown);
    }
    played.lines.truncate(1);
    let mut tag = |name: &[u8], value: Vec<u8>| {
        played.tags.retain(|tag| tag.name != name);
        played.tags.push(Tag { name: name.to_vec(), value });
    };
    tag(b"TimeControl", format!("{start}+{increment}").into_bytes());
    tag(
        b"Termination",
        if loser.is_some() { b"Time forfeit".to_vec() } else { b"Normal".to_vec() },
    );
    let result = match loser {
        Some(0) => Some(Outcome::Black),
        Some(_) => Some(Outcome::White),
        None => game.tag("Result").and_then(Outcome::from_bytes),
    };
    let result: &[u8] = match result {
        Some(Outcome::White) => b"1-0",
        Some(Outcome::Black) => b"0-1",
        Some(Outcome::Draw) => b"1/2-1/2",
        _ => b"*",
    };
    tag(b"Result", result.to_vec());
    // Ratings of other times say nothing of how fast somebody plays blitz.
    tag(b"WhiteElo", b"?".to_vec());
    tag(b"BlackElo", b"?".to_vec());
    played
}
