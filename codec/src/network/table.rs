//! Tables of 8 bits: what a model file stores, and what look-ups and products read.
//!
//! A file holds a matrix as integers of 8 bits and its units, powers of two, as factors. The graph
//! multiplies both into `f32`; here they stay apart, so that nothing is four times as large as in
//! the file, and so that products can be made of integers.

use std::sync::Arc;

/// The unit is 2<sup>-u</sup>: one `u` for all entries, for each column or for each row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Units {
    /// Of all entries.
    All(i32),
    /// Of each column.
    Columns(Vec<i32>),
    /// Of each row.
    Rows(Vec<i32>),
}

/// A matrix of integers of 8 bits times units.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    rows: usize,
    columns: usize,
    /// Row after row.
    entries: Arc<Vec<i8>>,
    units: Units,
}

/// Units of the rows of a table that are further apart than this are refused: 8 bits shifted so far
/// still have room in 32.
const WIDEST: i32 = 20;

/// Beyond these, units are no numbers that `f32` can hold with entries of 8 bits.
const FINEST: i32 = 100;

impl Table {
    /// The table of these bytes, in units of 1; `None` if they are not `rows` times `columns`.
    pub fn new(rows: usize, columns: usize, entries: Vec<u8>) -> Option<Table> {
        let whole = rows.checked_mul(columns) == Some(entries.len()) && !entries.is_empty();
        let entries = || entries.into_iter().map(|byte| byte as i8).collect();
        whole.then(|| Table { rows, columns, entries: Arc::new(entries()), units: Units::All(0) })
    }

    /// Number of rows and of columns, neither of them 0.
    pub fn shape(&self) -> [usize; 2] {
        [self.rows, self.columns]
    }

    /// The entries of a row, in its unit.
    pub fn row(&self, row: usize) -> &[i8] {
        &self.entries[row * self.columns..][..self.columns]
    }

    /// The table with units multiplied by 2<sup>-u</sup> of `finer`; `None` if rows and columns would both have
    /// units of their own, if there are not as many units as rows or columns, or if they are too far from 1.
    pub fn scaled(&self, finer: Units) -> Option<Table> {
        let all = |one: i32, by: &[i32]| by.iter().map(|u| u + one).collect::<Vec<i32>>();
        let each = |a: &[i32], b: &[i32]| a.iter().zip(b).map(|(a, b)| a + b).collect::<Vec<i32>>();
        let units = match (&self.units, &finer) {
            (Units::All(a), Units::All(b)) => Units::All(a + b),
            (Units::All(one), Units::Columns(by)) | (Units::Columns(by), Units::All(one)) => {
                Units::Columns(all(*one, by))
            }
            (Units::All(one), Units::Rows(by)) | (Units::Rows(by), Units::All(one)) => {
                Units::Rows(all(*one, by))
            }
            (Units::Columns(a), Units::Columns(b)) => Units::Columns(each(a, b)),
            (Units::Rows(a), Units::Rows(b)) => Units::Rows(each(a, b)),
            _ => return None,
        };
        let (count, numbers) = match &units {
            Units::All(one) => (1, std::slice::from_ref(one)),
            Units::Columns(numbers) => (self.columns, &numbers[..]),
            Units::Rows(numbers) => (self.rows, &numbers[..]),
        };
        let sound = numbers.len() == count && numbers.iter().all(|u| u.abs() <= FINEST);
        sound.then(|| Table { units, ..self.clone() })
    }

    /// Of each row, how many times its unit is the finest unit of a row, as a power of two, and that
    /// finest unit. Rows of zeros have the finest. `None` if two units are more than 2<sup>20</sup> apart.
    pub fn row_shifts(&self) -> Option<(Vec<u8>, i32)> {
        let units = match &self.units {
            Units::All(one) => return Some((vec![0; self.rows], *one)),
            Units::Columns(_) => return None,
            Units::Rows(units) => units,
        };
        let empty = |row: usize| self.row(row).iter().all(|&entry| entry == 0);
        let used: Vec<Option<i32>> =
            units.iter().enumerate().map(|(row, &u)| (!empty(row)).then_some(u)).collect();
        let finest = used.iter().flatten().copied().max().unwrap_or(0);
        let shift = |unit: &Option<i32>| match unit.map_or(0, |unit| finest - unit) {
            shift @ 0..=WIDEST => Some(shift as u8),
            _ => None,
        };
        Some((used.iter().map(shift).collect::<Option<Vec<u8>>>()?, finest))
    }

    /// Of each column, the `u` of the coarsest unit 2<sup>-u</sup> of which all its entries are multiples (at
    /// least -24), and its largest magnitude. `None` where [`Table::row_shifts`] finds none.
    pub fn column_bounds(&self) -> Option<(Vec<i32>, Vec<f64>)> {
        let (mut bits, mut largest) = (vec![0u32; self.columns], vec![0u32; self.columns]);
        let (shifts, finest) = match &self.units {
            Units::Columns(_) => (vec![0; self.rows], None),
            _ => self.row_shifts().map(|(shifts, finest)| (shifts, Some(finest)))?,
        };
        for (row, shift) in shifts.into_iter().enumerate() {
            let columns = self.row(row).iter().zip(bits.iter_mut().zip(&mut largest));
            for (entry, (bits, largest)) in columns {
                let size = u32::from(entry.unsigned_abs()) << shift;
                *bits |= size;
                *largest = (*largest).max(size);
            }
        }
        let unit_of = |column: usize| match (&self.units, finest) {
            (Units::Columns(units), _) => units[column],
            (_, finest) => finest.unwrap_or(0),
        };
        let units = bits.iter().enumerate().map(|(column, &bits)| match bits {
            0 => -24,
            bits => (unit_of(column) - bits.trailing_zeros() as i32).max(-24),
        });
        let bounds = largest.iter().enumerate();
        let bounds = bounds.map(|(column, &size)| f64::from(size) * exp2(-unit_of(column)));
        Some((units.collect(), bounds.collect()))
    }

    /// Of each column, the sum of its entries' magnitudes; `None` if rows have units of their own.
    pub fn column_sums(&self) -> Option<Vec<f64>> {
        let mut sums = vec![0u64; self.columns];
        for row in 0..self.rows {
            for (sum, &entry) in sums.iter_mut().zip(self.row(row)) {
                *sum += u64::from(entry.unsigned_abs());
            }
        }
        let units = self.column_units()?;
        Some(sums.iter().zip(units).map(|(&sum, unit)| sum as f64 * exp2(-unit)).collect())
    }

    /// Of each column, its `u`; `None` if rows have units of their own.
    pub fn column_units(&self) -> Option<Vec<i32>> {
        match &self.units {
            Units::All(one) => Some(vec![*one; self.columns]),
            Units::Columns(units) => Some(units.clone()),
            Units::Rows(_) => None,
        }
    }
}

/// 2<sup>`power`</sup>, exactly, for powers that `f64` has.
pub fn exp2(power: i32) -> f64 {
    let mut value = 1.0;
    for _ in 0..power.unsigned_abs() {
        value *= if power > 0 { 2.0 } else { 0.5 };
    }
    value
}

/// A table for tests: entries in units of 2<sup>-u</sup> of each row.
#[cfg(test)]
pub fn table(columns: usize, entries: &[i8], row_units: &[i32]) -> Table {
    let entries = entries.iter().map(|&entry| entry as u8).collect();
    let table = Table::new(row_units.len(), columns, entries).unwrap();
    table.scaled(Units::Rows(row_units.to_vec())).unwrap()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_those_of_the_numbers() {
        // 12/4, -8/4 | 1, 0
        let two = table(2, &[12, -8, 1, 0], &[2, 0]);
        assert_eq!(two.row_shifts(), Some((vec![0, 2], 2)));
        assert_eq!(two.column_bounds(), Some((vec![0, -1], vec![3.0, 2.0])));
        assert_eq!(two.column_sums(), None);
        let columns = Table::new(2, 2, vec![3, 0xff, 0xfd, 0]).unwrap();
        let columns = columns.scaled(Units::Columns(vec![1, -3])).unwrap();
        assert_eq!(columns.column_bounds(), Some((vec![1, -3], vec![1.5, 8.0])));
        assert_eq!(columns.column_sums(), Some(vec![3.0, 8.0]));
        assert_eq!(columns.row_shifts(), None);
    }

    #[test]
    fn rows_of_zeros_have_any_unit() {
        let zeros = table(1, &[0, 5, 0], &[90, 3, -90]);
        assert_eq!(zeros.row_shifts(), Some((vec![0, 0, 0], 3)));
        assert_eq!(zeros.column_bounds(), Some((vec![3], vec![0.625])));
        assert_eq!(table(1, &[0], &[7]).column_bounds(), Some((vec![-24], vec![0.0])));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        assert_eq!(Table::new(2, 2, vec![0; 3]), None);
        assert_eq!(Table::new(0, 2, vec![]), None);
        assert_eq!(Table::new(usize::MAX, 2, vec![0; 2]), None);
        let one = Table::new(2, 2, vec![1; 4]).unwrap();
        assert_eq!(one.scaled(Units::Rows(vec![1; 3])), None);
        assert_eq!(one.scaled(Units::Columns(vec![1; 3])), None);
        assert_eq!(one.scaled(Units::All(200)), None);
        let rows = one.scaled(Units::Rows(vec![0, 21])).unwrap();
        assert_eq!(rows.row_shifts(), None);
        assert_eq!(rows.scaled(Units::Columns(vec![0; 2])), None);
        assert_eq!(rows.scaled(Units::All(1)).unwrap().units, Units::Rows(vec![1, 22]));
    }
}
