//! What the archives are made of: games and texts from a seed, and the games of `samples`.

pub mod annotated;
pub mod oddities;
pub mod online;
mod play;
pub mod repeats;
pub mod text;
pub mod tournament;
mod words;

/// The famous games.
pub fn sample() -> Vec<u8> {
    include_bytes!("../../../samples/famous.pgn").to_vec()
}
