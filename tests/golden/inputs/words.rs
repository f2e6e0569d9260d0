//! Names and prose from a seed.

use crate::games::Random;

const FAMILY: [&str; 40] = [
    "Adler",
    "Balogh",
    "Castellanos",
    "Dvořák",
    "Eriksen",
    "Fontaine",
    "Grigoryan",
    "Hoffmann",
    "Ivanov",
    "Jansen",
    "Kowalski",
    "Lindqvist",
    "Müller",
    "Novák",
    "O'Brien",
    "Petrov",
    "Quispe",
    "Rossi",
    "Sánchez",
    "Tamm",
    "Ueda",
    "Varga",
    "Wójcik",
    "Xu",
    "Yilmaz",
    "Zhang",
    "Abdullayev",
    "Bianchi",
    "Cohen",
    "Dimitrov",
    "Evans",
    "Ferreira",
    "Ghosh",
    "Horvat",
    "Ito",
    "Jokić",
    "Krishnan",
    "Larsen",
    "Moreau",
    "Nguyen",
];

const GIVEN: [&str; 24] = [
    "Anna", "Boris", "Carla", "David", "Elena", "Felix", "Grete", "Hugo", "Irina", "Jan", "Katya",
    "Luis", "Marta", "Nils", "Olga", "Paul", "Rosa", "Stefan", "Tomas", "Ursula", "Viktor", "Wei",
    "Yusuf", "Zoltan",
];

const PROSE: [&str; 48] = [
    "the",
    "a",
    "White",
    "Black",
    "knight",
    "bishop",
    "rook",
    "queen",
    "pawn",
    "king",
    "now",
    "and",
    "but",
    "after",
    "before",
    "is",
    "was",
    "has",
    "takes",
    "threatens",
    "holds",
    "with",
    "in",
    "on",
    "to",
    "attack",
    "defence",
    "endgame",
    "plan",
    "square",
    "file",
    "centre",
    "side",
    "time",
    "trouble",
    "better",
    "equal",
    "worse",
    "clearly",
    "perhaps",
    "more",
    "less",
    "of",
    "here",
    "again",
    "only",
    "move",
    "idea",
];

/// The name of a player as databases have it; the same for the same number.
pub fn player(number: usize) -> String {
    let mut random = Random(0x9a3e_0000 + number as u64);
    let initial = ["", "", "", " A", " J."][random.below(5)];
    let family = FAMILY[random.below(FAMILY.len())];
    match random.below(12) {
        0 => family.into(),
        1 => format!("{family}, {}", &GIVEN[random.below(GIVEN.len())][..1]),
        2 => {
            let other = FAMILY[random.below(FAMILY.len())];
            format!("{family}-{other}, {}", GIVEN[random.below(GIVEN.len())])
        }
        _ => format!("{family}, {}{initial}", GIVEN[random.below(GIVEN.len())]),
    }
}

/// The name of somebody on a server; the same for the same number.
pub fn user(number: usize) -> String {
    let mut random = Random(0x05e7_0000 + number as u64);
    let word = PROSE[4 + random.below(6)];
    let given = GIVEN[random.below(GIVEN.len())];
    match random.below(4) {
        0 => format!("{given}{}", random.below(2000)),
        1 => format!("{word}_{}", given.to_lowercase()),
        2 => format!("The{given}{word}"),
        _ => format!("{}-{word}{}", given.to_lowercase(), random.below(100)),
    }
}

/// A sentence of so many words.
pub fn sentence(random: &mut Random, words: usize) -> String {
    let mut text = String::new();
    for word in 0..words.max(1) {
        let next = PROSE[random.below(PROSE.len())];
        match word {
            0 => text += &format!("{}{}", next[..1].to_uppercase(), &next[1..]),
            _ if random.one_in(9) => text += &format!(", {next}"),
            _ => text += &format!(" {next}"),
        }
    }
    text + "."
}
