//! A game of an archive.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};

use plyzip::pgn::{self, tag_text};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use shakmaty::Position;

use super::events;
use super::origin::Reduced;

/// A game of an archive.
///
/// >>> game = plyzip.open(plyzip.compress(FAMOUS, model="none"))[0]
/// >>> game
/// <Game 0: Morphy, Paul - Duke Karl / Count Isouard, 1-0>
/// >>> game.moves[:2], game.plies
/// (['e2e4', 'e7e5'], 33)
/// >>> game.to_chess().headers["Black"]
/// 'Duke Karl / Count Isouard'
#[pyclass(frozen, module = "plyzip")]
#[derive(Debug)]
pub struct Game {
    pub number: u64,
    pub bytes: Vec<u8>,
}

impl Game {
    /// The game that the bytes spell.
    pub fn parsed(&self) -> pgn::Game {
        pgn::parse(&self.bytes).into_games().next().unwrap_or_default()
    }
}

#[pymethods]
impl Game {
    /// The game's place in its archive, from 0 on.
    #[getter]
    fn index(&self) -> u64 {
        self.number
    }

    /// The bytes of the original, from the tags to the next game.
    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.bytes)
    }

    /// The game as it stands in the original. What is no UTF-8 is read as Latin-1.
    #[getter]
    fn pgn(&self) -> String {
        text(&self.bytes).into_owned()
    }

    fn __str__(&self) -> String {
        self.pgn()
    }

    /// The tags in their order. Of a name that is there twice, the first counts.
    #[getter]
    fn tags<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let tags = PyDict::new(py);
        for tag in self.parsed().tags {
            let name = String::from_utf8_lossy(&tag.name);
            if !tags.contains(&*name)? {
                tags.set_item(&*name, tag_text(&tag.value))?;
            }
        }
        Ok(tags)
    }

    /// The moves of the game as it was played, as UCI has them. Without those behind the first one that is not legal.
    #[getter]
    fn moves(&self) -> Vec<String> {
        uci_moves(&self.parsed())
    }

    /// How many moves of either side were played.
    #[getter]
    fn plies(&self) -> usize {
        self.parsed().lines.first().map_or(0, |line| line.moves.len())
    }

    /// The game as a chess.pgn.Game, with all comments and variations, as python-chess reads it from `pgn`. Where the
    /// two readers might differ, python-chess reads it; else it gets the moves, and none is looked for again.
    fn to_chess<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let module = py.import("plyzip._chess")?;
        match events::of(&self.bytes) {
            Some((tags, events)) => module.call_method1("built", (tags, events)),
            None => module.call_method1("read", (self.pgn(),)),
        }
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<Reduced<'py, (u64, Bound<'py, PyBytes>)>> {
        let made = py.import("plyzip._plyzip")?.getattr("_game")?;
        Ok((made, (self.number, PyBytes::new(py, &self.bytes))))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Game>().is_ok_and(|other| {
            let other = other.get();
            (self.number, &self.bytes) == (other.number, &other.bytes)
        })
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.bytes.hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> String {
        let game = self.parsed();
        let tag = |name| tag_text(game.tag(name).unwrap_or(b"?")).into_owned();
        let (white, black, result) = (tag("White"), tag("Black"), tag("Result"));
        format!("<Game {}: {white} - {black}, {result}>", self.number)
    }
}

/// The moves of the game as it was played, as UCI has them.
pub fn uci_moves(game: &pgn::Game) -> Vec<String> {
    let Some(start) = game.start() else { return vec![] };
    let mode = start.castles().mode();
    let moves = game.lines.first().map_or(&[][..], |line| &line.moves);
    moves.iter().map(|played| played.to_uci(mode).to_string()).collect()
}

/// The text of a game. What is no UTF-8 is read as Latin-1.
pub fn text(bytes: &[u8]) -> Cow<'_, str> {
    match str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}
