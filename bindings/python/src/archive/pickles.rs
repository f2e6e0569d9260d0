//! What `pickle` makes archives and their games of, in another process, too.

use std::path::{Path, PathBuf, absolute};

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyDict;

use super::chosen::Numbers;
use super::{Archive, Game, Games, Matches, open};
use crate::errors::DamagedError;
use crate::model::AnyModel;

/// The arguments of [`_open`]: the source, the model, the threads, the number of games.
pub type Opening<'py> = (Bound<'py, PyAny>, Option<String>, Option<usize>, usize);

/// What `__reduce__` gives: what makes the object again, and its arguments.
pub type Reduced<'py, Arguments> = (Bound<'py, PyAny>, Arguments);

/// What an archive was opened with.
#[derive(Debug)]
pub struct Origin {
    kept: Kept,
    model: Option<String>,
    threads: Option<usize>,
}

#[derive(Debug)]
enum Kept {
    File(PathBuf),
    Bytes(PyBackedBytes),
    /// Of a file object nobody else can read.
    Object,
}

impl Origin {
    pub fn of(
        source: &Bound<'_, PyAny>,
        model: Option<&AnyModel>,
        threads: Option<usize>,
    ) -> Origin {
        let kept = if let Ok(bytes) = source.extract::<PyBackedBytes>() {
            Kept::Bytes(bytes)
        } else if let Ok(path) = source.extract::<PathBuf>() {
            // The other process may have another folder.
            Kept::File(absolute(&path).unwrap_or(path))
        } else {
            Kept::Object
        };
        Origin { kept, model: model.map(AnyModel::asked), threads }
    }

    /// What opens it again.
    pub fn opening<'py>(&self, py: Python<'py>, games: usize) -> PyResult<Opening<'py>> {
        let source = match &self.kept {
            Kept::File(path) => Path::new(path).into_pyobject(py)?.into_any(),
            Kept::Bytes(bytes) => bytes.into_pyobject(py)?.into_any(),
            Kept::Object => {
                let text = "an archive of a file object cannot be pickled: open it by its path";
                return Err(PyTypeError::new_err(text));
            }
        };
        Ok((source, self.model.clone(), self.threads, games))
    }
}

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
