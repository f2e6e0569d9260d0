//! The probabilities of moves, and the costs of a game's moves.

use plyzip::{GameHeader, LikelyMove};
use pyo3::prelude::*;
use pyo3::types::PyString;
use shakmaty::{CastlingMode, Position};

use crate::header::{Line, chess_move};
use crate::model::AnyModel;
use crate::work::Work;

/// Moves as chess.Move, with their probabilities.
type Likely<'py> = Vec<(Bound<'py, PyAny>, f64)>;

fn likely<'py>(py: Python<'py>, moves: &[LikelyMove], mode: CastlingMode) -> PyResult<Likely<'py>> {
    moves
        .iter()
        .map(|likely| Ok((chess_move(py, likely.played, mode)?, likely.probability)))
        .collect()
}

/// What is expected to be next in a game.
#[pyclass(frozen, module = "plyzip")]
#[derive(Debug)]
pub struct Forecast {
    forecast: plyzip::Forecast,
    mode: CastlingMode,
}

#[pymethods]
impl Forecast {
    /// The legal moves, the likeliest first, each with its probability if the game goes on. They add up to 1.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Likely<'py>> {
        likely(py, &self.forecast.moves, self.mode)
    }

    /// How likely it is that the game ends here; 1 if no move is legal.
    #[getter]
    fn end_probability(&self) -> f64 {
        self.forecast.end_probability
    }
}

/// How likely each move of a position is: a chess.Board, with the moves that led to it, a game after its last move,
/// moves from the beginning, or a FEN. `tags` say what else is known: ratings, result, date, event.
///
/// >>> forecast = plyzip.predict(["e2e4", "c7c5"], model="none")
/// >>> move, probability = forecast.moves[0]
/// >>> move
/// Move.from_uci('g1f3')
/// >>> 0.5 < probability < 1
/// True
#[pyfunction]
#[pyo3(signature = (board, tags=None, *, model=None))]
pub fn predict<'py>(
    py: Python<'py>,
    board: &Bound<'py, PyAny>,
    tags: Option<&Bound<'py, PyAny>>,
    model: Option<AnyModel>,
) -> PyResult<Forecast> {
    let line = match board.cast::<PyString>() {
        Ok(fen) => {
            let board = py.import("plyzip._chess")?.call_method1("board", (fen,))?;
            Line::of(&board, tags)?
        }
        Err(_) => Line::of(board, tags)?,
    };
    let work = Work::new(Some(1))?;
    let codec = AnyModel::or_standard(model).codec(py, &work)?;
    let forecast = work.run(py, || codec.probabilities(&line.header, &line.moves))?;
    Ok(Forecast { forecast, mode: line.mode() })
}

/// What the moves of a game cost.
#[pyclass(frozen, module = "plyzip")]
#[derive(Debug)]
pub struct GameCosts {
    costs: plyzip::GameCosts,
    header: GameHeader,
}

#[pymethods]
impl GameCosts {
    /// Each move of the game as it was played.
    #[getter]
    fn plies(&self) -> Vec<PlyCost> {
        let mode = self.header.start.castles().mode();
        self.costs.plies.iter().map(|cost| PlyCost { cost: cost.clone(), mode }).collect()
    }

    /// Bits that all moves cost.
    #[getter]
    fn move_bits(&self) -> f64 {
        self.costs.move_bits()
    }

    /// Bits that it cost to tell where the game ends.
    #[getter]
    fn end_bits(&self) -> f64 {
        self.costs.end_bits()
    }

    /// All of it.
    #[getter]
    fn total_bits(&self) -> f64 {
        self.costs.total_bits()
    }
}

/// What a move cost, and what was expected instead.
#[pyclass(frozen, module = "plyzip")]
#[derive(Debug)]
pub struct PlyCost {
    cost: plyzip::PlyCost,
    mode: CastlingMode,
}

#[pymethods]
impl PlyCost {
    /// The move as chess.Move.
    #[getter]
    fn r#move<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        chess_move(py, self.cost.played.played, self.mode)
    }

    /// Its probability, if the game goes on.
    #[getter]
    fn probability(&self) -> f64 {
        self.cost.played.probability
    }

    /// Its surprisal: the bits that it cost.
    #[getter]
    fn bits(&self) -> f64 {
        self.cost.bits()
    }

    /// How many moves were likelier.
    #[getter]
    fn rank(&self) -> usize {
        self.cost.rank
    }

    /// How many moves were legal.
    #[getter]
    fn legal(&self) -> usize {
        self.cost.legal
    }

    /// The bits that a move here was expected to cost: how open the choice was.
    #[getter]
    fn expected_bits(&self) -> f64 {
        self.cost.expected_bits
    }

    /// The likeliest other moves, up to three, with their probabilities.
    #[getter]
    fn others<'py>(&self, py: Python<'py>) -> PyResult<Likely<'py>> {
        likely(py, &self.cost.others, self.mode)
    }

    fn __repr__(&self) -> String {
        let uci = self.cost.played.played.to_uci(self.mode);
        format!("<PlyCost {uci}: {:.2} bits>", self.cost.bits())
    }
}

/// What each move of a game cost by itself: a game of an archive, a chess.pgn.Game, a chess.Board with its moves, or
/// moves. What surprises is not bad: it is what others would not have played.
///
/// >>> costs = plyzip.explain(["e2e4", "e7e5", "e1e2"], model="none")
/// >>> [ply.bits < 3 for ply in costs.plies]
/// [True, True, False]
#[pyfunction]
#[pyo3(signature = (game, tags=None, *, model=None))]
pub fn explain<'py>(
    py: Python<'py>,
    game: &Bound<'py, PyAny>,
    tags: Option<&Bound<'py, PyAny>>,
    model: Option<AnyModel>,
) -> PyResult<GameCosts> {
    let Line { header, moves } = Line::of(game, tags)?;
    let work = Work::new(Some(1))?;
    let codec = AnyModel::or_standard(model).codec(py, &work)?;
    let costs = work.run(py, || codec.costs(&header, &moves))?;
    Ok(GameCosts { costs, header })
}
