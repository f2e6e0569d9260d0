//! Tag pairs in bytes.

use std::ops::Range;

/// The places of the parts of a tag pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TagSpan {
    pub name: Range<usize>,
    pub value: Range<usize>,
    /// The offset after the closing bracket.
    pub end: usize,
}

/// Finds the tag pairs of a text from its beginning to its end. However many a line has, each of its bytes is looked at
/// a few times only.
#[derive(Debug)]
pub(super) struct TagFinder<'a> {
    input: &'a [u8],
    /// Bytes of one line, with none among them that ends a value for certain; what follows them does, or is the end of
    /// the line.
    searched: Range<usize>,
}

impl<'a> TagFinder<'a> {
    pub(super) fn new(input: &'a [u8]) -> TagFinder<'a> {
        TagFinder { input, searched: 0..0 }
    }

    /// The tag pair whose opening bracket is at `start`, if there is one on this line.
    ///
    /// Values with quotes that nobody escaped are common, so the value ends at the
    /// first quote that is followed by `]` and then by the end of the line or
    /// another tag pair; failing that, at the first quote that is followed by `]`.
    pub(super) fn tag_at(&mut self, start: usize) -> Option<TagSpan> {
        let input = self.input;
        if input.get(start) != Some(&b'[') {
            return None;
        }
        let name_start = skip_blanks(input, start + 1);
        let name_len = input[name_start..]
            .iter()
            .take_while(|&&byte| byte.is_ascii_alphanumeric() || byte == b'_')
            .count();
        let name = name_start..name_start + name_len;
        let quote = skip_blanks(input, name.end);
        if name.is_empty() || input.get(quote) != Some(&b'"') {
            return None;
        }
        let value = quote + 1;
        let certain = self.certain_end(value);
        let close = match input.get(certain) {
            Some(b'"') => certain,
            _ => (value..certain).find(|&at| input[at] == b'"' && bracket(input, at).is_some())?,
        };
        let end = bracket(input, close)? + 1;
        Some(TagSpan { name, value: value..close, end })
    }

    /// The offset of the first quote from `from` on, on the same line, that `]` and then the end of the line or
    /// another tag pair follow; the end of the line if there is none.
    fn certain_end(&mut self, from: usize) -> usize {
        if !self.searched.contains(&from) {
            let input = self.input;
            let ends = |&at: &usize| match input.get(at) {
                None | Some(b'\n' | b'\r') => true,
                Some(b'"') => bracket(input, at).is_some_and(|bracket| {
                    let after = input.get(skip_blanks(input, bracket + 1));
                    matches!(after, None | Some(b'\n' | b'\r' | b'['))
                }),
                Some(_) => false,
            };
            self.searched = from..(from..).find(ends).unwrap_or(input.len());
        }
        self.searched.end
    }
}

/// The offset of the closing bracket that follows the quote at `quote`.
fn bracket(input: &[u8], quote: usize) -> Option<usize> {
    let bracket = skip_blanks(input, quote + 1);
    (input.get(bracket) == Some(&b']')).then_some(bracket)
}

/// Length of `rest` up to the end of its first line.
pub(super) fn line_len(rest: &[u8]) -> usize {
    rest.iter().position(|&byte| matches!(byte, b'\n' | b'\r')).unwrap_or(rest.len())
}

fn skip_blanks(input: &[u8], start: usize) -> usize {
    start + input[start..].iter().take_while(|&&byte| byte == b' ' || byte == b'\t').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(line: &str) -> Option<(&str, &str, &str)> {
        let span = TagFinder::new(line.as_bytes()).tag_at(0)?;
        Some((&line[span.name], &line[span.value], &line[span.end..]))
    }

    #[test]
    fn values_end_where_a_reader_would_end_them() {
        assert_eq!(parts("[Event \"x\"]\n"), Some(("Event", "x", "\n")));
        assert_eq!(parts("[ Event\t\"x\" ] "), Some(("Event", "x", " ")));
        assert_eq!(parts("[Event \"a \"b\" c\"]"), Some(("Event", "a \"b\" c", "")));
        assert_eq!(parts(r#"[Event "a\"] b"]"#), Some(("Event", r#"a\"] b"#, "")));
        assert_eq!(parts("[A \"1\"][B \"2\"]"), Some(("A", "1", "[B \"2\"]")));
        assert_eq!(parts("[A \"1\"] 1. e4"), Some(("A", "1", " 1. e4")));
        assert_eq!(parts("[A \"\"]"), Some(("A", "", "")));
    }

    #[test]
    fn other_brackets_are_no_tags() {
        for line in ["[%clk 0:01]", "[Event]", "[Event \"x\n\"]", "[\"x\"]", "[", "[A \"x]", "A"] {
            assert_eq!(parts(line), None, "{line}");
        }
    }

    /// What [`TagFinder::tag_at`] says, from its description: each quote of the line is asked for itself.
    fn described(input: &[u8], start: usize) -> Option<TagSpan> {
        let rest = input.get(start..)?.strip_prefix(b"[")?;
        let line = &rest[..line_len(rest)];
        let name_start = skip_blanks(line, 0);
        let in_name = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
        let name = name_start..name_start + line[name_start..].iter().take_while(in_name).count();
        let quote = skip_blanks(line, name.end);
        if name.is_empty() || line.get(quote) != Some(&b'"') {
            return None;
        }
        let closing = |at: &usize| line[*at] == b'"' && bracket(line, *at).is_some();
        let certain = |at: &usize| {
            let after = bracket(line, *at).map(|bracket| skip_blanks(line, bracket + 1));
            after.is_some_and(|after| matches!(line.get(after), None | Some(b'[')))
        };
        let mut ends = (quote + 1..line.len()).filter(closing);
        let end = ends.clone().find(certain).or(ends.next())?;
        let close = bracket(line, end)?;
        let place = |range: Range<usize>| range.start + start + 1..range.end + start + 1;
        Some(TagSpan { name: place(name), value: place(quote + 1..end), end: close + start + 2 })
    }

    #[test]
    fn a_line_of_many_tags_is_read_as_described() {
        let parts = ["[", "A", "\"", "\"]", " ", "]", "[B \"", "\n", "\t", "x", "[A \"b\"]", "*"];
        let mut state = 1u64;
        for length in (0..60).cycle().take(60_000) {
            let mut text = String::new();
            for _ in 0..length {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                text += parts[(state >> 33) as usize % parts.len()];
            }
            let input = text.as_bytes();
            let mut finder = TagFinder::new(input);
            for start in 0..=input.len() {
                assert_eq!(finder.tag_at(start), described(input, start), "{text:?} at {start}");
            }
        }
    }
}
