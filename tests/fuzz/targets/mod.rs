//! What must hold for any bytes. Each target takes bytes and panics if it does not hold; `tests/fuzz/main.rs` runs
//! them for seconds, `fuzz/` under libFuzzer for as long as one likes.

mod archive;
mod historical;
mod model;
mod moves_index;
mod pgn;
mod recovery;
mod script;
pub mod sections;
mod single_games;

pub use archive::{archive, index};
pub use historical::historical;
pub use model::{SMALL, model};
pub use moves_index::moves_index;
pub use pgn::{pgn_lexer, pgn_round_trip};
pub use recovery::recovery_records;
pub use single_games::single_games;

/// A target.
pub type Target = fn(&[u8]);

/// All targets by name.
pub const TARGETS: [(&str, Target); 9] = [
    ("pgn_lexer", pgn_lexer),
    ("pgn_round_trip", pgn_round_trip),
    ("archive", archive),
    ("index", index),
    ("moves_index", moves_index),
    ("single_games", single_games),
    ("model", model),
    ("historical", historical),
    ("recovery_records", recovery_records),
];

/// How archives of this generation begin.
const HEADER: [u8; 7] = *b"\xC1PLZ\x03\x01\x00";

/// Games of every kind that a stream has something for.
pub const SEEDS: [&str; 5] = [
    "[Event \"A\"]\n[White \"Anderssen, A\"]\n[Black \"Kieseritzky, L\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. f4 exf4 3. Bc4 \
     Qh4+ 4. Kf1 b5 5. Bxb5 Nf6 1-0\n\n[Event \"B\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n",
    "[Event \"C\"]\n[ECO \"C20\"]\n\n1. e4 $1 e5 {a comment} (1... c5 2. Nf3 (2. c3 d5 $14) 2... d6) 2. Nf3!? Nc6 ; \
     rest\n% escape\n3. Bb5 a6 *\n\n[Event \"D\"]\n\n1. d4 { [%clk 0:03:00] [%eval 0.2] } d5 { [%clk 0:02:58] } *\n",
    "[FEN \"4k3/P7/8/8/8/8/8/4K2R w K - 0 1\"]\n[SetUp \"1\"]\n\n1. a8=Q+ Kd7 2. O-O 1/2-1/2\n\nno game at all\n",
    "1.e2-e4 e7e5 2.Ng1f3 *\r\n\r\n[A \"b\"]*[B \"c \"d\" e\"]\r\n\r\n1. e4 (1. d4 x) (1. c4 {) 1... e5 ",
    "[Event \"E\"]\n\n1. e4\n(1. d4\n%)\n(1. c4 (1. b4 1... e5) x) )) 1... c5 -- *\n\u{feff}[Event \"F\"]\n[Event \"F\"]\n",
];

/// PGN that is made of choices.
pub fn document(choices: &[u8]) -> Vec<u8> {
    script::document(&mut arbitrary::Unstructured::new(choices))
}

/// A number as archives have it.
fn varint(mut number: u64) -> Vec<u8> {
    let mut bytes = vec![];
    while number >= 128 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}
