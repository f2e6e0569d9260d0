//! The file of a network of random weights, to measure and to test with.

use std::iter::repeat_with;

use crate::network::onnx::{GraphProto, ModelProto, StringStringEntryProto, TensorProto};
use crate::split_mix::SplitMix;
use prost::Message;

use super::file::{FORMAT_VERSION, VIEW_VERSION, kind};
use super::sizes::Sizes;
use super::view::{BACK, CONDITIONS, NOW, PAST, RAYS, SQUARES};

/// The file of a network of these sizes with random weights, always the same for a seed; without a graph.
///
/// Units are such that activations are about as large as those of a trained network: some reach their limits, most do
/// not.
pub fn sample(sizes: &Sizes, seed: u64) -> Vec<u8> {
    let Sizes { width, heads, hidden, policy, pooled, .. } = *sizes;
    let inner = sizes.inner();
    let mut file = Sample { random: SplitMix(seed), tensors: vec![] };
    file.table("now_table", NOW, width, 11);
    file.table("square_table", SQUARES, width, 11);
    file.table("past_table", BACK * PAST, width, 9);
    file.table("condition_table", CONDITIONS, width, 9);
    file.exponential();
    for block in 0..sizes.layers {
        let name = |part: &str| format!("block_{block}_{part}");
        file.linear(&name("qkv"), width, 3 * inner, 0, 0);
        for part in ["query", "key", "value", "out"] {
            file.units(&name(&format!("{part}_unit")), heads, -5, 1);
        }
        let relation = file.numbers(heads * SQUARES * SQUARES, 8);
        let relation = relation.into_iter().map(|number| number as i16).flat_map(i16::to_le_bytes);
        let relation = relation.collect();
        file.push(&name("relation"), kind::I16, &[heads, SQUARES, SQUARES], relation);
        file.linear(&name("ray_matrix"), width, width, 0, 0);
        file.units(&name("ray_unit"), RAYS, -5, 2);
        file.linear(&name("out_matrix"), inner + width, width, 0, 6);
        file.linear(&name("rise"), width, hidden, 0, 0);
        file.units(&name("hidden_unit"), 1, -4, 0);
        file.linear(&name("fall"), hidden, width, 0, 0);
    }
    for head in ["played", "taught"] {
        file.linear(&format!("{head}_origin"), width, policy, 0, 0);
        file.linear(&format!("{head}_target"), width, policy, 0, 0);
        file.linear(&format!("{head}_promotion_matrix"), width, 4, 0, 0);
        file.units(&format!("{head}_origin_site_unit"), 1, -6, 0);
        file.units(&format!("{head}_target_site_unit"), 1, -5, 0);
        let pair = file.numbers(SQUARES * SQUARES, 16).into_iter().flat_map(i32::to_le_bytes);
        let pair = pair.collect();
        file.push(&format!("{head}_pair"), kind::I32, &[SQUARES * SQUARES], pair);
    }
    file.linear("pool", width, pooled, 0, 0);
    file.units("pooled_unit", 1, -6, 0);
    file.linear("end_matrix", pooled, 1, 2, 0);
    file.linear("value_matrix", pooled, 3, 2, 0);

    let entry = |key: &str, value: u32| StringStringEntryProto {
        key: key.into(),
        value: value.to_string(),
    };
    let proto = ModelProto {
        ir_version: 9,
        graph: Some(GraphProto { initializer: file.tensors, ..Default::default() }),
        metadata_props: vec![
            entry("plyzip.board", FORMAT_VERSION),
            entry("plyzip.view", VIEW_VERSION),
        ],
        ..Default::default()
    };
    proto.encode_to_vec()
}

struct Sample {
    random: SplitMix,
    tensors: Vec<TensorProto>,
}

impl Sample {
    /// A number about 0, of a deviation of 2<sup>bits</sup>: the sum of four dice.
    fn number(&mut self, bits: u32) -> i32 {
        let dice = self.random.next().to_le_bytes();
        let dice = dice.as_chunks::<2>().0.iter().map(|&die| i64::from(i16::from_le_bytes(die)));
        // Each is spread evenly over 2^16, with a deviation of 18,918; four of them have twice that.
        ((dice.sum::<i64>() << bits) / 37_837) as i32
    }

    fn numbers(&mut self, count: usize, bits: u32) -> Vec<i32> {
        repeat_with(|| self.number(bits)).take(count).collect()
    }

    fn push(&mut self, name: &str, data_type: i32, sizes: &[usize], raw_data: Vec<u8>) {
        self.tensors.push(TensorProto {
            name: name.into(),
            data_type,
            dims: sizes.iter().map(|&size| size as i64).collect(),
            raw_data,
            ..Default::default()
        });
    }

    /// A table of 16 bits, with this deviation, in bits.
    fn table(&mut self, name: &str, rows: usize, width: usize, bits: u32) {
        let numbers = self.numbers(rows * width, bits).into_iter();
        let bytes = numbers.map(|number| number as i16).flat_map(i16::to_le_bytes).collect();
        self.push(name, kind::I16, &[rows, width], bytes);
    }

    /// Units of 2<sup>exponent</sup> and up to `spread` bits less.
    fn units(&mut self, name: &str, count: usize, exponent: i32, spread: u64) {
        let units = repeat_with(|| {
            let less = (self.random.next() >> 32) % (spread + 1);
            f64::from_bits(((1023 + i64::from(exponent) - less as i64) as u64) << 52)
        });
        let bytes = units.take(count).flat_map(f64::to_le_bytes).collect();
        self.push(name, kind::F64, &[count], bytes);
    }

    /// A matrix whose outputs deviate by about 1 where its inputs do, `less` bits less; biases of `bias` bits more.
    fn linear(&mut self, name: &str, inputs: usize, outputs: usize, less: i32, bias: u32) {
        let weights = self.numbers(inputs * outputs, 5).into_iter();
        let bytes = weights.map(|weight| weight.clamp(-127, 127) as i8 as u8).collect();
        self.push(name, kind::I8, &[inputs, outputs], bytes);
        let exponent = -5 - inputs.ilog2() as i32 / 2 - less;
        self.units(&format!("{name}_unit"), outputs, exponent, 1);
        let bias = self.numbers(outputs, 8 + bias).into_iter().flat_map(i32::to_le_bytes).collect();
        self.push(&format!("{name}_bias"), kind::I32, &[outputs], bias);
    }

    /// The table that `training/board/export.py` writes, by divisions alone: 127 e<sup>-i/256</sup>.
    fn exponential(&mut self) {
        // e^(-1/256) as 1 / (1 + x + x^2/2 + ...), in units of 2^-60; shares are rounded from it.
        let one = 1u128 << 60;
        let (mut growth, mut term) = (one, one);
        for place in 1..=8 {
            term = term / 256 / place;
            growth += term;
        }
        let (mut share, mut table) = (127 * one, vec![]);
        while table.last() != Some(&0) {
            table.push(((share + one / 2) / one) as u8);
            share = share * one / growth;
        }
        let count = table.len();
        self.push("exponential", kind::U8, &[count], table);
    }
}
