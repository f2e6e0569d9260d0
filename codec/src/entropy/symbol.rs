//! Adaptive symbols and numbers, made of binary events.

use super::{BitModel, Coder};
use crate::{Error, Result};

/// An adaptive distribution over `0..2^bits`, as a binary tree of [`BitModel`]s. It takes memory from the first symbol
/// on.
#[derive(Debug, Clone)]
pub struct SymbolModel {
    bits: u32,
    /// Empty before the first symbol.
    tree: Vec<BitModel>,
}

impl SymbolModel {
    /// A model of symbols of `bits` bits, at most 16, all equally likely at first.
    pub fn new(bits: u32) -> SymbolModel {
        assert!(bits <= 16, "a symbol has at most 16 bits");
        SymbolModel { bits, tree: vec![] }
    }

    /// Codes `symbol` < 2<sup>bits</sup> and learns from it.
    ///
    /// # Errors
    /// Those of [`Coder::bit`].
    pub fn code<C: Coder>(&mut self, coder: &mut C, symbol: u32) -> Result<u32> {
        if self.tree.is_empty() {
            self.tree = vec![BitModel::default(); 1 << self.bits];
        }
        let mut node = 1;
        for shift in (0..self.bits).rev() {
            let bit = self.tree[node].code(coder, symbol >> shift & 1 != 0)?;
            node = node << 1 | usize::from(bit);
        }
        Ok(node as u32 - (1 << self.bits))
    }
}

/// An adaptive distribution over all of `u64` that favours what it has seen:
/// the number of significant bits as a symbol, then the bits, of which the
/// first [`NumberModel::MODELLED`] are learned and the rest are taken for even.
#[derive(Debug, Clone)]
pub struct NumberModel {
    length: SymbolModel,
    /// By the number of significant bits: the tree of those that are learned, empty before the first number of its
    /// length.
    mantissas: Vec<Vec<BitModel>>,
}

impl Default for NumberModel {
    fn default() -> NumberModel {
        NumberModel::new()
    }
}

impl NumberModel {
    /// Number of bits below the leading one that are learned.
    pub const MODELLED: u32 = 8;

    /// A model that has seen nothing.
    pub fn new() -> NumberModel {
        NumberModel { length: SymbolModel::new(7), mantissas: vec![vec![]; 65] }
    }

    /// Codes `number` and learns from it.
    ///
    /// # Errors
    /// Those of [`Coder::bit`], and [`Error::Damaged`] if the length read is over 64 bits.
    pub fn code<C: Coder>(&mut self, coder: &mut C, number: u64) -> Result<u64> {
        let length = self.length.code(coder, 64 - number.leading_zeros())?;
        if length > 64 {
            return Err(Error::damaged("a number of more than 64 bits"));
        }
        if length <= 1 {
            return Ok(u64::from(length));
        }
        let mantissa = &mut self.mantissas[length as usize];
        if mantissa.is_empty() {
            *mantissa = vec![BitModel::default(); 1 << (length - 1).min(Self::MODELLED)];
        }
        let mut value = 1u64;
        let mut node = 1usize;
        for (read, shift) in (0..length - 1).rev().enumerate() {
            let bit = number >> shift & 1 != 0;
            let bit = if (read as u32) < Self::MODELLED {
                let bit = mantissa[node].code(coder, bit)?;
                node = node << 1 | usize::from(bit);
                bit
            } else {
                coder.bit(1 << 15, bit)?
            };
            value = value << 1 | u64::from(bit);
        }
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entropy::{Decoder, Encoder};

    #[test]
    fn numbers_of_every_length_come_back() {
        let numbers: Vec<u64> = (0..64)
            .flat_map(|shift| {
                [0, (1 << shift) - 1, 1 << shift, (1 << shift) + 77, u64::MAX >> shift]
            })
            .collect();
        let mut encoder = Encoder::new();
        let mut model = NumberModel::new();
        for &number in &numbers {
            model.code(&mut encoder, number).unwrap();
        }
        let bytes = encoder.finish();
        let mut decoder = Decoder::new(&bytes);
        let mut model = NumberModel::new();
        for &number in &numbers {
            assert_eq!(model.code(&mut decoder, 0).unwrap(), number);
        }
    }

    #[test]
    fn a_constant_symbol_becomes_free() {
        let mut encoder = Encoder::new();
        let mut model = SymbolModel::new(8);
        for _ in 0..10_000 {
            model.code(&mut encoder, 42).unwrap();
        }
        assert!(encoder.finish().len() < 30);
    }

    #[test]
    fn garbage_decodes_to_numbers_that_come_back_or_is_damaged() {
        let (mut damaged, mut sound) = (0, 0);
        for seed in 0..200u32 {
            let bytes: Vec<u8> =
                (0..100u32).map(|i| (i.wrapping_mul(seed * 2654435 + 97) >> 7) as u8).collect();
            let mut decoder = Decoder::new(&bytes);
            let mut model = NumberModel::new();
            let mut numbers = vec![];
            while numbers.len() < 200 {
                match model.code(&mut decoder, 0) {
                    Ok(number) => numbers.push(number),
                    Err(Error::Damaged(_)) => break,
                    Err(error) => panic!("{error}"),
                }
            }
            *if numbers.len() < 200 { &mut damaged } else { &mut sound } += 1;
            let mut encoder = Encoder::new();
            let mut model = NumberModel::new();
            for &number in &numbers {
                assert_eq!(model.code(&mut encoder, number).unwrap(), number);
            }
            let bytes = encoder.finish();
            let mut decoder = Decoder::new(&bytes);
            let mut model = NumberModel::new();
            for &number in &numbers {
                assert_eq!(model.code(&mut decoder, 0).unwrap(), number);
            }
        }
        assert!(damaged > 0 && sound > 0, "{damaged} {sound}");
    }
}
