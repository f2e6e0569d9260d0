//! What an archive was opened with, from which `pickle` opens it again, in another process, too.

use std::path::{Path, PathBuf, absolute};

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;

use crate::model::AnyModel;

/// The arguments of [`_open`](super::pickles::_open): the source, the model, the threads, the number of games.
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
