//! Blocks of every kind come back, decoded from their bytes alone.

use plyzip::unstable::streams::{
    EncodedBlock, decode_columns, decode_page, decode_pages, encode_block, page_ranges,
};
use plyzip::{Error, Model, Result, pgn};
use proptest::prelude::*;

/// Games in a page: every game in its own, a few, all together.
const PAGES: [u64; 3] = [1, 3, 1000];

/// The original of a block and its games, all pages together.
fn decode(block: &EncodedBlock, page_games: u64, length: usize) -> Result<(Vec<u8>, Vec<Vec<u8>>)> {
    let columns = decode_columns(&block.columns, block.stats.games, length)?;
    if block.pages.is_empty() {
        let texts = columns.items.iter().filter_map(pgn::Item::text);
        return Ok((texts.flatten().copied().collect(), vec![]));
    }
    let pages: Vec<(&[u8], usize)> =
        block.pages.iter().map(|page| (&page.payload[..], page.original_bytes)).collect();
    let (mut original, mut games) = (vec![], vec![]);
    for page in decode_pages(columns, page_games, &pages, &Model::none())? {
        games.extend(page.games.into_iter().map(|range| page.bytes[range].to_vec()));
        original.extend(page.bytes);
    }
    Ok((original, games))
}

fn round_trip_in_pages(input: &[u8], page_games: u64) {
    let block = encode_block(input, &Model::none(), page_games).unwrap();
    assert_eq!(block.pages.len() as u64, block.stats.games.div_ceil(page_games));
    let (original, games) = decode(&block, page_games, input.len()).unwrap();
    assert_eq!(original, input, "{:?}", String::from_utf8_lossy(input));
    assert!(block.stats.moves <= input.len() as u64);
    let document = pgn::parse(input);
    let known = document.items.iter().zip(document.ranges);
    let known: Vec<&[u8]> =
        known.filter(|(item, _)| item.game().is_some()).map(|(_, range)| &input[range]).collect();
    assert_eq!(games, known);
}

fn round_trip(input: &[u8]) {
    for page_games in PAGES {
        round_trip_in_pages(input, page_games);
    }
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

#[test]
fn pages_whose_layouts_begin_as_usual_come_back() {
    round_trip(b"[Variant \"Chess960\"]\n[\n[Variant \"Chess960\"][Event \"a\"]{");
}

#[test]
fn a_page_decodes_without_the_others() {
    let names = ["e4 e5 2. Nf3", "d4 d5 2. c4", "c4 e5 2. Nc3", "Nf3 d5 2. g3", "b3 e5 2. Bb2"];
    let input: String = ["% five games\n\n".to_string()]
        .into_iter()
        .chain(names.iter().map(|moves| {
            format!("[Event \"Club\"]\n[White \"A\"]\n[Result \"*\"]\n\n1. {moves} {{so}} *\n\nbetween\n\n")
        }))
        .collect();
    let input = input.as_bytes();
    let block = encode_block(input, &Model::none(), 2).unwrap();
    let columns = decode_columns(&block.columns, 5, input.len()).unwrap();
    let ranges = page_ranges(&columns.items, 2);
    let mut begin = 0;
    for (page, range) in block.pages.iter().zip(ranges) {
        let mut items = columns.items[range].to_vec();
        let length = page.original_bytes;
        let text = decode_page(&page.payload, &mut items, &columns.layout, length, &Model::none())
            .unwrap();
        assert_eq!(text.bytes, &input[begin..begin + length]);
        begin += length;
    }
    assert_eq!((begin, block.pages.len()), (input.len(), 3));
}

#[test]
fn pages_of_another_block_are_refused_or_decode_to_something() {
    let game = |moves: &str| format!("[Event \"Club\"]\n[Result \"*\"]\n\n{moves} *\n\n");
    let input = [game("1. e4 e5 2. Nf3"), game("1. d4 (1. c4 e5) d5"), game("1. f4")].concat();
    let block = encode_block(input.as_bytes(), &Model::none(), 1).unwrap();
    for order in [[0, 2, 1], [1, 0, 2], [2, 2, 2]] {
        let mut shuffled = block.clone();
        shuffled.pages = order.iter().map(|&page| block.pages[page].clone()).collect();
        if let Ok((original, _)) = decode(&shuffled, 1, input.len()) {
            assert_ne!(original, input.as_bytes());
        }
        shuffled.pages.pop();
        assert!(decode(&shuffled, 1, input.len()).is_err());
    }
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
    fn damaged_blocks_are_to_blame_or_decode_alike_each_time(
        pieces in prop::collection::vec(prop::sample::select(PIECES), 0..25),
        damage in prop::collection::vec((any::<prop::sample::Index>(), 0u8..8), 1..4),
        cut in any::<prop::sample::Index>(),
    ) {
        let input = pieces.concat().into_bytes();
        let mut block = encode_block(&input, &Model::none(), 2).unwrap();
        let mut parts: Vec<&mut Vec<u8>> = vec![&mut block.columns];
        parts.extend(block.pages.iter_mut().map(|page| &mut page.payload));
        for (place, bit) in damage {
            let part = place.index(parts.len());
            if !parts[part].is_empty() {
                let place = place.index(parts[part].len());
                parts[part][place] ^= 1 << bit;
            }
        }
        let part = cut.index(parts.len());
        let length = cut.index(parts[part].len() + 1);
        parts[part].truncate(length);
        match decode(&block, 2, input.len()) {
            Ok(found) => prop_assert_eq!(found, decode(&block, 2, input.len()).unwrap()),
            Err(error) => prop_assert!(
                matches!(error, Error::Damaged(_) | Error::Limit(_) | Error::Unsupported(_)),
                "{error:?}"
            ),
        }
    }
}
