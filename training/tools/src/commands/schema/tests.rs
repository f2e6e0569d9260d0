//! The file in the repository is what the constants say.

use std::fs;
use std::path::Path;

use plyzip::unstable::engine::{NNUE_SIZES, Nnue};

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

/// The bounds are those that a network is held to.
#[test]
fn networks_within_the_bounds_are_taken() {
    let rows = nnue::FEATURES * nnue::WIDTH;
    let outputs = rows + nnue::WIDTH;
    for (place, most) in [
        (0, nnue::MAX_FEATURE_WEIGHT),
        (rows, nnue::MAX_ACCUMULATOR_BIAS),
        (outputs, nnue::MAX_OUTPUT_WEIGHT),
    ] {
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
    let source = file("codec/src/features/index.rs");
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
