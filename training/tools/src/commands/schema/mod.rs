//! `schema`: what Python and Rust must agree on, so that no number of it is copied by hand.

#[cfg(test)]
mod tests;

use std::fs;
use std::path::PathBuf;

use clap::Args;
use plyzip::unstable::analysis::{
    RERANKER_FEATURES, RERANKER_SIZE, RERANKER_SLOTS, SEARCH_FEATURES, SEARCH_SLOTS,
};
use plyzip::unstable::engine::NNUE_SIZES;
use plyzip::unstable::features::{
    BOARD_FEATURES, BOARD_PADDING, BOARD_RANGES, BOARD_SLOTS, FEATURES_VERSION, MOVE_FEATURES,
    MOVE_RANGES, MOVE_SLOTS, TERMS,
};
use serde_json::{Value, json};

use super::{labels, samples};
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

// What follows is private to plyzip. The tests compare it with the source.

/// Of the NNUE network (src/engine/nnue.rs).
pub const NNUE_PIECES: usize = 768;
const NNUE_WIDTH: usize = 256;
const NNUE_CLASSES: usize = 8;
const NNUE_TABLES: usize = 5;
const NNUE_TABLE_OF_RANK: [[u8; 2]; 8] =
    [[1, 0], [2, 2], [3, 3], [3, 3], [4, 4], [4, 4], [4, 4], [4, 4]];
const NNUE_ONE: i16 = 255;
const NNUE_OUTPUT_ONE: i64 = 64;
const NNUE_CENTIPAWNS: i64 = 400;
const NNUE_MOST_IN_ROW: i16 = 127;
const NNUE_MOST_AT_START: i16 = 504;
const NNUE_MOST_IN_OUTPUT: i16 = 127;

const fn nnue_size(tables: usize) -> usize {
    tables * NNUE_PIECES * NNUE_WIDTH + NNUE_WIDTH + NNUE_CLASSES * (2 * NNUE_WIDTH + 1)
}

const _: () = assert!(NNUE_SIZES[0] == nnue_size(1) && NNUE_SIZES[1] == nnue_size(NNUE_TABLES));

/// Of the reranker (src/analysis/reranker.rs): units of its layers, largest activation, bits of the units of its
/// numbers.
const RERANKER_LAYERS: [usize; 2] = [96, 48];
const RERANKER_LARGEST: u32 = 4;
const RERANKER_UNIT_BITS: u32 = 8;

const _: () = {
    let [first, second] = RERANKER_LAYERS;
    assert!(RERANKER_SIZE == (RERANKER_FEATURES + 1 + second) * first + 2 * second + 1);
};

/// The ranges of move features that the reranker sees too (src/analysis/reranker_features.rs): from one range up to
/// another.
const MARKED: [(&str, &str); 4] = [
    ("EXCHANGE", "ENEMY_KING"),
    ("VALUE", "MOTIVE"),
    ("EVAL_DELTA", "STANDING"),
    ("PAST", "PLACE"),
];

/// Bits of the unit of the weights of search features (src/predict/mixer.rs).
const SEARCH_UNIT_BITS: u32 = 10;

/// The byte before a number that does not fit into one (src/network/tensors.rs).
const LONG: u8 = 0x80;

/// What the parts of a model are called here and in its file (src/predict/model.rs): tensors, then properties. The
/// names in files are those that the first models had.
const TENSORS: [[&str; 3]; 5] = [
    ["book", "BOOK", "plyzip.book"],
    ["repertoires", "REPERTOIRES", "plyzip.repertoires"],
    ["nnue", "VALUES", "plyzip.values"],
    ["search_features", "VERDICTS", "plyzip.verdicts"],
    ["reranker", "SECOND_LOOK", "plyzip.second_look"],
];
const SEARCH: &str = "plyzip.search";

/// All of it.
fn schema() -> Value {
    let tensors = TENSORS.map(|[here, _, there]| (here.to_owned(), json!(there)));
    let first = |name: &str| {
        let range = MOVE_RANGES.iter().find(|range| range.0 == name);
        range.map_or(0, |range| range.1)
    };
    let marks: usize = MARKED.iter().map(|(from, to)| first(to) - first(from)).sum();
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
            "long": LONG,
            "properties": {
                "name": "plyzip.name",
                "features_version": "plyzip.features",
                "check": "plyzip.check",
                "search": SEARCH,
            },
            "tensors": Value::Object(tensors.into_iter().collect()),
        },
        "moves": {
            "features": MOVE_FEATURES,
            "slots": MOVE_SLOTS,
            "ranges": ranges(MOVE_RANGES, MOVE_FEATURES),
        },
        "nnue": {
            "width": NNUE_WIDTH,
            "pieces": NNUE_PIECES,
            "classes": NNUE_CLASSES,
            "tables": NNUE_TABLES,
            "table_of_rank": NNUE_TABLE_OF_RANK.map(|tables| json!(tables)),
            "one": NNUE_ONE,
            "output_one": NNUE_OUTPUT_ONE,
            "centipawns": NNUE_CENTIPAWNS,
            "most_in_row": NNUE_MOST_IN_ROW,
            "most_at_start": NNUE_MOST_AT_START,
            "most_in_output": NNUE_MOST_IN_OUTPUT,
        },
        "reranker": {
            "features": RERANKER_FEATURES,
            "slots": RERANKER_SLOTS,
            "analysis_features": RERANKER_FEATURES - marks,
            "layers": RERANKER_LAYERS,
            "largest": RERANKER_LARGEST,
            "unit_bits": RERANKER_UNIT_BITS,
        },
        "search_features": {
            "features": SEARCH_FEATURES,
            "slots": SEARCH_SLOTS,
            "unit_bits": SEARCH_UNIT_BITS,
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
