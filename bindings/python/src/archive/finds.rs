//! Games in which a position arises.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use plyzip::filters::Filters;
use plyzip::pgn;
use pyo3::prelude::*;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, EnPassantMode, FromSetup, Position, PositionError};

use super::{Game, Shared};
use crate::errors::{UsageError, exception};

/// The games in which a position arises, one after the other.
#[pyclass(frozen, module = "plyzip")]
#[derive(Debug)]
pub struct Finds {
    shared: Arc<Shared>,
    wanted: Chess,
    filters: Filters,
    /// The next block to be searched, and what was found and not given yet.
    state: Mutex<(usize, VecDeque<(Game, usize)>)>,
}

impl Finds {
    pub(super) fn new(shared: Arc<Shared>, position: &Bound<'_, PyAny>) -> PyResult<Finds> {
        let fen = position.py().import("plyzip._chess")?.call_method1("fen", (position,))?;
        let fen: String = fen.extract()?;
        let wrong = |what: String| UsageError::new_err(format!("position {fen:?}: {what}"));
        let setup = fen.parse::<Fen>().map_err(|error| wrong(error.to_string()))?.into_setup();
        let mode = CastlingMode::detect(&setup);
        let wanted = Chess::from_setup(setup, mode)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)
            .map_err(|error| wrong(error.to_string()))?;
        let mut filters = Filters::default();
        filters.add("position", &fen).map_err(exception)?;
        Ok(Finds { shared, wanted, filters, state: Mutex::default() })
    }
}

#[pymethods]
impl Finds {
    fn __iter__(slf: Py<Finds>) -> Py<Finds> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<(Game, usize)>> {
        let lock = || self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let block = {
                let mut state = lock();
                if let Some(found) = state.1.pop_front() {
                    return Ok(Some(found));
                }
                state.0
            };
            let Some(games) = self.shared.blocks.get(block) else { return Ok(None) };
            let found = self.shared.read(py, |reader| {
                let mut found = VecDeque::new();
                let filters = self.filters.clone().within(games.clone());
                reader.select(&filters).bytes(|number, bytes| {
                    let game = pgn::parse(bytes).into_games().next();
                    let ply = game.and_then(|game| ply_of(&self.wanted, &game));
                    let game = |ply| (Game { number, bytes: bytes.to_vec() }, ply);
                    found.extend(ply.map(game));
                    Ok(())
                })?;
                Ok(found)
            })?;
            let mut state = lock();
            // Unless another thread was quicker.
            if state.0 == block {
                *state = (block + 1, found);
            }
        }
    }
}

/// The plies that are played before the position arises in the game as it was played.
fn ply_of(wanted: &Chess, game: &pgn::Game) -> Option<usize> {
    let mut position = game.start()?;
    let moves = game.lines.first().map_or(&[][..], |line| &line.moves);
    let mut moves = moves.iter();
    for ply in 0.. {
        if is_same(&position, wanted) {
            return Some(ply);
        }
        position.play_unchecked(*moves.next()?);
    }
    None
}

fn is_same(one: &Chess, other: &Chess) -> bool {
    let ep = |position: &Chess| position.ep_square(EnPassantMode::Legal);
    one.board() == other.board()
        && one.turn() == other.turn()
        && one.castles().castling_rights() == other.castles().castling_rights()
        && ep(one) == ep(other)
}
