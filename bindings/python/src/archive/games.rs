//! Games of an archive in a row.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;

use super::{Game, Place, Shared};

/// Games that an iterator has decoded at a time.
const BATCH: usize = 64;

/// Games of an archive: a slice of it. None is decoded before it is asked for.
///
/// >>> archive = plyzip.open(plyzip.compress(FAMOUS * 3, model="none"))
/// >>> games = archive[1:5]
/// >>> len(games), games[0].index, [game.index for game in games[::-1]]
/// (4, 1, [4, 3, 2, 1])
#[pyclass(frozen, module = "plyzip")]
#[derive(Debug)]
pub struct Games {
    shared: Arc<Shared>,
    first: usize,
    step: isize,
    length: usize,
}

impl Games {
    pub(super) fn new(shared: Arc<Shared>, first: usize, step: isize, length: usize) -> Games {
        Games { shared, first, step, length }
    }

    /// The number in the archive of the game at this place.
    fn number(&self, place: usize) -> u64 {
        self.first.wrapping_add_signed(self.step.wrapping_mul(place as isize)) as u64
    }

    /// A game or a slice.
    pub(super) fn item<'py>(
        &self,
        py: Python<'py>,
        index: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        match Place::of(index, self.length)? {
            Place::At(place) => {
                let number = self.number(place);
                let bytes = self.shared.read(py, |reader| reader.game(number))?;
                Ok(Bound::new(py, Game { number, bytes })?.into_any())
            }
            Place::Slice(first, step, length) => {
                let (shared, first) = (self.shared.clone(), self.number(first) as usize);
                let games = Games { shared, first, step: self.step.wrapping_mul(step), length };
                Ok(Bound::new(py, games)?.into_any())
            }
        }
    }

    pub(super) fn iterator(&self) -> GameIterator {
        let games = Games { shared: self.shared.clone(), ..*self };
        GameIterator { games, state: Mutex::default() }
    }
}

#[pymethods]
impl Games {
    fn __len__(&self) -> usize {
        self.length
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

    fn __repr__(&self) -> String {
        format!("<Games: {}>", self.length)
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
        let begin = {
            let mut state = lock();
            if let Some(game) = state.1.pop_front() {
                return Ok(Some(game));
            }
            // Nobody else decodes these.
            let begin = state.0;
            state.0 = begin.saturating_add(BATCH).min(self.games.length);
            begin
        };
        let numbers = (begin..self.games.length).take(BATCH).map(|place| self.games.number(place));
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
