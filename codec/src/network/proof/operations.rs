//! Rules of the proof: the facts of an operation's result, from those of its inputs.

use super::number::{Axis, Number, add, columns, unit_of};
use super::{Constant, ROUNDING, Value, refuse};
use crate::Result;
use crate::network::onnx::{AttributeProto, NodeProto};
use crate::network::table::{Table, Units, exp2};

fn attribute<'a>(node: &'a NodeProto, name: &str) -> Option<&'a AttributeProto> {
    node.attribute.iter().find(|attribute| attribute.name == name)
}

/// The result of a node for `inputs`.
///
/// # Errors
/// [`Error::Model`](crate::Error::Model) if that is not provably exact, or no operation of ours.
pub fn evaluate(node: &NodeProto, inputs: &[&Value]) -> Result<Value> {
    match (&node.op_type[..], inputs) {
        ("Cast", [value @ (Value::Constant(_) | Value::Table(_))]) => Ok((*value).clone()),
        ("Mul", [Value::Table(table), Value::Constant(Constant { shape, data })]) => {
            scale(table, shape, data)
        }
        (
            "Mul",
            [
                Value::Constant(Constant { shape, data }),
                Value::Constant(Constant { shape: by, data: factors }),
            ],
        ) => {
            let data = scale_constant(shape, data, by, factors)?;
            Ok(Value::Constant(Constant { shape: shape.clone(), data }))
        }
        ("Mul", [Value::Number(number), Value::Constant(Constant { data, .. })]) => {
            scale_number(number, data)
        }
        ("Gather", [table, Value::Index { shape, limit }]) => gather(node, table, shape, *limit),
        ("ReduceSum", [Value::Number(number), Value::Integers(axes)]) => {
            let keeps = attribute(node, "keepdims").is_none_or(|attribute| attribute.i != 0);
            if axes[..] != [1] || keeps {
                return Err(refuse("a sum over an unexpected axis"));
            }
            sum_of_rows(number)
        }
        ("Add", [Value::Number(number), Value::Constant(Constant { shape, data })]) => {
            if data[..] == [ROUNDING] {
                return round(number);
            }
            let (units, bounds) = columns(shape, data)?;
            Ok(Value::Number(add(number, (&units, &bounds))?))
        }
        ("Add", [Value::Number(a), Value::Number(b)]) if a.shape == b.shape => {
            Ok(Value::Number(add(a, (&b.units, &b.bounds))?))
        }
        ("Sub", [Value::Rounded(number), Value::Constant(Constant { data, .. })])
            if data[..] == [ROUNDING] =>
        {
            let whole = Number { units: vec![0; number.units.len()], ..number.clone() };
            Ok(Value::Number(whole))
        }
        (
            "Clip",
            [
                Value::Number(number),
                Value::Constant(Constant { data: low, .. }),
                Value::Constant(Constant { data: high, .. }),
            ],
        ) => clip(number, low, high),
        ("MatMul", [Value::Number(number), Value::Table(table)]) => {
            if !number.is_activation() {
                return Err(refuse("a product of other numbers than whole ones from 0 to 127"));
            }
            let of_rows = || refuse("a product with a table whose rows have units");
            let (units, _) = table.column_bounds().ok_or_else(of_rows)?;
            let sums = table.column_sums().ok_or_else(of_rows)?;
            product(number, table.shape(), units, sums)
        }
        ("Reshape", [Value::Number(number), Value::Integers(shape)]) if shape[..] == [-1] => {
            flatten(number)
        }
        (operation, _) => Err(refuse(format!("unexpected use of {operation}"))),
    }
}

/// The entries of a constant of this shape times powers of two: one for all entries, for each column, or for each row.
fn scale_constant(
    shape: &[usize],
    data: &[f32],
    by: &[usize],
    factors: &[f32],
) -> Result<Vec<f32>> {
    let powers = factors.iter().all(|f| f.to_bits() & 0x807f_ffff == 0 && *f > 0.0);
    let run = match (by, shape) {
        ([] | [1], _) => data.len(),
        ([columns], [.., width]) if columns == width => 1,
        ([rows, 1], [height, width]) if rows == height => *width,
        _ => return Err(refuse("a scale of another shape")),
    };
    if !powers || factors.is_empty() {
        return Err(refuse("a scale is not a power of two"));
    }
    let factor = |place: usize| factors[place / run.max(1) % factors.len()];
    Ok(data.iter().enumerate().map(|(place, value)| value * factor(place)).collect())
}

/// A number times one power of two.
fn scale_number(number: &Number, factors: &[f32]) -> Result<Value> {
    match *factors {
        [factor] if factor > 0.0 && factor.to_bits() & 0x7f_ffff == 0 => {
            let power = (factor.to_bits() >> 23) as i32 - 127;
            Ok(Value::Number(Number {
                shape: number.shape.clone(),
                units: number.units.iter().map(|unit| unit - power).collect(),
                bounds: number.bounds.iter().map(|bound| bound * exp2(power)).collect(),
                positive: number.positive,
            }))
        }
        _ => Err(refuse("a scale is not a power of two")),
    }
}

/// The sum of a number over its second axis.
fn sum_of_rows(number: &Number) -> Result<Value> {
    let (Some(&Axis::Fixed(count)), rank) = (number.shape.get(1), number.shape.len()) else {
        return Err(refuse("a sum over an axis of unknown size"));
    };
    let mut sum = number.clone();
    sum.shape.remove(1);
    if rank == 2 {
        let (unit, bound) = number.joint();
        (sum.units, sum.bounds) = (vec![unit], vec![bound]);
    }
    sum.bounds.iter_mut().for_each(|bound| *bound *= count as f64);
    Ok(Value::Number(sum.checked()?))
}

/// A number that the rounding constant was added to.
fn round(number: &Number) -> Result<Value> {
    match number.bounds.iter().all(|&bound| bound <= exp2(21)) {
        true => Ok(Value::Rounded(number.clone())),
        false => Err(refuse("a value too large to be rounded")),
    }
}

/// A number within whole limits.
fn clip(number: &Number, low: &[f32], high: &[f32]) -> Result<Value> {
    match (low, high) {
        ([low], [high]) if low <= high && unit_of(*low)? <= 0 && unit_of(*high)? <= 0 => {
            let limit = f64::from(low.abs().max(high.abs()));
            Ok(Value::Number(Number {
                bounds: vec![limit; number.bounds.len()],
                positive: *low >= 0.0,
                ..number.clone()
            }))
        }
        _ => Err(refuse("a clip to anything but whole numbers")),
    }
}

/// A number with all entries along one axis.
fn flatten(number: &Number) -> Result<Value> {
    let (unit, bound) = number.joint();
    let flat = match number.shape[..] {
        [Axis::Positions, Axis::Fixed(width)] => Axis::PositionsBy(width),
        [Axis::Rows, Axis::Fixed(1)] => Axis::Rows,
        _ => return Err(refuse("an unexpected change of shape")),
    };
    let number =
        Number { shape: vec![flat], units: vec![unit], bounds: vec![bound], positive: false };
    Ok(Value::Number(number.checked()?))
}

/// A table times powers of two: one for all entries, for each column, or for each row.
fn scale(table: &Table, shape: &[usize], factors: &[f32]) -> Result<Value> {
    let power = |factor: &f32| {
        let bits = factor.to_bits();
        (bits & 0x807f_ffff == 0 && *factor > 0.0).then(|| 127 - (bits >> 23) as i32)
    };
    let powers = factors.iter().map(power).collect::<Option<Vec<i32>>>();
    let powers = powers.ok_or_else(|| refuse("a scale is not a power of two"))?;
    let finer = match (shape, &powers[..]) {
        ([] | [1], &[power]) => Units::All(power),
        ([_], _) => Units::Columns(powers),
        ([_, 1], _) => Units::Rows(powers),
        _ => return Err(refuse("a scale of another shape")),
    };
    let scaled = table.scaled(finer).ok_or_else(|| refuse("a scale of another shape"))?;
    Ok(Value::Table(scaled))
}

/// The product of a number with a matrix of this shape, of whose columns units and sums of magnitudes are known.
fn product(
    number: &Number,
    [depth, width]: [usize; 2],
    units: Vec<i32>,
    sums: Vec<f64>,
) -> Result<Value> {
    if number.shape.last() != Some(&Axis::Fixed(depth)) || number.shape.len() != 2 {
        return Err(refuse("a product of unexpected shape"));
    }
    let (unit, bound) = number.joint();
    let product = Number {
        shape: vec![number.shape[0], Axis::Fixed(width)],
        units: units.into_iter().map(|u| u + unit).collect(),
        bounds: sums.into_iter().map(|sum| sum * bound).collect(),
        positive: false,
    };
    Ok(Value::Number(product.checked()?))
}

fn gather(node: &NodeProto, table: &Value, shape: &[Axis], limit: Axis) -> Result<Value> {
    if attribute(node, "axis").is_some_and(|attribute| attribute.i != 0) {
        return Err(refuse("a look-up along an unexpected axis"));
    }
    let mut shape = shape.to_vec();
    let number = match table {
        Value::Table(table) => {
            let [rows, width] = table.shape();
            if limit != Axis::Fixed(rows) {
                return Err(refuse("a table with too few or too many rows"));
            }
            let apart = || refuse("a table whose units are too far apart");
            let (units, bounds) = table.column_bounds().ok_or_else(apart)?;
            shape.push(Axis::Fixed(width));
            Number { shape, units, bounds, positive: false }
        }
        Value::Number(number) if number.shape.first() == Some(&limit) => {
            shape.extend(&number.shape[1..]);
            Number { shape, positive: false, ..number.clone() }
        }
        _ => return Err(refuse("a look-up in something unexpected")),
    };
    Ok(Value::Number(number.checked()?))
}
