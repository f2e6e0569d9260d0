//! A searcher with a network of its own, from the file that a training has written.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use plyzip::unstable::engine::{Nnue, Searcher};

/// A searcher with the network of a file: numbers (i16), as `nnue-train` and `training/nnue.py` write them.
///
/// # Errors
/// If the file cannot be read, or its numbers are no network.
pub fn searcher(path: &Path) -> anyhow::Result<Searcher> {
    let bytes = fs::read(path)?;
    let numbers = bytes.chunks_exact(2).map(|number| i16::from_le_bytes([number[0], number[1]]));
    let network = Nnue::new(&numbers.collect::<Vec<i16>>()).context("not an NNUE network")?;
    Ok(Searcher::new(Arc::new(network)))
}
