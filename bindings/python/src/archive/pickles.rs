//! The functions that `pickle` calls to make archives and their games again, in another process, too.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::chosen::Numbers;
use super::{Archive, Game, Games, Matches, open};
use crate::errors::DamagedError;
use crate::model::AnyModel;

/// Opens an archive that was pickled, which has to have as many games as then.
#[pyfunction]
pub fn _open(
    source: &Bound<'_, PyAny>,
    model: Option<AnyModel>,
    threads: Option<usize>,
    games: usize,
) -> PyResult<Archive> {
    let archive = open(source.py(), source, model, threads)?;
    let found = archive.shared.summary.stats.games;
    if found != games as u64 {
        let text =
            format!("the archive had {games} games when it was pickled, and has {found} now");
        return Err(DamagedError::new_err(text));
    }
    Ok(archive)
}

/// A game that was pickled.
#[pyfunction]
pub fn _game(number: u64, bytes: Vec<u8>) -> Game {
    Game { number, bytes }
}

/// Games of an archive that were pickled.
#[pyfunction]
pub fn _games(archive: &Bound<'_, Archive>, numbers: Vec<u64>, descend: bool) -> Games {
    let shared = archive.get().shared.clone();
    let numbers = Numbers::of(numbers);
    let last = numbers.length().saturating_sub(1);
    let numbers = if descend { numbers.slice(last, -1, numbers.length()) } else { numbers };
    Games { shared, numbers }
}

/// Games that meet conditions, as they were pickled.
#[pyfunction]
pub fn _matches(
    archive: &Bound<'_, Archive>,
    conditions: &Bound<'_, PyDict>,
    invert: bool,
    first: Option<u64>,
) -> PyResult<Matches> {
    let shared = archive.get().shared.clone();
    Matches::new(archive.py(), shared, Some(conditions), invert, first)
}
