//! Makes a script that holds files: `plyzip-web-script NAME=FILE... < BEGINNING > SCRIPT`. The script is the text of
//! standard input and, for each file, `PLYZIP.NAME = { length: BYTES, text: "..." };`. `bytesOfText` in
//! `page/engine.js` reads them.
//!
//! The script is in UTF-16, little-endian, with a byte order mark, which browsers obey before any header of a server.
//! Two units of 16 bits hold 31 bits of the file, so that a script is 1/31 longer than its file; base64 adds 1/3.

use std::env;
use std::error::Error;
use std::fs;
use std::io::{self, Read, Write};

/// The unit of the digit 0. The [`RADIX`] units from here on are letters: no surrogate, no quotation mark and no end of
/// line is among them.
const FIRST: u16 = 0x2030;

/// Two digits to this base hold 31 bits.
const RADIX: u32 = 46_341;

/// Bits of two units.
const BITS: u32 = 31;

/// The bits of the file, the first of each byte being its highest; zeros fill the last two units.
fn units(bytes: &[u8]) -> Vec<u16> {
    let mut units = Vec::with_capacity(bytes.len() / 31 * 16 + 18);
    let mut push = |bits: u64| {
        let bits = bits as u32;
        units.extend([bits / RADIX, bits % RADIX].map(|digit| FIRST + digit as u16));
    };
    let (mut pending, mut count) = (0u64, 0);
    for &byte in bytes {
        pending = pending << 8 | u64::from(byte);
        count += 8;
        if count >= BITS {
            count -= BITS;
            push(pending >> count);
            pending &= (1 << count) - 1;
        }
    }
    if count > 0 {
        push(pending << (BITS - count));
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
    use super::{FIRST, RADIX, units};

    #[test]
    fn two_units_hold_thirty_one_bits() {
        let pair = |bits: u32| [bits / RADIX, bits % RADIX].map(|digit| FIRST + digit as u16);
        assert_eq!(units(&[]), []);
        assert_eq!(units(&[0, 0, 0, 2]), [FIRST, FIRST + 1, FIRST, FIRST]);
        assert_eq!(units(&[0xff; 31]), pair(0x7fff_ffff).repeat(8));
        // Zeros fill the last two.
        assert_eq!(units(&[0xff]), pair(0x7f80_0000));
    }

    #[test]
    fn every_unit_is_a_letter() {
        let bytes: Vec<u8> = (0..=u16::MAX).flat_map(u16::to_be_bytes).collect();
        let text = String::from_utf16(&units(&bytes)).unwrap();
        assert!(text.chars().all(|unit| ('\u{2030}'..'\u{d535}').contains(&unit)));
    }
}
