//! A game's tokens in order, each with the move that it stands for.

use shakmaty::{Chess, Color, Move, Position as _};

use crate::pgn::{Game, Token};
use crate::{Error, Result};

/// A token where it stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlacedToken<'a> {
    pub token: &'a Token,
    /// The move, if the token is one.
    pub m: Option<Move>,
    /// Half-moves before this token, counted as move numbers count them: move 1 of White has 0.
    pub ply: u64,
}

/// The half-moves before the first move of line 0.
pub(super) fn first_ply(start: Option<&Chess>) -> u64 {
    start.map_or(0, |start| {
        let black = start.turn() == Color::Black;
        2 * (u64::from(u32::from(start.fullmoves())) - 1) + u64::from(black)
    })
}

/// Visits all tokens.
///
/// # Errors
/// [`Error::Damaged`] if tokens and lines do not fit each other, and the visitor's.
pub(super) fn walk<'a>(
    game: &'a Game,
    first_ply: u64,
    mut visit: impl FnMut(PlacedToken<'a>) -> Result<()>,
) -> Result<()> {
    let misfit = || Error::damaged("tokens that do not fit the moves");
    // Line, moves played in it, and half-moves in all; the innermost last.
    let mut open = vec![(0, 0, first_ply)];
    let mut lines = 1;
    for token in &game.tokens {
        let (line, played, ply) = open.last_mut().ok_or_else(misfit)?;
        let m = match token {
            Token::Move => {
                let moves = game.lines.get(*line).map(|line| &line.moves);
                Some(*moves.and_then(|moves| moves.get(*played)).ok_or_else(misfit)?)
            }
            _ => None,
        };
        visit(PlacedToken { token, m, ply: *ply })?;
        match token {
            Token::Move => {
                *played += 1;
                *ply += 1;
            }
            Token::Open => {
                let ply = ply.checked_sub(1).filter(|_| *played > 0).ok_or_else(misfit)?;
                open.push((lines, 0, ply));
                lines += 1;
            }
            Token::Close => drop(open.pop()),
            _ => {}
        }
    }
    Ok(())
}
