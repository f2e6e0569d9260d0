use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::pgn::{Branch, Line, Tag};
use crate::predict::Surprisal;

fn round_trip(games: &[Game]) -> usize {
    round_trip_with(games, &[])
}

fn round_trip_with(games: &[Game], surprisals: &Surprisals) -> usize {
    let bytes = encode(games, surprisals).unwrap();
    let mut back = games.to_vec();
    let mut limit = 0;
    for game in &mut back {
        for token in &mut game.tokens {
            if let Token::Comment(text) | Token::LineComment(text) | Token::Escape(text) = token {
                limit += text.len();
                text.clear();
            }
        }
    }
    decode(&bytes, &mut back, surprisals, 4 * limit + 1000).unwrap();
    assert_eq!(back, games);
    bytes.len()
}

fn blitz(plies: i64) -> Game {
    let mut game = Game {
        tags: vec![Tag { name: b"TimeControl".to_vec(), value: b"300+3".to_vec() }],
        ..Game::default()
    };
    let mut clocks = [300i64; 2];
    for ply in 0..plies {
        let clock = &mut clocks[(ply & 1) as usize];
        *clock = (*clock + 3 - ply * 7 % 5).max(0);
        let comment = format!(
            " [%eval 0.{}] [%clk 0:{:02}:{:02}] ",
            ply * 3 % 7 + 1,
            *clock / 60,
            *clock % 60
        );
        game.tokens.extend([Token::Move, Token::Comment(comment.into_bytes())]);
    }
    game
}

#[test]
fn clocks_cost_little() {
    let games = vec![blitz(60); 20];
    assert!(round_trip(&games) < 20 * 60);
}

/// A game with the comments that `comment` makes of ply and clock; the clock loses `took` units and
/// gains `gain`.
fn clocked(
    tags: &[(&str, &str)],
    start: i64,
    gain: i64,
    took: impl Fn(i64) -> i64,
    comment: impl Fn(i64, i64) -> String,
) -> Game {
    let tags = tags.iter().map(|(name, value)| Tag {
        name: name.as_bytes().to_vec(),
        value: value.as_bytes().to_vec(),
    });
    let mut game = Game { tags: tags.collect(), ..Game::default() };
    let mut clocks = [start; 2];
    for ply in 0..80 {
        let clock = &mut clocks[(ply & 1) as usize];
        *clock = (*clock - took(ply) + gain).max(0);
        game.tokens.push(Token::Move);
        game.tokens.push(Token::Comment(comment(took(ply), *clock).into_bytes()));
    }
    game
}

fn spelled(seconds: i64) -> String {
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

#[test]
fn times_depend_on_surprises() {
    // What takes long follows no other rule.
    let slow = |ply: i64| ply * 7919 % 11 < 4;
    let took = |ply| if slow(ply) { 12 } else { 2 };
    let clock = |_, clock| format!(" [%clk {}] ", spelled(clock));
    let game = clocked(&[("TimeControl", "1800+0")], 1800, 0, took, clock);
    let surprisal = |ply: i64| Surprisal { cost: if slow(ply) { 60 } else { 2 }, entropy: 20 };
    let surprisals = vec![(0..80).map(surprisal).collect::<Vec<Surprisal>>(); 30];
    let games = vec![game; 30];
    let (told, untold) = (round_trip_with(&games, &surprisals), round_trip(&games));
    assert!(told * 10 < untold * 9, "{told} {untold}");
    // Surprisals may be missing, for games and for moves.
    round_trip_with(&games, &[vec![], surprisals[0][..7].to_vec()]);
}

#[test]
fn increments_are_found_where_no_tag_tells_them() {
    let took = |ply| 5 + ply * 7919 % 13;
    let clock = |_, clock| format!("[%clk {}]", spelled(clock));
    let tagged = clocked(&[("TimeControl", "5400+30")], 5400, 30, took, clock);
    let tagged = round_trip(&vec![tagged; 10]);
    let untagged = round_trip(&vec![clocked(&[], 5400, 30, took, clock); 10]);
    assert!(untagged < tagged * 5 / 4, "{untagged} {tagged}");
}

#[test]
fn tenths_of_seconds_come_back() {
    let took = |ply| if ply % 3 == 0 { 1 } else { 17 + ply * 7919 % 23 };
    let clock = |_, clock| match clock % 10 {
        0 => format!("[%clk {}]", spelled(clock / 10)),
        tenth => format!("[%clk {}.{tenth}]", spelled(clock / 10)),
    };
    round_trip(&[clocked(&[("TimeControl", "180+1")], 1800, 10, took, clock)]);
}

#[test]
fn a_time_that_two_commands_tell_is_coded_once() {
    let took = |ply| ply * 7919 % 31;
    let tags = [("TimeControl", "1800+0")];
    let one = |_, clock| format!("[%clk {}]", spelled(clock));
    let both = |took, clock| format!("[%emt {}] [%clk {}]", spelled(took), spelled(clock));
    let one = round_trip(&vec![clocked(&tags, 1800, 0, took, one); 4]);
    let both = round_trip(&vec![clocked(&tags, 1800, 0, took, both); 4]);
    assert!(both < one + 30, "{both} {one}");
}

#[test]
fn clocks_that_gain_without_reason_come_back() {
    let took = |ply| if ply == 40 { -3600 } else { ply % 5 - 2 };
    let clock = |_, clock| format!(" [%clk {}] ", spelled(clock));
    for control in ["300+0", "5400+30", "?", "4294967295+65535", "-"] {
        round_trip(&[clocked(&[("TimeControl", control)], 300, 0, took, clock)]);
    }
}

#[test]
fn texts_and_clocks_in_variations_come_back() {
    let comment = |text: &[u8]| Token::Comment(text.to_vec());
    let mut game = blitz(10);
    game.lines =
        vec![Line::default(), Line { branch: Some(Branch { line: 0, ply: 9 }), moves: Vec::new() }];
    game.tokens.extend([
        comment(b""),
        comment(b" "),
        comment(b"A blunder.\nBetter was\x00 \x01 this:"),
        Token::Open,
        Token::Nag(2),
        comment(b"[%clk 0:00:09.9] and so on [%csl Ga1]"),
        Token::Move,
        comment(b"[%eval #-3,20]"),
        Token::Close,
        Token::Close,
        Token::Open,
        Token::Open,
        Token::Move,
        Token::LineComment(b" to the end } of the line".to_vec()),
        Token::Escape(b"escaped".to_vec()),
        comment(&[0xff; 500]),
        comment(b"[%clk 0:00:08] [%clk 0:00:07] [%emt 00:00:01.001]"),
    ]);
    round_trip(&[game.clone(), Game::default(), game]);
}

#[test]
fn damaged_comments_are_errors_or_other_comments() {
    let games = vec![blitz(20); 3];
    let bytes = encode(&games, &[]).unwrap();
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x55;
        let _ = decode(&damaged, &mut games.clone(), &[], 10_000);
        let _ = decode(&bytes[..at], &mut games.clone(), &[], 10_000);
    }
    assert!(matches!(decode(&bytes, &mut games.clone(), &[], 50), Err(Error::Limit(_))));
}

#[test]
fn other_spellings_of_lengths_are_refused() {
    let with_text = Game { tokens: vec![Token::Comment(b"A novelty".to_vec())], ..Game::default() };
    for games in [vec![], vec![blitz(20)], vec![with_text]] {
        let bytes = encode(&games, &[]).unwrap();
        let read = |bytes: &[u8]| decode(bytes, &mut games.clone(), &[], 10_000);
        assert!(read(&bytes).is_ok());
        let needless_zero = match bytes.split_first() {
            None => vec![0],
            Some((length, rest)) => [&[length | 0x80, 0], rest].concat(),
        };
        assert!(matches!(read(&needless_zero), Err(Error::Damaged(_))));
        // A zero that is not written, or a text of no length, or more than the text.
        assert!(read(&[&bytes[..], &[0]].concat()).is_err());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_comments_come_back(
        comments in vec(
            prop_oneof![
                vec(any::<u8>(), 0..60),
                r"( ?\[%(clk|eval|emt|x) [-#0-9:., ]{0,9}\] ?){1,3}".prop_map(String::into_bytes),
            ],
            0..40,
        ),
    ) {
        let tokens = comments.into_iter().flat_map(|text| [Token::Move, Token::Comment(text)]);
        round_trip(&[Game { tokens: tokens.collect(), ..Game::default() }]);
    }

    #[test]
    fn garbage_never_panics(bytes in vec(any::<u8>(), 0..300)) {
        let _ = decode(&bytes, &mut vec![blitz(30); 4], &[], 5000);
    }
}
