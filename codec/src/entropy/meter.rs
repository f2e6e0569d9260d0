//! A coder that writes nothing and adds up what writing would cost.

use std::collections::BTreeMap;

use super::{BIT_PRECISION, Coder, TABLE_PRECISION};
use crate::Result;

/// The surprisal of what is coded, by part.
///
/// Its sums are floats, and no more than a report: nothing that is coded depends on them.
///
/// ```
/// use plyzip::unstable::entropy::{Coder, Meter};
/// let mut meter = Meter::default();
/// meter.enter(b"a coin");
/// meter.bit(1 << 15, true)?;
/// assert_eq!(meter.bits()["a coin"], 1.0);
/// # Ok::<(), plyzip::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Meter {
    bits: BTreeMap<String, f64>,
    part: String,
}

impl Meter {
    /// Bits by part.
    pub fn bits(&self) -> &BTreeMap<String, f64> {
        &self.bits
    }

    fn add(&mut self, share: u32, precision: usize) {
        let bits = precision as f64 - f64::from(share).log2();
        match self.bits.get_mut(&self.part) {
            Some(sum) => *sum += bits,
            None => drop(self.bits.insert(self.part.clone(), bits)),
        }
    }
}

impl Coder for Meter {
    const DECODING: bool = false;

    fn bit(&mut self, p_true: u32, bit: bool) -> Result<bool> {
        self.add(if bit { p_true } else { (1 << BIT_PRECISION) - p_true }, BIT_PRECISION);
        Ok(bit)
    }

    fn symbol(&mut self, cumulative: &[u32], symbol: usize) -> Result<usize> {
        if let Some(&[left, right]) = cumulative.get(symbol..symbol + 2) {
            self.add(right - left, TABLE_PRECISION);
        }
        Ok(symbol)
    }

    fn enter(&mut self, part: &[u8]) {
        self.part = String::from_utf8_lossy(part).into_owned();
    }
}

/// A coder that does nothing, for models that shall know which values there are before they begin.
#[derive(Debug, Clone, Copy)]
pub struct Silent;

impl Coder for Silent {
    const DECODING: bool = false;
    const LEARNING: bool = false;

    fn bit(&mut self, _: u32, bit: bool) -> Result<bool> {
        Ok(bit)
    }

    fn symbol(&mut self, _: &[u32], symbol: usize) -> Result<usize> {
        Ok(symbol)
    }
}
