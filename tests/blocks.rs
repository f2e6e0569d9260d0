//! Blocks of every kind come back, decoded from their bytes alone.

use plyzip::Model;
use plyzip::unstable::streams::{decode_block, encode_block};
use proptest::prelude::*;

fn round_trip(input: &[u8]) {
    let model = Model::none();
    let (block, stats) = encode_block(input, &model).unwrap();
    let decoded = decode_block(&block, input.len(), &model);
    assert_eq!(decoded.unwrap(), input, "{:?}", String::from_utf8_lossy(input));
    assert!(stats.moves <= input.len() as u64);
}

const PIECES: &[&str] = &[
    "[Event \"a\"]",
    "[Event \"\"]",
    "[",
    "]",
    "\"",
    "\n",
    "\r\n",
    "\r",
    " ",
    "\n\n",
    "[FEN \"8/8/8/8/8/k7/8/K1q5 w - - 0 1\"]",
    "[Result \"1-0\"]",
    "[White \"\\\"x\"]",
    "1. e4 e5",
    "1.e4",
    "Nf3",
    "Nc6 ",
    "$3",
    "!?",
    "{",
    "}",
    "{[%clk 0:01:00]}",
    "(",
    ")",
    "(1. d4)",
    ";x",
    "%y",
    "1-0",
    "*",
    "1/2-1/2",
    "--",
    "e8=Q",
    "O-O",
    "0-0",
    "12...",
    "\u{feff}",
    "\0",
    "é",
    "[Variant \"Chess960\"]",
    "[WhiteRatingDiff \"+3\"]",
    "[UTCTime \"00:00:01\"]",
    "[ECO \"B10\"]",
    "[PlyCount \"2\"]",
];

#[test]
fn every_cut_of_two_games_comes_back() {
    let text = b"\n[Event \"a\"]\n\n[Event \"a\"]\n[Result \"1-0\"]\n[ECO \"C20\"]\n\n1. e4 {x} e5 (1... c5 2. Nf3) 1-0\n\n";
    for from in 0..text.len() {
        for to in from..text.len() {
            round_trip(&text[from..to]);
        }
    }
}

#[test]
fn more_variations_than_a_game_may_have_come_back() {
    let mut text = b"[Event \"many\"]\n\n1. e4 ".to_vec();
    for _ in 0..plyzip::pgn::MAX_LINES + 100 {
        text.extend(b"(1. d4) ");
    }
    text.extend(b"e5 *\n");
    round_trip(&text);
}

#[test]
fn a_game_of_forty_thousand_plies_without_progress_comes_back() {
    let mut text = b"[Event \"long\"]\n\n".to_vec();
    for number in (1..20_000).step_by(2) {
        text.extend(format!("{number}. Nf3 Nf6 {}. Ng1 Ng8 ", number + 1).bytes());
    }
    text.extend(b"1/2-1/2\n");
    round_trip(&text);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn pieces_of_pgn_come_back(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..25)) {
        round_trip(pieces.concat().as_bytes());
    }

    #[test]
    fn arbitrary_bytes_come_back(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        round_trip(&bytes);
    }

    #[test]
    fn damaged_blocks_are_refused_or_decode_to_something(
        pieces in prop::collection::vec(prop::sample::select(PIECES), 0..25),
        damage in prop::collection::vec((any::<prop::sample::Index>(), 0u8..8), 1..4),
        cut in any::<prop::sample::Index>(),
    ) {
        let input = pieces.concat().into_bytes();
        let (mut block, _) = encode_block(&input, &Model::none()).unwrap();
        for (place, bit) in damage {
            let place = place.index(block.len());
            block[place] ^= 1 << bit;
        }
        block.truncate(cut.index(block.len()) + 1);
        if let Ok(decoded) = decode_block(&block, input.len(), &Model::none()) {
            prop_assert_eq!(decoded.len(), input.len());
        }
    }
}
