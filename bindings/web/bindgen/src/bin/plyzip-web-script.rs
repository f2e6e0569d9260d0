//! Makes a script that holds files: `plyzip-web-script NAME=FILE... < BEGINNING > SCRIPT`. The script is the text of
//! standard input and, for each file, `PLYZIP.NAME = { length: BYTES, text: "..." };`. `bytesOfText` in
//! `page/engine.js` reads them.
//!
//! The script is in UTF-16, little-endian, with a byte order mark, which browsers obey before any header of a server.
//! A unit of 16 bits holds 15 bits of the file, so that a script is 1/15 longer than its file; base64 adds 1/3.

use std::env;
use std::error::Error;
use std::fs;
use std::io::{self, Read, Write};

/// The unit of 15 zero bits. The 32,768 units from here on are letters: no surrogate, no quotation mark and no end of
/// line is among them.
const FIRST: u16 = 0x4000;

/// The bits of the file, the first of each byte being its highest; zeros fill the last unit.
fn units(bytes: &[u8]) -> Vec<u16> {
    let mut units = Vec::with_capacity(bytes.len() * 8 / 15 + 1);
    let (mut pending, mut count) = (0u32, 0);
    for &byte in bytes {
        pending = pending << 8 | u32::from(byte);
        count += 8;
        if count >= 15 {
            count -= 15;
            units.push(FIRST + (pending >> count) as u16);
            pending &= (1 << count) - 1;
        }
    }
    if count > 0 {
        units.push(FIRST + (pending << (15 - count)) as u16);
    }
    units
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut beginning = String::new();
    io::stdin().read_to_string(&mut beginning)?;
    let mut script: Vec<u16> = "\u{feff}".encode_utf16().chain(beginning.encode_utf16()).collect();
    for argument in env::args().skip(1) {
        let (name, path) = argument.split_once('=').ok_or("plyzip-web-script NAME=FILE...")?;
        let bytes = fs::read(path).map_err(|error| format!("{path}: {error}"))?;
        let begin = format!("PLYZIP.{name} = {{ length: {}, text: \"", bytes.len());
        script.extend(begin.encode_utf16());
        script.extend(units(&bytes));
        script.extend("\" };\n".encode_utf16());
    }
    let script: Vec<u8> = script.into_iter().flat_map(u16::to_le_bytes).collect();
    io::stdout().write_all(&script)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{FIRST, units};

    #[test]
    fn fifteen_bits_are_a_unit() {
        assert_eq!(units(&[]), []);
        assert_eq!(units(&[0xff]), [FIRST + 0x7f80]);
        assert_eq!(units(&[0, 1]), [FIRST, FIRST + 0x4000]);
        assert_eq!(units(&[0xff; 15]), [FIRST + 0x7fff; 8]);
    }

    #[test]
    fn every_unit_is_a_letter() {
        let bytes: Vec<u8> = (0..=u16::MAX).flat_map(u16::to_be_bytes).collect();
        let text = String::from_utf16(&units(&bytes)).unwrap();
        assert!(text.chars().all(|unit| ('\u{4000}'..'\u{c000}').contains(&unit)));
    }
}
