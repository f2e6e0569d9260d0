//! Proved facts of a value: its shape, its unit and its bounds.

use super::refuse;
use crate::Result;
use crate::network::table::exp2;

/// Sums must stay below this many units.
const EXACT: f64 = (1u32 << 24) as f64;

/// An axis: the batch's positions, the batch's moves, or a fixed size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    /// One entry for each position.
    Positions,
    /// One entry for each move.
    Rows,
    /// A fixed number of entries.
    Fixed(usize),
    /// All positions' entries of a fixed size, one after the other.
    PositionsBy(usize),
}

/// Numbers of which bounds are known.
#[derive(Debug, Clone)]
pub struct Number {
    /// The axes, the outermost first.
    pub shape: Vec<Axis>,
    /// The unit is 2^-units, for each entry of the last axis or for all.
    pub units: Vec<i32>,
    /// The largest magnitude, for each entry of the last axis or for all.
    pub bounds: Vec<f64>,
    /// True if no entry is below 0.
    pub positive: bool,
}

impl Number {
    /// The number, if `f32` holds every sum that makes it.
    ///
    /// # Errors
    /// [`Error::Model`](crate::Error::Model) if a sum may reach 2<sup>24</sup> units.
    pub fn checked(self) -> Result<Number> {
        let exact = self.units.iter().zip(&self.bounds).all(|(&u, &b)| b * exp2(u) < EXACT);
        if exact { Ok(self) } else { Err(refuse("a sum may lose bits in f32")) }
    }

    /// One unit and bound for all entries.
    pub fn joint(&self) -> (i32, f64) {
        let unit = self.units.iter().copied().max().unwrap_or(0);
        (unit, self.bounds.iter().copied().fold(0.0, f64::max))
    }

    /// True if these are whole numbers from 0 to 127.
    pub fn is_activation(&self) -> bool {
        self.positive
            && self.units.iter().all(|&unit| unit <= 0)
            && self.bounds.iter().all(|&bound| bound <= 127.0)
    }
}

/// The smallest u with `value` a multiple of 2^-u, at least -24.
pub fn unit_of(value: f32) -> Result<i32> {
    let bits = value.to_bits();
    let (exponent, fraction) = ((bits >> 23 & 0xff) as i32, bits & 0x7f_ffff);
    match (exponent, fraction) {
        (0, 0) => Ok(-24),
        (0 | 255, _) => Err(refuse("a weight is not a normal number")),
        _ => Ok((150 - exponent - (fraction | 0x80_0000).trailing_zeros() as i32).max(-24)),
    }
}

/// A constant as a number: unit and bound of each entry of the last axis (or of the one entry).
pub fn columns(shape: &[usize], data: &[f32]) -> Result<(Vec<i32>, Vec<f64>)> {
    let width = shape.last().copied().unwrap_or(1).max(1);
    let (mut units, mut bounds) = (vec![-24; width], vec![0f64; width]);
    for (place, &value) in data.iter().enumerate() {
        let column = place % width;
        units[column] = units[column].max(unit_of(value)?);
        bounds[column] = bounds[column].max(f64::from(value).abs());
    }
    Ok((units, bounds))
}

/// Pairs the entries of two last axes, of which one may have a single entry for all.
fn pair<'a, T: Copy>(a: &'a [T], b: &'a [T]) -> Result<impl Iterator<Item = (T, T)> + 'a> {
    let length = a.len().max(b.len());
    if [a.len(), b.len()].iter().any(|&n| n != 1 && n != length) {
        return Err(refuse("shapes do not match"));
    }
    let at = move |v: &'a [T], i: usize| v[if v.len() == 1 { 0 } else { i }];
    Ok((0..length).map(move |i| (at(a, i), at(b, i))))
}

/// The sum of a number and another one, given by its units and bounds.
///
/// # Errors
/// [`Error::Model`](crate::Error::Model) if shapes do not match or bits may be lost.
pub fn add(a: &Number, b: (&[i32], &[f64])) -> Result<Number> {
    let units = pair(&a.units, b.0)?.map(|(a, b)| a.max(b)).collect();
    let bounds = pair(&a.bounds, b.1)?.map(|(a, b)| a + b).collect();
    Number { shape: a.shape.clone(), units, bounds, positive: false }.checked()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_found() {
        assert_eq!(unit_of(1.0).unwrap(), 0);
        assert_eq!(unit_of(-0.75).unwrap(), 2);
        assert_eq!(unit_of(96.0).unwrap(), -5);
        assert!(unit_of(f32::NAN).is_err() && unit_of(f32::INFINITY).is_err());
    }
}
