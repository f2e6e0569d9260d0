//! Numbers of one to ten bytes: seven bits a byte, the lowest first, the top bit set on all but the
//! last.
//!
//! All fields of an archive and all lengths within its blocks are read here, so that each has
//! one spelling.

use crate::{Error, Result};

/// Appends `number` to `bytes`.
#[inline]
pub fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// The number whose bytes `next` gives one at a time.
///
/// # Errors
/// Those of `next`, and [`Error::Damaged`] for a number that does not fit 64 bits or is not written
/// as shortly as it could be.
#[inline]
pub fn get(mut next: impl FnMut() -> Result<u8>) -> Result<u64> {
    let mut number = 0u64;
    for shift in (0..64).step_by(7) {
        let byte = next()?;
        let bits = u64::from(byte & 0x7f);
        if shift == 63 && bits > 1 {
            break;
        }
        number |= bits << shift;
        if byte & 0x80 == 0 {
            if byte == 0 && shift > 0 {
                return Err(Error::damaged("a number with needless zeros"));
            }
            return Ok(number);
        }
    }
    Err(Error::damaged("a number of more than 64 bits"))
}

/// Appends the length of something, in bytes, to `bytes`.
#[inline]
pub fn put_length(bytes: &mut Vec<u8>, length: usize) {
    put(bytes, length as u64);
}

/// Takes a length off the start of `bytes`. Nothing says yet that there is as much.
///
/// # Errors
/// [`Error::Damaged`] if `bytes` ends within it, if it is not written as shortly as it could be, or
/// if no memory could hold as much.
#[inline]
pub fn take_length(bytes: &mut &[u8]) -> Result<usize> {
    let mut rest = bytes.iter();
    let length =
        get(|| rest.next().copied().ok_or_else(|| Error::damaged("a length that breaks off")))?;
    *bytes = rest.as_slice();
    usize::try_from(length).map_err(|_| Error::damaged("a length that no memory could hold"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(bytes: &[u8]) -> Result<u64> {
        let mut bytes = bytes.iter().copied();
        get(|| bytes.next().ok_or_else(|| Error::damaged("end")))
    }

    /// The length at the start of `bytes`, and what follows it.
    fn length(mut bytes: &[u8]) -> Result<(usize, &[u8])> {
        Ok((take_length(&mut bytes)?, bytes))
    }

    proptest! {
        #[test]
        fn every_number_comes_back(number: u64, shift in 0..64u32) {
            let number = number >> shift;
            let mut bytes = Vec::new();
            put(&mut bytes, number);
            prop_assert_eq!(read(&bytes).unwrap(), number);
            prop_assert_eq!(bytes.len() as u32, (64 - number.leading_zeros()).max(1).div_ceil(7));
        }

        #[test]
        fn what_is_read_is_written_the_same(bytes in prop::collection::vec(any::<u8>(), 0..12)) {
            if let Ok(number) = read(&bytes) {
                let mut again = Vec::new();
                put(&mut again, number);
                prop_assert!(bytes.starts_with(&again));
            }
        }
    }

    #[test]
    fn long_spellings_are_refused() {
        for bytes in [
            &[0x80, 0x00][..],
            &[0xff; 11],
            &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02],
        ] {
            assert!(read(bytes).is_err());
            assert!(length(bytes).is_err());
        }
    }

    #[test]
    fn lengths_leave_what_follows_and_do_not_break_off() {
        for number in [0, 1, 127, 128, 300, 1 << 27, (1 << 31) - 1] {
            let mut bytes = vec![];
            put_length(&mut bytes, number);
            for end in 0..bytes.len() {
                assert!(length(&bytes[..end]).is_err());
            }
            bytes.extend([0, 7]);
            assert_eq!(length(&bytes).unwrap(), (number, &[0, 7][..]));
        }
    }
}
