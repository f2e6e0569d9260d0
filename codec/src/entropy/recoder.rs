//! A decoder that tells bytes which an encoder writes, with a check, from all others.

use super::{Coder, Decoder, Encoder};
use crate::Result;

/// Decodes bytes, and encodes what it reads again: at the end the two must agree.
///
/// A [`Decoder`] alone takes any bytes: it goes on behind their end for a while, and does not notice that some are left.
#[derive(Debug)]
pub struct Recoder<'a> {
    bytes: &'a [u8],
    decoder: Decoder,
    encoder: Encoder,
}

impl<'a> Recoder<'a> {
    /// A decoder of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Recoder<'a> {
        Recoder { bytes, decoder: Decoder::new(bytes), encoder: Encoder::new() }
    }

    /// Ends the stream; whether the bytes are what [`Encoder::finish_with_check`] gives for what was read.
    pub fn finish(self, check: u64) -> bool {
        self.encoder.finish_with_check(check) == self.bytes
    }
}

impl Coder for Recoder<'_> {
    const DECODING: bool = true;

    fn bit(&mut self, p_true: u32, bit: bool) -> Result<bool> {
        let bit = self.decoder.bit(p_true, bit)?;
        self.encoder.bit(p_true, bit)?;
        Ok(bit)
    }

    fn symbol(&mut self, cumulative: &[u32], symbol: usize) -> Result<usize> {
        let symbol = self.decoder.symbol(cumulative, symbol)?;
        self.encoder.symbol(cumulative, symbol)?;
        Ok(symbol)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::split_mix::split_mix;

    const TABLE: [u32; 4] = [0, 1 << 23, 3 << 22, 1 << 24];

    /// `count` symbols and bits, to be written or read.
    fn code(coder: &mut impl Coder, count: u64, symbols: &mut Vec<usize>) -> Result<()> {
        for index in 0..count {
            let random = split_mix(index + 1);
            symbols.push(coder.symbol(&TABLE, (random % 3) as usize)?);
            let p_true = 1 + (random >> 8) as u32 % 65_535;
            symbols.push(usize::from(coder.bit(p_true, random >> 40 & 1 == 1)?));
        }
        Ok(())
    }

    fn read(bytes: &[u8], count: u64, check: u64) -> Option<Vec<usize>> {
        let (mut recoder, mut read) = (Recoder::new(bytes), vec![]);
        code(&mut recoder, count, &mut read).ok()?;
        recoder.finish(check).then_some(read)
    }

    #[test]
    fn only_what_an_encoder_writes_is_taken() {
        let (mut others, mut taken) = (0, 0);
        for count in 0..200 {
            let (mut encoder, mut written) = (Encoder::new(), vec![]);
            code(&mut encoder, count, &mut written).unwrap();
            let check = split_mix(count);
            let bytes = encoder.finish_with_check(check);
            assert_eq!(read(&bytes, count, check).unwrap(), written);
            for more in 0..3 {
                assert_eq!(read(&[&bytes[..], &[more]].concat(), count, check), None);
            }
            assert_eq!(read(&bytes[..bytes.len() - 1], count, check), None);
            for other in 0..100 {
                others += 1;
                taken += usize::from(read(&bytes, count, split_mix(1000 + other)).is_some());
            }
        }
        // By chance 1 of 1,024 to 1 of 262,144.
        assert!((1..others / 2000).contains(&taken), "{taken} of {others}");
    }

    #[test]
    fn what_ends_with_a_carry_comes_back() {
        // Unlikely bits narrow the interval to its upper end again and again.
        for seed in 0..2000 {
            let bits = |coder: &mut dyn FnMut(u32, bool) -> Result<bool>| -> Result<Vec<bool>> {
                (0..40)
                    .map(|place| coder(1 + (split_mix(seed) >> place) as u32 % 3, place % 7 != 0))
                    .collect()
            };
            let mut encoder = Encoder::new();
            let written = bits(&mut |p, bit| encoder.bit(p, bit)).unwrap();
            let bytes = encoder.finish_with_check(seed);
            let mut recoder = Recoder::new(&bytes);
            assert_eq!(bits(&mut |p, bit| recoder.bit(p, bit)).unwrap(), written);
            assert!(recoder.finish(seed));
        }
    }

    #[test]
    fn reading_on_behind_the_end_is_noticed_soon() {
        let mut recoder = Recoder::new(&[1, 2, 3]);
        let read = (0..1000).take_while(|_| recoder.bit(1 << 15, false).is_ok()).count();
        assert!((24..400).contains(&read), "{read}");
    }
}
