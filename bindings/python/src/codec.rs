//! Single games.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use shakmaty::Position;

use crate::header::{Line, chess_move, header};
use crate::model::AnyModel;
use crate::work::Work;

/// Encodes the moves of single games, for databases of games. Whoever decodes gives the same tags and the same model.
///
/// >>> import chess, chess.pgn, io
/// >>> codec = plyzip.GameCodec("none")
/// >>> data = codec.encode(["e2e4", "e7e5", "g1f3"])
/// >>> codec.decode(data)
/// [Move.from_uci('e2e4'), Move.from_uci('e7e5'), Move.from_uci('g1f3')]
/// >>> game = chess.pgn.read_game(io.StringIO('[White "Reti"]\n\n1. Nf3 d5 2. c4 *'))
/// >>> data = codec.encode(game)
/// >>> str(codec.decode_game(data, game.headers)) == str(game)
/// True
#[pyclass(frozen, module = "plyzip")]
#[derive(Debug)]
pub struct GameCodec {
    codec: plyzip::GameCodec,
    work: Work,
}

#[pymethods]
impl GameCodec {
    #[new]
    #[pyo3(signature = (model=None, *, threads=None))]
    fn new(py: Python<'_>, model: Option<AnyModel>, threads: Option<usize>) -> PyResult<GameCodec> {
        let work = Work::new(threads)?;
        let codec = AnyModel::or_standard(model).codec(py, &work)?;
        Ok(GameCodec { codec, work })
    }

    /// The bytes of a game: a game of an archive, a chess.pgn.Game, a chess.Board, or moves, as chess.Move or as UCI
    /// has them. `tags` are the tags that the reader knows as well; the game's own unless they are given.
    #[pyo3(signature = (game, tags=None))]
    fn encode<'py>(
        &self,
        py: Python<'py>,
        game: &Bound<'py, PyAny>,
        tags: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let Line { header, moves } = Line::of(game, tags)?;
        let bytes = self.work.run(py, || self.codec.encode(&header, &moves))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The moves of a game as chess.Move.
    #[pyo3(signature = (data, tags=None))]
    fn decode<'py>(
        &self,
        py: Python<'py>,
        data: &[u8],
        tags: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyList>> {
        let tags = py.import("plyzip._chess")?.call_method1("pairs", (tags,))?;
        let header = header(&tags.extract::<Vec<(String, String)>>()?)?;
        let moves = self.work.run(py, || self.codec.decode(&header, data))?;
        let mode = header.start.castles().mode();
        let moves = moves.into_iter().map(|played| chess_move(py, played, mode));
        PyList::new(py, moves.collect::<PyResult<Vec<_>>>()?)
    }

    /// A chess.pgn.Game with these tags and the moves of a game.
    #[pyo3(signature = (data, tags=None))]
    fn decode_game<'py>(
        &self,
        py: Python<'py>,
        data: &[u8],
        tags: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let moves = self.decode(py, data, tags)?;
        py.import("plyzip._chess")?.call_method1("game", (tags, moves))
    }

    /// `encode` of many games at once, each with its own tags, on all threads.
    fn encode_batch<'py>(
        &self,
        py: Python<'py>,
        games: Vec<Bound<'py, PyAny>>,
    ) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        let lines = games.iter().map(|game| Line::of(game, None));
        let lines = lines.map(|line| line.map(|line| (line.header, line.moves)));
        let lines = lines.collect::<PyResult<Vec<_>>>()?;
        let encoded = self.work.run(py, || {
            self.codec.encode_batch(&lines).into_iter().collect::<plyzip::Result<Vec<_>>>()
        })?;
        Ok(encoded.iter().map(|bytes| PyBytes::new(py, bytes)).collect())
    }
}
