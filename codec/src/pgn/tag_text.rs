//! Values of tags as text.

use std::borrow::Cow;

/// The characters of a tag's value. What is no UTF-8 is Latin-1, as the PGN standard has it; `\"` and `\\` are a quote
/// and a backslash.
pub fn tag_text(value: &[u8]) -> Cow<'_, str> {
    let text = match str::from_utf8(value) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => value.iter().map(|&byte| char::from(byte)).collect(),
    };
    if !text.contains('\\') {
        return text;
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(letter) = rest.next() {
        let escaped = rest.next_if(|&next| letter == '\\' && matches!(next, '"' | '\\'));
        plain.push(escaped.unwrap_or(letter));
    }
    plain.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_as_they_are_meant() {
        for (value, text) in [
            (&b"Morphy, Paul"[..], "Morphy, Paul"),
            ("Müller".as_bytes(), "Müller"),
            (b"M\xFCller", "Müller"),
            (br#"the \"Immortal\" \\o/ \x \"#, r#"the "Immortal" \o/ \x \"#),
        ] {
            assert_eq!(tag_text(value), text);
        }
    }
}
