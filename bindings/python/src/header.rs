//! Conversion of python-chess's headers to the library's.

use plyzip::GameHeader;
use plyzip::pgn::{Game, Tag};
use pyo3::prelude::*;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Move, Position};

use crate::errors::UsageError;

/// A game: what its tags say, and its moves.
#[derive(Debug)]
pub struct Line {
    pub header: GameHeader,
    pub moves: Vec<Move>,
}

impl Line {
    /// Of a chess.pgn.Game, a chess.Board, or moves, and a dictionary of tags.
    pub fn of(game: &Bound<'_, PyAny>, tags: Option<&Bound<'_, PyAny>>) -> PyResult<Line> {
        let line = game.py().import("plyzip._chess")?.call_method1("line", (game, tags))?;
        let (tags, moves): (Vec<(String, String)>, Vec<String>) = line.extract()?;
        let header = header(&tags)?;
        let mut position = header.start.clone();
        let mut played = vec![];
        for (ply, text) in moves.into_iter().enumerate() {
            let uci: Result<UciMove, _> = text.parse();
            let next = uci.ok().and_then(|uci| uci.to_move(&position).ok());
            let illegal = || UsageError::new_err(format!("ply {}: {text} is illegal", ply + 1));
            let next = next.ok_or_else(illegal)?;
            position.play_unchecked(next);
            played.push(next);
        }
        Ok(Line { header, moves: played })
    }

    /// The spelling of castling.
    pub fn mode(&self) -> CastlingMode {
        self.header.start.castles().mode()
    }
}

/// The header by these tags.
pub fn header(tags: &[(String, String)]) -> PyResult<GameHeader> {
    let escaped = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"").into_bytes();
    let tags =
        tags.iter().map(|(name, value)| Tag { name: name.clone().into(), value: escaped(value) });
    let game = Game { tags: tags.collect(), ..Game::default() };
    GameHeader::from_tags(&game).ok_or_else(|| {
        UsageError::new_err("the tags FEN and Variant name no start that plyzip knows")
    })
}

/// The chess.Move of a move.
pub fn chess_move<'py>(
    py: Python<'py>,
    played: Move,
    mode: CastlingMode,
) -> PyResult<Bound<'py, PyAny>> {
    py.import("plyzip._chess")?.call_method1("move", (played.to_uci(mode).to_string(),))
}
