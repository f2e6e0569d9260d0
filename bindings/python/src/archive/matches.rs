//! Games that meet conditions.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use plyzip::Error;
use plyzip::filters::Filters;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyInt, PyList, PyString, PyTuple};

use super::chosen::Numbers;
use super::origin::Reduced;
use super::tags::Asked;
use super::{Archive, Game, Games, Positions, Shared, table};
use crate::errors::{UsageError, exception};

/// The games of an archive that meet conditions: a sequence, and a table. Nothing is decoded before it is asked for,
/// and then no more than that takes: conditions on tags take no page, `len`, `indices` and `tags` none but those that
/// only the moves can tell about.
///
/// >>> archive = plyzip.open(plyzip.compress(FAMOUS * 3, model="none"))
/// >>> games = archive.filter(player="morphy")
/// >>> len(games), games[-1].index, [game.index for game in games[:2]]
/// (3, 4, [0, 2])
/// >>> games.tags("White", "Date").column("Date").to_pylist()
/// ['1858.??.??', '1858.??.??', '1858.??.??']
#[pyclass(frozen, module = "plyzip")]
#[derive(Debug)]
pub struct Matches {
    shared: Arc<Shared>,
    filters: Filters,
    first: Option<u64>,
    /// What the filters were made of, to be made elsewhere.
    asked: (Py<PyDict>, bool),
    /// The numbers of the games, once they were asked for.
    numbers: OnceLock<Numbers>,
}

/// The archive, the conditions, whether they are inverted, and the most games.
type Pickled = (Archive, Py<PyDict>, bool, Option<u64>);

impl Matches {
    pub(super) fn new(
        py: Python<'_>,
        shared: Arc<Shared>,
        conditions: Option<&Bound<'_, PyDict>>,
        invert: bool,
        first: Option<u64>,
    ) -> PyResult<Matches> {
        let filters = filters(conditions, invert)?;
        let conditions = conditions.map_or_else(|| Ok(PyDict::new(py)), |given| given.copy())?;
        let asked = (conditions.unbind(), invert);
        Ok(Matches { shared, filters, first, asked, numbers: OnceLock::new() })
    }

    /// The games, as what is known by its numbers.
    pub(super) fn games(&self, py: Python<'_>) -> PyResult<Games> {
        let shared = self.shared.clone();
        if let Some(numbers) = self.numbers.get() {
            return Ok(Games { shared, numbers: numbers.clone() });
        }
        let interrupt = self.shared.work.interrupt();
        let found = self.shared.read(py, |reader| {
            let mut found = vec![];
            reader.select(&self.filters).first(self.first).tags(|number, _| {
                found.push(number);
                if interrupt.is_set() { Err(Error::Interrupted) } else { Ok(()) }
            })?;
            Ok(found)
        })?;
        Ok(Games { shared, numbers: self.numbers.get_or_init(|| Numbers::of(found)).clone() })
    }
}

#[pymethods]
impl Matches {
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.games(py)?.numbers.length())
    }

    fn __bool__(&self, py: Python<'_>) -> PyResult<bool> {
        if let Some(numbers) = self.numbers.get() {
            return Ok(numbers.length() > 0);
        }
        let first = self.first.unwrap_or(1).min(1);
        Ok(self.shared.read(py, |reader| reader.select(&self.filters).first(first).count())? > 0)
    }

    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        index: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.games(py)?.item(py, index)
    }

    fn __iter__(&self) -> MatchIterator {
        let state = State { left: self.first.unwrap_or(u64::MAX), ..State::default() };
        let (shared, filters) = (self.shared.clone(), self.filters.clone());
        MatchIterator { shared, filters, state: Mutex::new(state) }
    }

    /// The numbers of the games in the archive, from 0 on.
    #[getter]
    fn indices(&self, py: Python<'_>) -> PyResult<Vec<u64>> {
        Ok(self.games(py)?.numbers.ascending())
    }

    /// The tags of these games as `Archive.tags` has them.
    #[pyo3(signature = (*names))]
    fn tags<'py>(&self, py: Python<'py>, names: Vec<String>) -> PyResult<Bound<'py, PyAny>> {
        table::tags(py, self.games(py)?.stream(py, Asked::Tags(names))?)
    }

    /// A table of these games as `Archive.table` has it.
    #[pyo3(signature = (*columns, errors="raise"))]
    fn table<'py>(
        &self,
        py: Python<'py>,
        columns: Vec<String>,
        errors: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        table::typed(py, columns, errors, |asked| self.games(py)?.stream(py, asked))
    }

    /// The positions of these games as `Archive.positions` has them.
    #[pyo3(signature = (*, batch=4096, planes=false))]
    fn positions(&self, py: Python<'_>, batch: usize, planes: bool) -> PyResult<Positions> {
        let games = self.games(py)?;
        Positions::new(py, games.shared, &games.numbers, batch, planes)
    }

    /// The tags of these games as an Arrow stream.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        self.games(py)?.stream(py, Asked::Tags(vec![]))?.__arrow_c_stream__(py, requested_schema)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py, Pickled>> {
        let made = py.import("plyzip._plyzip")?.getattr("_matches")?;
        let (conditions, invert) = &self.asked;
        let archive = Archive { shared: self.shared.clone() };
        Ok((made, (archive, conditions.clone_ref(py), *invert, self.first)))
    }

    fn __repr__(&self) -> String {
        match self.numbers.get() {
            Some(numbers) => format!("<Matches: {}>", numbers.length()),
            None => "<Matches: not looked for yet>".into(),
        }
    }
}

/// The games that meet conditions, one after the other. Blocks are searched one by one, so that no more than the games
/// of one are in memory.
#[pyclass(frozen, module = "plyzip")]
#[derive(Debug)]
pub struct MatchIterator {
    shared: Arc<Shared>,
    filters: Filters,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The next block to be searched.
    block: usize,
    /// How many games may still be found.
    left: u64,
    found: VecDeque<Game>,
}

#[pymethods]
impl MatchIterator {
    fn __iter__(slf: Py<MatchIterator>) -> Py<MatchIterator> {
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
