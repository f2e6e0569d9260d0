//! Games from other starts, in other spellings and layouts, with errors, in other encodings.

use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{EnPassantMode, Move, Position, Role};

use super::annotated;
use super::play::{self, Played};
use super::words;
use crate::games::{self, Random, random_game};

/// So many games that begin elsewhere, Chess960 among them.
pub fn starts(seed: u64, count: usize) -> Vec<u8> {
    let mut random = Random(seed);
    let starts = games::starts();
    let mut text = String::new();
    for number in 0..count {
        let start = &starts[number % starts.len()];
        let moves = random_game(start, 10 + random.below(50), &mut random);
        // Castling to where no king of the usual game goes: the last starts but one.
        let chess960 = (12..15).contains(&(number % starts.len()));
        let fen = Fen::from_position(start, EnPassantMode::Legal).to_string();
        let mut tags = vec![
            ("Event", "Positions".into()),
            ("White", words::player(random.below(9))),
            ("Black", words::player(random.below(9))),
            ("Result", "*".to_owned()),
        ];
        if chess960 {
            tags.push(("Variant", "Chess960".into()));
        }
        if number % starts.len() > 0 {
            tags.push(("SetUp", "1".into()));
            tags.push(("FEN", fen));
        }
        let mut position = start.clone();
        let mut words = vec![];
        for chosen in moves {
            let number = position.fullmoves();
            if position.turn().is_white() {
                words.push(format!("{number}."));
            } else if words.is_empty() {
                words.push(format!("{number}..."));
            }
            words.push(SanPlus::from_move_and_play_unchecked(&mut position, chosen).to_string());
        }
        words.push("*".into());
        text += &format!("{}\n{}\n", play::tags(&tags), play::wrap(&words, 80));
    }
    text.into_bytes()
}

fn header(random: &mut Random, event: &str, played: &Played) -> String {
    play::tags(&[
        ("Event", event.into()),
        ("White", words::player(random.below(20))),
        ("Black", words::player(random.below(20))),
        ("Result", played.outcome.as_str().into()),
    ])
}

/// The same kind of game in ten layouts, some games of each in a row.
pub fn layouts(seed: u64) -> Vec<u8> {
    let mut random = Random(seed);
    let mut text = String::new();
    for layout in 0..10 {
        for _ in 0..4 {
            let played = play::game(&mut random, 30);
            let header = header(&mut random, &format!("Layout {layout}"), &played);
            let width = [79, 60, 100_000, 80, 79, 40, 255, 79, 72, 79][layout];
            let moves = play::movetext(&played, width);
            text += &match layout {
                3 => format!("{header}\n{}\n", moves.replace(". ", ".")),
                4 => format!("{header}{moves}\n\n\n"),
                5 => format!("\n{header}\n\n{moves}"),
                6 => format!("{header}\n{}\n", pairs(&played)),
                7 => format!("{}\n {moves}\n", header.replace("[", "[ ").replace("]", " ]")),
                8 => format!(
                    "{}\n\n{}\n",
                    header.replace("\n", " ").trim_end(),
                    moves.replace(' ', "  ")
                ),
                9 => format!("{header}\n{}\n\n", played.san.join(" ")),
                _ => format!("{header}\n{moves}\n"),
            };
        }
    }
    text.into_bytes()
}

/// A line for each pair of moves.
fn pairs(played: &Played) -> String {
    let mut text = String::new();
    for (number, pair) in played.san.chunks(2).enumerate() {
        text += &format!("{:3}. {}\n", number + 1, pair.join("\t"));
    }
    text + played.outcome.as_str() + "\n"
}

/// Moves spelled in ways that are not PGN's, but understood.
pub fn spellings(seed: u64) -> Vec<u8> {
    let mut random = Random(seed);
    let mut text = String::new();
    for number in 0..27 {
        let mut played = play::game(&mut random, 40);
        for (ply, san) in played.san.iter_mut().enumerate() {
            // In some games all moves are spelled like this, in others some.
            if number % 2 == 0 || random.one_in(6) {
                *san = spelled(number / 3, san, &played.moves[ply]);
            }
        }
        let header = header(&mut random, "Spellings", &played);
        text += &format!("{header}\n{}\n", play::movetext(&played, 79));
    }
    text.into_bytes()
}

fn spelled(kind: usize, san: &str, played: &Move) -> String {
    let (from, to) = (played.from().unwrap_or(played.to()), played.to());
    let letter = match played.role() {
        Role::Pawn => String::new(),
        role => role.upper_char().to_string(),
    };
    match kind {
        0 => san.replace('O', "0"),
        1 => san.trim_end_matches(['+', '#']).to_owned(),
        2 if !played.is_castle() && !played.is_promotion() => format!("{letter}{from}-{to}"),
        3 if !played.is_castle() && !played.is_promotion() => format!("{from}{to}"),
        4 => san.replace('x', ""),
        5 => san.replace('#', "++").replace('=', "/"),
        6 => san.replace('x', ":").replace('=', ""),
        7 if played.role() == Role::Pawn => format!("P{san}"),
        8 if played.is_en_passant() => format!("{san} e.p."),
        8 => format!("{san}+").replace("++", "+"),
        _ => san.into(),
    }
}

/// Games that are broken in one way or another, sound ones between them.
pub fn broken() -> Vec<u8> {
    let mut random = Random(66);
    let mut text = String::new();
    for error in [
        "[Event \"no end\"]\n[White \"A\n[Black \"B\"]\n\n1. e4 e5 2. Ke3 Nf6 {never closed\n\n",
        "[Event \"of another language\"]\n\n1. e4 e5 2. Sf3 Sc6 3. Lb5 a6 1/2-1/2\n\n",
        "[Event \"cut\"]\n[FEN \"nonsense\"]\n\n1. e4 (((( 1... e5 )) $999 !!?? e9 0-1 0-1\n\n",
        "[Event \"other rules\"]\n[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. P@e4 *\n\n",
        "[Event \"null moves\"]\n\n1. e4 -- 2. d4 Z0 3. Nf3 (3. -- Nc6) *\n\n",
        "[Event \"two\"][Event \"times\"]\n[Result \"1-0\"]\n\n01. e4 1. e5 7... Nf3 2.. Nc6 0-1\n\n",
        "[Event \"no moves\"]\n[Result \"1-0\"]\n\n[Event \"none again\"]\n\n*\n\n",
        "[event \"\\\"quoted\\\" and \\\\ \"] [] [X] [Y \"\"]\n\n1. d4\u{b}d5\u{a0}2. c4 1-0 e6\n",
        "1. e4 e5 2. Bc4 1-0 1. d4 d5 1/2-1/2\n{a comment} 1. c4 *\n\n",
        "[Event \"impossible\"]\n[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 *\n\n",
        "[Event \"long ago\"]\n[Date \"0000.99.-1\"]\n[WhiteElo \"+2700\"]\n[BlackElo \"02700\"]\n\n1. a4 *\n\n",
    ] {
        text += error;
        let played = play::game(&mut random, 12);
        text += &header(&mut random, "Sound", &played);
        text += &format!("\n{}\n", play::movetext(&played, 79));
    }
    (text + "[Event \"the last\"]\n\n1. d4 d5 2. c4").into_bytes()
}

/// The same annotated games in UTF-8, in Latin-1 with carriage returns, with old line ends, with a byte order mark,
/// and with bytes that are no text.
pub fn encodings() -> Vec<u8> {
    let games = |seed| String::from_utf8(annotated::games(seed, 2)).unwrap();
    let latin = games(67).replace('\n', "\r\n").replace('ü', "\u{1}").replace('á', "\u{2}");
    let mut latin: Vec<u8> = latin.into_bytes();
    for byte in &mut latin {
        *byte = match *byte {
            1 => 0xfc,
            2 => 0xe1,
            other => other,
        };
    }
    let mut text = format!("\u{feff}{}", games(68)).into_bytes();
    text.extend(latin);
    text.extend(games(69).replace('\n', "\r").into_bytes());
    text.extend(b"\0\0\x1a\n\n");
    text.extend(games(70).replace("knight", "k\u{f6}nig \u{265e}").into_bytes());
    text
}
