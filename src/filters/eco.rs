//! Codes of openings.

use super::span;

/// A code of the Encyclopaedia of Chess Openings: a letter and two digits.
type Code = [u8; 3];

/// Spans of codes, ends included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EcoCodes(Vec<(Code, Code)>);

impl EcoCodes {
    /// Whether one of the spans has this code. What follows it, such as the letter of `B90a`, does not count.
    pub(super) fn contains(&self, code: &str) -> bool {
        let code = code
            .trim()
            .as_bytes()
            .first_chunk::<3>()
            .map(|code| code.map(|byte| byte.to_ascii_uppercase()));
        code.is_some_and(|code| self.0.iter().any(|(first, last)| (first..=last).contains(&&code)))
    }
}

/// Reads codes and spans of codes, such as `B90-B99,C42`. Digits may be left out: `B9` is all that begins so.
pub(super) fn parse(text: &str) -> Result<EcoCodes, String> {
    let codes = |part: &str| {
        let (first, last) = span::ends(part);
        let (first, last) = (filled(first, b'0')?, filled(last, b'9')?);
        (first <= last).then_some((first, last))
    };
    let spans: Option<Vec<_>> = text.split(',').map(codes).collect();
    let wanted = || "codes and spans of codes are wanted, such as B90-B99,C42,D".to_owned();
    spans.map(EcoCodes).ok_or_else(wanted)
}

/// The code with its missing digits; `None` if it is no code.
fn filled(text: &str, digit: u8) -> Option<Code> {
    let text = text.as_bytes();
    let mut code = [b'A', digit, digit];
    code.get_mut(..text.len())?.copy_from_slice(text);
    code[0].make_ascii_uppercase();
    let is_code = !text.is_empty()
        && matches!(code[0], b'A'..=b'E')
        && code[1..].iter().all(u8::is_ascii_digit);
    is_code.then_some(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_single_or_in_spans() {
        let codes = parse("B90-B99,c42,D4").unwrap();
        for inside in ["B90", "B99", "b95a", "C42", "D40", "D49"] {
            assert!(codes.contains(inside), "{inside}");
        }
        for outside in ["B89", "C41", "C43", "D50", "", "B9", "?", "ü9"] {
            assert!(!codes.contains(outside), "{outside}");
        }
        assert!(parse("A-E").unwrap().contains("E99"));
        assert!(parse("B90..B99").unwrap().contains("B99"));
        for wrong in ["", "F00", "B9x", "B900", "B99-B90", "B90-", "B90,,C", "ü"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
