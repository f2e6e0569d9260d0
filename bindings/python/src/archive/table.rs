//! Tables, which pyarrow makes of streams.

use pyo3::prelude::*;

use super::TagStream;
use super::chosen::Numbers;
use super::tags::Asked;

/// The table of all that a stream gives.
pub fn tags(py: Python<'_>, stream: TagStream) -> PyResult<Bound<'_, PyAny>> {
    py.import("plyzip._arrow")?.call_method1("table", (stream,))
}

/// The table of columns that may have types, as `"WhiteElo:int"`; `stream` gives them as text.
pub fn typed<'py>(
    py: Python<'py>,
    columns: Vec<String>,
    errors: &str,
    stream: impl FnOnce(Asked) -> PyResult<TagStream>,
) -> PyResult<Bound<'py, PyAny>> {
    let module = py.import("plyzip._arrow")?;
    let columns = module.call_method1("columns", (columns, errors))?;
    let names: Vec<String> = module.call_method1("names", (&columns,))?.extract()?;
    module.call_method1("typed", (stream(Asked::Columns(names))?, columns, errors))
}

/// A table in the order of numbers.
pub fn turned<'py>(table: Bound<'py, PyAny>, numbers: &Numbers) -> PyResult<Bound<'py, PyAny>> {
    match numbers.descend() {
        true => table.py().import("plyzip._arrow")?.call_method1("turned", (table,)),
        false => Ok(table),
    }
}
