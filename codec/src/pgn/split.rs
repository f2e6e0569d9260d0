//! Search for the places where games start.

use super::tag::{TagFinder, line_len};

/// The offsets in `input` at which the tag section of a game starts: at a line
/// that is a tag pair and does not continue the tag section before it. After a
/// blank line, `[Event ` starts a game even if that one has no movetext.
///
/// Offsets rise; one pass over the input finds them all.
///
/// ```
/// let archive = b"[Event \"A\"]\n\n1. e4 *\n\n[Event \"B\"]\n[Site \"?\"]\n\n*\n";
/// assert_eq!(plyzip::pgn::game_starts(archive).collect::<Vec<_>>(), [0, 22]);
/// ```
pub fn game_starts(input: &[u8]) -> impl Iterator<Item = usize> {
    let bom = if input.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
    Starts { input, line: bom, in_tags: false, blank: true }
}

struct Starts<'a> {
    input: &'a [u8],
    /// Where the next line starts.
    line: usize,
    /// Whether the last line that was not blank was a tag pair.
    in_tags: bool,
    /// Whether the last line was blank.
    blank: bool,
}

impl Iterator for Starts<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        while self.line < self.input.len() {
            let start = self.line;
            let rest = &self.input[start..];
            let len = line_len(rest);
            let newline = if rest[len..].starts_with(b"\r\n") { 2 } else { 1 };
            self.line = (start + len + newline).min(self.input.len());
            let line = &rest[..len];
            if line.iter().all(u8::is_ascii_whitespace) {
                self.blank = true;
                continue;
            }
            let is_tag = line[0] == b'[' && TagFinder::new(self.input).tag_at(start).is_some();
            let starts = is_tag && (!self.in_tags || self.blank && line.starts_with(b"[Event "));
            (self.in_tags, self.blank) = (is_tag, false);
            if starts {
                return Some(start);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn starts(input: &str) -> Vec<usize> {
        game_starts(input.as_bytes()).collect()
    }

    #[test]
    fn every_newline_counts() {
        assert_eq!(starts("[A \"x\"]\r\n\r\n*\r\n[A \"x\"]\r\n"), [0, 14]);
        assert_eq!(starts("[A \"x\"]\r\r*\r[A \"x\"]\r"), [0, 11]);
        assert_eq!(starts("\u{feff}[A \"x\"]\n"), [3]);
    }

    #[test]
    fn a_tag_section_may_have_blank_lines_but_event_opens_another() {
        assert_eq!(starts("[A \"x\"]\n\n[B \"y\"]\n\n[Event \"z\"]\n"), [0, 18]);
    }

    #[test]
    fn brackets_in_comments_are_no_starts() {
        assert_eq!(starts("[A \"x\"]\n\n1. e4 {\n[%clk 0:01] } *\n"), [0]);
    }
}
