//! PGN that was made to take long: each input is small, and took hours or for ever when something grew with the square
//! or the power of its length.

use plyzip::pgn::{self, Item, Token, game_starts};

/// `part`, as often as fills `bytes` bytes.
fn repeated(part: &str, bytes: usize) -> Vec<u8> {
    part.as_bytes().repeat(bytes / part.len())
}

/// Parses `input` and returns its items. Together their ranges are the input.
fn items(input: &[u8]) -> Vec<Item> {
    let document = pgn::parse(input);
    let ends = document.ranges.iter().map(|range| range.end);
    let starts: Vec<usize> = [0].into_iter().chain(ends).collect();
    assert!(
        document
            .ranges
            .iter()
            .map(|range| range.start)
            .eq(starts[..document.ranges.len()].iter().copied())
    );
    assert_eq!(starts.last(), Some(&input.len()));
    document.items
}

fn games(items: &[Item]) -> usize {
    items.iter().filter(|item| item.game().is_some()).count()
}

const MEGABYTES: usize = 1 << 22;

#[test]
fn many_games_may_stand_on_one_line() {
    for part in ["[A \"b\"]*", "[A \"b\"] 1. e4 * ", "[A \"\"\" ] e4 *\t", "1. e4 * "] {
        let input = repeated(part, MEGABYTES);
        assert_eq!(games(&items(&input)), input.len() / part.len(), "{part}");
        assert_eq!(game_starts(&input).count(), usize::from(part.starts_with('[')), "{part}");
    }
}

#[test]
fn many_tags_may_stand_on_one_line() {
    for (part, wanted) in [("[A \"b\"]", 1), ("[A \"b\"] ", 1), ("[A \"\"\" ]", 1), ("[A \"b", 0)] {
        let input = repeated(part, MEGABYTES);
        let found = items(&input);
        assert_eq!(games(&found), wanted, "{part}");
        if wanted == 1 {
            assert_eq!(found[0].game().unwrap().tags.len(), input.len() / part.len(), "{part}");
        }
    }
}

#[test]
fn variations_that_make_no_sense_are_skipped_once() {
    // An escape is none of the variation's tokens, whatever stands in it.
    for escape in ["%)", "%(", "%{", "%;)", ";)", "{)}"] {
        let nested = format!("(1... Nf6\n{escape}\n").repeat(100);
        let closed = "x)".repeat(100);
        let input = format!("1. e4 e5\n{nested}{closed} 2. Nf3 *\n");
        let found = items(input.as_bytes());
        let game = found[0].game().unwrap();
        assert_eq!(found.len(), 1, "{escape}");
        assert_eq!(game.lines.len(), 1, "{escape}");
        assert_eq!(game.lines[0].moves.len(), 3, "{escape}");
        assert!(game.tokens.iter().all(|token| !matches!(token, Token::Text(_))), "{escape}");
        // Without its end, all from the first nonsense on is text.
        let open = format!("1. e4 e5\n{nested}x");
        let found = items(open.as_bytes());
        assert_eq!(found[0].game().unwrap().tokens.last(), Some(&Token::Text(b"x".to_vec())));
    }
}

#[test]
fn depth_and_breadth_take_time_in_proportion() {
    let deep = |inner: &str| format!("{}{inner}{}", "(Na3 ".repeat(200), ")".repeat(200));
    for unit in [
        deep(""),
        deep("x"),
        deep(";\n"),
        format!("{}{}", "(Na3 ".repeat(200), "x)".repeat(200)),
        "(Na3)".into(),
        "(Na3 (Nc3) Nf6 (Na6)) ".into(),
        "(x) ".into(),
        "(Na3 {} x) ".into(),
        "{} ".into(),
        ";\n".into(),
        "$1 ".into(),
        "!".into(),
    ] {
        let input = [&b"1. Nf3 "[..], &repeated(&unit, MEGABYTES), b"*\n"].concat();
        items(&input);
    }
    for unit in
        ["\n%", "(", "(Na3 ", "{", "1. ", "1", ". ", " ", "\n", "\r\n", "\"", "[", "x", "\0"]
    {
        let input = [&b"1. Nf3 "[..], &repeated(unit, MEGABYTES)].concat();
        items(&input);
        items(&repeated(unit, MEGABYTES));
    }
}
