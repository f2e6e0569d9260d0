//! Whether what comes back is what went in.

use std::io;

/// Takes bytes that should be the expected ones, and keeps none of them.
#[derive(Debug)]
pub struct Comparison<'a> {
    /// The bytes that have still to come.
    expected: &'a [u8],
    /// Whether all bytes so far were the expected ones.
    same: bool,
}

impl<'a> Comparison<'a> {
    /// None of `expected` has come yet.
    pub fn new(expected: &'a [u8]) -> Comparison<'a> {
        Comparison { expected, same: true }
    }

    /// Whether exactly the expected bytes have come.
    pub fn is_equal(&self) -> bool {
        self.same && self.expected.is_empty()
    }
}

impl io::Write for Comparison<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.expected.strip_prefix(bytes) {
            Some(rest) => self.expected = rest,
            None => self.same = false,
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn only_the_same_bytes_are_equal() {
        for (parts, equal) in [
            (&["ab", "c"][..], true),
            (&["abc"], true),
            (&["ab"], false),
            (&["abc", "d"], false),
            (&["abd"], false),
            (&["b", "abc"], false),
        ] {
            let mut comparison = Comparison::new(b"abc");
            parts.iter().for_each(|part| comparison.write_all(part.as_bytes()).unwrap());
            assert_eq!(comparison.is_equal(), equal, "{parts:?}");
        }
    }
}
