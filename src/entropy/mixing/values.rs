//! Bytes and numbers as binary events.

use super::{ContextMixer, Event, MOST_CONTEXTS, hash};
use crate::entropy::Coder;
use crate::{Error, Result};

impl ContextMixer {
    /// How many binary digits of a number are learned.
    pub const DIGITS: u32 = 10;

    /// Codes a byte, the highest bit first. Of the details, the 256 from 256 × `detail` on are
    /// used.
    ///
    /// # Errors
    /// Those of [`Coder::bit`].
    pub fn byte<C: Coder>(
        &mut self,
        coder: &mut C,
        contexts: &[u32],
        family: usize,
        detail: usize,
        byte: u8,
    ) -> Result<u8> {
        self.advised_byte(coder, contexts, |_| (0, 0), family, detail, byte)
    }

    /// [`ContextMixer::byte`] with something to go by: what `advise` returns for a node, 1 followed
    /// by the bits so far, is the log odds that the next bit is 1, in units of 1/256, and a number
    /// that is added to `detail`.
    ///
    /// # Errors
    /// Those of [`Coder::bit`].
    pub fn advised_byte<C: Coder>(
        &mut self,
        coder: &mut C,
        contexts: &[u32],
        advise: impl Fn(usize) -> (i32, usize),
        family: usize,
        detail: usize,
        byte: u8,
    ) -> Result<u8> {
        let mut here = [0; MOST_CONTEXTS];
        let used = contexts.len().min(MOST_CONTEXTS);
        let mut node = 1;
        for lowest in [4, 0] {
            for (here, &context) in here.iter_mut().zip(contexts) {
                *here = hash(context, node as u32);
            }
            // Half a byte has 15 nodes, which may share a block.
            let mut place = 1;
            for shift in (lowest..lowest + 4).rev() {
                let bit = byte >> shift & 1 != 0;
                let (advice, class) = advise(node);
                let (contexts, place_here) = (&here[..used], Some(place));
                let detail = (detail + class) << 8 | node;
                let event = Event { contexts, place: place_here, advice, family, detail };
                let bit = self.event(coder, event, bit)?;
                (node, place) = (node << 1 | usize::from(bit), place << 1 | usize::from(bit));
            }
        }
        Ok(node as u8)
    }

    /// [`ContextMixer::code`] with log odds from elsewhere, in units of 1/256.
    ///
    /// # Errors
    /// Those of [`Coder::bit`].
    pub fn advised<C: Coder>(
        &mut self,
        coder: &mut C,
        contexts: &[u32],
        advice: i32,
        family: usize,
        detail: usize,
        bit: bool,
    ) -> Result<bool> {
        self.event(coder, Event { contexts, place: None, advice, family, detail }, bit)
    }

    /// Codes a number: whether it is 0, its sign, its length and its digits in base 2, each with
    /// all `contexts`. Of long numbers the [`ContextMixer::DIGITS`] foremost digits are learned,
    /// the rest by their place only.
    ///
    /// # Errors
    /// Those of [`Coder::bit`], and [`Error::Damaged`] for a number beyond 2<sup>62</sup>.
    pub fn number<C: Coder>(
        &mut self,
        coder: &mut C,
        contexts: &[u32],
        family: usize,
        detail: usize,
        number: i64,
    ) -> Result<i64> {
        let mut here = [0; MOST_CONTEXTS];
        let used = contexts.len().min(MOST_CONTEXTS);
        let mut event = |mixing: &mut ContextMixer, node: u32, bit: bool| {
            for (here, &context) in here.iter_mut().zip(contexts) {
                *here = hash(context, node);
            }
            mixing.code(coder, &here[..used], family, detail, bit)
        };
        if event(self, 0, number == 0)? {
            return Ok(0);
        }
        let negative = event(self, 1, number < 0)?;
        let size = number.unsigned_abs();
        let length = 64 - size.leading_zeros();
        let mut read = 1;
        while !event(self, read + 1, read >= length)? {
            read += 1;
            if read > 62 {
                return Err(Error::damaged("a number of more than 62 bits"));
            }
        }
        let mut value = 1u64;
        for shift in (0..read - 1).rev() {
            let bit = size >> shift & 1 != 0;
            let bit = if read - 1 - shift <= Self::DIGITS {
                event(self, read << 16 | value as u32, bit)?
            } else {
                event(self, read << 16, bit)?
            };
            value = value << 1 | u64::from(bit);
        }
        Ok(if negative { -(value as i64) } else { value as i64 })
    }
}
