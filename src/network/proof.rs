//! The proof that a graph computes exactly, made before it is run.
//!
//! A graph is accepted if it is built from a few operations, and if for every
//! value in it we can name a unit, a power of two of which it is a multiple, and a
//! bound, such that bound / unit stays below 2<sup>24</sup>. Then `f32` holds every
//! partial sum exactly, and neither the order of summation nor fused
//! multiplication can change a bit. Integer tables are expanded to `f32` on the way.
//!
//! Units and bounds are kept for each entry of a value's last axis.

use std::collections::HashMap;

use tract_onnx::pb::tensor_proto::DataType;
use tract_onnx::pb::{AttributeProto, GraphProto, NodeProto, TensorProto};

use crate::features::{BOARD_FEATURES, BOARD_SLOTS, MOVE_FEATURES, MOVE_SLOTS};
use crate::{Error, Result};

/// Adding and subtracting this rounds what is between -2^22 and 2^22 to integers.
pub const ROUNDING: f32 = 12_582_912.0;

/// Sums must stay below this many units.
const EXACT: f64 = (1u32 << 24) as f64;

/// An axis: the batch's positions, the batch's moves, or a fixed size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Axis {
    Positions,
    Rows,
    Fixed(usize),
    /// All positions' entries of a fixed size, one after the other.
    PositionsBy(usize),
}

/// What is known of a value.
#[derive(Debug, Clone)]
enum Value {
    Constant {
        shape: Vec<usize>,
        data: Vec<f32>,
    },
    Integers(Vec<i64>),
    /// Indices below a limit: features, positions or (position, square) pairs.
    Index {
        shape: Vec<Axis>,
        limit: Axis,
    },
    Number(Number),
    /// A number with [`ROUNDING`] added.
    Rounded(Number),
}

#[derive(Debug, Clone)]
struct Number {
    shape: Vec<Axis>,
    /// The unit is 2^-units, for each entry of the last axis or for all.
    units: Vec<i32>,
    bounds: Vec<f64>,
}

impl Number {
    fn checked(self) -> Result<Number> {
        let exact = self.units.iter().zip(&self.bounds).all(|(&u, &b)| b * exp2(u) < EXACT);
        if exact { Ok(self) } else { Err(refuse("a sum may lose bits in f32")) }
    }

    /// One unit and bound for all entries.
    fn joint(&self) -> (i32, f64) {
        let unit = self.units.iter().copied().max().unwrap_or(0);
        (unit, self.bounds.iter().copied().fold(0.0, f64::max))
    }
}

fn refuse(why: impl Into<String>) -> Error {
    Error::Model(format!("the graph is not provably exact: {}", why.into()))
}

/// 2^`power` by repeated doubling or halving, which is exact; `f64::exp2` of libm need not be.
pub fn exp2(power: i32) -> f64 {
    let mut value = 1.0;
    for _ in 0..power.unsigned_abs() {
        value *= if power > 0 { 2.0 } else { 0.5 };
    }
    value
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
fn columns(shape: &[usize], data: &[f32]) -> Result<(Vec<i32>, Vec<f64>)> {
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

fn add(a: &Number, b: (&[i32], &[f64])) -> Result<Number> {
    let units = pair(&a.units, b.0)?.map(|(a, b)| a.max(b)).collect();
    let bounds = pair(&a.bounds, b.1)?.map(|(a, b)| a + b).collect();
    Number { shape: a.shape.clone(), units, bounds }.checked()
}

/// Reads a constant in the file.
fn tensor(proto: &TensorProto) -> Result<Value> {
    let shape: Vec<usize> = proto.dims.iter().map(|&d| usize::try_from(d).unwrap_or(0)).collect();
    let raw = &proto.raw_data[..];
    let data: Vec<f32> = match DataType::try_from(proto.data_type) {
        Ok(DataType::Int64) => {
            let integer = |bytes: &[u8]| i64::from_le_bytes(bytes.try_into().unwrap_or_default());
            return Ok(Value::Integers(raw.chunks_exact(8).map(integer).collect()));
        }
        Ok(DataType::Float) => raw
            .chunks_exact(4)
            .map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap_or_default()))
            .collect(),
        Ok(DataType::Int8) => raw.iter().map(|&byte| f32::from(byte as i8)).collect(),
        Ok(DataType::Uint8) => raw.iter().map(|&byte| f32::from(byte)).collect(),
        _ => return Err(refuse(format!("`{}` has an unexpected type", proto.name))),
    };
    let size = shape.iter().try_fold(1usize, |size, &d| size.checked_mul(d));
    if size != Some(data.len()) {
        return Err(refuse(format!("`{}` has not the size that it claims", proto.name)));
    }
    Ok(Value::Constant { shape, data })
}

fn attribute<'a>(node: &'a NodeProto, name: &str) -> Option<&'a AttributeProto> {
    node.attribute.iter().find(|attribute| attribute.name == name)
}

/// Proves a graph exact and expands its integer tables.
///
/// # Errors
/// [`Error::Model`] if the proof fails or the graph is not one of ours.
pub fn prove(graph: &mut GraphProto) -> Result<()> {
    let mut values: HashMap<String, Value> = HashMap::new();
    for initializer in &graph.initializer {
        values.insert(initializer.name.clone(), tensor(initializer)?);
    }
    let inputs: Vec<&str> = graph.input.iter().map(|input| &input.name[..]).collect();
    if inputs != ["boards", "moves", "rows", "squares"] {
        return Err(refuse("unexpected inputs"));
    }
    use Axis::{Fixed, Positions, PositionsBy, Rows};
    for (name, shape, limit) in [
        ("boards", vec![Positions, Fixed(BOARD_SLOTS)], Fixed(BOARD_FEATURES)),
        ("moves", vec![Rows, Fixed(MOVE_SLOTS)], Fixed(MOVE_FEATURES)),
        ("rows", vec![Rows], Positions),
        ("squares", vec![Rows, Fixed(2)], PositionsBy(2 * 384)),
    ] {
        values.insert(name.into(), Value::Index { shape, limit });
    }

    let mut expanded = vec![];
    for node in std::mem::take(&mut graph.node) {
        let [output] = &node.output[..] else { return Err(refuse("a node with several outputs")) };
        let inputs = node
            .input
            .iter()
            .map(|name| values.get(name).ok_or_else(|| refuse(format!("`{name}` is not known"))))
            .collect::<Result<Vec<_>>>()?;
        let value = evaluate(&node, &inputs).map_err(|error| match error {
            Error::Model(why) => Error::Model(format!("{why}, at `{output}`")),
            other => other,
        })?;
        if let Value::Constant { shape, data } = &value {
            expanded.push(TensorProto {
                name: output.clone(),
                dims: shape.iter().map(|&d| d as i64).collect(),
                data_type: DataType::Float as i32,
                raw_data: data.iter().flat_map(|value| value.to_le_bytes()).collect(),
                ..TensorProto::default()
            });
        } else {
            graph.node.push(node.clone());
        }
        if values.insert(output.clone(), value).is_some() {
            return Err(refuse(format!("`{output}` is computed twice")));
        }
    }
    graph.initializer.extend(expanded);
    let used: std::collections::HashSet<&String> =
        graph.node.iter().flat_map(|node| &node.input).collect();
    graph.initializer.retain(|initializer| used.contains(&initializer.name));

    let outputs: Vec<&str> = graph.output.iter().map(|output| &output.name[..]).collect();
    if outputs != ["logits", "ends"] {
        return Err(refuse("unexpected outputs"));
    }
    for (name, axes) in [("logits", vec![Rows]), ("ends", vec![PositionsBy(1)])] {
        match values.get(name) {
            Some(Value::Number(number)) if number.shape == axes && number.joint().0 <= 0 => {}
            _ => return Err(refuse(format!("`{name}` is no vector of integers"))),
        }
    }
    Ok(())
}

fn evaluate(node: &NodeProto, inputs: &[&Value]) -> Result<Value> {
    match (&node.op_type[..], inputs) {
        ("Cast", [Value::Constant { shape, data }]) => {
            Ok(Value::Constant { shape: shape.clone(), data: data.clone() })
        }
        (
            "Mul",
            [Value::Constant { shape, data }, Value::Constant { shape: by, data: factors }],
        ) => {
            let powers = factors.iter().all(|f| f.to_bits() & 0x807f_ffff == 0 && *f > 0.0);
            // One factor for all, for each column, or for each row of a table.
            let run = match (&by[..], &shape[..]) {
                ([] | [1], _) => data.len(),
                ([columns], [.., width]) if columns == width => 1,
                ([rows, 1], [height, width]) if rows == height => *width,
                _ => return Err(refuse("a scale of another shape")),
            };
            if !powers || factors.is_empty() {
                return Err(refuse("a scale is not a power of two"));
            }
            let factor = |place: usize| factors[place / run.max(1) % factors.len()];
            let scaled = data.iter().enumerate().map(|(place, value)| value * factor(place));
            Ok(Value::Constant { shape: shape.clone(), data: scaled.collect() })
        }
        ("Mul", [Value::Number(number), Value::Constant { data, .. }]) => match data[..] {
            [factor] if factor > 0.0 && factor.to_bits() & 0x7f_ffff == 0 => {
                let power = (factor.to_bits() >> 23) as i32 - 127;
                Ok(Value::Number(Number {
                    shape: number.shape.clone(),
                    units: number.units.iter().map(|unit| unit - power).collect(),
                    bounds: number.bounds.iter().map(|bound| bound * exp2(power)).collect(),
                }))
            }
            _ => Err(refuse("a scale is not a power of two")),
        },
        ("Gather", [table, Value::Index { shape, limit }]) => gather(node, table, shape, *limit),
        ("ReduceSum", [Value::Number(number), Value::Integers(axes)]) => {
            let keeps = attribute(node, "keepdims").is_none_or(|attribute| attribute.i != 0);
            if axes[..] != [1] || keeps {
                return Err(refuse("a sum over an unexpected axis"));
            }
            let (Some(&Axis::Fixed(count)), rank) = (number.shape.get(1), number.shape.len())
            else {
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
        ("Add", [Value::Number(number), Value::Constant { shape, data }]) => {
            if data[..] == [ROUNDING] {
                return if number.bounds.iter().all(|&bound| bound <= exp2(21)) {
                    Ok(Value::Rounded(number.clone()))
                } else {
                    Err(refuse("a value too large to be rounded"))
                };
            }
            let (units, bounds) = columns(shape, data)?;
            Ok(Value::Number(add(number, (&units, &bounds))?))
        }
        ("Add", [Value::Number(a), Value::Number(b)]) if a.shape == b.shape => {
            Ok(Value::Number(add(a, (&b.units, &b.bounds))?))
        }
        ("Sub", [Value::Rounded(number), Value::Constant { data, .. }])
            if data[..] == [ROUNDING] =>
        {
            let whole = Number { units: vec![0; number.units.len()], ..number.clone() };
            Ok(Value::Number(whole))
        }
        (
            "Clip",
            [
                Value::Number(number),
                Value::Constant { data: low, .. },
                Value::Constant { data: high, .. },
            ],
        ) => match (&low[..], &high[..]) {
            ([low], [high]) if low <= high && unit_of(*low)? <= 0 && unit_of(*high)? <= 0 => {
                let limit = f64::from(low.abs().max(high.abs()));
                Ok(Value::Number(Number {
                    bounds: vec![limit; number.bounds.len()],
                    ..number.clone()
                }))
            }
            _ => Err(refuse("a clip to anything but whole numbers")),
        },
        ("MatMul", [Value::Number(number), Value::Constant { shape, data }]) => {
            let (&[depth, width], [.., last]) = (&shape[..], &number.shape[..]) else {
                return Err(refuse("a product of unexpected shape"));
            };
            if *last != Axis::Fixed(depth) || number.shape.len() != 2 {
                return Err(refuse("a product of unexpected shape"));
            }
            let (unit, bound) = number.joint();
            let (units, _) = columns(shape, data)?;
            let mut bounds = vec![0f64; width];
            for (place, &weight) in data.iter().enumerate() {
                bounds[place % width] += f64::from(weight).abs() * bound;
            }
            Ok(Value::Number(
                Number {
                    shape: vec![number.shape[0], Axis::Fixed(width)],
                    units: units.into_iter().map(|u| u + unit).collect(),
                    bounds,
                }
                .checked()?,
            ))
        }
        ("Reshape", [Value::Number(number), Value::Integers(shape)]) if shape[..] == [-1] => {
            let (unit, bound) = number.joint();
            let flat = match number.shape[..] {
                [Axis::Positions, Axis::Fixed(width)] => Axis::PositionsBy(width),
                [Axis::Rows, Axis::Fixed(1)] => Axis::Rows,
                _ => return Err(refuse("an unexpected change of shape")),
            };
            let number = Number { shape: vec![flat], units: vec![unit], bounds: vec![bound] };
            Ok(Value::Number(number.checked()?))
        }
        (operation, _) => Err(refuse(format!("unexpected use of {operation}"))),
    }
}

fn gather(node: &NodeProto, table: &Value, shape: &[Axis], limit: Axis) -> Result<Value> {
    if attribute(node, "axis").is_some_and(|attribute| attribute.i != 0) {
        return Err(refuse("a look-up along an unexpected axis"));
    }
    let mut shape = shape.to_vec();
    let number = match table {
        Value::Constant { shape: size, data } => {
            let &[rows, width] = &size[..] else {
                return Err(refuse("a table of unexpected shape"));
            };
            if limit != Axis::Fixed(rows) {
                return Err(refuse("a table with too few or too many rows"));
            }
            let (units, bounds) = columns(size, data)?;
            shape.push(Axis::Fixed(width));
            Number { shape, units, bounds }
        }
        Value::Number(number) if number.shape.first() == Some(&limit) => {
            shape.extend(&number.shape[1..]);
            Number { shape, units: number.units.clone(), bounds: number.bounds.clone() }
        }
        _ => return Err(refuse("a look-up in something unexpected")),
    };
    Ok(Value::Number(number.checked()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::embedded_network;

    fn prove_with(change: impl FnOnce(&mut GraphProto)) -> Result<()> {
        let mut graph = embedded_network().graph.unwrap();
        change(&mut graph);
        prove(&mut graph)
    }

    fn constant<'a>(graph: &'a mut GraphProto, name: &str) -> &'a mut TensorProto {
        graph.initializer.iter_mut().find(|initializer| initializer.name == name).unwrap()
    }

    #[test]
    fn the_embedded_network_is_exact() {
        prove_with(|_| ()).unwrap();
    }

    #[test]
    fn units_are_found() {
        assert_eq!(unit_of(1.0).unwrap(), 0);
        assert_eq!(unit_of(-0.75).unwrap(), 2);
        assert_eq!(unit_of(96.0).unwrap(), -5);
        assert!(unit_of(f32::NAN).is_err() && unit_of(f32::INFINITY).is_err());
    }

    #[test]
    fn sums_that_could_lose_bits_are_refused() {
        // The finest unit times weights of full size: 512 x 127 x 127 x 2^5 exceeds 2^24.
        let error = prove_with(|graph| {
            constant(graph, "board_1").raw_data.fill(127);
            let unit = constant(graph, "board_1_unit");
            unit.raw_data[..4].copy_from_slice(&(2f32.powi(-12)).to_le_bytes());
            unit.raw_data[4..8].copy_from_slice(&1f32.to_le_bytes());
        });
        assert!(error.unwrap_err().to_string().contains("lose bits"));
    }

    #[test]
    fn what_is_not_ours_is_refused() {
        let change_op = |to: &'static str| {
            move |graph: &mut GraphProto| graph.node.last_mut().unwrap().op_type = to.into()
        };
        for op in ["Softmax", "Div", "Sub", "Loop", ""] {
            assert!(prove_with(change_op(op)).is_err(), "{op}");
        }
        assert!(
            prove_with(|graph| constant(graph, "highest").raw_data = 1.5f32.to_le_bytes().into())
                .is_err()
        );
        assert!(
            prove_with(|graph| constant(graph, "rounding").raw_data = 1e6f32.to_le_bytes().into())
                .is_err()
        );
        assert!(
            prove_with(|graph| constant(graph, "board_table_unit").raw_data[..4]
                .copy_from_slice(&0.3f32.to_le_bytes()))
            .is_err()
        );
        assert!(prove_with(|graph| constant(graph, "board_table").dims[0] -= 1).is_err());
        assert!(
            prove_with(|graph| constant(graph, "board_table").dims = vec![i64::MAX, i64::MAX])
                .is_err()
        );
        assert!(
            prove_with(|graph| constant(graph, "join_unit").raw_data = vec![0xff; 4 * 64]).is_err()
        );
        assert!(prove_with(|graph| drop(graph.initializer.pop())).is_err());
        assert!(prove_with(|graph| drop(graph.input.pop())).is_err());
        assert!(prove_with(|graph| graph.output.reverse()).is_err());
        assert!(prove_with(|graph| graph.node.reverse()).is_err());
    }
}
