//! Numbers in front of a game.
//!
//! Several texts put a count before the moves, and none says how the count is written. Here, all codes write the
//! number of its binary digits in [`WIDTH_BITS`] bits, then the digits: 80 plies take 5 + 7 bits.

use plyzip_codec::Result;

use crate::bits::{BitReader, BitString};

/// Bits of the number of digits.
const WIDTH_BITS: u32 = 5;

/// Bits that [`write`] takes for `count`.
pub fn width(count: u32) -> u32 {
    WIDTH_BITS + digits(count)
}

/// Appends `count`, below 2<sup>31</sup>.
pub fn write(count: u32, bits: &mut BitString) {
    bits.push_bits(u64::from(digits(count)), WIDTH_BITS);
    bits.push_bits(u64::from(count), digits(count));
}

/// Reads what [`write`] wrote.
///
/// # Errors
/// [`Error::Damaged`](plyzip_codec::Error::Damaged) if the bits end.
pub fn read(reader: &mut BitReader) -> Result<u32> {
    let digits = reader.bits(WIDTH_BITS)? as u32;
    Ok(reader.bits(digits)? as u32)
}

fn digits(count: u32) -> u32 {
    u32::BITS - count.leading_zeros()
}
