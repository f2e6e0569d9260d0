//! Strings of bits, and reading from them.

use crate::{Error, Result};

/// A string of bits of any length, most significant bit first.
///
/// The length is exact: two strings that differ only in bits that pad the last byte cannot
/// exist. That is what the crates for bit streams do not keep, and why this is our own.
///
/// ```
/// use plyzip::ordinal::BitString;
/// let mut bits = BitString::new();
/// bits.push(true);
/// bits.push_bits(0b0101, 4);
/// assert_eq!((bits.len(), bits.to_string()), (5, "10101".into()));
/// assert_eq!(bits.reader().bits(3).unwrap(), 0b101);
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

    /// Whether there are no bits.
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

/// Reads bits one after the other.
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
    /// [`Error::Damaged`] if there is none.
    pub fn bit(&mut self) -> Result<bool> {
        let bit = if self.next < self.end { self.bits.get(self.next) } else { None };
        self.next += usize::from(bit.is_some());
        bit.ok_or_else(|| Error::damaged("a code that breaks off"))
    }

    /// The next `width` bits, at most 64, as a number.
    ///
    /// # Errors
    /// [`Error::Damaged`] if there are not as many.
    pub fn bits(&mut self, width: u32) -> Result<u64> {
        let mut value = 0;
        for _ in 0..width.min(u64::BITS) {
            value = value << 1 | u64::from(self.bit()?);
        }
        Ok(value)
    }

    /// A reader of the next `len` bits, which this one skips.
    ///
    /// # Errors
    /// [`Error::Damaged`] if there are not as many.
    pub fn take(&mut self, len: usize) -> Result<BitReader<'a>> {
        if len > self.remaining() {
            return Err(Error::damaged("a code that breaks off"));
        }
        let taken = BitReader { bits: self.bits, next: self.next, end: self.next + len };
        self.next += len;
        Ok(taken)
    }

    /// Skips up to a whole byte from the start of the string.
    ///
    /// # Errors
    /// [`Error::Damaged`] if the string ends before it.
    pub fn align(&mut self) -> Result<()> {
        self.take(self.next.next_multiple_of(8) - self.next).map(drop)
    }

    /// Ends the reading.
    ///
    /// # Errors
    /// [`Error::Damaged`] if bits are left.
    pub fn finish(self) -> Result<()> {
        if self.remaining() == 0 {
            Ok(())
        } else {
            Err(Error::damaged("a code with bits left over"))
        }
    }
}
