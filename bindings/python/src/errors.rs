//! The library's errors as Python's exceptions, which are classes of their own in `plyzip/errors.py`.

use std::io;
use std::path::Path;

use plyzip::Error;
use pyo3::PyErr;
use pyo3::exceptions::{PyKeyboardInterrupt, PyOSError};

pyo3::import_exception!(plyzip.errors, PlyzipError);
pyo3::import_exception!(plyzip.errors, DamagedError);
pyo3::import_exception!(plyzip.errors, UnsupportedError);
pyo3::import_exception!(plyzip.errors, LimitError);
pyo3::import_exception!(plyzip.errors, ModelMissingError);
pyo3::import_exception!(plyzip.errors, ModelError);
pyo3::import_exception!(plyzip.errors, UsageError);
pyo3::import_exception!(plyzip.errors, DefectError);

/// The exception of an error.
pub fn exception(error: Error) -> PyErr {
    let text = error.to_string();
    match error {
        // An exception of a file object comes back as it is.
        Error::Io(error) => error.into(),
        Error::Damaged(_) => DamagedError::new_err(text),
        Error::Unsupported(_) => UnsupportedError::new_err(text),
        Error::Limit(_) => LimitError::new_err(text),
        Error::ModelMissing { .. } => ModelMissingError::new_err(text),
        Error::Model(_) => ModelError::new_err(text),
        Error::Usage(_) => UsageError::new_err(text),
        Error::Interrupted => PyKeyboardInterrupt::new_err(text),
        Error::Verification(_) | Error::Internal(_) => DefectError::new_err(text),
        _ => PlyzipError::new_err(text),
    }
}

/// The exception of what failed with this file: `OSError` makes the class from the number.
pub fn of_file(error: &io::Error, path: &Path) -> PyErr {
    match error.raw_os_error() {
        Some(number) => {
            let text = error.to_string();
            let text = text.split(" (os error").next().unwrap_or_default().to_owned();
            PyOSError::new_err((number, text, path.as_os_str().to_owned()))
        }
        // tempfile keeps the kind of the system's error only.
        None => io::Error::new(error.kind(), format!("{}: {error}", path.display())).into(),
    }
}
