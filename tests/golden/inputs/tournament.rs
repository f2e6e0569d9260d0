//! Games of tournaments, as digests have them: three kinds of headers, ratings that follow from results, late tags.

use plyzip::pgn::Outcome;

use super::play::{self, movetext};
use super::words;
use crate::games::Random;

const PLACES: [(&str, &str); 6] = [
    ("Winter Open", "Graz AUT"),
    ("City Championship", "Porto POR"),
    ("Memorial A", "Tartu EST"),
    ("Bundesliga 2023-24", "Kiel GER"),
    ("Ladies' Cup", "Yerevan ARM"),
    ("Zonal 2.4", "Cusco PER"),
];

/// So many games, in events of up to twelve players.
pub fn games(seed: u64, count: usize) -> Vec<u8> {
    games_of(seed, count, 100)
}

/// So many games of at most `longest` plies behind their openings.
pub fn games_of(seed: u64, count: usize, longest: usize) -> Vec<u8> {
    let mut random = Random(seed);
    let mut text = String::new();
    let mut left = count;
    while left > 0 {
        let games = left.min(12 + random.below(60));
        left -= games;
        text += &event(&mut random, games, longest);
    }
    text.into_bytes()
}

fn event(random: &mut Random, games: usize, longest: usize) -> String {
    let (event, site) = PLACES[random.below(PLACES.len())];
    let (year, month, day) = (2001 + random.below(24), 1 + random.below(12), 1 + random.below(18));
    let kind = random.below(3);
    let first = random.below(60);
    let mut ratings: Vec<i64> = (0..12).map(|_| 2050 + random.below(650) as i64).collect();
    let mut text = String::new();
    for number in 0..games {
        let (round, board) = (1 + number / 6, 1 + number % 6);
        // Berger's tables, more or less: each round the players move on by one place.
        let seat = |place: usize| if place == 0 { 0 } else { 1 + (place + round) % 11 };
        let (white, black) = match round % 2 {
            0 => (seat(board - 1), seat(12 - board)),
            _ => (seat(12 - board), seat(board - 1)),
        };
        let played = play::game(random, longest);
        let date = format!("{year}.{month:02}.{:02}", day + round % 10);
        let mut tags: Vec<(&str, String)> = vec![
            ("Event", event.into()),
            ("Site", site.into()),
            ("Date", if random.one_in(40) { format!("{year}.??.??") } else { date }),
            ("Round", if kind == 0 { round.to_string() } else { format!("{round}.{board}") }),
            ("White", words::player(first + white)),
            ("Black", words::player(first + black)),
            ("Result", played.outcome.as_str().into()),
        ];
        if kind == 2 {
            tags.push(("WhiteTitle", ["GM", "IM", "FM"][white % 3].into()));
            tags.push(("BlackTitle", ["GM", "IM", "FM"][black % 3].into()));
        }
        if kind > 0 && !random.one_in(30) {
            tags.push(("WhiteElo", ratings[white].to_string()));
            tags.push(("BlackElo", ratings[black].to_string()));
        }
        tags.push(("ECO", played.eco.into()));
        if kind == 2 {
            tags.push(("Opening", played.opening.into()));
            tags.push(("WhiteFideId", (4_600_000 + 977 * (first + white)).to_string()));
            tags.push(("BlackFideId", (4_600_000 + 977 * (first + black)).to_string()));
        }
        tags.push(("EventDate", format!("{year}.{month:02}.{day:02}")));
        if kind == 1 {
            tags.push(("PlyCount", played.san.len().to_string()));
        }
        let gain = match played.outcome {
            Outcome::White => 5,
            Outcome::Black => -5,
            _ => 0,
        };
        ratings[white] += gain;
        ratings[black] -= gain;
        text += &play::tags(&tags);
        text += &format!("\n{}\n", movetext(&played, 79));
    }
    text
}
