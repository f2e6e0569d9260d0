//! The arrays of some games that follow each other.

use anyhow::{Context, anyhow};
use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, EnPassantMode, Position};

use super::order::legal_moves;
use super::packed_move::packed_move;
use super::position::{END, NOTHING, state};
use super::squares::squares;
use crate::packed::Game;

/// The part of each array that some games fill.
#[derive(Default)]
pub struct Chunk {
    pub squares: Vec<u8>,
    pub state: Vec<u8>,
    /// Number of legal moves of each position; no position has more than 218.
    pub counts: Vec<u8>,
    pub moves: Vec<u8>,
    pub game: Vec<u8>,
}

impl Chunk {
    /// Expands `games`, the first of which has the number `first`.
    pub fn new(games: &[Game], first: usize) -> anyhow::Result<Chunk> {
        let positions = games.iter().map(Game::positions).sum::<usize>();
        let mut chunk = Chunk {
            squares: Vec::with_capacity(64 * positions),
            state: Vec::with_capacity(4 * positions),
            counts: Vec::with_capacity(positions),
            // A position has 30 to 35 legal moves on average.
            moves: Vec::with_capacity(2 * 36 * positions),
            game: Vec::with_capacity(4 * positions),
        };
        let mut history = vec![];
        for (number, game) in (first..).zip(games) {
            chunk.add(game, number, &mut history).with_context(|| format!("game {number}"))?;
        }
        Ok(chunk)
    }

    /// Adds the positions of a game. `history` only lends its memory.
    fn add(
        &mut self,
        game: &Game,
        number: usize,
        history: &mut Vec<Zobrist64>,
    ) -> anyhow::Result<()> {
        history.clear();
        let mut position = Chess::default();
        for ply in 0..game.positions() {
            let legal = legal_moves(&position);
            let target = match game.moves.get(ply) {
                Some(&place) => place,
                None if game.cut || legal.is_empty() => NOTHING,
                None => END,
            };
            let before = occurrences(&position, history);
            self.squares.extend_from_slice(&squares(position.board()));
            self.state.extend_from_slice(&state(&position, before, target));
            self.counts.push(legal.len() as u8);
            self.moves.extend(legal.iter().flat_map(|&played| packed_move(played).to_le_bytes()));
            self.game.extend_from_slice(&(number as u32).to_le_bytes());
            if let Some(&place) = game.moves.get(ply) {
                let played = legal.get(usize::from(place)).ok_or_else(|| {
                    anyhow!("ply {ply} is move {place} of {} legal moves", legal.len())
                })?;
                position.play_unchecked(*played);
            }
        }
        Ok(())
    }
}

/// How often `position` occurred before, at most 2, given the hashes of all positions before it, to
/// which it adds its own.
fn occurrences(position: &Chess, history: &mut Vec<Zobrist64>) -> u8 {
    let hash = position.zobrist_hash(EnPassantMode::Legal);
    // No position returns after a capture or a pawn's move, nor in less than four plies.
    let reversible = history.len().min(position.halfmoves() as usize);
    let reversible = &history[history.len() - reversible..];
    let same = reversible.iter().rev().skip(3).step_by(2).filter(|&&earlier| earlier == hash);
    let before = same.take(2).count() as u8;
    history.push(hash);
    before
}
