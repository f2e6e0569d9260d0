//! Structure: the kinds of the tokens between the moves.

mod followers;
mod models;
mod progress;

use self::models::Models;
use self::progress::bare_tokens;
use std::borrow::{Borrow, BorrowMut};

use crate::entropy::{Decoder, Encoder};
use crate::pgn::{Game, Line};
use crate::{Error, Result};

/// Codes the tokens of `games`, without the bytes of comments and text, and with
/// that the lengths of variations.
///
/// A game that goes as expected, be it without comments or with one after every
/// move, takes one binary event that is next to free.
///
/// # Errors
/// [`Error::Usage`] for games that [`parse`](crate::pgn::parse) does not make.
pub fn encode<G: Borrow<Game>>(games: &[G]) -> Result<Vec<u8>> {
    let mut encoder = Encoder::new();
    let mut models = Models::primed()?;
    for game in games {
        let game: &Game = game.borrow();
        let tokens = bare_tokens(game);
        let mut budget = usize::MAX;
        let skeleton = models
            .code_game(&mut encoder, game, &tokens, &mut budget)
            .map_err(|_| Error::Usage("a game whose tokens do not fit its moves".into()))?;
        if skeleton.tokens.len() != game.tokens.len() {
            return Err(Error::Usage("a game that goes on after its end".into()));
        }
    }
    Ok(encoder.finish())
}

/// Reads what [`encode`] wrote into `games`, which have their tags and the moves of line 0:
/// fills in `tokens`, with empty comments and texts, and adds the variations,
/// still without moves. For each game, returns how many moves each variation has.
///
/// # Errors
/// [`Error::Damaged`] if `bytes` do not fit `games`, or if there are more than `limit`
/// tokens: every token takes at least one byte of its block.
pub fn decode<G: BorrowMut<Game>>(
    bytes: &[u8],
    games: &mut [G],
    limit: usize,
) -> Result<Vec<Vec<u32>>> {
    let mut decoder = Decoder::new(bytes);
    let mut models = Models::primed()?;
    let mut budget = limit;
    games
        .iter_mut()
        .map(|game| {
            let game: &mut Game = game.borrow_mut();
            game.lines.truncate(1);
            let skeleton = models.code_game(&mut decoder, game, &[], &mut budget)?;
            game.tokens = skeleton.tokens;
            let variations = skeleton.branches.iter();
            game.lines
                .extend(variations.map(|&branch| Line { branch: Some(branch), moves: Vec::new() }));
            Ok(skeleton.lengths)
        })
        .collect()
}
