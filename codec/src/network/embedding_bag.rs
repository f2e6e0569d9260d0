//! Embedding bags: sums of the rows of a table that a list of features chooses.
//!
//! An embedding bag is most of what a network reads and little of what it computes, and
//! as operations of a graph it would be memory traffic: all rows copied to one place as
//! `f32`, then added up. Here they stay the bytes that they are in the file, and are added as
//! integers of 16 bits, with as wide registers as the machine has: integers add up to the same
//! in any of them.

use prefetch_index::prefetch_index;
use pulp::{Arch, Simd, WithSimd};

use super::proof::unit_of;
use super::table::{Table, exp2};
use crate::{Error, Result};

/// Entries that are summed side by side, in registers.
const LANES: usize = 128;

/// Bytes of a cache line on most machines.
const LINE: usize = 64;

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
    rows: Vec<RowScale>,
    bias: Vec<f32>,
    /// The finest of the rows' units.
    unit: f32,
    arch: Arch,
}

/// What the entries of a row have in common.
#[derive(Debug, Clone, Copy)]
struct RowScale {
    /// An entry of 1 is 2^shift of the bag's unit.
    shift: u8,
    /// The largest magnitude, in the bag's unit; 0 for rows of zeros, such as that of the padding.
    reach: i16,
}

impl EmbeddingBag {
    /// The bag of a table. The graph's sums must have been proved exact.
    ///
    /// # Errors
    /// [`Error::Model`] if columns have units of their own, if the bias has not an entry for each column, or if the
    /// entries of all rows together are no integers of 16 bits times one unit.
    pub fn new(table: &Table, bias: &[f32]) -> Result<EmbeddingBag> {
        let refuse = || Error::Model("a table's entries are not of 16 bits together".into());
        let [rows, width] = table.shape();
        if width != bias.len() {
            return Err(Error::Model("a table and its bias do not match".into()));
        }
        let (shifts, unit) = table.row_shifts().ok_or_else(refuse)?;
        let mut bias_units = bias.iter().map(|&value| unit_of(value));
        // Beyond these units the unit could not be inverted.
        if !(-24..=24).contains(&unit)
            || bias_units.try_fold(0, |finest, unit| unit.map(|unit| unit.max(finest)))? > 24
        {
            return Err(refuse());
        }
        let mut bag = EmbeddingBag {
            width,
            table: Vec::with_capacity(rows * width.div_ceil(LANES)),
            rows: Vec::with_capacity(rows),
            bias: bias.to_vec(),
            unit: exp2(-unit) as f32,
            arch: Arch::new(),
        };
        for (row, shift) in shifts.into_iter().enumerate() {
            let entries = table.row(row);
            let largest =
                entries.iter().fold(0, |largest, entry| largest.max(entry.unsigned_abs()));
            let reach = u32::from(largest) << shift;
            bag.rows.push(RowScale { shift, reach: i16::try_from(reach).map_err(|_| refuse())? });
            for piece in entries.chunks(LANES) {
                let mut block = [0; LANES];
                block[..piece.len()].copy_from_slice(piece);
                bag.table.push(Block(block));
            }
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

    /// Writes to `sum` what the rows `indices` and the bias add up to. [`EmbeddingBag::prefetch`] should come some time
    /// before.
    pub fn sum(&self, indices: &[u16], sum: &mut [f32]) {
        self.arch.dispatch(Sum { bag: self, indices, sum });
    }

    /// Lets the first block of each of these rows be fetched from memory: rows lie far apart, and sums would wait for
    /// one after the other.
    pub fn prefetch(&self, indices: &[u16]) {
        self.prefetch_block(indices, 0);
    }

    #[inline(always)]
    fn prefetch_block(&self, indices: &[u16], block: usize) {
        let blocks = self.width.div_ceil(LANES);
        for &index in indices {
            if let Some(Block(row)) = self.table.get(usize::from(index) * blocks + block) {
                prefetch_index(row, 0);
                prefetch_index(row, LINE);
            }
        }
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
                if block + 1 < blocks {
                    self.prefetch_block(group, block + 1);
                }
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
    use super::super::table::table;
    use super::*;

    #[test]
    fn sums_are_those_of_the_table() {
        for (width, largest) in [(1, 127), (64, 9), (100, 127), (128, 126), (130, 127)] {
            // Row r in units of 2^r / 32, so that some sums need more than 16 bits.
            let small = |row: usize, column: usize| {
                let mixed = (row * 7919 + column * 104_729) as i64 % (2 * largest + 1);
                if row == 3 { 0 } else { (mixed - largest) as i8 }
            };
            let entry = |row: usize, column: usize| i32::from(small(row, column)) << row;
            let entries: Vec<i8> =
                (0..8 * width).map(|place| small(place / width, place % width)).collect();
            let units: Vec<i32> = (0..8).map(|row| 5 - row).collect();
            let table = table(width, &entries, &units);
            let bias: Vec<f32> = (0..width).map(|column| column as f32 / 64.0).collect();
            let bag = EmbeddingBag::new(&table, &bias).unwrap();
            assert_eq!(bag.width(), width);
            for indices in [&[][..], &[3], &[0], &[7; 56], &[1, 2, 3, 4, 5, 6, 7, 3, 3]] {
                let mut sum = vec![f32::NAN; width];
                bag.sum(indices, &mut sum);
                // As on machines without wide registers.
                let mut portable = vec![f32::NAN; width];
                bag.add_up(indices, &mut portable);
                assert_eq!(portable, sum);
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
        let bag = |columns, entries: &[i8], units: &[i32], bias: &[f32]| {
            EmbeddingBag::new(&table(columns, entries, units), bias)
        };
        // Both rows together have 16 bits, and not.
        assert!(bag(1, &[127, 127], &[8, 0], &[0.0]).is_ok());
        assert!(bag(1, &[127, 127], &[9, 0], &[0.0]).is_err());
        assert!(bag(1, &[1, 1], &[21, 0], &[0.0]).is_err());
        assert!(bag(1, &[1], &[24], &[0.0]).is_ok());
        assert!(bag(1, &[1], &[25], &[0.0]).is_err());
        assert!(bag(1, &[1], &[0], &[2f32.powi(-40)]).is_err());
        assert!(bag(1, &[1], &[0], &[f32::NAN]).is_err());
        assert!(bag(2, &[1, 1], &[0], &[0.0]).is_err());
        let columns = table(1, &[1], &[0]);
        assert!(EmbeddingBag::new(&columns, &[0.0; 2]).is_err());
    }
}
