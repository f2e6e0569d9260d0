//! A console that shows text alone, as that of Windows.

use std::io::{self, Write};

/// Writes what is UTF-8 as it is, and U+FFFD for what is not: the standard library refuses that on a console of Windows,
/// and a PGN may be in any encoding.
#[derive(Debug)]
pub struct Console<W> {
    output: W,
    /// The beginning of a letter whose other bytes have not come yet.
    begun: Vec<u8>,
}

impl<W: Write> Console<W> {
    /// A console that `output` leads to.
    pub fn new(output: W) -> Console<W> {
        Console { output, begun: vec![] }
    }
}

impl<W: Write> Write for Console<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = [&*std::mem::take(&mut self.begun), bytes].concat();
        let mut shown = String::with_capacity(text.len());
        let mut rest = &text[..];
        loop {
            match std::str::from_utf8(rest) {
                Ok(valid) => {
                    shown.push_str(valid);
                    break;
                }
                Err(error) => {
                    let (valid, after) = rest.split_at(error.valid_up_to());
                    shown.push_str(&String::from_utf8_lossy(valid));
                    let Some(length) = error.error_len() else {
                        self.begun = after.to_vec();
                        break;
                    };
                    shown.push(char::REPLACEMENT_CHARACTER);
                    rest = &after[length..];
                }
            }
        }
        self.output.write_all(shown.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_come_whole_and_other_bytes_as_a_sign() {
        let text = "Müller \u{2013} \u{674e} \u{1f600} end".as_bytes();
        let mixed = [text, b"\xfcnd \xe2\x80", b"x", text].concat();
        for size in 1..mixed.len() {
            let mut shown = vec![];
            let mut console = Console::new(&mut shown);
            for part in mixed.chunks(size) {
                assert_eq!(console.write(part).unwrap(), part.len());
            }
            assert_eq!(
                String::from_utf8(shown).unwrap(),
                String::from_utf8_lossy(&mixed),
                "{size}"
            );
        }
    }
}
