//! Texts of comments, one after the other.

use crate::{Error, Result};

/// Ends a text; does not occur in it unescaped.
const TEXT_END: u8 = 0;
/// Stands before a byte that would mean something else, which is then written one higher.
const ESCAPE: u8 = 1;

/// Appends a text to `out`.
pub(super) fn write_prose(text: &[u8], out: &mut Vec<u8>) {
    for &byte in text {
        match byte {
            TEXT_END | ESCAPE => out.extend([ESCAPE, byte + 1]),
            _ => out.push(byte),
        }
    }
    out.push(TEXT_END);
}

/// Takes the next text off `prose`, and appends it to `out`.
///
/// # Errors
/// [`Error::Damaged`] if it does not end.
pub(super) fn read_prose(prose: &mut &[u8], out: &mut Vec<u8>) -> Result<()> {
    let damaged = || Error::damaged("comment text that ends early");
    let mut next = || {
        let (&byte, rest) = prose.split_first().ok_or_else(damaged)?;
        *prose = rest;
        Ok::<u8, Error>(byte)
    };
    loop {
        match next()? {
            TEXT_END => return Ok(()),
            ESCAPE => out.push(next()?.wrapping_sub(1)),
            byte => out.push(byte),
        }
    }
}
