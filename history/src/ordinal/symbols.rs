//! Three ways to write one of n possibilities: in a byte, in whole bits, in a share of a big
//! number.

use num_bigint::BigUint;
use plyzip_codec::{Error, Result};

use super::count;
use crate::bits::{BitReader, BitString};

/// Bits that it takes to name one of `possibilities`: the logarithm to base 2, rounded up; 0 for one.
///
/// ```
/// use plyzip_history::ordinal::whole_bits;
/// assert_eq!([1, 2, 20, 32, 33, 40, 332].map(whole_bits), [0, 1, 5, 5, 6, 6, 9]);
/// ```
pub const fn whole_bits(possibilities: u32) -> u32 {
    u32::BITS - possibilities.saturating_sub(1).leading_zeros()
}

/// An ordinal in a byte.
///
/// # Errors
/// [`Error::Unsupported`] above 255: shakmaty lists up to 270 moves where pieces crowd.
pub fn byte(which: u32) -> Result<u8> {
    u8::try_from(which).map_err(|_| Error::Unsupported("an ordinal over 255 in one byte".into()))
}

/// The writing of a symbol, one of several possibilities.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Symbols {
    /// One byte each, even for a single possibility.
    Bytes,
    /// [`whole_bits`] each.
    Bits,
    /// All of a game as digits of one number in mixed radix.
    Integer,
}

/// A writer of symbols.
#[derive(Debug)]
pub enum Sink {
    /// Whole bits or bytes.
    Bits(Symbols, BitString),
    /// Digits and their radices, from the first on.
    Digits(Vec<(u32, u32)>),
}

impl Sink {
    /// A writer that has written nothing.
    pub fn new(symbols: Symbols) -> Sink {
        match symbols {
            Symbols::Integer => Sink::Digits(vec![]),
            _ => Sink::Bits(symbols, BitString::new()),
        }
    }

    /// Writes the symbol `which`, below `possibilities`.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if the symbol does not fit a byte.
    pub fn put(&mut self, which: u32, possibilities: u32) -> Result<()> {
        match self {
            Sink::Bits(Symbols::Bytes, bits) => {
                bits.push_bits(u64::from(byte(which)?), u8::BITS);
            }
            Sink::Bits(_, bits) => bits.push_bits(u64::from(which), whole_bits(possibilities)),
            Sink::Digits(digits) if possibilities > 1 => digits.push((which, possibilities)),
            Sink::Digits(_) => {}
        }
        Ok(())
    }

    /// All bits. The number starts from 1 above the last digit, so that digits of zero at the end
    /// are not lost; the 1 becomes its highest bit, which need not be written.
    pub fn into_bits(self) -> BitString {
        match self {
            Sink::Bits(_, bits) => bits,
            Sink::Digits(digits) => {
                let mut number = BigUint::from(1u32);
                for &(digit, radix) in digits.iter().rev() {
                    number = number * radix + digit;
                }
                (0..number.bits() - 1).rev().map(|index| number.bit(index)).collect()
            }
        }
    }
}

/// A reader of symbols.
#[derive(Debug)]
pub enum Source<'a> {
    /// Whole bits or bytes.
    Bits(Symbols, BitReader<'a>),
    /// The number with all digits that are left.
    Number(BigUint),
}

impl<'a> Source<'a> {
    /// Symbols in all bits of `reader`.
    pub fn new(symbols: Symbols, mut reader: BitReader<'a>) -> Source<'a> {
        if symbols != Symbols::Integer {
            return Source::Bits(symbols, reader);
        }
        let len = reader.remaining();
        let mut bytes = vec![0; len / 8 + 1];
        bytes[len / 8] = 1 << (len % 8);
        for index in (0..len).rev() {
            bytes[index / 8] |= u8::from(reader.bit().unwrap_or(false)) << (index % 8);
        }
        Source::Number(BigUint::from_bytes_le(&bytes))
    }

    /// True if no symbol is left.
    pub fn is_empty(&self) -> bool {
        match self {
            Source::Bits(_, reader) => reader.remaining() == 0,
            Source::Number(number) => number.bits() <= 1,
        }
    }

    /// Reads a symbol below `possibilities`.
    ///
    /// # Errors
    /// [`Error::Damaged`] if the symbol is not below `possibilities`, or if no symbol is left.
    pub fn take(&mut self, possibilities: u32) -> Result<u32> {
        let which = match self {
            Source::Bits(Symbols::Bytes, reader) => reader.bits(u8::BITS)? as u32,
            Source::Bits(_, reader) => reader.bits(whole_bits(possibilities))? as u32,
            Source::Number(number) => {
                let radix = possibilities.max(1);
                let digit = (&*number % radix).iter_u32_digits().next().unwrap_or(0);
                *number /= radix;
                digit
            }
        };
        let sound = which < possibilities && !matches!(self, Source::Number(n) if n.bits() == 0);
        if sound { Ok(which) } else { Err(Error::damaged("a code that stands for no move")) }
    }

    /// The reader, after the last symbol.
    ///
    /// # Errors
    /// [`Error::Damaged`] if symbols are left.
    pub fn finish(self) -> Result<()> {
        if self.is_empty() { Ok(()) } else { Err(Error::damaged("a code with symbols left over")) }
    }
}

/// Appends `bits` with their number in front.
pub fn write_counted(bits: &BitString, out: &mut BitString) -> Result<()> {
    let len = u32::try_from(bits.len()).map_err(|_| Error::Usage("too long a game".into()))?;
    count::write(len, out);
    out.extend(bits);
    Ok(())
}

/// A reader of the bits that [`write_counted`] wrote.
pub fn read_counted<'a>(reader: &mut BitReader<'a>) -> Result<BitReader<'a>> {
    let len = count::read(reader)? as usize;
    Ok(reader.take(len)?)
}
