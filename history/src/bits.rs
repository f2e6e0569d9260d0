//! Strings of bits, and reading from them: what [`ordinal`](crate::ordinal) and
//! [`position`](crate::position) write their codes with.

use plyzip_codec::Error;

/// Bits that are not as many as what is read from them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WrongLength {
    /// They end before it.
    #[error("a code that breaks off")]
    TooShort,
    /// They go on after it.
    #[error("a code with bits left over")]
    TooLong,
}

impl From<WrongLength> for Error {
    fn from(wrong: WrongLength) -> Error {
        Error::damaged(wrong.to_string())
    }
}

/// A string of bits of any length, most significant bit first.
///
/// The length is exact: two strings that differ only in bits that pad the last byte cannot
/// exist. That is what the crates for bit streams do not keep, and why this is our own.
///
/// ```
/// use plyzip_history::bits::{BitString, WrongLength};
/// let mut bits = BitString::new();
/// bits.push(true);
/// bits.push_bits(0b0101, 4);
/// assert_eq!((bits.len(), bits.to_string()), (5, "10101".into()));
///
/// let mut reader = bits.reader();
/// assert_eq!(reader.bits(3), Ok(0b101));
/// assert_eq!(reader.clone().finish(), Err(WrongLength::TooLong));
/// assert_eq!(reader.bits(3), Err(WrongLength::TooShort));
/// assert_eq!(reader.bits(2), Ok(0b01));
/// assert_eq!(reader.finish(), Ok(()));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct BitString {
    /// Bits past the end are zero.
    bytes: Vec<u8>,
    len: usize,
}

impl BitString {
    /// No bits.
    pub fn new() -> BitString {
        BitString::default()
    }

    /// All bits of `bytes`.
    pub fn from_bytes(bytes: Vec<u8>) -> BitString {
        BitString { len: 8 * bytes.len(), bytes }
    }

    /// Number of bits.
    pub fn len(&self) -> usize {
        self.len
    }

    /// True if there are no bits.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The bits, with zeros up to a whole byte.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bit at `index`, if there is one.
    pub fn get(&self, index: usize) -> Option<bool> {
        (index < self.len).then(|| self.bytes[index / 8] >> (7 - index % 8) & 1 != 0)
    }

    /// Appends a bit.
    pub fn push(&mut self, bit: bool) {
        if self.len.is_multiple_of(8) {
            self.bytes.push(0);
        }
        if let Some(last) = self.bytes.last_mut() {
            *last |= u8::from(bit) << (7 - self.len % 8);
        }
        self.len += 1;
    }

    /// Appends the lowest `width` bits of `value`, the highest of them first; at most 64.
    pub fn push_bits(&mut self, value: u64, width: u32) {
        for shift in (0..width.min(u64::BITS)).rev() {
            self.push(value >> shift & 1 != 0);
        }
    }

    /// Appends `bits`.
    pub fn extend(&mut self, bits: &BitString) {
        (0..bits.len).filter_map(|index| bits.get(index)).for_each(|bit| self.push(bit));
    }

    /// Appends zeros up to a whole byte.
    pub fn pad(&mut self) {
        self.len = 8 * self.bytes.len();
    }

    /// Reads from the first bit on.
    pub fn reader(&self) -> BitReader<'_> {
        BitReader { bits: self, next: 0, end: self.len }
    }
}

impl FromIterator<bool> for BitString {
    fn from_iter<I: IntoIterator<Item = bool>>(bits: I) -> BitString {
        let mut string = BitString::new();
        bits.into_iter().for_each(|bit| string.push(bit));
        string
    }
}

impl std::fmt::Display for BitString {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut reader = self.reader();
        while let Ok(bit) = reader.bit() {
            formatter.write_str(if bit { "1" } else { "0" })?;
        }
        Ok(())
    }
}

/// Reads bits one after the other. What fails reads nothing.
#[derive(Debug, Clone)]
pub struct BitReader<'a> {
    bits: &'a BitString,
    next: usize,
    end: usize,
}

impl<'a> BitReader<'a> {
    /// Number of bits left.
    pub fn remaining(&self) -> usize {
        self.end - self.next
    }

    /// The next bit.
    ///
    /// # Errors
    /// [`WrongLength::TooShort`] if there is none.
    pub fn bit(&mut self) -> Result<bool, WrongLength> {
        let bit = if self.next < self.end { self.bits.get(self.next) } else { None };
        self.next += usize::from(bit.is_some());
        bit.ok_or(WrongLength::TooShort)
    }

    /// The next `width` bits, at most 64, as a number, the highest of them first.
    ///
    /// # Errors
    /// [`WrongLength::TooShort`] if there are not as many.
    pub fn bits(&mut self, width: u32) -> Result<u64, WrongLength> {
        let mut taken = self.take(width.min(u64::BITS) as usize)?;
        let mut value = 0;
        while let Ok(bit) = taken.bit() {
            value = value << 1 | u64::from(bit);
        }
        Ok(value)
    }

    /// A reader of the next `len` bits, which this one skips.
    ///
    /// # Errors
    /// [`WrongLength::TooShort`] if there are not as many.
    pub fn take(&mut self, len: usize) -> Result<BitReader<'a>, WrongLength> {
        if len > self.remaining() {
            return Err(WrongLength::TooShort);
        }
        let taken = BitReader { bits: self.bits, next: self.next, end: self.next + len };
        self.next += len;
        Ok(taken)
    }

    /// Skips up to a whole byte from the start of the string.
    ///
    /// # Errors
    /// [`WrongLength::TooShort`] if the string ends before it.
    pub fn align(&mut self) -> Result<(), WrongLength> {
        self.take(self.next.next_multiple_of(8) - self.next).map(drop)
    }

    /// Ends the reading.
    ///
    /// # Errors
    /// [`WrongLength::TooLong`] if bits are left.
    pub fn finish(self) -> Result<(), WrongLength> {
        if self.remaining() == 0 { Ok(()) } else { Err(WrongLength::TooLong) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_written_is_read(numbers: Vec<(u64, u8)>) {
            let numbers = numbers.into_iter().map(|(number, width)| {
                let width = u32::from(width) % 65;
                (number & u64::MAX.checked_shr(64 - width).unwrap_or(0), width)
            });
            let numbers: Vec<(u64, u32)> = numbers.collect();
            let mut bits = BitString::new();
            numbers.iter().for_each(|&(number, width)| bits.push_bits(number, width));
            prop_assert_eq!(bits.len(), numbers.iter().map(|&(_, width)| width as usize).sum::<usize>());
            let mut reader = bits.reader();
            for (number, width) in numbers {
                prop_assert_eq!(reader.bits(width), Ok(number));
            }
            prop_assert_eq!(reader.bits(1), Err(WrongLength::TooShort));
            prop_assert_eq!(reader.finish(), Ok(()));
        }
    }

    #[test]
    fn parts_and_padding_end_where_they_should() {
        let mut bits: BitString = [true, false, true].into_iter().collect();
        let mut twice = bits.clone();
        twice.extend(&bits);
        assert_eq!(twice.to_string(), "101101");

        let mut part = twice.reader();
        let mut first = part.take(3).unwrap();
        assert_eq!((first.bits(3), first.bit()), (Ok(5), Err(WrongLength::TooShort)));
        assert_eq!((part.remaining(), part.align()), (3, Err(WrongLength::TooShort)));

        assert_ne!(bits, BitString::from_bytes(vec![0xa0]));
        bits.pad();
        assert_eq!(bits, BitString::from_bytes(vec![0xa0]));
        assert_eq!((bits.get(2), bits.get(7), bits.get(8)), (Some(true), Some(false), None));
    }
}
