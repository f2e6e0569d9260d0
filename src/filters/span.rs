//! Spans of numbers.

/// Numbers from one to another, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    first: u64,
    last: u64,
}

impl Span {
    /// Whether it contains this number.
    pub(super) fn contains(self, number: u64) -> bool {
        (self.first..=self.last).contains(&number)
    }

    /// Whether it ends below this number.
    pub(super) fn is_below(self, number: u64) -> bool {
        self.last < number
    }

    /// Whether it contains the number that a text is.
    pub(super) fn contains_text(self, text: &str) -> bool {
        text.trim().parse().is_ok_and(|number| self.contains(number))
    }
}

/// Both ends of a range, of which one may be empty: `20..40`, `20-40`, `20..`, `20-`, `20+` or `..40`. What is no range
/// is both ends of itself.
pub(super) fn ends(text: &str) -> (&str, &str) {
    let pair = text.split_once("..").or_else(|| text.split_once('-'));
    let open = || text.strip_suffix('+').map(|first| (first, ""));
    let (first, last) = pair.or_else(open).unwrap_or((text, text));
    (first.trim(), last.trim())
}

/// Reads a number or a range, such as `2600..` or `20-40`; either end may be missing.
pub(super) fn parse(text: &str) -> Result<Span, String> {
    let wanted = || "a number or a range is wanted, such as 40, 20..40, 20-40 or 2600..".to_owned();
    let number = |text: &str| text.parse().map_err(|_| wanted());
    let span = match ends(text) {
        ("", "") => return Err(wanted()),
        ("", last) => Span { first: 0, last: number(last)? },
        (first, "") => Span { first: number(first)?, last: u64::MAX },
        (first, last) => Span { first: number(first)?, last: number(last)? },
    };
    if span.first > span.last {
        return Err(wanted());
    }
    Ok(span)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_included_and_may_be_missing() {
        for (span, inside, outside) in [
            ("20..40", [20, 40], [19, 41]),
            ("20-40", [20, 40], [19, 41]),
            ("40..", [40, u64::MAX], [39, 0]),
            ("40-", [40, u64::MAX], [39, 0]),
            ("40+", [40, u64::MAX], [39, 0]),
            ("..1", [0, 1], [2, 3]),
        ] {
            let span = parse(span).unwrap();
            assert!(inside.iter().all(|&number| span.contains(number)));
            assert!(!outside.iter().any(|&number| span.contains(number)));
        }
        assert!(parse("7").unwrap().contains_text(" 7 "));
        assert!(!parse("..7").unwrap().contains_text("?"));
        for wrong in
            ["", "..", "-", "+", "4..3", "4-3", "a", "1..b", "1...2", "1-2-3", "1..+", "1++"]
        {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
