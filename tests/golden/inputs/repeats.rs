//! Games that stand more than once: as they were, with other players, with other results.

use crate::games::Random;

/// `games`, and so many of them again, in any order.
pub fn among(games: &[u8], seed: u64, count: usize) -> Vec<u8> {
    let mut random = Random(seed);
    let text = String::from_utf8(games.to_vec()).unwrap();
    let all: Vec<&str> = text.split_inclusive("\n\n").collect();
    // Tags and moves of each game.
    let all: Vec<String> = all.chunks(2).map(<[&str]>::concat).collect();
    let mut out = text.clone();
    for _ in 0..count {
        let game = &all[random.below(all.len())];
        out += &match random.below(4) {
            0 => game.replace("[White \"", "[White \"Dr. "),
            1 => game.replace("[Round \"", "[Round \"1"),
            _ => game.clone(),
        };
    }
    out.into_bytes()
}
