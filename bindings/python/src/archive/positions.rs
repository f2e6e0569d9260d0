//! Positions of games as arrays of numbers.

use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

use plyzip::archive::IndexedReader;
use plyzip::pgn::{self, Outcome};
use plyzip::{Error, Interrupt, Result};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyDict};
use shakmaty::{CastlingSide, Chess, Color, EnPassantMode, Position, Role};

use super::Shared;
use super::chosen::{Chosen, Numbers};
use super::move_code::code;
use crate::errors::UsageError;
use crate::files::Source;

/// Most games that are decoded at a time. Each time the columns of a block are read again.
const GAMES: usize = 4096;

/// The positions of games before each of their moves, in batches of so many: dictionaries of numpy arrays. The first
/// batches come soon, since more and more games are decoded at a time, up to 4,096.
#[pyclass(frozen, module = "plyzip")]
#[derive(Debug)]
pub struct Positions {
    shared: Arc<Shared>,
    /// Of the games, ascending.
    numbers: Vec<u64>,
    batch: usize,
    planes: bool,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// The place of the next game.
    next: usize,
    /// How many games are decoded next, at least.
    games: usize,
    rows: Vec<Row>,
    /// How many of the rows were given.
    given: usize,
}

impl Positions {
    pub(super) fn new(
        py: Python<'_>,
        shared: Arc<Shared>,
        numbers: &Numbers,
        batch: usize,
        planes: bool,
    ) -> PyResult<Positions> {
        if batch == 0 {
            return Err(UsageError::new_err("a batch has at least one position"));
        }
        // numpy is missed now, and not when work was done.
        py.import("plyzip._numpy")?;
        let numbers = py.detach(|| numbers.ascending());
        let state = Mutex::new(State { next: 0, games: 1, rows: vec![], given: 0 });
        Ok(Positions { shared, numbers, batch, planes, state })
    }

    /// Decodes the next games: their positions, and the place behind them.
    fn more(&self, py: Python<'_>, next: usize, games: usize) -> PyResult<(Vec<Row>, usize)> {
        let interrupt = self.shared.work.interrupt();
        self.shared.read(py, |reader| {
            let end = self.page_end(reader, next, games)?;
            let chosen = Chosen(self.numbers.get(next..end).unwrap_or_default());
            let mut rows = vec![];
            reader.select(&chosen).games(|number, game| add(&mut rows, number, game, interrupt))?;
            Ok((rows, end))
        })
    }

    /// The place behind at least so many games, where a page ends: none is decoded twice.
    fn page_end(
        &self,
        reader: &mut IndexedReader<Source>,
        next: usize,
        games: usize,
    ) -> Result<usize> {
        let last = next.saturating_add(games).min(self.numbers.len()).saturating_sub(1);
        let Some(&last) = self.numbers.get(last) else { return Ok(self.numbers.len()) };
        let end = reader.page_of_game(last)?.end;
        Ok(self.numbers.partition_point(|number| *number < end))
    }
}

#[pymethods]
impl Positions {
    fn __iter__(slf: Py<Positions>) -> Py<Positions> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let lock = || self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let rows = loop {
            let (next, games) = {
                let mut state = lock();
                let left = state.rows.len() - state.given;
                if left >= self.batch || (left > 0 && state.next == self.numbers.len()) {
                    let begin = state.given;
                    state.given += left.min(self.batch);
                    break state.rows[begin..state.given].to_vec();
                }
                if state.next == self.numbers.len() {
                    return Ok(None);
                }
                (state.next, state.games)
            };
            let (mut rows, end) = self.more(py, next, games)?;
            let mut state = lock();
            // Unless another thread was quicker.
            if state.next == next {
                let given = mem::take(&mut state.given);
                state.rows.drain(..given);
                state.rows.append(&mut rows);
                state.next = end;
                state.games = (2 * games.max(end - next)).min(GAMES);
            }
        };
        let raw = columns(py, &rows)?;
        py.import("plyzip._numpy")?.call_method1("batch", (raw, self.planes)).map(Some)
    }
}

/// A position, and what was played there.
#[derive(Debug, Clone)]
struct Row {
    game: u64,
    ply: usize,
    pieces: [u64; 12],
    white_moves: bool,
    castling: u8,
    en_passant: i8,
    halfmoves: u32,
    from_to: u16,
    promotion: u8,
    score: f32,
}

/// Adds the positions before each move of a game as it was played.
fn add(rows: &mut Vec<Row>, number: u64, game: &pgn::Game, interrupt: &Interrupt) -> Result<()> {
    if interrupt.is_set() {
        return Err(Error::Interrupted);
    }
    let Some(mut position) = game.start() else { return Ok(()) };
    let mode = position.castles().mode();
    let score = score(game);
    let moves = game.lines.first().map_or(&[][..], |line| &line.moves);
    for (ply, &played) in moves.iter().enumerate() {
        let (from_to, promotion) = code(played, mode);
        rows.push(Row {
            game: number,
            ply,
            pieces: pieces(&position),
            white_moves: position.turn() == Color::White,
            castling: castling(&position),
            en_passant: position
                .ep_square(EnPassantMode::Legal)
                .and_then(|square| i8::try_from(u32::from(square)).ok())
                .unwrap_or(-1),
            halfmoves: position.halfmoves(),
            from_to,
            promotion,
            score,
        });
        position.play_unchecked(played);
    }
    Ok(())
}

/// What White got; not a number if the result is not known.
fn score(game: &pgn::Game) -> f32 {
    match game.tag("Result").and_then(Outcome::from_bytes) {
        Some(Outcome::White) => 1.0,
        Some(Outcome::Draw) => 0.5,
        Some(Outcome::Black) => 0.0,
        _ => f32::NAN,
    }
}

fn pieces(position: &Chess) -> [u64; 12] {
    let board = position.board();
    let mut pieces = [0; 12];
    let kinds = Color::ALL.into_iter().flat_map(|color| Role::ALL.map(|role| (color, role)));
    for (set, (color, role)) in pieces.iter_mut().zip(kinds) {
        *set = (board.by_color(color) & board.by_role(role)).into();
    }
    pieces
}

/// Bits 0 to 3: White's king side, White's queen side, Black's king side, Black's queen side.
fn castling(position: &Chess) -> u8 {
    let sides = Color::ALL
        .into_iter()
        .flat_map(|color| CastlingSide::ALL.into_iter().map(move |side| (color, side)));
    sides.enumerate().fold(0, |bits, (bit, (color, side))| {
        bits | u8::from(position.castles().has(color, side)) << bit
    })
}

/// Each column's bytes, little end first.
fn columns<'py>(py: Python<'py>, rows: &[Row]) -> PyResult<Bound<'py, PyDict>> {
    let columns = PyDict::new(py);
    macro_rules! column {
        ($name:literal, $row:ident => $value:expr) => {
            let bytes: Vec<u8> = rows.iter().flat_map(|$row| $value.to_le_bytes()).collect();
            columns.set_item($name, PyByteArray::new(py, &bytes))?;
        };
    }
    let pieces = rows.iter().flat_map(|row| row.pieces);
    let pieces: Vec<u8> = pieces.flat_map(u64::to_le_bytes).collect();
    columns.set_item("pieces", PyByteArray::new(py, &pieces))?;
    column!("turn", row => u8::from(row.white_moves));
    column!("castling", row => row.castling);
    column!("en_passant", row => row.en_passant);
    column!("halfmove_clock", row => u16::try_from(row.halfmoves).unwrap_or(u16::MAX));
    column!("move", row => row.from_to);
    column!("promotion", row => row.promotion);
    column!("score", row => row.score);
    column!("game", row => i64::try_from(row.game).unwrap_or(i64::MAX));
    column!("ply", row => i32::try_from(row.ply).unwrap_or(i32::MAX));
    Ok(columns)
}
