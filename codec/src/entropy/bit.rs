//! An adaptive binary event.

use super::{BIT_PRECISION, Coder};
use crate::Result;

/// The estimated probability of a binary event, learned from its past.
///
/// The estimate moves towards each outcome by 1/(n + 1.5) of the distance, n the number of
/// outcomes seen, until n reaches `limit`; so it starts fast, like counting, and
/// ends as an exponential window.
///
/// ```
/// use plyzip::unstable::entropy::{BitModel, Encoder};
/// let (mut encoder, mut model) = (Encoder::new(), BitModel::default());
/// for _ in 0..1000 {
///     model.code(&mut encoder, true)?;
/// }
/// assert_eq!(encoder.finish().len(), 1); // a thousand times the same costs one byte
/// # Ok::<(), plyzip::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct BitModel {
    /// Probability of `true` in units of 2^-22.
    p_true: u32,
    seen: u16,
    limit: u16,
}

const STATE_BITS: u32 = 22;

impl Default for BitModel {
    fn default() -> BitModel {
        BitModel::with_limit(255)
    }
}

impl BitModel {
    /// A model that starts at even odds and ends with a window of `limit` events.
    pub fn with_limit(limit: u16) -> BitModel {
        BitModel { p_true: 1 << (STATE_BITS - 1), seen: 0, limit }
    }

    /// A model as if it had seen `events`, at most `limit`, with this probability of `true` in units of 2<sup>-16</sup>.
    pub fn seen(limit: u16, events: usize, p_true: usize) -> BitModel {
        let p_true = p_true.min((1 << BIT_PRECISION) - 1) << (STATE_BITS as usize - BIT_PRECISION);
        BitModel { p_true: p_true as u32, seen: events.min(limit.into()) as u16, limit }
    }

    /// Number of events that it has seen, at most its limit.
    pub fn events(&self) -> u16 {
        self.seen
    }

    /// Probability of `true` in units of 2<sup>-16</sup>, strictly between 0 and 1.
    pub fn p_true(&self) -> u32 {
        (self.p_true >> (STATE_BITS - BIT_PRECISION as u32)).clamp(1, (1 << BIT_PRECISION) - 1)
    }

    /// Moves the estimate towards `bit`.
    pub fn update(&mut self, bit: bool) {
        let target = if bit { (1 << STATE_BITS) - 1 } else { 0 };
        let p_true = self.p_true as i32;
        self.p_true = (p_true + 2 * (target - p_true) / (2 * i32::from(self.seen) + 3)) as u32;
        self.seen = (self.seen + 1).min(self.limit);
    }

    /// Codes `bit` and learns from it.
    ///
    /// # Errors
    /// Those of [`Coder::bit`].
    pub fn code<C: Coder>(&mut self, coder: &mut C, bit: bool) -> Result<bool> {
        let bit = coder.bit(self.p_true(), bit)?;
        self.update(bit);
        Ok(bit)
    }
}
