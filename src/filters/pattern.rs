//! A pattern for a tag's value.

use regex_lite::Regex;

/// A tag's name, and a regular expression that its value must match somewhere.
#[derive(Debug, Clone)]
pub struct TagPattern {
    /// The tag's name.
    pub(super) name: String,
    regex: Regex,
}

impl TagPattern {
    /// Whether the value matches.
    pub(super) fn matches(&self, value: &str) -> bool {
        self.regex.is_match(value)
    }
}

/// Reads `NAME=REGEX`.
pub(super) fn parse(text: &str) -> Result<TagPattern, String> {
    let wanted = || "NAME=REGEX is wanted, such as Round=^1\\.".to_owned();
    let (name, regex) = text.split_once('=').ok_or_else(wanted)?;
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    if name.is_empty() || !name.bytes().all(is_name) {
        return Err(wanted());
    }
    let regex = Regex::new(regex).map_err(|error| error.to_string())?;
    Ok(TagPattern { name: name.into(), regex })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_anywhere_unless_they_say_where() {
        let pattern = parse("Round=^1\\.|=2$").unwrap();
        assert_eq!(pattern.name, "Round");
        assert!(pattern.matches("1.3") && pattern.matches("x=2") && !pattern.matches("11"));
        for wrong in ["", "Round", "=x", "Round=(", "Ro und=1"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
