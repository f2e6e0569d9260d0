//! Texts that are no games: one for each way in which texts are kept.

use plyzip::pgn;

use super::words;
use crate::games::Random;

/// Sentences, which mixed contexts predict.
pub fn prose(seed: u64, words: usize) -> Vec<u8> {
    let mut random = Random(seed);
    let mut text = String::new();
    while text.split(' ').count() < words {
        let length = 4 + random.below(12);
        text += &words::sentence(&mut random, length);
        text.push(if random.one_in(4) { '\n' } else { ' ' });
    }
    text.into_bytes()
}

/// Noise that comes twice, and long runs of each of its bytes: LZMA repeats more cheaply than contexts learn.
pub fn repeated() -> Vec<u8> {
    let part = noise(22, 300);
    let runs = part.iter().take(40).flat_map(|&byte| [byte; 250]);
    part.repeat(2).into_iter().chain(runs).collect()
}

/// Bytes that nothing predicts.
pub fn noise(seed: u64, count: usize) -> Vec<u8> {
    let mut random = Random(seed);
    let byte = |random: &mut Random| match random.below(256) as u8 {
        // Neither what could begin a tag nor the end of a line.
        b'[' | b'\r' | b'\n' => b'x',
        byte => byte,
    };
    (0..count).map(|_| byte(&mut random)).collect()
}

/// The famous games with noise between some of them, which is kept as it is.
pub fn between_games() -> Vec<u8> {
    let sample = super::sample();
    let mut text = vec![];
    for (number, range) in pgn::parse(&sample).ranges.into_iter().enumerate().take(6) {
        if number % 2 == 1 {
            text.extend(noise(number as u64, 40));
            text.extend(b"\n\n");
        }
        text.extend(&sample[range]);
    }
    text
}

/// Prose before some games and behind them, in longer stretches than a block.
pub fn around_games() -> Vec<u8> {
    let games = super::tournament::games(24, 6);
    [prose(25, 900), b"\n\n".to_vec(), games, prose(26, 600)].concat()
}

/// The game of `games` with this player for Black.
pub fn game_of(games: &[u8], black: &str) -> Vec<u8> {
    let document = pgn::parse(games);
    let mut known = document.items.iter().zip(&document.ranges);
    let is_it = |item: &pgn::Item| {
        item.game().is_some_and(|game| game.tag("Black") == Some(black.as_bytes()))
    };
    let (_, range) = known.find(|(item, _)| is_it(item)).expect("the game");
    games[range.clone()].to_vec()
}
