use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::pgn::{Branch, Line, Tag};

fn round_trip(games: &[Game]) -> usize {
    let bytes = encode(games).unwrap();
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
    decode(&bytes, &mut back, 4 * limit + 1000).unwrap();
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
    let bytes = encode(&games).unwrap();
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x55;
        let _ = decode(&damaged, &mut games.clone(), 10_000);
        let _ = decode(&bytes[..at], &mut games.clone(), 10_000);
    }
    assert!(matches!(decode(&bytes, &mut games.clone(), 50), Err(Error::Limit(_))));
}

#[test]
fn other_spellings_of_lengths_are_refused() {
    let with_text = Game { tokens: vec![Token::Comment(b"A novelty".to_vec())], ..Game::default() };
    for games in [vec![], vec![blitz(20)], vec![with_text]] {
        let bytes = encode(&games).unwrap();
        let read = |bytes: &[u8]| decode(bytes, &mut games.clone(), 10_000);
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
        let _ = decode(&bytes, &mut vec![blitz(30); 4], 5000);
    }
}
