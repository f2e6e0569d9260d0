//! The proof that a graph computes exactly, made before it is run.
//!
//! A graph is accepted if it is built from a few operations, and if for every
//! value in it we can name a unit, a power of two of which it is a multiple, and a
//! bound, such that bound / unit stays below 2<sup>24</sup>. Then `f32` holds every
//! partial sum exactly, and neither the order of summation nor fused
//! multiplication can change a bit.
//!
//! Units and bounds are kept for each entry of a value's last axis.

mod number;
mod operations;

use std::collections::{HashMap, HashSet};

pub use self::number::unit_of;
use self::number::{Axis, Number};
use self::operations::evaluate;
use super::onnx::{DataType, GraphProto, NodeProto, TensorProto};
use super::table::Table;
use crate::features::index::moves;
use crate::features::{BOARD_FEATURES, BOARD_SLOTS, MOVE_FEATURES, MOVE_SLOTS};
use crate::{Error, Result};

/// Adding and subtracting this rounds what is between -2^22 and 2^22 to integers.
pub const ROUNDING: f32 = 12_582_912.0;

/// Most nodes of a graph and most columns of a table: they bound what a proof keeps in memory, and what
/// one row of layers takes.
const MAX_NODES: usize = 1000;
const MAX_COLUMNS: usize = 1 << 14;

/// The proved facts of a value.
#[derive(Debug, Clone)]
pub enum Value {
    Constant(Constant),
    /// Integers of 8 bits, as the file has them, and their units.
    Table(Table),
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

/// A constant of the graph, in the file or computed of such.
#[derive(Debug, Clone)]
pub struct Constant {
    /// The size of each axis.
    pub shape: Vec<usize>,
    /// The numbers, as many as the product of the axes.
    pub data: Vec<f32>,
}

/// A graph that computes exactly.
#[derive(Debug, Clone, Default)]
pub struct Proved {
    /// The nodes that depend on the inputs, each after those that it needs.
    pub nodes: Vec<NodeProto>,
    /// The names of the outputs.
    pub outputs: Vec<String>,
    /// Constants of 8 bits with their units.
    pub tables: HashMap<String, Table>,
    /// Other constants.
    pub constants: HashMap<String, Constant>,
    /// Axes and shapes.
    pub integers: HashMap<String, Vec<i64>>,
}

fn refuse(why: impl Into<String>) -> Error {
    Error::Model(format!("the graph is not provably exact: {}", why.into()))
}

/// Takes a constant out of the file.
fn tensor(proto: TensorProto) -> Result<Value> {
    let name = &proto.name;
    let wrong_size = || refuse(format!("`{name}` has not the size that it claims"));
    let shape: Vec<usize> = proto.dims.iter().map(|&d| usize::try_from(d).unwrap_or(0)).collect();
    if shape.last().is_some_and(|&columns| columns > MAX_COLUMNS) {
        return Err(refuse(format!("`{name}` has more than {MAX_COLUMNS} columns")));
    }
    let data: Vec<f32> = match (DataType::try_from(proto.data_type), &shape[..]) {
        (Ok(DataType::Int64), _) => {
            let integer = |bytes: &[u8; 8]| i64::from_le_bytes(*bytes);
            let (integers, _) = proto.raw_data.as_chunks();
            return Ok(Value::Integers(integers.iter().map(integer).collect()));
        }
        (Ok(DataType::Int8), &[rows, columns]) => {
            let table = Table::new(rows, columns, proto.raw_data);
            return table.map(Value::Table).ok_or_else(wrong_size);
        }
        (Ok(DataType::Float), _) => {
            let (numbers, _) = proto.raw_data.as_chunks();
            numbers.iter().map(|bytes: &[u8; 4]| f32::from_le_bytes(*bytes)).collect()
        }
        (Ok(DataType::Uint8), _) => proto.raw_data.iter().map(|&byte| f32::from(byte)).collect(),
        _ => return Err(refuse(format!("`{name}` has an unexpected type"))),
    };
    let size = shape.iter().try_fold(1usize, |size, &d| size.checked_mul(d));
    if size != Some(data.len()) {
        return Err(wrong_size());
    }
    Ok(Value::Constant(Constant { shape, data }))
}

/// Proves a graph exact.
///
/// # Errors
/// [`Error::Model`] if the proof fails or the graph is not one of ours.
pub fn prove(graph: GraphProto) -> Result<Proved> {
    let mut values: HashMap<String, Value> = HashMap::new();
    let used: HashSet<&String> = graph.node.iter().flat_map(|node| &node.input).collect();
    for initializer in graph.initializer {
        // What no node uses is not expanded.
        if !used.contains(&initializer.name) {
            continue;
        }
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
        ("squares", vec![Rows, Fixed(2)], PositionsBy(moves::FROM_TO)),
    ] {
        values.insert(name.into(), Value::Index { shape, limit });
    }

    if graph.node.len() > MAX_NODES {
        return Err(refuse(format!("more than {MAX_NODES} nodes")));
    }
    let mut proved = Proved::default();
    for node in graph.node {
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
        let constant = matches!(value, Value::Constant(_) | Value::Table(_));
        if values.insert(output.clone(), value).is_some() {
            return Err(refuse(format!("`{output}` is computed twice")));
        }
        if !constant {
            proved.nodes.push(node);
        }
    }

    proved.outputs = graph.output.into_iter().map(|output| output.name).collect();
    if proved.outputs != ["logits", "ends"] {
        return Err(refuse("unexpected outputs"));
    }
    for (name, axes) in [("logits", vec![Rows]), ("ends", vec![PositionsBy(1)])] {
        match values.get(name) {
            Some(Value::Number(number)) if number.shape == axes && number.joint().0 <= 0 => {}
            _ => return Err(refuse(format!("`{name}` is no vector of integers"))),
        }
    }
    for (name, value) in values {
        match value {
            Value::Table(table) => drop(proved.tables.insert(name, table)),
            Value::Constant(constant) => drop(proved.constants.insert(name, constant)),
            Value::Integers(integers) => drop(proved.integers.insert(name, integers)),
            Value::Index { .. } | Value::Number(_) | Value::Rounded(_) => {}
        }
    }
    Ok(proved)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::embedded_network;

    fn prove_with(change: impl FnOnce(&mut GraphProto)) -> Result<()> {
        let mut graph = embedded_network().graph.unwrap();
        change(&mut graph);
        prove(graph).map(drop)
    }

    fn constant<'a>(graph: &'a mut GraphProto, name: &str) -> &'a mut TensorProto {
        graph.initializer.iter_mut().find(|initializer| initializer.name == name).unwrap()
    }

    #[test]
    fn the_embedded_network_is_exact() {
        prove_with(|_| ()).unwrap();
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
        for (name, limit) in [("highest", 128f32), ("lowest", -1.0)] {
            let error =
                prove_with(|graph| constant(graph, name).raw_data = limit.to_le_bytes().into());
            assert!(error.unwrap_err().to_string().contains("from 0 to 127"), "{name}");
        }
        assert!(prove_with(|graph| constant(graph, "board_table").dims[0] -= 1).is_err());
        assert!(
            prove_with(|graph| constant(graph, "board_table").dims = vec![i64::MAX, i64::MAX])
                .is_err()
        );
        assert!(
            prove_with(|graph| constant(graph, "join_unit").raw_data = vec![0xff; 4 * 64]).is_err()
        );
        let wide = |graph: &mut GraphProto| {
            let table = constant(graph, "board_table");
            table.dims = vec![1, table.raw_data.len() as i64];
        };
        assert!(prove_with(wide).unwrap_err().to_string().contains("columns"));
        let long = |graph: &mut GraphProto| {
            let last = graph.node.last().unwrap().clone();
            graph.node.extend(vec![last; MAX_NODES]);
        };
        assert!(prove_with(long).unwrap_err().to_string().contains("nodes"));
        assert!(prove_with(|graph| drop(graph.initializer.pop())).is_err());
        assert!(prove_with(|graph| drop(graph.input.pop())).is_err());
        assert!(prove_with(|graph| graph.output.reverse()).is_err());
        assert!(prove_with(|graph| graph.node.reverse()).is_err());
    }
}
