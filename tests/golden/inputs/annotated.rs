//! Games with comments of all kinds, variations within variations, glyphs, arrows, remarks to the end of a line.

use shakmaty::san::SanPlus;
use shakmaty::{Chess, Position};

use super::play::{self, Played, wrap};
use super::words;
use crate::games::Random;

const GLYPHS: [&str; 12] =
    ["$1", "$2", "$3", "$4", "$5", "$6", "$10", "$14", "$17", "$132", "$146", "$0"];
const MARKS: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];

/// So many games.
pub fn games(seed: u64, count: usize) -> Vec<u8> {
    let mut random = Random(seed);
    let mut text = String::new();
    for number in 0..count {
        let played = play::game(&mut random, 60);
        text += &play::tags(&[
            ("Event", format!("Annotated games, part {}", 1 + number / 8)),
            ("Site", "?".into()),
            ("Date", format!("19{:02}.??.??", 20 + random.below(70))),
            ("Round", "?".into()),
            ("White", words::player(random.below(30))),
            ("Black", words::player(random.below(30))),
            ("Result", played.outcome.as_str().into()),
            ("Annotator", words::player(100 + random.below(3))),
            ("PlyCount", played.san.len().to_string()),
        ]);
        text += &format!("\n{}\n", movetext(&mut random, &played, number % 3));
    }
    text.into_bytes()
}

/// The words of a comment.
fn comment(random: &mut Random) -> Vec<String> {
    let length = 1 + random.below(14);
    let sentence = words::sentence(random, length);
    format!("{{{sentence}}}").split(' ').map(str::to_owned).collect()
}

/// A comment that programs read.
fn command(random: &mut Random, ply: usize) -> String {
    let square = |random: &mut Random| {
        format!("{}{}", char::from(b'a' + random.below(8) as u8), 1 + random.below(8))
    };
    let (from, to) = (square(random), square(random));
    match random.below(5) {
        0 => format!("{{[%csl G{from},R{to}]}}"),
        1 => format!("{{[%cal Y{from}{to}]}}"),
        2 => format!("{{[%emt 0:00:{:02}]}}", random.below(60)),
        3 => format!("{{[%eval {}.{:02},{}]}}", random.below(3), random.below(100), 20 + ply % 9),
        _ => format!("{{+{}.{:02}/{} {}s}}", random.below(2), random.below(100), 12 + ply % 7, ply),
    }
}

/// A variation that begins at `position` in place of the move of number `ply`, with some of its own within.
fn variation(random: &mut Random, position: &Chess, ply: usize, depth: usize) -> Vec<String> {
    let mut words = vec![];
    let mut position = position.clone();
    for step in 0..1 + random.below(6) {
        if position.is_game_over() {
            break;
        }
        let before = position.clone();
        let chosen = play::choose(&position, random);
        let san = SanPlus::from_move_and_play_unchecked(&mut position, chosen).to_string();
        let number = (ply + step) / 2 + 1;
        if (ply + step).is_multiple_of(2) {
            words.push(format!("{number}."));
        } else if words.is_empty()
            || words.last().is_some_and(|word: &String| word.ends_with([')', '}']))
        {
            words.push(format!("{number}..."));
        }
        words.push(san);
        if random.one_in(5) {
            words.push(GLYPHS[random.below(GLYPHS.len())].into());
        }
        if random.one_in(6) {
            words.extend(comment(random));
        }
        if depth < 3 && random.one_in(5) {
            words.extend(variation(random, &before, ply + step, depth + 1));
        }
    }
    if let Some(first) = words.first_mut() {
        first.insert(0, '(');
    }
    if let Some(last) = words.last_mut() {
        last.push(')');
    }
    words
}

/// The moves with what is said of them, in one of three styles: glyphs, marks, or commands for programs.
fn movetext(random: &mut Random, played: &Played, style: usize) -> String {
    let mut words = if random.one_in(3) { comment(random) } else { vec![] };
    let mut text = String::new();
    for (ply, san) in played.san.iter().enumerate() {
        let after_words = words.last().is_some_and(|word| word.ends_with([')', '}', ';']));
        if ply % 2 == 0 {
            words.push(format!("{}.", ply / 2 + 1));
        } else if after_words || words.is_empty() {
            words.push(format!("{}...", ply / 2 + 1));
        }
        let mark = style == 1 && random.one_in(6);
        words.push(if mark { format!("{san}{}", MARKS[random.below(6)]) } else { san.clone() });
        if style == 0 && random.one_in(6) {
            words.push(GLYPHS[random.below(GLYPHS.len())].into());
        }
        if style == 2 && random.one_in(2) {
            words.push(command(random, ply));
        } else if random.one_in(7) {
            words.extend(comment(random));
        }
        while random.one_in(6) {
            words.extend(variation(random, &played.positions[ply], ply, 0));
        }
        if random.one_in(40) {
            // To the end of the line, or a line that programs skip.
            let escape = random.one_in(2);
            text += &wrap(&std::mem::take(&mut words), 76);
            let remark = words::sentence(random, 5);
            if escape {
                text += &format!("% {remark}\n");
            } else {
                text.pop();
                text += &format!(" ; {remark}\n");
            }
        }
    }
    words.push(played.outcome.as_str().into());
    text + &wrap(&words, 76)
}
