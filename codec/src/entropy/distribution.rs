//! Probabilities as constriction's coders take them.

use std::borrow::Borrow;

use constriction::stream::model::{DecoderModel, EncoderModel, EntropyModel};

/// Bits of a probability given to [`Coder::bit`](super::Coder::bit).
pub const BIT_PRECISION: usize = 16;

/// Bits of the frequencies given to [`Coder::symbol`](super::Coder::symbol): every table sums to 2<sup>24</sup>.
pub const TABLE_PRECISION: usize = 24;

/// A binary event as constriction sees it; `false` has the lower interval.
#[derive(Debug, Clone, Copy)]
pub struct Bernoulli {
    /// The probability of `true`, in units of 2<sup>-16</sup>.
    pub p_true: u32,
}

impl EntropyModel<BIT_PRECISION> for Bernoulli {
    type Symbol = bool;
    type Probability = u32;
}

impl Bernoulli {
    fn interval(self, bit: bool) -> Option<(u32, std::num::NonZeroU32)> {
        let p_false = (1 << BIT_PRECISION) - self.p_true;
        if bit {
            Some((p_false, self.p_true.try_into().ok()?))
        } else {
            Some((0, p_false.try_into().ok()?))
        }
    }
}

impl EncoderModel<BIT_PRECISION> for Bernoulli {
    fn left_cumulative_and_probability(
        &self,
        symbol: impl Borrow<bool>,
    ) -> Option<(u32, std::num::NonZeroU32)> {
        self.interval(*symbol.borrow())
    }
}

impl DecoderModel<BIT_PRECISION> for Bernoulli {
    fn quantile_function(&self, quantile: u32) -> (bool, u32, std::num::NonZeroU32) {
        let bit = quantile >= (1 << BIT_PRECISION) - self.p_true;
        #[expect(clippy::expect_used, reason = "the coder takes no other probabilities")]
        let (left, probability) =
            self.interval(bit).expect("a probability strictly between 0 and 1");
        (bit, left, probability)
    }
}

/// A borrowed table of cumulative frequencies as constriction sees it.
#[derive(Debug, Clone, Copy)]
pub struct Table<'a> {
    /// Cumulative frequencies: 0 first, 2<sup>24</sup> last, rising strictly.
    pub cumulative: &'a [u32],
}

impl EntropyModel<TABLE_PRECISION> for Table<'_> {
    type Symbol = usize;
    type Probability = u32;
}

impl EncoderModel<TABLE_PRECISION> for Table<'_> {
    fn left_cumulative_and_probability(
        &self,
        symbol: impl Borrow<usize>,
    ) -> Option<(u32, std::num::NonZeroU32)> {
        let symbol = *symbol.borrow();
        let (left, right) = (self.cumulative.get(symbol)?, self.cumulative.get(symbol + 1)?);
        Some((*left, (right - left).try_into().ok()?))
    }
}

impl DecoderModel<TABLE_PRECISION> for Table<'_> {
    fn quantile_function(&self, quantile: u32) -> (usize, u32, std::num::NonZeroU32) {
        let symbol = self.cumulative.partition_point(|&left| left <= quantile) - 1;
        let (left, right) = (self.cumulative[symbol], self.cumulative[symbol + 1]);
        #[expect(clippy::expect_used, reason = "the coder takes no other tables")]
        let probability = (right - left).try_into().expect("a table that rises strictly");
        (symbol, left, probability)
    }
}
