//! The range coder and the trait that makes coding one function in both directions.

use constriction::backends::ReadWords;
use constriction::stream::queue::{EncoderSituation, RangeDecoder, RangeEncoder};
use constriction::stream::{Code, Decode, Encode};
use constriction::{CoderError, Queue};

use super::distribution::{Bernoulli, Table};
use crate::{Error, Result};

/// Most zero bytes that the end of a stream goes without. A decoder takes these for granted and no more: a few bytes
/// cannot keep it at work for ever.
pub const IMPLIED_ZEROS: usize = 32;

/// The fewest strings that [`Encoder::finish_with_check`] chooses from.
pub const LEAST_CHOICES: u128 = 1 << 10;

/// One direction of entropy coding.
///
/// An [`Encoder`] writes the symbol that it is given and returns it; a
/// [`Decoder`] ignores the symbol that it is given and returns the one that was
/// written. Code that is generic over `Coder` therefore runs the same
/// statements, in the same order, on both sides.
pub trait Coder {
    /// Whether this is the reading side.
    const DECODING: bool;

    /// Whether models learn from what is coded. A [`Silent`](super::Silent) coder only tells which
    /// values there are, not how likely they are.
    const LEARNING: bool = true;

    /// Codes one binary event whose probability of being `true` is
    /// `p_true` / 2<sup>16</sup>, 1 ≤ `p_true` < 2<sup>16</sup>.
    ///
    /// # Errors
    /// [`Error::Damaged`] if the input is not what an encoder writes.
    fn bit(&mut self, p_true: u32, bit: bool) -> Result<bool>;

    /// Codes one of `cumulative.len() - 1` symbols. `cumulative` starts with 0, rises
    /// strictly and ends with 2<sup>24</sup>; symbol `i` has the frequency
    /// `cumulative[i + 1] - cumulative[i]`.
    ///
    /// # Errors
    /// [`Error::Damaged`] if the input is not what an encoder writes.
    fn symbol(&mut self, cumulative: &[u32], symbol: usize) -> Result<usize>;

    /// Tells which part of the whole is coded from now on. Only a [`Meter`](super::Meter) cares.
    fn enter(&mut self, _part: &[u8]) {}
}

/// Writes symbols to bytes.
///
/// ```
/// use plyzip::unstable::entropy::{Coder, Decoder, Encoder};
/// let mut encoder = Encoder::new();
/// encoder.symbol(&[0, 1 << 23, 3 << 22, 1 << 24], 1)?; // 2 bits
/// encoder.bit(1 << 15, true)?; // 1 bit
/// let bytes = encoder.finish();
/// assert_eq!(bytes, [0b1010_0000]);
/// let mut decoder = Decoder::new(&bytes);
/// assert_eq!(decoder.symbol(&[0, 1 << 23, 3 << 22, 1 << 24], 0)?, 1);
/// assert!(decoder.bit(1 << 15, false)?);
/// # Ok::<(), plyzip::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Encoder {
    inner: RangeEncoder<u32, u64, Vec<u32>>,
}

impl Encoder {
    /// An encoder that has written nothing.
    pub fn new() -> Encoder {
        Encoder::default()
    }

    /// Ends the stream with as few bytes as identify it: the decoder takes bytes
    /// beyond the end for zeros, so the code point with the most trailing zeros
    /// in the final interval is chosen and the zeros, up to [`IMPLIED_ZEROS`], are not written.
    pub fn finish(self) -> Vec<u8> {
        let (lower, range) = self.interval();
        let point = if range == u128::from(u64::MAX) && self.inner.bulk().is_empty() {
            0 // nothing was coded
        } else {
            let mut step = 1u128 << 64;
            loop {
                let point = lower.div_ceil(step) * step;
                if point < lower + range {
                    break point;
                }
                step >>= 1;
            }
        };
        let mut bytes = self.end_at(point);
        let zeros = bytes.iter().rev().take(IMPLIED_ZEROS).take_while(|&&byte| byte == 0).count();
        bytes.truncate(bytes.len() - zeros);
        bytes
    }

    /// Ends the stream with so many bytes that at least [`LEAST_CHOICES`] strings of this length identify it, and
    /// chooses one of them by `check`. The strings in order are 0, 1, ..., N - 1, and `check` mod N is taken; so
    /// another `check` gives other bytes but for a chance of 1 / N.
    pub fn finish_with_check(self, check: u64) -> Vec<u8> {
        let (lower, range) = self.interval();
        // Bytes of the final state that are not written.
        let mut unwritten = 7;
        let (step, first, choices) = loop {
            let step = 1u128 << (8 * unwritten);
            let first = lower.div_ceil(step);
            let choices = (lower + range).div_ceil(step).saturating_sub(first);
            if choices >= LEAST_CHOICES || unwritten == 0 {
                break (step, first, choices);
            }
            unwritten -= 1;
        };
        let mut bytes = self.end_at((first + u128::from(check) % choices) * step);
        bytes.truncate(bytes.len() - unwritten);
        bytes
    }

    /// The first and the number of code points that identify what was coded, as the coder's state has them: 2^64
    /// points for what the words that were written leave open.
    fn interval(&self) -> (u128, u128) {
        let state = self.inner.state();
        (u128::from(state.lower()), u128::from(state.range().get()))
    }

    /// All bytes of a code point of the final interval.
    fn end_at(self, point: u128) -> Vec<u8> {
        let (mut words, _, situation) = self.inner.into_raw_parts();
        if let EncoderSituation::Inverted(held, first) = situation {
            // Words whose value hung on whether a carry comes: now we know.
            let (first, rest) =
                if point >> 64 != 0 { (first.wrapping_add(1), 0) } else { (first, u32::MAX) };
            words.push(first);
            words.extend(std::iter::repeat_n(rest, held.get() - 1));
        }
        let point = point as u64;
        words.extend([(point >> 32) as u32, point as u32]);
        words.iter().flat_map(|word| word.to_be_bytes()).collect()
    }
}

impl Coder for Encoder {
    const DECODING: bool = false;

    fn bit(&mut self, p_true: u32, bit: bool) -> Result<bool> {
        self.inner
            .encode_symbol(bit, Bernoulli { p_true })
            .map_err(|_| Error::Internal("a binary event of probability zero".into()))?;
        Ok(bit)
    }

    fn symbol(&mut self, cumulative: &[u32], symbol: usize) -> Result<usize> {
        self.inner
            .encode_symbol(symbol, Table { cumulative })
            .map_err(|_| Error::Internal("a symbol of frequency zero".into()))?;
        Ok(symbol)
    }
}

/// Reads what an [`Encoder`] wrote. Behind the end of its input it reads [`IMPLIED_ZEROS`] zeros, then it fails. Whoever
/// drives it must know from elsewhere how much to read.
#[derive(Debug)]
pub struct Decoder {
    inner: RangeDecoder<u32, u64, Words>,
    /// Where events come from while an archive is made up.
    #[cfg(test)]
    choices: Option<crate::forge::Choices>,
}

impl Decoder {
    /// A decoder of `bytes`.
    pub fn new(bytes: &[u8]) -> Decoder {
        #[cfg(test)]
        let choices = crate::forge::Choices::of(bytes);
        #[cfg(test)]
        let bytes = choices.as_ref().map_or(bytes, crate::forge::Choices::base);
        let mut words: Vec<u32> = bytes
            .chunks(4)
            .map(|chunk| {
                let mut word = [0; 4];
                word[..chunk.len()].copy_from_slice(chunk);
                u32::from_be_bytes(word)
            })
            .collect();
        words.extend([0; IMPLIED_ZEROS / 4]);
        #[expect(clippy::expect_used, reason = "the first two words are among the zeros at least")]
        let inner = RangeDecoder::with_backend(Words(words.into_iter())).expect("two words");
        Decoder {
            inner,
            #[cfg(test)]
            choices,
        }
    }
}

/// The words of a stream, of which there must be enough.
#[derive(Debug)]
struct Words(std::vec::IntoIter<u32>);

/// A stream is shorter than what is read from it.
#[derive(Debug)]
struct PastTheEnd;

impl ReadWords<u32, Queue> for Words {
    type ReadError = PastTheEnd;

    fn read(&mut self) -> std::result::Result<Option<u32>, PastTheEnd> {
        self.0.next().map(Some).ok_or(PastTheEnd)
    }
}

impl Coder for Decoder {
    const DECODING: bool = true;

    fn bit(&mut self, p_true: u32, _: bool) -> Result<bool> {
        #[cfg(test)]
        if let Some(choices) = &mut self.choices {
            let inner = &mut self.inner;
            let based = choices.based(|| inner.decode_symbol(Bernoulli { p_true }).ok());
            return choices.bit(p_true, based);
        }
        self.inner.decode_symbol(Bernoulli { p_true }).map_err(|error| damage(&error))
    }

    fn symbol(&mut self, cumulative: &[u32], _: usize) -> Result<usize> {
        #[cfg(test)]
        if let Some(choices) = &mut self.choices {
            let inner = &mut self.inner;
            let based = choices.based(|| inner.decode_symbol(Table { cumulative }).ok());
            return choices.symbol(cumulative, based);
        }
        self.inner.decode_symbol(Table { cumulative }).map_err(|error| damage(&error))
    }
}

fn damage<E>(error: &CoderError<E, PastTheEnd>) -> Error {
    Error::damaged(match error {
        CoderError::Backend(PastTheEnd) => "entropy-coded data that breaks off",
        CoderError::Frontend(_) => "invalid entropy-coded data",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_that_breaks_off_is_an_end() {
        for bytes in [&[][..], &[0xff; 3], &[0x80; 50]] {
            let mut decoder = Decoder::new(bytes);
            // A bit for each event.
            let most = 8 * (bytes.len() + IMPLIED_ZEROS) + 32;
            let read = (0..=most).take_while(|_| decoder.bit(1 << 15, false).is_ok()).count();
            assert!((8 * bytes.len()..most).contains(&read), "{read} events");
        }
    }

    #[test]
    fn streams_of_zeros_come_back() {
        for events in [0usize, 1, 31, 32, 33, 200, 255, 256, 257, 1000] {
            let mut encoder = Encoder::new();
            for _ in 0..events {
                encoder.bit(1 << 15, false).unwrap();
            }
            let bytes = encoder.finish();
            assert!(
                bytes.len() <= (events / 8).saturating_sub(IMPLIED_ZEROS) + 8,
                "{}",
                bytes.len()
            );
            let mut decoder = Decoder::new(&bytes);
            for _ in 0..events {
                assert!(!decoder.bit(1 << 15, true).unwrap());
            }
        }
    }
}
