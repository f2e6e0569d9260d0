//! The memory that a text takes once it is parsed.

/// The length of the longest beginning of `text` that weighs at most `budget`: no more than so many tokens, or games
/// and variations that take as much memory as tokens do.
///
/// A byte weighs the same whatever it stands in, so this is an upper bound: words and marks in comments weigh as much
/// as moves and NAGs.
pub fn prefix_within(text: &[u8], budget: usize) -> usize {
    let mut weight = 0;
    let mut before = b' ';
    for (at, &byte) in text.iter().enumerate() {
        weight += match byte {
            b'*' => GAME,
            b'-' if is_result(before, text.get(at + 1)) => GAME,
            b'(' | b'[' => 2,
            b')' | b'{' | b';' | b'%' | b'$' | b'!' | b'?' => 1,
            _ => usize::from(byte.is_ascii_alphanumeric() && !before.is_ascii_alphanumeric()),
        };
        if weight > budget {
            return at;
        }
        before = byte;
    }
    text.len()
}

/// A game, in tokens. Blocks of `WriterOptions`' default shape that are cut by weight
/// have fewer games than readers allow.
const GAME: usize = 12;

/// Whether `-` is the middle of a result, or might be.
fn is_result(before: u8, after: Option<&u8>) -> bool {
    matches!(before, b'0' | b'1' | b'2') && matches!(after, Some(b'0' | b'1'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::{self, Item};

    #[test]
    fn no_text_has_more_tokens_than_it_weighs() {
        let parts = [
            "e4*",
            "e4 1-0 ",
            "1.",
            "12... ",
            "(Na3)",
            "()",
            "{}",
            ";\n",
            "\n%",
            "$1",
            "!?",
            "[A \"\"]",
            "Nf3 ",
            "1/2-1/2\n",
        ];
        for one in parts {
            for other in parts {
                let text = format!("Nf3 {}", format!("{one}{other}").repeat(20));
                let document = pgn::parse(text.as_bytes());
                let games: Vec<_> = document.items.iter().filter_map(Item::game).collect();
                let tokens: usize =
                    games.iter().map(|game| game.tokens.len() + game.tags.len()).sum();
                let atoms: usize = document.atoms.iter().map(Vec::len).sum();
                let lines: usize = games.iter().map(|game| game.lines.len()).sum();
                // A game without an end is the last.
                let least = tokens.max(atoms).max(2 * lines).max(GAME * games.len());
                let budget = least.saturating_sub(GAME + 2);
                assert!(prefix_within(text.as_bytes(), budget) < text.len(), "{text}: {least}");
            }
        }
    }

    #[test]
    fn the_prefix_is_the_longest() {
        let text = b"1. e4 (d4) *";
        for (budget, length) in
            [(0, 0), (1, 3), (2, 6), (4, 7), (5, 9), (6, 11), (17, 11), (18, 12), (99, 12)]
        {
            assert_eq!(prefix_within(text, budget), length, "{budget}");
        }
    }
}
