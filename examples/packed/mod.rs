//! Games as training keeps them, one byte a ply: what the examples that make training data share.
//!
//! A game is: ratings of White and Black (u16 each, little-endian as all numbers here), result, whether the game is cut
//! short, year (u16), twice the pace and whether online, plies (u16), and for each ply the move's place in
//! the canonical order.
#![allow(dead_code, reason = "each example uses a part of it")]

use std::io::{self, Write};

use plyzip::pgn::Outcome;
use plyzip::unstable::chess::legal_moves;
use plyzip::{GameContext, Pace};
use shakmaty::{Chess, Move, Position};

/// Bytes before the moves.
const HEADER: usize = 11;

const RESULTS: [Option<Outcome>; 4] =
    [None, Some(Outcome::White), Some(Outcome::Black), Some(Outcome::Draw)];

/// A game from the usual start.
#[derive(Debug, Clone)]
pub struct PackedGame<'a> {
    pub context: GameContext,
    /// Whether moves are missing at its end.
    pub cut: bool,
    /// The place of each move in the canonical order.
    pub moves: &'a [u8],
}

impl PackedGame<'_> {
    /// Twice what White scored, if that is known.
    pub fn half_points(&self) -> Option<u8> {
        match self.context.result? {
            Outcome::White => Some(2),
            Outcome::Black => Some(0),
            Outcome::Draw => Some(1),
            Outcome::Unknown => None,
        }
    }
}

/// All games of a file.
pub fn games(bytes: &[u8]) -> Vec<PackedGame<'_>> {
    let mut games = vec![];
    let mut rest = bytes;
    while let Some((header, after)) = rest.split_first_chunk::<HEADER>() {
        let number = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
        let (moves, next) = after.split_at(usize::from(number(9)));
        let context = GameContext {
            elo: [number(0), number(2)],
            result: RESULTS[usize::from(header[4])],
            year: number(6),
            pace: Pace::ALL[usize::from(header[8] / 2)],
            online: header[8] % 2 == 1,
        };
        games.push(PackedGame { context, cut: header[5] != 0, moves });
        rest = next;
    }
    assert!(rest.is_empty(), "the file ends within a game");
    games
}

/// Where the last `held` games of a file begin.
pub fn start_of_last(bytes: &[u8], held: usize) -> usize {
    let all = games(bytes);
    let last = &all[all.len().saturating_sub(held)..];
    bytes.len() - last.iter().map(|game| HEADER + game.moves.len()).sum::<usize>()
}

/// Packs one game.
pub fn write_game(
    out: &mut impl Write,
    context: &GameContext,
    cut: bool,
    moves: &[Move],
) -> io::Result<()> {
    let result = RESULTS.iter().position(|&result| result == context.result).unwrap_or(0);
    let plies = moves.len().min(usize::from(u16::MAX));
    out.write_all(&context.elo[0].to_le_bytes())?;
    out.write_all(&context.elo[1].to_le_bytes())?;
    out.write_all(&[result as u8, u8::from(cut)])?;
    out.write_all(&context.year.to_le_bytes())?;
    out.write_all(&[context.pace as u8 * 2 + u8::from(context.online)])?;
    out.write_all(&(plies as u16).to_le_bytes())?;
    let mut position = Chess::default();
    for &played in &moves[..plies] {
        let place = legal_moves(&position).iter().position(|&legal| legal == played);
        out.write_all(&[place.ok_or_else(|| io::Error::other("an illegal move"))? as u8])?;
        position.play_unchecked(played);
    }
    Ok(())
}
