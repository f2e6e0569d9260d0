//! The end of a text, where another follows.

/// More bytes at the end of a text do not matter.
const LONGEST: usize = 4;

/// The last bytes of a text: whether the first line of another that follows it stands alone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ending(Vec<u8>);

impl Ending {
    /// Takes in more of the text.
    pub fn push(&mut self, bytes: &[u8]) {
        self.0.extend(&bytes[bytes.len().saturating_sub(LONGEST)..]);
        self.0.drain(..self.0.len().saturating_sub(LONGEST));
    }

    /// The last bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Whether there is no text at all.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the last line of the text and the first of `next` are one.
    pub fn is_glued_to(&self, next: &[u8]) -> bool {
        !self.is_empty() && !next.is_empty() && self.line_ends(next) == 0
    }

    /// The bytes that have to stand before `next` so that there is an empty line before it.
    pub fn missing_before(&self, next: &[u8]) -> Vec<u8> {
        if self.is_empty() || next.is_empty() {
            return vec![];
        }
        let is_crlf = match self.0.last() {
            Some(b'\n') => self.0.ends_with(b"\r\n"),
            _ => next.windows(2).any(|two| two == b"\r\n"),
        };
        let line_end: &[u8] = if is_crlf { b"\r\n" } else { b"\n" };
        line_end.repeat(2_usize.saturating_sub(self.line_ends(next)))
    }

    /// Ends of lines between the last letter of the text and the first of `next`, as far as they are seen.
    fn line_ends(&self, next: &[u8]) -> usize {
        let is_line_end = |&&byte: &&u8| matches!(byte, b'\n' | b'\r');
        let before = self.0.iter().rev().take_while(is_line_end);
        let behind = next.iter().take_while(is_line_end);
        before.chain(behind).filter(|&&byte| byte == b'\n').count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_line_parts_texts() {
        for (text, next, is_glued, missing) in [
            (&b"1. e4 *"[..], &b"[Event"[..], true, &b"\n\n"[..]),
            (b"1. e4 *", b"[Event \"A\"]\r\n", true, b"\r\n\r\n"),
            (b"1. e4 *\n", b"[Event", false, b"\n"),
            (b"1. e4 *\r\n", b"[Event", false, b"\r\n"),
            (b"1. e4 *\r\n\r\n", b"[Event", false, b""),
            (b"1. e4 *\n\n\n\n\n\n", b"[Event", false, b""),
            (b"1. e4 *\n", b"\n[Event", false, b""),
            (b"1. e4 *", b"\n[Event", false, b"\n"),
            (b"1. e4 *", b"\xEF\xBB\xBF[Event", true, b"\n\n"),
            (b"", b"[Event", false, b""),
            (b"1. e4 *", b"", false, b""),
        ] {
            for cut in 0..text.len() {
                let mut ending = Ending::default();
                ending.push(&text[..cut]);
                ending.push(&text[cut..]);
                assert_eq!(ending.is_glued_to(next), is_glued, "{text:?} {next:?}");
                assert_eq!(ending.missing_before(next), missing, "{text:?} {next:?}");
            }
        }
        assert!(Ending::default().missing_before(b"[Event").is_empty());
    }
}
