//! Embedding bags: sums of the rows of a table that a list of features chooses.
//!
//! An embedding bag is most of what a network reads and little of what it computes, and
//! as operations of a graph it would be memory traffic: all rows copied to one place as
//! `f32`, then added up. Here they stay the bytes that they are in the file, and are added as
//! integers of 16 bits, with as wide registers as the machine has: integers add up to the same
//! in any of them.

use pulp::{Arch, Simd, WithSimd};

use super::proof::{exp2, unit_of};
use crate::{Error, Result};

/// Entries that are summed side by side, in registers.
const LANES: usize = 128;

/// A piece of a row, in as few cache lines as can be.
#[derive(Debug, Clone)]
#[repr(align(128))]
struct Block([i8; LANES]);

/// A table of integers of 8 bits times a unit for each row, and what is added to each sum.
#[derive(Debug)]
pub struct EmbeddingBag {
    width: usize,
    /// Row after row, each filled up with zeros to a whole number of blocks.
    table: Vec<Block>,
    rows: Vec<Row>,
    bias: Vec<f32>,
    /// The finest of the rows' units.
    unit: f32,
    arch: Arch,
}

/// What the entries of a row have in common.
#[derive(Debug, Clone, Copy)]
struct Row {
    /// An entry of 1 is 2^shift of the bag's unit.
    shift: u8,
    /// The largest magnitude, in the bag's unit; 0 for rows of zeros, such as that of the padding.
    reach: i16,
}

impl EmbeddingBag {
    /// The bag of a table of `width` columns. The graph's sums must have been proved exact.
    ///
    /// # Errors
    /// [`Error::Model`] if the entries of a row are no integers of 8 bits times one unit, or those
    /// of all rows together none of 16 bits times one unit.
    pub fn new(width: usize, table: &[f32], bias: &[f32]) -> Result<EmbeddingBag> {
        let refuse = || Error::Model("a table's entries are not of 8 bits".into());
        if width == 0 || width != bias.len() || !table.len().is_multiple_of(width) {
            return Err(Error::Model("a table and its bias do not match".into()));
        }
        let finest = |values: &[f32]| -> Result<i32> {
            let units = values.iter().map(|&value| unit_of(value));
            Ok(units.collect::<Result<Vec<i32>>>()?.into_iter().max().unwrap_or(0))
        };
        let unit = finest(table)?;
        // Beyond these units no entry but 0 could fit, or the unit be inverted.
        if !(-24..=24).contains(&unit) || finest(bias)? > 24 {
            return Err(refuse());
        }
        let scale = exp2(unit);
        let mut bag = EmbeddingBag {
            width,
            table: Vec::with_capacity(table.len() / width * width.div_ceil(LANES)),
            rows: Vec::with_capacity(table.len() / width),
            bias: bias.to_vec(),
            unit: (1.0 / scale) as f32,
            arch: Arch::new(),
        };
        for row in table.chunks_exact(width) {
            let largest = row.iter().fold(0f32, |largest, value| largest.max(value.abs()));
            // Exact, in f64: a multiple of the unit.
            let reach = f64::from(largest) * scale;
            if reach > f64::from(i16::MAX) {
                return Err(refuse());
            }
            // A row of zeros has the coarsest of units, which is as good as any.
            let shift = (unit - finest(row)?).clamp(0, 15) as u8;
            let in_row = scale / f64::from(1 << shift);
            for piece in row.chunks(LANES) {
                let mut block = [0; LANES];
                for (entry, &value) in block.iter_mut().zip(piece) {
                    let value = f64::from(value) * in_row;
                    if value.abs() > f64::from(i8::MAX) {
                        return Err(refuse());
                    }
                    *entry = value as i8;
                }
                bag.table.push(Block(block));
            }
            bag.rows.push(Row { shift, reach: reach as i16 });
        }
        Ok(bag)
    }

    /// Number of columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The longest start of `indices` whose rows can be added in 16 bits, and the rest.
    fn together<'a>(&self, indices: &'a [u16]) -> (&'a [u16], &'a [u16]) {
        let mut reach = 0i16;
        let fits = |index: &&u16| match reach.checked_add(self.rows[usize::from(**index)].reach) {
            Some(sum) => {
                reach = sum;
                true
            }
            None => false,
        };
        indices.split_at(indices.iter().take_while(fits).count())
    }

    /// Writes to `sum` what the rows `indices` and the bias add up to.
    pub fn sum(&self, indices: &[u16], sum: &mut [f32]) {
        self.arch.dispatch(Sum { bag: self, indices, sum });
    }

    #[inline(always)]
    fn add_up(&self, indices: &[u16], sum: &mut [f32]) {
        let blocks = self.width.div_ceil(LANES);
        let mut indices = indices;
        while let [rest @ .., last] = indices
            && self.rows[usize::from(*last)].reach == 0
        {
            indices = rest;
        }
        sum.copy_from_slice(&self.bias);
        while !indices.is_empty() {
            let (group, rest) = self.together(indices);
            for (block, sum) in sum.chunks_mut(LANES).enumerate() {
                let mut part = [0i16; LANES];
                for &index in group {
                    let index = usize::from(index);
                    let shift = self.rows[index].shift;
                    let row = &self.table[index * blocks + block].0;
                    for (part, &entry) in part.iter_mut().zip(row) {
                        *part += i16::from(entry) << shift;
                    }
                }
                // Exact, as the proof says of all sums of a bag.
                for (sum, part) in sum.iter_mut().zip(part) {
                    *sum += f32::from(part) * self.unit;
                }
            }
            indices = rest;
        }
    }
}

/// A sum to be computed, compiled once for each kind of registers.
struct Sum<'a> {
    bag: &'a EmbeddingBag,
    indices: &'a [u16],
    sum: &'a mut [f32],
}

impl WithSimd for Sum<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        self.bag.add_up(self.indices, self.sum);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_the_table() {
        for (width, largest) in [(1, 127), (64, 9), (100, 127), (128, 126), (130, 127)] {
            // Row r in units of 2^r, so that some sums need more than 16 bits.
            let entry = |row: usize, column: usize| {
                let mixed = (row * 7919 + column * 104_729) as i64 % (2 * largest + 1);
                if row == 3 { 0 } else { ((mixed - largest) as i32) << row }
            };
            let table: Vec<f32> = (0..8 * width)
                .map(|place| entry(place / width, place % width) as f32 / 32.0)
                .collect();
            let bias: Vec<f32> = (0..width).map(|column| column as f32 / 64.0).collect();
            let bag = EmbeddingBag::new(width, &table, &bias).unwrap();
            assert_eq!(bag.width(), width);
            for indices in [&[][..], &[3], &[0], &[7; 56], &[1, 2, 3, 4, 5, 6, 7, 3, 3]] {
                let mut sum = vec![f32::NAN; width];
                bag.sum(indices, &mut sum);
                for (column, sum) in sum.into_iter().enumerate() {
                    let rows = indices.iter().map(|&row| entry(row.into(), column));
                    let expected = column as i32 + 2 * rows.sum::<i32>();
                    assert_eq!(sum, expected as f32 / 64.0, "{indices:?}, column {column}");
                }
            }
        }
    }

    #[test]
    fn entries_of_more_bits_are_refused() {
        assert!(EmbeddingBag::new(2, &[127.0, 1.0], &[0.0; 2]).is_ok());
        assert!(EmbeddingBag::new(2, &[127.0, 0.5], &[0.0; 2]).is_err());
        assert!(EmbeddingBag::new(2, &[128.0, 1.0], &[0.0; 2]).is_err());
        // Each row has 8 bits, both together more than 16.
        assert!(EmbeddingBag::new(1, &[128.0, 1.0 / 64.0], &[0.0]).is_ok());
        assert!(EmbeddingBag::new(1, &[256.0, 1.0 / 128.0], &[0.0]).is_err());
        assert!(EmbeddingBag::new(1, &[1.0, 2f32.powi(-40)], &[0.0]).is_err());
        assert!(EmbeddingBag::new(1, &[1.0, f32::NAN], &[0.0]).is_err());
        assert!(EmbeddingBag::new(1, &[1.0], &[2f32.powi(-40)]).is_err());
        assert!(EmbeddingBag::new(2, &[1.0; 4], &[0.0]).is_err());
        assert!(EmbeddingBag::new(2, &[1.0; 3], &[0.0; 2]).is_err());
        assert!(EmbeddingBag::new(0, &[], &[]).is_err());
    }
}
