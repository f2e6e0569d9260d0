//! Where one game ends and the next begins.

/// How many bytes from a position on must be in view to tell whether a game starts there.
pub const LOOKAHEAD: usize = 2;

/// The first game start at or after `from`, and not at 0, in `bytes`; positions whose
/// [`LOOKAHEAD`] is not in view are none.
///
/// A game starts with its tag section: a line that begins like a tag, after one
/// that does not. That a comment can hold such a line does no harm, for
/// an archive gives the same bytes back wherever it is cut.
pub fn next_start(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from.max(1);
    loop {
        // The line break before `at` may be at `at - 1`.
        at += bytes.get(at - 1..)?.iter().position(|&byte| byte == b'\n')?;
        if begins_tag(bytes.get(at..)?) {
            let before = &bytes[..at - 1];
            let line = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |found| found + 1);
            if before.get(line) != Some(&b'[') {
                return Some(at);
            }
        }
        at += 1;
    }
}

/// Whether `bytes` are one game as [`next_start`] cuts it, wherever it stands: a tag section
/// first, a blank line last, and no other start in between.
pub fn is_one_game(bytes: &[u8]) -> bool {
    let ends = bytes.ends_with(b"\n\n") || bytes.ends_with(b"\n\r\n");
    begins_tag(bytes) && ends && next_start(bytes, 1).is_none()
}

fn begins_tag(bytes: &[u8]) -> bool {
    matches!(bytes, [b'[', name, ..] if name.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn starts(bytes: &[u8]) -> Vec<usize> {
        std::iter::successors(next_start(bytes, 0), |&at| next_start(bytes, at + 1)).collect()
    }

    #[test]
    fn games_start_at_their_tag_sections() {
        let pgn = b"[Event \"a\"]\n[Site \"b\"]\n\n1. e4 *\n\n[Event \"c\"]\n\n*\n";
        assert_eq!(starts(pgn), [33]);
        let crlf = b"%\r\n[A \"\"]\r\n[B \"\"]\r\n\r\n*\r\n[A \"\"]\r\n";
        assert_eq!(starts(crlf), [3, 24]);
    }

    #[test]
    fn other_brackets_start_nothing() {
        for text in ["[Event \"a\"]\n\n1. e4 {\n[%clk 1]} *", "\n", "", "[", "x\n[", "\n\n[\n"] {
            assert_eq!(starts(text.as_bytes()), [0usize; 0], "{text:?}");
        }
        assert_eq!(starts(b"\n[E"), [1]);
    }

    #[test]
    fn one_game_is_cut_off_on_both_sides() {
        assert!(is_one_game(b"[Event \"a\"]\n\n*\n\n"));
        assert!(is_one_game(b"[Event \"a\"]\r\n\r\n*\r\n\r\n"));
        assert!(!is_one_game(b"[Event \"a\"]\n\n*\n"));
        assert!(!is_one_game(b"1. e4 *\n\n"));
        assert!(!is_one_game(b"[Event \"a\"]\n\n*\n\n[Event \"a\"]\n\n*\n\n"));
        assert!(!is_one_game(b""));
    }
}
