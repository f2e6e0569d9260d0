//! The targets of `fuzz/` for some seconds, with mutations of our own.
//!
//! `PLYZIP_FUZZ_RUNS=100000 cargo test --release --test fuzz -- archive` runs one for longer, and
//! `cargo test --release --test fuzz -- --ignored corpus` writes what libFuzzer begins with to `fuzz/corpus`.

mod seeds;
mod targets;

use std::fs;
use std::path::Path;

use targets::TARGETS;

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % bound.max(1) as u64) as usize
    }

    fn byte(&mut self) -> u8 {
        self.below(256) as u8
    }
}

/// What PGN is made of.
const WORDS: [&str; 28] = [
    "[Event \"",
    "\"]",
    "\n",
    "\r\n",
    "1. ",
    "1... ",
    "e4 ",
    "Nf3",
    "O-O",
    "(",
    ")",
    "{",
    "}",
    ";",
    "\n%",
    "$",
    "!?",
    "*",
    "1-0",
    "1/2-1/2",
    "[%clk 0:01:00]",
    "[%eval #-3]",
    "[FEN \"",
    "8/8/8/8/8/8/8/8 w - - 0 1",
    "=Q+",
    "\0",
    "\u{feff}",
    "  ",
];

/// `data`, changed in a few places.
fn mutate(data: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..1 + random.below(6) {
        let at = random.below(data.len() + 1);
        let length = random.below(data.len() - at + 1).min(1 << random.below(8));
        match random.below(8) {
            0 => drop(data.drain(at..at + length)),
            1 => {
                let copy = data[at..at + length].to_vec();
                let to = random.below(data.len() + 1);
                data.splice(to..to, copy);
            }
            2 | 3 => drop(data.splice(at..at, WORDS[random.below(WORDS.len())].bytes())),
            4 => data.insert(at, random.byte()),
            5 => data.truncate(at),
            _ if at < data.len() => data[at] ^= 1 << random.below(8),
            _ => data.push(random.byte()),
        }
    }
    data.truncate(1 << 14);
}

/// Says which bytes a target has panicked over.
struct Blame<'a>(&'a str, &'a [u8]);

impl Drop for Blame<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let hex: String = self.1.iter().map(|byte| format!("{byte:02x}")).collect();
            eprintln!("{} fails for the bytes {hex}", self.0);
        }
    }
}

/// Runs a target over what it once failed for, and over `usual` mutations of seeds, unless the environment wants another
/// number.
fn run(name: &str, usual: usize, seeds: &[Vec<u8>]) {
    let (_, target) = TARGETS.iter().find(|(other, _)| *other == name).unwrap();
    let finds = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/finds").join(name);
    for find in fs::read_dir(finds).into_iter().flatten() {
        let data = fs::read(find.unwrap().path()).unwrap();
        let _blame = Blame(name, &data);
        target(&data);
    }
    let runs = std::env::var("PLYZIP_FUZZ_RUNS").ok().map_or(usual, |runs| runs.parse().unwrap());
    let first = std::env::var("PLYZIP_FUZZ_SEED").ok().map_or(0, |seed| seed.parse().unwrap());
    for number in 0..runs as u64 {
        // Each run from its own number, so that one can be had again alone.
        let mut random = Random((first + number).wrapping_mul(0xd134_2543_de82_ef95));
        let mut data = seeds[random.below(seeds.len())].clone();
        mutate(&mut data, &mut random);
        let _blame = Blame(name, &data);
        target(&data);
    }
}

#[test]
fn pgn_lexer() {
    run("pgn_lexer", 20_000, &seeds::pgn_lexer());
}

#[test]
fn pgn_round_trip() {
    run("pgn_round_trip", 60, &seeds::pgn_round_trip());
}

#[test]
fn archive() {
    run("archive", 200, &seeds::archive());
}

#[test]
fn moves_index() {
    run("moves_index", 300, &seeds::moves_index());
}

#[test]
fn index() {
    run("index", 500, &seeds::index());
}

#[test]
fn recovery_records() {
    run("recovery_records", 300, &seeds::recovery_records());
}

#[test]
fn single_games() {
    run("single_games", 300, &seeds::single_games());
}

#[test]
fn model() {
    run("model", 30, &seeds::model());
}

#[test]
fn historical() {
    run("historical", 500, &seeds::historical());
}

#[test]
#[ignore = "writes files for libFuzzer"]
fn corpus() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
    for (name, seeds) in seeds::ALL {
        fs::create_dir_all(root.join(name)).unwrap();
        for (number, seed) in seeds().iter().enumerate() {
            fs::write(root.join(name).join(format!("seed-{number:03}")), seed).unwrap();
        }
    }
}
