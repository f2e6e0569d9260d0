//! The tags of a game whose moves nobody has to read.

use super::Tag;
use super::movetext::{Reader, skip_space};
use super::tag::TagFinder;

/// The tags of `text`, if a look at its bytes tells that [`parse`](super::parse) makes one game of all of it; `None` if
/// only reading its moves tells. Takes a small part of the time that these take.
///
/// `text` is what lies between one of [`game_starts`](super::game_starts) and the next.
///
/// ```
/// use plyzip::pgn::tags_of_one_game;
/// let tags = tags_of_one_game(b"[Event \"?\"]\n\n1. e4 e5 1-0\n\n").unwrap();
/// assert_eq!(tags[0].name, b"Event");
/// // Another game without tags may follow the first result.
/// assert_eq!(tags_of_one_game(b"[Event \"?\"]\n\n1. e4 * 1. d4 *\n"), None);
/// ```
pub fn tags_of_one_game(text: &[u8]) -> Option<Vec<Tag>> {
    // What is longer is no game.
    u32::try_from(text.len()).ok()?;
    let mut reader = Reader::new(text, 0);
    reader.tags(&mut TagFinder::new(text));
    if reader.game.tags.is_empty() {
        return None;
    }
    // The first thing that may be a result, wherever it stands, is the last.
    let rest = &text[reader.at..];
    let first = (0..rest.len()).find_map(|at| Some(at + result_len(&rest[at..])?));
    let is_one = first.is_none_or(|end| skip_space(rest, end) == rest.len());
    is_one.then_some(reader.game.tags)
}

/// The length of the result that `text` begins with.
fn result_len(text: &[u8]) -> Option<usize> {
    // Few bytes are one of these.
    if !matches!(text.first()?, b'*' | b'0' | b'1') {
        return None;
    }
    let results = [&b"*"[..], b"1-0", b"0-1", b"1/2-1/2"];
    results.into_iter().find(|result| text.starts_with(result)).map(<[u8]>::len)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::{game_starts, parse};

    #[test]
    fn what_is_one_game_for_certain_is_one_with_these_tags() {
        let parts = [
            "[A \"1\"]",
            "[B \"x\"]\n",
            "\n",
            " ",
            "1. e4",
            " e5",
            " 1-0",
            "0-1",
            "*",
            "1/2-1/2",
            "{1-0}",
            "{",
            "}",
            "(",
            ")",
            ";x",
            "%",
            "\x0b",
            "Zz9",
            " 2. Nf3",
            "$1",
            "1/2",
            "-",
        ];
        let mut state = 1u64;
        let (mut certain, mut all) = (0, 0);
        for length in (0..40).cycle().take(40_000) {
            let mut text = String::from("[A \"0\"]\n\n");
            for _ in 0..length {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                text += parts[(state >> 33) as usize % parts.len()];
            }
            let bytes = text.as_bytes();
            let mut bounds: Vec<usize> = game_starts(bytes).filter(|&start| start > 0).collect();
            bounds.insert(0, 0);
            bounds.push(bytes.len());
            for bounds in bounds.windows(2) {
                let text = &bytes[bounds[0]..bounds[1]];
                all += 1;
                if let Some(tags) = tags_of_one_game(text) {
                    certain += 1;
                    let document = parse(text);
                    assert_eq!(document.items.len(), 1, "{text:?}");
                    assert_eq!(document.items[0].game().unwrap().tags, tags);
                }
            }
        }
        assert!(certain > 1000 && all - certain > 1000, "{certain} of {all}");
    }
}
