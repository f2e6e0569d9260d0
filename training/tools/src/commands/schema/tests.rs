//! The file in the repository, and what is private to plyzip.

use std::fs;
use std::path::Path;

use plyzip::unstable::engine::Nnue;

use super::*;

fn file(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn the_file_is_what_the_constants_say() {
    let (committed, now) = (file("training/schema.json"), text(&schema()));
    assert_eq!(committed, now, "plyzip-training schema training/schema.json makes it anew");
    assert_eq!(serde_json::from_str::<Value>(&committed).unwrap(), schema());
}

/// What plyzip keeps to itself is the same in its source.
#[test]
fn private_constants_are_those_of_the_source() {
    let nnue: Vec<String> = vec![
        format!("const PIECES: usize = {NNUE_PIECES};"),
        format!("const WIDTH: usize = {NNUE_WIDTH};"),
        format!("const CLASSES: usize = {NNUE_CLASSES};"),
        format!("const TABLES: usize = {NNUE_TABLES};"),
        format!("const TABLE_OF_RANK: [[u8; 2]; 8] = {NNUE_TABLE_OF_RANK:?};"),
        format!("const ONE: i16 = {NNUE_ONE};"),
        format!("const OUTPUT_ONE: i64 = {NNUE_OUTPUT_ONE};"),
        format!("const CENTIPAWNS: i64 = {NNUE_CENTIPAWNS};"),
        format!("const MOST_IN_ROW: i16 = {NNUE_MOST_IN_ROW};"),
        format!("const MOST_AT_START: i16 = {NNUE_MOST_AT_START};"),
        format!("const MOST_IN_OUTPUT: i16 = {NNUE_MOST_IN_OUTPUT};"),
    ];
    let [first, second] = RERANKER_LAYERS;
    let reranker = vec![
        format!("const FIRST: usize = {first};"),
        format!("const SECOND: usize = {second};"),
        format!("const LARGEST: i32 = {RERANKER_LARGEST} << {RERANKER_UNIT_BITS};"),
    ];
    let marked: Vec<String> = MARKED.iter().map(|(from, to)| format!("({from}, {to})")).collect();
    let marked = vec![format!("const MARKED: [(usize, usize); 4] = [{}];", marked.join(", "))];
    let mixer = vec![format!("const SHIPPED_BITS: u32 = {SEARCH_UNIT_BITS};")];
    let tensors = vec![format!("pub const LONG: u8 = 0x{LONG:x};")];
    let mut model: Vec<String> = TENSORS
        .iter()
        .map(|[_, name, there]| format!("const {name}: &str = \"{there}\";"))
        .collect();
    model.push(format!("const SEARCH: &str = \"{SEARCH}\";"));
    for (path, declarations) in [
        ("src/engine/nnue.rs", nnue),
        ("src/analysis/reranker.rs", reranker),
        ("src/analysis/reranker_features.rs", marked),
        ("src/predict/mixer.rs", mixer),
        ("src/network/tensors.rs", tensors),
        ("src/predict/model.rs", model),
    ] {
        // However the lines are broken.
        let source = file(path).split_whitespace().collect::<Vec<_>>().join(" ");
        for declaration in declarations {
            assert!(source.contains(&declaration), "{path} has no `{declaration}`");
        }
    }
}

/// The bounds are those that a network is held to.
#[test]
fn networks_within_the_bounds_are_taken() {
    let rows = NNUE_PIECES * NNUE_WIDTH;
    let outputs = rows + NNUE_WIDTH;
    for (place, most) in
        [(0, NNUE_MOST_IN_ROW), (rows, NNUE_MOST_AT_START), (outputs, NNUE_MOST_IN_OUTPUT)]
    {
        let with = |number: i16| {
            let mut numbers = vec![0; NNUE_SIZES[0]];
            numbers[place] = number;
            Nnue::new(&numbers)
        };
        assert!(with(most).is_some() && with(-most).is_some());
        assert!(with(most + 1).is_none() && with(-most - 1).is_none());
    }
}

/// No range is left out: the names are those of the source, in its order.
#[test]
fn all_ranges_are_there() {
    let source = file("src/features/index.rs");
    for (total, ranges) in [("BOARD_FEATURES", BOARD_RANGES), ("MOVE_FEATURES", MOVE_RANGES)] {
        let block = source.split_once(&format!("index_ranges! {{ {total}:\n")).unwrap().1;
        let names = block.lines().map(str::trim).take_while(|&line| line != "}");
        let names = names.filter(|line| !line.starts_with("//"));
        let names = names.map(|line| line.split_once(" = ").unwrap().0);
        assert!(names.eq(ranges.iter().map(|range| range.0)), "{total}");
    }
}

#[test]
fn every_slot_of_a_move_has_a_range() {
    assert_eq!(MOVE_RANGES.len(), MOVE_SLOTS);
    for (ranges, end) in [(BOARD_RANGES, BOARD_FEATURES), (MOVE_RANGES, MOVE_FEATURES)] {
        assert_eq!(ranges[0].1, 0);
        assert!(ranges.is_sorted_by(|a, b| a.1 < b.1));
        assert!(ranges[ranges.len() - 1].1 < end);
    }
    assert_eq!(BOARD_RANGES[BOARD_RANGES.len() - 1], ("PADDING", usize::from(BOARD_PADDING)));
}
