//! Games of servers: clocks and evaluations after each move, times of day, differences of ratings.

use plyzip::pgn::Outcome;
use shakmaty::{Position, Role};

use super::play::{self, Played};
use super::words;
use crate::games::Random;

const LETTERS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// What is played: seconds for the game, seconds more for each move, what it is called.
const CONTROLS: [(i64, i64, &str); 6] = [
    (180, 0, "Blitz"),
    (60, 0, "Bullet"),
    (180, 2, "Blitz"),
    (300, 3, "Blitz"),
    (600, 0, "Rapid"),
    (900, 10, "Rapid"),
];

/// So many games of two servers, one behind the other.
pub fn games(seed: u64, count: usize) -> Vec<u8> {
    let mut random = Random(seed);
    let mut now = 1_714_521_600 + random.below(10_000_000) as i64;
    let mut text = String::new();
    for number in 0..count {
        now += random.below(400) as i64;
        let played = play::game(&mut random, 80);
        text += &if number < count * 2 / 3 {
            open(&mut random, &played, now)
        } else {
            linked(&mut random, &played, now)
        };
    }
    text.into_bytes()
}

/// A day and a time of day: year, month, day, hours, minutes, seconds.
fn calendar(now: i64) -> (String, String) {
    let (days, seconds) = (now.div_euclid(86_400), now.rem_euclid(86_400));
    // Days since the first of March of the year 0, in eras of 400 years.
    let days = days + 719_468;
    let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + i64::from(month < 3);
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    (format!("{year}.{month:02}.{day:02}"), format!("{hour:02}:{minute:02}:{second:02}"))
}

fn of_clock(seconds: i64) -> String {
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// The time that each side has left after each ply, in tenths of seconds.
fn clocks(random: &mut Random, played: &Played, base: i64, increment: i64) -> Vec<i64> {
    let mut left = [10 * base; 2];
    let spent = |ply: usize, random: &mut Random| match ply {
        0 | 1 => 0,
        2..12 => random.below(30) as i64,
        _ => 5 + random.below(10 + base as usize / 3) as i64,
    };
    let mut clocks = vec![];
    for ply in 0..played.san.len() {
        let side = &mut left[ply % 2];
        let time = spent(ply, random).min(*side - 1);
        *side += if ply < 2 { 0 } else { 10 * increment } - time;
        clocks.push(*side);
    }
    clocks
}

/// Centipawns of material for White, and a little noise.
fn evaluation(random: &mut Random, played: &Played, ply: usize) -> String {
    let position = &played.positions[ply + 1];
    if position.is_checkmate() {
        return String::new();
    }
    let board = position.board();
    let mut sum = random.below(60) as i64 - 25;
    for (role, worth) in
        [(Role::Pawn, 100), (Role::Knight, 310), (Role::Bishop, 330), (Role::Rook, 500)]
    {
        let men = board.by_role(role);
        sum +=
            worth * ((men & board.white()).count() as i64 - (men & board.black()).count() as i64);
    }
    if sum.abs() > 1200 {
        return format!("[%eval #{}] ", sum.signum() * (1 + random.below(8) as i64));
    }
    let sign = if sum < 0 { "-" } else { "" };
    let (pawns, rest) = (sum.abs() / 100, sum.abs() % 100);
    let rest = format!("{rest:02}");
    let rest = rest.trim_end_matches('0');
    let point = if rest.is_empty() { ".0" } else { "." };
    format!("[%eval {sign}{pawns}{point}{rest}] ")
}

/// Of a server that gives its games away.
fn open(random: &mut Random, played: &Played, now: i64) -> String {
    let (base, increment, speed) = CONTROLS[random.below(CONTROLS.len())];
    let (day, time) = calendar(now);
    let elo = [0, 1].map(|_| 1200 + random.below(900) as i64);
    let diff = match played.outcome {
        Outcome::White => 6,
        Outcome::Black => -6,
        _ => 0,
    };
    let identifier: String =
        (0..8).map(|_| char::from(LETTERS[random.below(LETTERS.len())])).collect();
    let lost_on_time = random.one_in(4);
    let mut tags = vec![
        ("Event", format!("Rated {speed} game")),
        ("Site", format!("https://lichess.org/{identifier}")),
        ("Date", day.clone()),
        ("Round", "-".into()),
        ("White", words::user(random.below(300))),
        ("Black", words::user(random.below(300))),
        ("Result", played.outcome.as_str().into()),
        ("UTCDate", day),
        ("UTCTime", time),
        ("WhiteElo", elo[0].to_string()),
        ("BlackElo", elo[1].to_string()),
        ("WhiteRatingDiff", format!("{diff:+}")),
        ("BlackRatingDiff", format!("{:+}", -diff)),
        ("ECO", played.eco.into()),
        ("Opening", played.opening.into()),
        ("TimeControl", format!("{base}+{increment}")),
        ("Termination", if lost_on_time { "Time forfeit" } else { "Normal" }.into()),
    ];
    if random.one_in(6) {
        tags.insert(11, ("WhiteTitle", ["IM", "BOT", "WFM"][random.below(3)].into()));
    }
    let clocks = clocks(random, played, base, increment);
    let evaluated = random.one_in(2);
    let mut text = String::new();
    for (ply, (san, clock)) in played.san.iter().zip(clocks).enumerate() {
        let dots = if ply % 2 == 0 { "." } else { "..." };
        let value = if evaluated { evaluation(random, played, ply) } else { String::new() };
        let mark =
            if evaluated && random.one_in(9) { ["?!", "?", "??"][random.below(3)] } else { "" };
        let clock = of_clock(clock / 10);
        text += &format!("{}{dots} {san}{mark} {{ {value}[%clk {clock}] }} ", ply / 2 + 1);
    }
    format!("{}\n{text}{}\n\n\n", play::tags(&tags), played.outcome.as_str())
}

/// Of a server that names a link.
fn linked(random: &mut Random, played: &Played, now: i64) -> String {
    let (base, increment, _) = CONTROLS[random.below(CONTROLS.len())];
    let (day, time) = calendar(now);
    let players = [0, 1].map(|_| words::user(random.below(40)));
    let ending = match played.outcome {
        Outcome::White => format!("{} won by resignation", players[0]),
        Outcome::Black => format!("{} won on time", players[1]),
        _ => "Game drawn by agreement".into(),
    };
    let control = if increment == 0 { base.to_string() } else { format!("{base}+{increment}") };
    let tags = play::tags(&[
        ("Event", "Live Chess".into()),
        ("Site", "Chess.com".into()),
        ("Date", day),
        ("Round", "-".into()),
        ("White", players[0].clone()),
        ("Black", players[1].clone()),
        ("Result", played.outcome.as_str().into()),
        ("ECO", played.eco.into()),
        ("WhiteElo", (900 + random.below(700)).to_string()),
        ("BlackElo", (900 + random.below(700)).to_string()),
        ("TimeControl", control),
        ("EndTime", format!("{time} PDT")),
        ("Termination", ending),
    ]);
    let mut text = String::new();
    for (ply, (san, clock)) in
        played.san.iter().zip(clocks(random, played, base, increment)).enumerate()
    {
        let dots = if ply % 2 == 0 { "." } else { "..." };
        let (clock, tenth) = (of_clock(clock / 10), clock % 10);
        let tenth = if tenth == 0 { String::new() } else { format!(".{tenth}") };
        text += &format!("{}{dots} {san} {{[%clk {clock}{tenth}]}} ", ply / 2 + 1);
    }
    format!("{tags}\n{text}{}\n\n", played.outcome.as_str())
}
