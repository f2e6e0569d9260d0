//! Games of an archive in a row.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use super::chosen::Numbers;
use super::origin::Reduced;
use super::tags::Asked;
use super::{Archive, Game, Place, Positions, Shared, TagStream, table};

/// Games that an iterator has decoded at a time.
const BATCH: usize = 64;

/// Games of an archive: a slice of it, or of those that meet conditions. None is decoded before it is asked for.
///
/// >>> archive = plyzip.open(plyzip.compress(FAMOUS * 3, model="none"))
/// >>> games = archive[1:5]
/// >>> len(games), games[0].index, [game.index for game in games[::-1]]
/// (4, 1, [4, 3, 2, 1])
#[pyclass(frozen, module = "plyzip")]
#[derive(Debug)]
pub struct Games {
    pub(super) shared: Arc<Shared>,
    pub(super) numbers: Numbers,
}

impl Games {
    /// A game or a slice.
    pub(super) fn item<'py>(
        &self,
        py: Python<'py>,
        index: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        match Place::of(index, self.numbers.length())? {
            Place::At(place) => {
                let number = self.numbers.at(place).unwrap_or(u64::MAX);
                let bytes = self.shared.read(py, |reader| reader.game(number))?;
                Ok(Bound::new(py, Game { number, bytes })?.into_any())
            }
            Place::Slice(first, step, length) => {
                let numbers = self.numbers.slice(first, step, length);
                let games = Games { shared: self.shared.clone(), numbers };
                Ok(Bound::new(py, games)?.into_any())
            }
        }
    }

    pub(super) fn iterator(&self) -> GameIterator {
        let games = Games { shared: self.shared.clone(), numbers: self.numbers.clone() };
        GameIterator { games, state: Mutex::default() }
    }

    /// Their columns, in the archive's order.
    pub(super) fn stream(&self, py: Python<'_>, asked: Asked) -> PyResult<TagStream> {
        let numbers = py.detach(|| self.numbers.ascending());
        TagStream::of_games(py, &self.shared, asked, &numbers)
    }
}

#[pymethods]
impl Games {
    fn __len__(&self) -> usize {
        self.numbers.length()
    }

    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        index: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.item(py, index)
    }

    fn __iter__(&self) -> GameIterator {
        self.iterator()
    }

    /// The numbers of the games in the archive, from 0 on.
    ///
    /// >>> plyzip.open(plyzip.compress(FAMOUS * 3, model="none"))[::2].indices
    /// [0, 2, 4]
    #[getter]
    fn indices(&self) -> Vec<u64> {
        (0..self.numbers.length()).filter_map(|place| self.numbers.at(place)).collect()
    }

    /// The tags of these games as `Archive.tags` has them.
    #[pyo3(signature = (*names))]
    fn tags<'py>(&self, py: Python<'py>, names: Vec<String>) -> PyResult<Bound<'py, PyAny>> {
        let table = table::tags(py, self.stream(py, Asked::Tags(names))?)?;
        table::turned(table, &self.numbers)
    }

    /// A table of these games as `Archive.table` has it.
    #[pyo3(signature = (*columns, errors="raise"))]
    fn table<'py>(
        &self,
        py: Python<'py>,
        columns: Vec<String>,
        errors: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let table = table::typed(py, columns, errors, |asked| self.stream(py, asked))?;
        table::turned(table, &self.numbers)
    }

    /// The positions of these games as `Archive.positions` has them.
    #[pyo3(signature = (*, batch=4096, planes=false))]
    fn positions(&self, py: Python<'_>, batch: usize, planes: bool) -> PyResult<Positions> {
        Positions::new(py, self.shared.clone(), &self.numbers, batch, planes)
    }

    /// The tags of these games as an Arrow stream, in the archive's order.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        self.stream(py, Asked::Tags(vec![]))?.__arrow_c_stream__(py, requested_schema)
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<Reduced<'py, (Archive, Vec<u64>, bool)>> {
        let made = py.import("plyzip._plyzip")?.getattr("_games")?;
        let archive = Archive { shared: self.shared.clone() };
        // Of those that descend, the ascending ones are turned.
        Ok((made, (archive, self.numbers.ascending(), self.numbers.descend())))
    }

    fn __repr__(&self) -> String {
        format!("<Games: {}>", self.numbers.length())
    }
}

/// Games of an archive one after the other.
#[pyclass(frozen, module = "plyzip")]
#[derive(Debug)]
pub struct GameIterator {
    games: Games,
    /// The place of the next game that is not decoded, and the games that are.
    state: Mutex<(usize, VecDeque<Game>)>,
}

#[pymethods]
impl GameIterator {
    fn __iter__(slf: Py<GameIterator>) -> Py<GameIterator> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Game>> {
        let lock = || self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let length = self.games.numbers.length();
        let begin = {
            let mut state = lock();
            if let Some(game) = state.1.pop_front() {
                return Ok(Some(game));
            }
            // Nobody else decodes these.
            let begin = state.0;
            state.0 = begin.saturating_add(BATCH).min(length);
            begin
        };
        let numbers = (begin..length).take(BATCH).filter_map(|place| self.games.numbers.at(place));
        let numbers: Vec<u64> = numbers.collect();
        if numbers.is_empty() {
            return Ok(None);
        }
        let decoded = self.games.shared.read(py, |reader| {
            let mut decoded = VecDeque::new();
            for number in numbers {
                // A page that is damaged does not hide the games before it.
                match reader.game(number) {
                    Ok(bytes) => decoded.push_back(Game { number, bytes }),
                    Err(error) if decoded.is_empty() => return Err(error),
                    Err(_) => break,
                }
            }
            Ok(decoded)
        });
        let mut state = lock();
        // After an exception the same games are next: none is skipped.
        state.0 = state.0.min(begin + decoded.as_ref().map_or(0, VecDeque::len));
        state.1.extend(decoded?);
        Ok(state.1.pop_front())
    }
}
