//! Facts of a position that the predictor looks things up by.

use shakmaty::{Color, Position};

use super::game_end::GameEndContexts;
use super::mixer_input::reply_class;
use crate::chess::History;
use crate::features::GameContext;

/// Facts of a position that the predictor looks things up by. They follow from the game alone, not from anything that is
/// learned while coding.
#[derive(Debug, Clone, Copy)]
pub struct PositionFacts {
    /// The key of the position.
    pub key: u64,
    /// Plies played.
    pub ply: usize,
    /// The side to move.
    pub turn: Color,
    /// The [`reply_class`] of the last move and of the one before.
    pub last: [u16; 2],
    /// The contexts in which the end of the game is predicted.
    pub end: GameEndContexts,
}

impl PositionFacts {
    /// Facts of no position, to be overwritten.
    pub fn blank() -> PositionFacts {
        let (last, end) = ([0; 2], GameEndContexts::default());
        PositionFacts { key: 0, ply: 0, turn: Color::White, last, end }
    }

    /// Those of the position at the end of `history`.
    pub fn new(history: &History, context: &GameContext) -> PositionFacts {
        PositionFacts {
            key: history.key(),
            ply: history.ply(),
            turn: history.position().turn(),
            last: [0, 1].map(|back| reply_class(history, back) as u16),
            end: GameEndContexts::new(history, context),
        }
    }
}
