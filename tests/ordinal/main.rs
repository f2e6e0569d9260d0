//! The historical game codecs: every game comes back, damage is refused, and the texts' own
//! figures.

#[path = "../games/mod.rs"]
mod games;

use plyzip::pgn::{self, Game};

mod figures;
mod round_trips;

/// The games of the matches of 1996 and 1997.
fn kasparov_deep_blue() -> Vec<Game> {
    games_of(include_bytes!("../data/kasparov-deep-blue.pgn"))
}

/// The sample games.
fn famous() -> Vec<Game> {
    games_of(include_bytes!("../../samples/famous.pgn"))
}

fn games_of(bytes: &[u8]) -> Vec<Game> {
    pgn::parse(bytes).into_games().collect()
}
