//! Made-up names of users of servers.

use super::Forms;
use crate::commands::tables::warm_tables::random::Random;

/// Words that people call themselves by.
const WORDS: &[&str] = &[
    "chess", "Chess", "king", "King", "queen", "knight", "Knight", "rook", "pawn", "bishop",
    "master", "Master", "mate", "check", "gambit", "player", "the", "The", "mr", "Mr", "big",
    "black", "white", "red", "blue", "dark", "light", "wolf", "lion", "tiger", "bear", "dragon",
    "eagle", "fox", "cat", "dog", "shark", "ninja", "samurai", "pirate", "fire", "ice", "storm",
    "star", "sun", "moon", "sky", "sea", "mad", "crazy", "lucky", "happy", "lazy", "fast", "slow",
    "super", "hyper", "ultra", "pro", "noob", "boss", "doctor", "dr", "prof", "captain", "lord",
    "sir", "el", "le", "la", "de", "san", "don", "boy", "girl", "man", "men", "kid", "baby", "old",
    "new", "real", "true", "best", "blitz", "bullet", "tal", "fischer", "karpov", "kasparov",
    "carlsen", "morphy", "capa", "lover", "hunter", "killer", "rider", "runner", "singer", "gamer",
    "coder", "thinker", "fan", "hero", "zero", "one", "two", "three", "x", "xx", "bot", "Bot",
    "engine", "music", "rock", "metal", "jazz", "football", "city", "land", "world", "home",
    "time", "war", "peace", "love", "death", "life", "ghost", "shadow", "soul", "magic", "wizard",
    "power", "iron", "gold", "silver",
];

impl Forms<'_> {
    /// A name as people give themselves.
    pub(super) fn user(&self, random: &mut Random) -> String {
        let lower = |text: &str, random: &mut Random| {
            if random.chance(60) { text.to_lowercase() } else { text.into() }
        };
        let first = lower(random.one::<String>(&self.first_names), random);
        let last = lower(random.one::<String>(&self.surnames), random);
        let (word, other) = (*random.one(WORDS), *random.one(WORDS));
        let number = match random.below(10) {
            0..3 => (1950 + random.below(70)).to_string(),
            3..6 => random.below(100).to_string(),
            6 => random.below(1000).to_string(),
            7 => format!("{:02}", random.below(100)),
            8 => random.below(10000).to_string(),
            _ => (1 + random.below(9)).to_string(),
        };
        let join = *random.one(&["", "", "", "_", "-"]);
        let syllable = |random: &mut Random| {
            format!(
                "{}{}",
                random.one(&[
                    "b", "d", "k", "l", "m", "n", "r", "s", "t", "v", "z", "sh", "ch", "g", "j"
                ]),
                random.one(&["a", "e", "i", "o", "u", "an", "ar", "en", "in", "on"])
            )
        };
        match random.below(20) {
            0..4 => format!("{first}{number}"),
            4..7 => format!("{first}{join}{last}"),
            7 => format!("{last}{number}"),
            8 => format!("{}{last}", &first[..1]),
            9 => format!("{last}{join}{first}"),
            10..12 => format!("{word}{join}{other}"),
            12 => format!("{word}{join}{first}"),
            13 => format!("{first}{join}{word}{number}"),
            14 => last,
            15 => first,
            16 => format!("{word}{number}"),
            17 => format!("{first}{}", &last[..1]),
            _ => {
                let mut name: String = (0..2 + random.below(3)).map(|_| syllable(random)).collect();
                if random.chance(40) {
                    name += &number;
                }
                if random.chance(50) {
                    name[..1].make_ascii_uppercase();
                }
                name
            }
        }
    }
}
