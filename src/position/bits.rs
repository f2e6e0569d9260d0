//! Strings of bits with an exact length.

use super::{CodeError, Result};

/// A string of bits, the first one written being the first one read.
///
/// ```
/// use plyzip::position::BitString;
/// let mut bits = BitString::new();
/// bits.push(0b101, 3);
/// bits.push(7, 10);
/// assert_eq!(bits.len(), 13);
/// let mut reader = bits.reader();
/// assert_eq!(reader.read(3)?, 0b101);
/// assert_eq!(reader.read(10)?, 7);
/// assert!(reader.read(1).is_err());
/// # Ok::<(), plyzip::position::CodeError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BitString {
    /// Bits that fill no byte stand at the top of the last one; the rest of it is zero.
    bytes: Vec<u8>,
    length: usize,
}

impl BitString {
    /// No bits.
    pub fn new() -> BitString {
        BitString::default()
    }

    /// Appends the lowest `bits` bits of `value`, the highest of them first; `bits` is at most 64.
    pub fn push(&mut self, value: u64, bits: u32) {
        for shift in (0..bits.min(64)).rev() {
            if self.length.is_multiple_of(8) {
                self.bytes.push(0);
            }
            if value >> shift & 1 == 1 {
                self.bytes[self.length / 8] |= 0x80 >> (self.length % 8);
            }
            self.length += 1;
        }
    }

    /// Number of bits.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether there is no bit.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// A reader that stands before the first bit.
    pub fn reader(&self) -> BitReader<'_> {
        BitReader { string: self, read: 0 }
    }
}

/// Reads a [`BitString`] from its start.
#[derive(Debug, Clone)]
pub struct BitReader<'a> {
    string: &'a BitString,
    read: usize,
}

impl BitReader<'_> {
    /// The next `bits` bits (at most 64) as a number, the first bit being the highest.
    ///
    /// # Errors
    /// [`CodeError::Damaged`] if there are not so many.
    pub fn read(&mut self, bits: u32) -> Result<u64> {
        if bits > 64 || self.remaining() < bits as usize {
            return Err(CodeError::Damaged("it ends too soon"));
        }
        let mut value = 0;
        for _ in 0..bits {
            let byte = self.string.bytes[self.read / 8];
            value = value << 1 | u64::from(byte >> (7 - self.read % 8) & 1);
            self.read += 1;
        }
        Ok(value)
    }

    /// The next bit.
    ///
    /// # Errors
    /// [`CodeError::Damaged`] if there is none.
    pub fn read_bit(&mut self) -> Result<bool> {
        Ok(self.read(1)? == 1)
    }

    /// Number of bits that are not read yet.
    pub fn remaining(&self) -> usize {
        self.string.length - self.read
    }

    /// Says that nothing more should follow.
    ///
    /// # Errors
    /// [`CodeError::Damaged`] if something does.
    pub fn finish(self) -> Result<()> {
        if self.remaining() > 0 {
            return Err(CodeError::Damaged("something follows its end"));
        }
        Ok(())
    }
}
