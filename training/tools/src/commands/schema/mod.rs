//! `schema`: what Python and Rust must agree on, so that no number of it is copied by hand.

#[cfg(test)]
mod tests;

use std::fs;
use std::path::PathBuf;

use clap::Args;
use plyzip::unstable::analysis::{
    ANALYSIS_FEATURES, LARGEST_ACTIVATION, LARGEST_VECTOR_WEIGHT, RERANKER_FEATURES,
    RERANKER_HEADER, RERANKER_LAYERS, RERANKER_SLOTS, RERANKER_UNIT_BITS, SEARCH_FEATURES,
    SEARCH_SLOTS, VECTOR_UNIT_BITS,
};
use plyzip::unstable::engine::nnue;
use plyzip::unstable::features::{
    BOARD_FEATURES, BOARD_PADDING, BOARD_RANGES, BOARD_SLOTS, FEATURES_VERSION, MOVE_FEATURES,
    MOVE_RANGES, MOVE_SLOTS, TERMS,
};
use plyzip::unstable::predict::{BoardPolicy, SCALE_FILE_BITS, WEIGHT_FILE_BITS, model_file};
use serde_json::{Value, json};

use super::corpus::{labels, samples};
use crate::expand;

/// Write training/schema.json: the sizes, slots, ranges and versions that the training's Python takes from here
#[derive(Args)]
pub struct Arguments {
    /// The file, such as training/schema.json
    out: PathBuf,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    Ok(fs::write(&arguments.out, text(&schema()))?)
}

/// What the parts of a model are called here, and in its file.
const TENSORS: [[&str; 2]; 8] = [
    ["book", model_file::BOOK],
    ["repertoires", model_file::REPERTOIRES],
    ["nnue", model_file::NNUE],
    ["search_features", model_file::SEARCH_FEATURE_WEIGHTS],
    ["reranker", model_file::RERANKER],
    ["mixer_scales", model_file::MIXER_SCALES],
    ["board", model_file::BOARD],
    ["board_weights", model_file::BOARD_WEIGHTS],
];

/// All of it.
fn schema() -> Value {
    let tensors = TENSORS.map(|[here, there]| (here.to_owned(), json!(there)));
    json!({
        "arrays": {
            "version": expand::VERSION,
            "ended": expand::END,
            "nothing": expand::NOTHING,
        },
        "batches": { "ended": samples::END, "shares": u16::MAX },
        "board": {
            "features": BOARD_FEATURES,
            "slots": BOARD_SLOTS,
            "padding": BOARD_PADDING,
            "ranges": ranges(BOARD_RANGES, BOARD_FEATURES),
        },
        "evaluation": { "terms": TERMS },
        "features_version": FEATURES_VERSION,
        "labels": {
            "magic": String::from_utf8_lossy(labels::MAGIC),
            "version": labels::VERSION,
            "unit": u8::MAX,
        },
        "model": {
            "board_weights": BoardPolicy::WEIGHTS,
            "long": model_file::LONG_NUMBER,
            "one_board_weight": 1 << SCALE_FILE_BITS,
            "properties": {
                "name": "plyzip.name",
                "features_version": "plyzip.features",
                "check": "plyzip.check",
                "search": model_file::SEARCH,
                "built_in_book": model_file::BUILT_IN_BOOK,
            },
            "tensors": Value::Object(tensors.into_iter().collect()),
            "with_board": model_file::WITH_BOARD,
        },
        "moves": {
            "features": MOVE_FEATURES,
            "slots": MOVE_SLOTS,
            "ranges": ranges(MOVE_RANGES, MOVE_FEATURES),
        },
        "nnue": {
            "width": nnue::WIDTH,
            "features": nnue::FEATURES,
            "output_buckets": nnue::OUTPUT_BUCKETS,
            "king_buckets": nnue::KING_BUCKETS,
            "king_bucket_of_rank": nnue::KING_BUCKET_OF_RANK.map(|buckets| json!(buckets)),
            "activation_one": nnue::ACTIVATION_ONE,
            "output_one": nnue::OUTPUT_ONE,
            "centipawns": nnue::CENTIPAWNS,
            "max_feature_weight": nnue::MAX_FEATURE_WEIGHT,
            "max_accumulator_bias": nnue::MAX_ACCUMULATOR_BIAS,
            "max_output_weight": nnue::MAX_OUTPUT_WEIGHT,
        },
        "reranker": {
            "features": RERANKER_FEATURES,
            "slots": RERANKER_SLOTS,
            "analysis_features": ANALYSIS_FEATURES,
            "layers": RERANKER_LAYERS,
            "largest": LARGEST_ACTIVATION,
            "unit_bits": RERANKER_UNIT_BITS,
            "header": RERANKER_HEADER,
            "vector_unit_bits": VECTOR_UNIT_BITS,
            "largest_vector_weight": LARGEST_VECTOR_WEIGHT,
        },
        "search_features": {
            "features": SEARCH_FEATURES,
            "slots": SEARCH_SLOTS,
            "unit_bits": WEIGHT_FILE_BITS,
        },
    })
}

/// Of each range its name, its first index and its size, in order.
fn ranges(ranges: &[(&str, usize)], end: usize) -> Value {
    let ends = ranges.iter().skip(1).map(|range| range.1).chain([end]);
    ranges.iter().zip(ends).map(|((name, first), end)| json!([name, first, end - first])).collect()
}

/// The text of `value`: an object has a line for each entry, an array of simple things has one line.
fn text(value: &Value) -> String {
    let mut out = String::new();
    write(value, "\n", &mut out);
    out.push('\n');
    out
}

fn write(value: &Value, newline: &str, out: &mut String) {
    let inner = format!("{newline}  ");
    match value {
        Value::Object(entries) => {
            for (index, (name, entry)) in entries.iter().enumerate() {
                out.push_str(if index == 0 { "{" } else { "," });
                out.push_str(&format!("{inner}{}: ", json!(name)));
                write(entry, &inner, out);
            }
            out.push_str(&format!("{newline}}}"));
        }
        Value::Array(items) if items.iter().any(Value::is_array) => {
            for (index, item) in items.iter().enumerate() {
                out.push_str(if index == 0 { "[" } else { "," });
                out.push_str(&inner);
                write(item, &inner, out);
            }
            out.push_str(&format!("{newline}]"));
        }
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(Value::to_string).collect();
            out.push_str(&format!("[{}]", items.join(", ")));
        }
        simple => out.push_str(&simple.to_string()),
    }
}
