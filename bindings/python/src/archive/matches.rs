//! Games that meet conditions.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use plyzip::filters::Filters;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyList, PyString, PyTuple};

use super::{Game, Shared};
use crate::errors::{UsageError, exception};

/// The games that meet conditions, one after the other. Blocks are searched one by one, so that no more than the games
/// of one are in memory.
#[pyclass(frozen, module = "plyzip")]
#[derive(Debug)]
pub struct Matches {
    shared: Arc<Shared>,
    filters: Filters,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// The next block to be searched.
    block: usize,
    /// How many games may still be found.
    left: u64,
    found: VecDeque<Game>,
}

impl Matches {
    pub(super) fn new(
        shared: Arc<Shared>,
        conditions: Option<&Bound<'_, PyDict>>,
        invert: bool,
        first: Option<u64>,
    ) -> PyResult<Matches> {
        let filters = filters(conditions, invert)?;
        let left = first.unwrap_or(u64::MAX);
        let state = Mutex::new(State { block: 0, left, found: VecDeque::new() });
        Ok(Matches { shared, filters, state })
    }
}

#[pymethods]
impl Matches {
    fn __iter__(slf: Py<Matches>) -> Py<Matches> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Game>> {
        let lock = || self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let (block, left) = {
                let mut state = lock();
                if let Some(game) = state.found.pop_front() {
                    return Ok(Some(game));
                }
                (state.block, state.left)
            };
            let Some(games) = self.shared.blocks.get(block).filter(|_| left > 0) else {
                return Ok(None);
            };
            let filters = self.filters.clone().within(games.clone());
            let found = self.shared.read(py, |reader| {
                let mut found = VecDeque::new();
                reader.select(&filters).first(left).bytes(|number, bytes| {
                    found.push_back(Game { number, bytes: bytes.to_vec() });
                    Ok(())
                })?;
                Ok(found)
            })?;
            let mut state = lock();
            // Unless another thread was quicker.
            if state.block == block {
                state.block += 1;
                state.left -= found.len() as u64;
                state.found = found;
            }
        }
    }
}

/// The conditions that keyword arguments name.
pub(super) fn filters(conditions: Option<&Bound<'_, PyDict>>, invert: bool) -> PyResult<Filters> {
    let mut filters = Filters::default();
    for (name, value) in conditions.into_iter().flatten() {
        let name: String = name.extract()?;
        if let Ok(several) = value.cast::<PyList>() {
            for value in several {
                filters.add(&name, &text(&name, &value)?).map_err(exception)?;
            }
        } else if let Ok(several) = value.cast::<PyDict>() {
            for (key, value) in several {
                let value = format!("{}={}", key.str()?, value.str()?);
                filters.add(&name, &value).map_err(exception)?;
            }
        } else if !value.is_none() {
            filters.add(&name, &text(&name, &value)?).map_err(exception)?;
        }
    }
    Ok(if invert { filters.negated() } else { filters })
}

/// A value as the option of the command line has it.
fn text(name: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    if name == "position" {
        return value.py().import("plyzip._chess")?.call_method1("fen", (value,))?.extract();
    }
    if value.is_instance_of::<PyString>() || value.is_instance_of::<PyInt>() {
        return Ok(value.str()?.to_string());
    }
    if let Ok(pair) = value.cast::<PyTuple>()
        && let Ok((first, last)) = pair.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>()
    {
        let end = |end: Bound<'_, PyAny>| match end.is_none() {
            true => Ok(String::new()),
            false => text(name, &end),
        };
        return Ok(format!("{}..{}", end(first)?, end(last)?));
    }
    Err(UsageError::new_err(format!("{name} is text, a number, or a pair of ends of a range")))
}
