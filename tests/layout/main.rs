//! Bytes come back through structure, layout and text, whatever they are.

mod carry;

use plyzip::pgn::{self, Item, Token};
use plyzip::unstable::pgn::parts;
use plyzip::unstable::streams::layout::LayoutPrior;
use plyzip::unstable::streams::{layout, structure, text};
use proptest::prelude::*;

fn comes_back(input: &[u8]) {
    let carried = carry::encode(input).unwrap();
    let decoded = carry::decode(&carried).unwrap_or_else(|error| {
        panic!("{error}: {:?}", String::from_utf8_lossy(&input[..input.len().min(2000)]))
    });
    assert!(decoded == input, "{:?}", String::from_utf8_lossy(&input[..input.len().min(2000)]));
}

fn comes_back_with_prior(input: &[u8]) {
    let carried = carry::encode_with_prior(input).unwrap();
    assert!(carry::decode(&carried).unwrap() == input);
}

/// Morphy against the Duke of Brunswick and Count Isouard, Paris 1858.
const OPERA: &str = r#"[Event "Paris"]
[Site "Paris FRA"]
[Date "1858.??.??"]
[White "Paul Morphy"]
[Black "Duke Karl / Count Isouard"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8.
Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14.
Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0

"#;

/// The same game as an annotated file has it: wrapped at 72, with variations.
const ANNOTATED: &str = r#"[Event "Paris"]
[Result "1-0"]
[Annotator "None"]

{A casual game at the opera; the allies consulted, and Morphy would have
liked to see more of the stage.} 1. e4 e5 2. Nf3 d6 3. d4 Bg4 $6 (3...
exd4 {is usual.} 4. Nxd4 Nf6) (3... f5 $2 4. dxe5 (4. Nc3 $1) 4... fxe4
5. Ng5) 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3! Qe7 8. Nc3 $1 c6
9. Bg5 {Black is in what is like a zugzwang position here, as has been
said more than once before, and a long comment has to be broken here.}
9... b5?! 10. Nxb5! cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 ; by now it's over
13. Rxd7 $3 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+!! Nxb8 17. Rd8# 1-0

"#;

/// The movetext of one game with its lines broken before they get longer than `width`.
fn wrapped(game: &str, width: usize) -> String {
    let (tags, movetext) = game.split_once("\n\n").unwrap();
    let movetext = movetext.replace("; by now it's over\n", "");
    let mut text = format!("{tags}\n\n");
    let mut column = 0;
    for word in movetext.split_whitespace() {
        let gap = match column {
            0 => "",
            _ if column + 1 + word.len() > width => "\n",
            _ => " ",
        };
        column = if gap == "\n" { 0 } else { column + gap.len() } + word.len();
        text += gap;
        text += word;
    }
    text + "\n\n"
}

#[test]
fn files_of_all_kinds_come_back() {
    let crlf = OPERA.replace('\n', "\r\n");
    let cr = OPERA.replace('\n', "\r");
    let latin = OPERA.replace("Paul", "Pa\u{fc}l").chars().map(|c| c as u8).collect::<Vec<_>>();
    let twice = format!("\u{feff}{OPERA}{ANNOTATED}{OPERA}");
    let inputs: Vec<Vec<u8>> = vec![
        b"".to_vec(),
        b"\n".to_vec(),
        b"\0\0\0".to_vec(),
        OPERA.into(),
        ANNOTATED.into(),
        crlf.into(),
        cr.into(),
        latin,
        twice.into(),
        OPERA.trim_end().into(),
        OPERA.replace("17. Rd8# 1-0\n\n", "").into(),
        OPERA.replace("Bg5", "Lg5").into(),
        OPERA.replace("b5 10", "Ke4 10").into(),
        OPERA.replace("9. Bg5", "9. -- b5 10. Z0").into(),
        OPERA.replace(". ", ".").into(),
        OPERA.replace('#', "+").into(),
        OPERA.replace("O-O-O", "0-0-0").replace('x', "").into(),
        b"1. e4 e5 1/2-1/2\n\n1. d4 d5 *\n".to_vec(),
        b"e4 e5 Nf3 Nc6\n".to_vec(),
        b"[Event \"a\"]\n[Result \"*\"]\n\n[Event \"b\"]\n[Result \"*\"]\n\n*\n".to_vec(),
        b"[Event \"a\"]\n\n1. e4 {never closed\n\n[Event \"b\"]\n\n1. d4 (1. c4 *\n".to_vec(),
        b"[Event \"a\"]\n\n% escaped\n; a line\n1. e4 ; another\n%end\n1... e5 *\n".to_vec(),
        b"[A \"1\"][B \"2\"] 1. e4 1. e5 2. 2. Nf3\n".to_vec(),
        b"[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 40\"]\n\n40... Kd7 41. e4 *\n".to_vec(),
        b"[FEN \"nonsense\"]\n\n40... Kd7 41. e4 *\n".to_vec(),
        b"[Variant \"Chess960\"]\n[FEN \"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1\"]\n\n1. g3 d6 2. Bh3 O-O *\n"
            .to_vec(),
        b"[Variant \"Crazyhouse\"]\n\n1. e4 N@f3 *\n".to_vec(),
        b"[A \"1\"]\n\n1. e2e4 e7-e5 2. Ng1f3 Nbc6 3. $3 $003 !? $255 $256 *\n".to_vec(),
        b"[A \"1\"]\n\n01. e4 e5 1... d5 3. 1-0 Nonsense {\n\n".to_vec(),
    ];
    for input in inputs {
        comes_back(&input);
        comes_back_with_prior(&input);
    }
}

fn games(input: &str) -> Vec<pgn::Game> {
    pgn::parse(input.as_bytes()).into_games().collect()
}

#[test]
fn what_is_wrong_in_a_game_stays_in_it() {
    for bad in [
        "9. Lg5",
        "9. Bg5 {",
        "9. Bg5 (9. Be3 b5",
        "9. --",
        "9. Bg5 (9. Be3 {)} ; )\n",
        "9. Bg5 ]",
        "9. (",
        "9. \0",
    ] {
        let input = format!("{OPERA}{}{OPERA}", OPERA.replace("9. Bg5", bad));
        comes_back(input.as_bytes());
        comes_back_with_prior(input.as_bytes());
        let games = games(&input);
        assert_eq!(games.len(), 3, "{bad}");
        assert_eq!((games[0].plies(), games[2].plies()), (33, 33), "{bad}");
        assert!(games[1].plies() >= 16, "{bad}");
        assert!(matches!(games[1].tokens.last(), Some(Token::Text(_))), "{bad}");
    }
}

#[test]
fn a_variation_that_makes_no_sense_costs_no_game() {
    for bad in ["(9. --)", "(9. Be3 (9... -- {)} 10. a3) 9... b5)", "(9. Be3 1-0)", "(9. Lg5)"] {
        let input = OPERA.replace("9. Bg5", &format!("9. Bg5 {bad}"));
        comes_back(input.as_bytes());
        comes_back_with_prior(input.as_bytes());
        assert_eq!(games(&input)[0].lines[0].moves.len(), 33, "{bad}");
    }
}

#[test]
fn variations_hang_where_they_belong() {
    let game = &games(ANNOTATED)[0];
    assert_eq!(game.lines[0].moves.len(), 33);
    let branches: Vec<_> = game.lines[1..]
        .iter()
        .map(|line| (line.branch.unwrap().line, line.branch.unwrap().ply, line.moves.len()))
        .collect();
    assert_eq!(branches, [(0, 5, 3), (0, 5, 4), (2, 1, 1)]);
}

#[test]
fn comments_are_unwrapped_where_a_rule_explains_the_breaks() {
    let input = ANNOTATED.repeat(3);
    let carried = carry::encode(input.as_bytes()).unwrap();
    let Item::Game(game) = &carried.document.items[0] else { panic!() };
    let Token::Comment(comment) = &game.tokens[0] else { panic!() };
    assert!(!comment.contains(&b'\n'));
    assert_eq!(carry::decode(&carried).unwrap(), input.as_bytes());
}

#[test]
fn a_regular_archive_costs_next_to_nothing() {
    let dollars = [("?! ", " $6 "), ("!! ", " $3 "), ("! ", " $1 ")];
    let annotated = dollars
        .iter()
        .fold(ANNOTATED.into(), |game: String, (suffix, dollar)| game.replace(suffix, dollar));
    let annotated = wrapped(&annotated, 76);
    for (input, most) in [(OPERA.repeat(500), 30), (annotated.repeat(500), 1500)] {
        let carried = carry::encode(input.as_bytes()).unwrap();
        let size = carried.layout.len() + carried.structure.len() + carried.items.len();
        assert!(size < most, "{} + {}", carried.layout.len(), carried.structure.len());
        assert!(carried.layout.len() < 100, "{}", carried.layout.len());
    }
    let lichess = OPERA.replace(" 1-0\n", " { [%clk 0:00:01] } 1-0\n");
    let lichess: String = (1..=17).fold(lichess.replace(['\n'], " "), |text, number| {
        text.replacen(&format!(" {number}. "), &format!(" {{ [%clk 0:00:02] }} {number}. "), 1)
    });
    let input = format!("{}\n\n", lichess.replace("\"] ", "\"]\n")).repeat(300);
    let carried = carry::encode(input.as_bytes()).unwrap();
    assert!(carried.layout.len() + carried.structure.len() < 150);
    assert_eq!(carry::decode(&carried).unwrap(), input.as_bytes());
}

#[test]
fn pages_begin_with_the_layout_of_their_block() {
    let input = ANNOTATED.repeat(20);
    let alone = carry::encode(input.as_bytes()).unwrap();
    let with_prior = carry::encode_with_prior(input.as_bytes()).unwrap();
    assert!(with_prior.layout.len() < alone.layout.len());
}

#[test]
fn floods_are_no_trouble() {
    for flood in [
        "(",
        "{",
        "[",
        "\"",
        "1",
        "1. ",
        "e4 ",
        ";",
        "%",
        "\n",
        "\r",
        " ",
        "!",
        "$1",
        "*",
        "[A \"",
        "[A \"x\"]",
        "[Event \"x\"]\n\n",
        "{}",
        "e4 (",
        "()",
        "1-0\n",
        ".",
        "-",
        "\0",
    ] {
        let len = if ["(", "{", "["].contains(&flood) { 1_000_000 } else { 100_000 };
        let flood = flood.repeat(len / flood.len());
        for start in ["", "1. e4 ", "[A \"x\"]\n\n1. e4 "] {
            comes_back(format!("{start}{flood}").as_bytes());
        }
    }
}

#[test]
fn deep_nesting_ends_in_text_and_comes_back() {
    for depth in [1, 10, 150, 199, 200, 201, 5000] {
        let (mut text, mut closing) = (String::from("[A \"x\"]\n\n1. e4"), String::new());
        for level in 0..depth {
            text.push_str(if level % 2 == 0 { " (1. d4" } else { " (1. c4" });
            closing.push(')');
        }
        comes_back(format!("{text}{closing} *\n\n").as_bytes());
        comes_back(text.as_bytes());
        comes_back_with_prior(text.as_bytes());
    }
}

/// Pseudo-random numbers for damage that is the same in every run.
fn next(state: &mut u64) -> usize {
    *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*state >> 33) as usize
}

#[test]
fn damaged_streams_are_errors_or_other_text_but_never_a_panic() {
    let input = format!("{OPERA}{ANNOTATED}junk\n{}{ANNOTATED}", OPERA.replace("9. Bg5", "9. Lg5"));
    let whole = carry::encode_with_prior(input.as_bytes()).unwrap();
    let mut state = 1;
    for round in 0..3000 {
        let mut carried = whole.clone();
        let streams =
            [&mut carried.layout, &mut carried.structure, &mut carried.items, &mut carried.prior];
        let stream = streams.into_iter().nth(round % 4).unwrap();
        match next(&mut state) % 3 {
            0 => stream.truncate(next(&mut state) % (stream.len() + 1)),
            1 if !stream.is_empty() => {
                let at = next(&mut state) % stream.len();
                stream[at] ^= 1 << (next(&mut state) % 8);
            }
            _ => stream.iter_mut().for_each(|byte| *byte = next(&mut state) as u8),
        }
        if let Ok(decoded) = carry::decode(&carried) {
            assert_eq!(decoded.len(), input.len());
        }
    }
}

#[test]
fn foreign_games_are_no_trouble() {
    let carried = carry::encode(ANNOTATED.as_bytes()).unwrap();
    let prior = LayoutPrior::usual().unwrap();
    let (items, ranges, atoms) = parts(pgn::parse(OPERA.as_bytes()));
    assert!(layout::encode(b"too short", &items, &ranges, &atoms, &prior).is_err());
    assert!(layout::decode(&carried.layout, &items, ANNOTATED.len(), &prior).is_err());
    assert!(structure::decode(&[], &mut games(OPERA), 3).is_err());
    assert!(text::decode_items(&[0xff; 9], 3, 1000).is_err());
}

fn mutated() -> impl Strategy<Value = Vec<u8>> {
    let edit = (any::<prop::sample::Index>(), 0..4u8, any::<u8>(), 0..40usize);
    let tokens = prop::sample::select(vec![
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        "\"",
        "\n",
        "\r\n",
        "1.",
        "...",
        "e4",
        "Nf3",
        "O-O",
        "$1",
        "!?",
        "%",
        ";",
        "*",
        "1-0",
        "[Event \"x\"]\n",
        "\n\n",
        "\t",
        "--",
        "e.p.",
        "\u{fc}",
        "\0",
    ]);
    (prop::collection::vec((edit, tokens), 0..30), any::<bool>()).prop_map(|(edits, annotated)| {
        let mut text = if annotated { ANNOTATED } else { OPERA }.repeat(2).into_bytes();
        for ((place, kind, byte, len), token) in edits {
            let at = place.index(text.len() + 1);
            let end = (at + len).min(text.len());
            match kind {
                0 => drop(text.splice(at..at, token.bytes())),
                1 => drop(text.drain(at..end)),
                2 => text.insert(at, byte),
                _ => {
                    let copy = text[at..end].to_vec();
                    text.splice(at..at, copy);
                }
            }
        }
        text
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_come_back(input in prop::collection::vec(any::<u8>(), 0..2000)) {
        comes_back(&input);
        comes_back_with_prior(&input);
    }

    #[test]
    fn bytes_of_the_usual_kind_come_back(input in "[\\[\\]\"{}()1.eN4dx+#O*%;$! \n\r-]{0,400}") {
        comes_back(input.as_bytes());
        comes_back_with_prior(input.as_bytes());
    }

    #[test]
    fn mutated_games_come_back(input in mutated()) {
        comes_back(&input);
        comes_back_with_prior(&input);
    }
}
