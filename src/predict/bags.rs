//! Bags: sums of the rows of a table that a list of features chooses.
//!
//! A bag is most of what a network reads and little of what it computes, and
//! as operations of a graph it would be memory traffic: all rows copied to one place as
//! `f32`, then added up. Here they are added as the integers that they are.

use super::exact::unit_of;
use crate::{Error, Result};

/// Entries that are summed side by side, in registers.
const LANES: usize = 64;

/// A piece of a row, in as few cache lines as can be.
#[derive(Debug, Clone)]
#[repr(align(128))]
struct Block([i16; LANES]);

/// A table of integers of 16 bits times a unit, and what is added to each sum.
#[derive(Debug)]
pub struct Bag {
    width: usize,
    /// Row after row, each filled up with zeros to a whole number of blocks.
    table: Vec<Block>,
    bias: Vec<[i32; LANES]>,
    unit: f32,
    /// The largest magnitude in each row; 0 for rows of zeros, such as that of the padding.
    reach: Vec<i16>,
}

impl Bag {
    /// The bag of a table of `width` columns. The graph's sums must have been proved exact.
    ///
    /// # Errors
    /// [`Error::Model`] if the entries are no integers of 16 bits times one unit.
    pub fn new(width: usize, table: &[f32], bias: &[f32]) -> Result<Bag> {
        let refuse = || Error::Model("a table's entries are not of 16 bits".into());
        if width == 0 || width != bias.len() || !table.len().is_multiple_of(width) {
            return Err(Error::Model("a table and its bias do not match".into()));
        }
        let units = table.iter().chain(bias).map(|&value| unit_of(value));
        let unit = units.collect::<Result<Vec<i32>>>()?.into_iter().max().unwrap_or(0);
        // Beyond these units no entry but 0 could fit, or the unit be inverted.
        if !(-24..=24).contains(&unit) {
            return Err(refuse());
        }
        let scale = f64::from(unit).exp2();
        // Exact: a multiple of the unit, in f64.
        let whole = |value: f32| f64::from(value) * scale;
        let blocks = width.div_ceil(LANES);
        let mut bag = Bag {
            width,
            table: Vec::with_capacity(table.len() / width * blocks),
            bias: vec![[0; LANES]; blocks],
            unit: (1.0 / scale) as f32,
            reach: Vec::with_capacity(table.len() / width),
        };
        for (place, &value) in bias.iter().enumerate() {
            // The rest of 31 bits is more than any number of rows in a bag needs.
            let value = whole(value);
            if value.abs() >= f64::from(1 << 30) {
                return Err(refuse());
            }
            bag.bias[place / LANES][place % LANES] = value as i32;
        }
        for row in table.chunks_exact(width) {
            let mut reach = 0;
            for piece in row.chunks(LANES) {
                let mut block = [0; LANES];
                for (entry, &value) in block.iter_mut().zip(piece) {
                    let value = whole(value);
                    if value.abs() > f64::from(i16::MAX) {
                        return Err(refuse());
                    }
                    *entry = value as i16;
                    reach = reach.max(entry.abs());
                }
                bag.table.push(Block(block));
            }
            bag.reach.push(reach);
        }
        Ok(bag)
    }

    /// Number of columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The longest start of `indices` whose rows can be added in 16 bits.
    fn together<'a>(&self, indices: &'a [u16]) -> (&'a [u16], &'a [u16]) {
        let mut reach = 0i16;
        let fits = |index: &&u16| match reach.checked_add(self.reach[usize::from(**index)]) {
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
        let mut indices = indices;
        while let [rest @ .., last] = indices
            && self.reach[usize::from(*last)] == 0
        {
            indices = rest;
        }
        let mut groups = vec![];
        while !indices.is_empty() {
            let (group, rest) = self.together(indices);
            groups.push(group);
            indices = rest;
        }
        for (block, sum) in sum.chunks_mut(LANES).enumerate() {
            let mut total = self.bias[block];
            for &group in &groups {
                let mut part = [0i16; LANES];
                for &index in group {
                    let row = &self.table[usize::from(index) * self.bias.len() + block];
                    for (part, entry) in part.iter_mut().zip(row.0) {
                        *part += entry;
                    }
                }
                for (total, part) in total.iter_mut().zip(part) {
                    *total += i32::from(part);
                }
            }
            let total = total.map(|total| total as f32 * self.unit);
            sum.copy_from_slice(&total[..sum.len()]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_the_table() {
        for (width, largest) in [(1, 32767), (64, 9), (100, 4000), (130, 16384)] {
            let entry = |row: usize, column: usize| {
                let mixed = (row * 7919 + column * 104_729) as i64 % (2 * largest + 1);
                if row == 3 { 0 } else { (mixed - largest) as i32 }
            };
            let table: Vec<f32> = (0..8 * width)
                .map(|place| entry(place / width, place % width) as f32 / 32.0)
                .collect();
            let bias: Vec<f32> = (0..width).map(|column| column as f32 / 32.0).collect();
            let bag = Bag::new(width, &table, &bias).unwrap();
            assert_eq!(bag.width(), width);
            for indices in [&[][..], &[3], &[0], &[7; 56], &[1, 2, 3, 4, 5, 6, 7, 3, 3]] {
                let mut sum = vec![f32::NAN; width];
                bag.sum(indices, &mut sum);
                for (column, sum) in sum.into_iter().enumerate() {
                    let rows = indices.iter().map(|&row| entry(row.into(), column));
                    let expected = column as i32 + rows.sum::<i32>();
                    assert_eq!(sum, expected as f32 / 32.0, "{indices:?}, column {column}");
                }
            }
        }
    }

    #[test]
    fn entries_of_more_bits_are_refused() {
        assert!(Bag::new(1, &[32767.0, 0.5], &[0.0]).is_err());
        assert!(Bag::new(1, &[1.0, 2f32.powi(-40)], &[0.0]).is_err());
        assert!(Bag::new(1, &[1.0, f32::NAN], &[0.0]).is_err());
        assert!(Bag::new(1, &[1.0], &[2f32.powi(30)]).is_err());
        assert!(Bag::new(2, &[1.0; 4], &[0.0]).is_err());
        assert!(Bag::new(2, &[1.0; 3], &[0.0; 2]).is_err());
        assert!(Bag::new(0, &[], &[]).is_err());
    }
}
