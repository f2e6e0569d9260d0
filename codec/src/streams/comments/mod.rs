//! Comments: clocks, evaluations, text.
//!
//! A comment is taken apart into a template, such as `[%eval <eval>] [%clk <time>]`, numbers and
//! texts. Templates repeat; a clock says how long a move took, which depends on the times left, the
//! player's habits and how surprising the move was; an evaluation is near the one before. Texts of
//! all comments are compressed together.

mod commenter;
mod features;
mod forms;
mod numbers;
mod play;
mod prose;
mod template;
mod time_model;

use self::commenter::Commenter;
pub use self::play::Surprisals;
pub use self::play::comments;
use self::play::{Play, comment, surprisals_of};
use self::prose::read_prose;
use self::template::{Element, Parts, elements};
use self::time_model::TimeModel;
#[cfg(feature = "training")]
pub use self::time_model::{Rates, WEIGHTS};
use std::borrow::{Borrow, BorrowMut};

use super::text::bytes;
use crate::entropy::{Decoder, Encoder};
use crate::pgn::{Game, Token};
use crate::{Error, Result, varint};

/// Codes all comments of `games`: the bytes of [`Token::Comment`], [`Token::LineComment`] and
/// [`Token::Escape`]. What the `surprisals` do not tell costs more.
///
/// # Errors
/// None that a caller could cause.
pub fn encode<G: Borrow<Game>>(games: &[G], surprisals: &Surprisals) -> Result<Vec<u8>> {
    let mut encoder = Encoder::new();
    let mut commenter = Commenter::new(games, usize::MAX, TimeModel::new())?;
    let mut prose = Vec::new();
    commenter.write(&mut encoder, games, surprisals, &mut prose)?;
    framed(&encoder.finish(), &prose)
}

/// The stream of these two parts: the length of `structure`, `structure`, the length of `prose`, `prose` compressed.
///
/// # Errors
/// None that a caller could cause.
pub fn framed(structure: &[u8], prose: &[u8]) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    varint::put_length(&mut out, structure.len());
    out.extend(structure);
    if prose.is_empty() {
        // Nothing follows, and zeros at the end can be told from their absence.
        while out.last() == Some(&0) {
            out.pop();
        }
    } else {
        varint::put_length(&mut out, prose.len());
        out.extend(bytes::compress(prose)?);
    }
    Ok(out)
}

/// The weights that the model of times learns from the comments of `games` if it begins with `weights`, as many as
/// [`WEIGHTS`]; in the form of `tables/clocks.bin`. Without weights it begins untrained.
///
/// # Errors
/// None that a caller could cause.
#[cfg(feature = "training")]
pub fn learn_times(
    games: &[Game],
    surprisals: &Surprisals,
    rates: Rates,
    weights: Option<&[i16]>,
) -> Result<Vec<i16>> {
    let untrained = TimeModel::untrained();
    let times = TimeModel::with(rates, weights.unwrap_or(&untrained).iter().copied());
    let mut commenter = Commenter::new(games, usize::MAX, times)?;
    commenter.write(&mut Encoder::new(), games, surprisals, &mut Vec::new())?;
    Ok(commenter.numbers.times().learned())
}

/// Fills in the comments that [`encode`] was given. The `surprisals` are the same, and the `games` have
/// everything else: tags, lines and tokens. The comments take at most `limit` bytes together.
///
/// # Errors
/// [`Error::Limit`] if they take more, [`Error::Damaged`] if `bytes` is not what was written.
pub fn decode<G: BorrowMut<Game>>(
    bytes: &[u8],
    games: &mut [G],
    surprisals: &Surprisals,
    limit: usize,
) -> Result<()> {
    let mut rest = bytes;
    // Zeros at the end were not written, be they of the structure or its length.
    let structure = if bytes.is_empty() { 0 } else { varint::take_length(&mut rest)? };
    let (structure, mut rest) = rest.split_at(structure.min(rest.len()));
    let mut prose = Vec::new();
    if !rest.is_empty() {
        let length = varint::take_length(&mut rest)?;
        // An escaped byte takes two, and every text one more to end.
        if length / 2 > limit.saturating_add(comments(games)) {
            return Err(Error::Limit("more comment text than announced".into()));
        }
        if length == 0 {
            return Err(Error::damaged("comment text of no length"));
        }
        prose = bytes::decompress(rest, length)?;
    } else if bytes.last() == Some(&0) {
        return Err(Error::damaged("comments that end in needless zeros"));
    }
    let mut prose = &prose[..];
    let mut decoder = Decoder::new(structure);
    let mut commenter = Commenter::new(games, limit, TimeModel::new())?;
    for (number, game) in games.iter_mut().enumerate() {
        let game: &mut Game = game.borrow_mut();
        let mut tokens = std::mem::take(&mut game.tokens);
        let mut play = Play::new(game, surprisals_of(surprisals, number));
        for token in &mut tokens {
            if comment(token).is_none() {
                play.pass(token);
                continue;
            }
            let parts = commenter.code(&mut decoder, &mut play, &Parts::default())?;
            let mut numbers = parts.numbers.into_iter();
            let mut text = Vec::new();
            for element in elements(&parts.template) {
                match element {
                    Element::Byte(byte) => text.push(byte),
                    Element::Prose => read_prose(&mut prose, &mut text)?,
                    number => number.spell(numbers.next().unwrap_or(0), &mut text),
                }
            }
            commenter.room = commenter
                .room
                .checked_sub(text.len())
                .ok_or_else(|| Error::Limit("longer comments than announced".into()))?;
            if let Token::Comment(place) | Token::LineComment(place) | Token::Escape(place) = token
            {
                *place = text;
            }
        }
        game.tokens = tokens;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
