//! Tag pairs in bytes.

use std::ops::Range;

/// Where the parts of a tag pair lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TagSpan {
    pub name: Range<usize>,
    pub value: Range<usize>,
    /// The offset after the closing bracket.
    pub end: usize,
}

/// The tag pair whose opening bracket is at `start`, if there is one on this line.
///
/// Values with quotes that nobody escaped are common, so the value ends at the
/// first quote that is followed by `]` and then by the end of the line or
/// another tag pair; failing that, at the first quote that is followed by `]`.
pub(super) fn tag_at(input: &[u8], start: usize) -> Option<TagSpan> {
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
    let mut fallback = None;
    let mut at = quote + 1;
    while let Some(&byte) = input.get(at) {
        match byte {
            b'\n' | b'\r' => break,
            b'"' => {
                let bracket = skip_blanks(input, at + 1);
                if input.get(bracket) == Some(&b']') {
                    let found =
                        TagSpan { name: name.clone(), value: quote + 1..at, end: bracket + 1 };
                    let after = skip_blanks(input, bracket + 1);
                    match input.get(after) {
                        None | Some(b'\n' | b'\r' | b'[') => return Some(found),
                        Some(_) => fallback = fallback.or(Some(found)),
                    }
                }
                at = bracket;
            }
            _ => at += 1,
        }
    }
    fallback
}

fn skip_blanks(input: &[u8], start: usize) -> usize {
    start + input[start..].iter().take_while(|&&byte| byte == b' ' || byte == b'\t').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(line: &str) -> Option<(&str, &str, &str)> {
        let span = tag_at(line.as_bytes(), 0)?;
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
}
