//! The moves that games go on with at some place.

use plyzip::filters::WantedPosition;
use plyzip::openings;
use plyzip::shakmaty::san::SanPlus;
use plyzip::{Error, filters::Filters};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use shakmaty::fen::Fen;
use shakmaty::{Chess, EnPassantMode, Position};

use super::{Shared, matches};
use crate::errors::{UsageError, exception};
use crate::header::{Line, chess_move};

/// Moves as chess.Move, with what came of their games.
type Played<'py> = Vec<(Bound<'py, PyAny>, Outcomes)>;

/// What came of games.
#[pyclass(frozen, module = "plyzip")]
#[derive(Debug)]
pub struct Outcomes(openings::Outcomes);

#[pymethods]
impl Outcomes {
    /// All games.
    #[getter]
    fn games(&self) -> u64 {
        self.0.games()
    }

    /// Games that White has won.
    #[getter]
    fn white(&self) -> u64 {
        self.0.results.white
    }

    /// Drawn games.
    #[getter]
    fn draws(&self) -> u64 {
        self.0.results.draws
    }

    /// Games that Black has won.
    #[getter]
    fn black(&self) -> u64 {
        self.0.results.black
    }

    /// White's points in percent of those of all games with a result; None without such games.
    #[getter]
    fn score(&self) -> Option<f64> {
        self.0.results.score()
    }

    /// The mean rating of both players in the games that have both ratings; None without such games.
    #[getter]
    fn elo(&self) -> Option<u64> {
        self.0.elo()
    }

    /// The first and the last year of the dates; None if none is known.
    #[getter]
    fn years(&self) -> Option<(u16, u16)> {
        self.0.years()
    }

    /// The last date of which the year is known, as the tag has it.
    #[getter]
    fn last_date(&self) -> Option<&str> {
        self.0.last_date()
    }

    fn __repr__(&self) -> String {
        format!("<Outcomes: {} games>", self.0.games())
    }
}

/// The games that come to a place, counted by the move that they go on with.
#[pyclass(frozen, module = "plyzip")]
#[derive(Debug)]
pub struct NextMoves(openings::NextMoves);

impl NextMoves {
    /// Those of an archive at a position: a chess.Board or a FEN, to which any moves may lead, or moves that they begin
    /// with.
    pub(super) fn of(
        py: Python<'_>,
        shared: &Shared,
        position: Option<&Bound<'_, PyAny>>,
        invert: bool,
        first: Option<u64>,
        conditions: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<NextMoves> {
        let mut filters = matches::filters(conditions, invert)?;
        let mut place = place(position, &mut filters, invert)?;
        let interrupt = shared.work.interrupt();
        let counted = shared.read(py, |reader| {
            reader.select(&filters).first(first).moves(place.plies(), |_, game| {
                place.add(game);
                if interrupt.is_set() { Err(Error::Interrupted) } else { Ok(()) }
            })?;
            Ok(place)
        })?;
        Ok(NextMoves(counted))
    }
}

/// Where games are counted. Games that do not come there are left out of `filters`, which then needs less, unless that
/// asks for the games that do not meet the conditions.
fn place(
    position: Option<&Bound<'_, PyAny>>,
    filters: &mut Filters,
    invert: bool,
) -> PyResult<openings::NextMoves> {
    let Some(position) = position else {
        return openings::NextMoves::after(&[]).map_err(exception);
    };
    let chess = position.py().import("plyzip._chess")?;
    let is_fen = position.cast::<PyString>().is_ok_and(|text| text.to_string().contains('/'));
    if is_fen || position.is_instance(&chess.getattr("chess")?.getattr("Board")?)? {
        let fen: String = chess.call_method1("fen", (position,))?.extract()?;
        let wanted: Result<WantedPosition, _> = fen.parse();
        let wanted =
            wanted.map_err(|error| UsageError::new_err(format!("position {fen:?}: {error}")))?;
        if !invert {
            filters.add("position", &fen).map_err(exception)?;
        }
        return Ok(openings::NextMoves::in_position(wanted.position().clone()));
    }
    let line = Line::of(position, None)?;
    if line.header.start != Chess::default() {
        return Err(UsageError::new_err("moves are wanted from the initial position"));
    }
    if !invert && !line.moves.is_empty() {
        let mut walk = Chess::default();
        let names = line.moves.iter();
        let names = names
            .map(|&played| SanPlus::from_move_and_play_unchecked(&mut walk, played).to_string());
        filters.add("moves", &names.collect::<Vec<_>>().join(" ")).map_err(exception)?;
    }
    openings::NextMoves::after(&line.moves).map_err(exception)
}

#[pymethods]
impl NextMoves {
    /// The position, as FEN.
    #[getter]
    fn fen(&self) -> String {
        Fen::from_position(self.0.position(), EnPassantMode::Legal).to_string()
    }

    /// All games that come there.
    #[getter]
    fn all(&self) -> Outcomes {
        Outcomes(self.0.all().clone())
    }

    /// Those of them that end there.
    #[getter]
    fn ended(&self) -> Outcomes {
        Outcomes(self.0.ended().clone())
    }

    /// The moves that the others go on with, the most frequent first, each with its games.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Played<'py>> {
        let mode = self.0.position().castles().mode();
        let moves = self.0.moves().into_iter();
        moves
            .map(|(played, games)| Ok((chess_move(py, played, mode)?, Outcomes(games.clone()))))
            .collect()
    }

    fn __repr__(&self) -> String {
        format!("<NextMoves: {} games, {} moves>", self.0.all().games(), self.0.moves().len())
    }
}
