//! Archives: written, read, damaged, repaired. One binary, since each takes as long to compile as all of them.

mod blocks;
mod damage;
#[expect(dead_code, reason = "of random games, only the random numbers are used here")]
#[path = "../games/mod.rs"]
mod games;
mod interrupt;
mod kinds;
mod limits;
mod moves_index;
#[path = "../pgn/mod.rs"]
mod pgn;
mod recovery;
mod repeats;
mod salvage;
mod samples;
mod whole;
