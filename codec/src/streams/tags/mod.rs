//! Tag pairs, column by column.
//!
//! A game's tag names follow from those of the games before. Values are coded in an
//! order in which each helps the next: event, dates, round, players, ratings, result, the
//! rest. A value is first sought among those that the column had under the same key (a
//! player's title under the player's name, a site under the event), then among recent ones, then
//! taken for a number near another, and at last spelled.
//!
//! Tags that are predicted from the moves are coded after the moves: [`encode_late`].

mod column;
mod known;
mod name_thread;
mod new_players;
mod openings;
mod players;
mod ratings;
mod results;
mod roster;
mod rounds;
mod tagger;
#[cfg(feature = "training")]
mod training;
mod values;

use self::column::Kind;
use self::name_thread::with_names;
use self::new_players::NewPlayersDecoder;
use self::openings::Openings;
use self::tagger::{NewPlayer, Tagger};
#[cfg(feature = "training")]
pub use self::{
    openings::path,
    ratings::{LEAST_RATING, RATING_STEP},
    training::{column, surprisal, train},
};
use std::borrow::{Borrow, BorrowMut};

use crate::entropy::{Decoder, Encoder};
use crate::pgn::Game;
use crate::streams::repeats::Repeat;
use crate::{Error, Interrupt, Result};

/// The streams of the early tags: the names of all tags, and the values that do not wait for the moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EarlyTags<B> {
    /// Everything but the names of players who have not played before.
    pub tags: B,
    /// Those names.
    pub new_players: B,
}

#[cfg(test)]
impl EarlyTags<Vec<u8>> {
    /// The streams to read from.
    pub fn as_slices(&self) -> EarlyTags<&[u8]> {
        EarlyTags { tags: &self.tags, new_players: &self.new_players }
    }
}

/// Tells the tagger a new player's name while it is encoded: the name as it is, which joins `names`.
fn noted_in(names: &mut Vec<Vec<u8>>) -> impl FnMut(&[u8]) -> Result<Vec<u8>> {
    |name| {
        names.push(name.to_vec());
        Ok(name.to_vec())
    }
}

/// Codes the early tags of `games`, unless `interrupt` ends it. Those that games have from others by `repeats`, which is
/// empty if none does, are not coded: if all are the same, nothing is learned from them, either.
///
/// # Errors
/// [`Error::Interrupted`](crate::Error::Interrupted).
pub fn encode_early<G: Borrow<Game>>(
    games: &[G],
    repeats: &[Option<Repeat>],
    interrupt: &Interrupt,
) -> Result<EarlyTags<Vec<u8>>> {
    let mut encoder = Encoder::new();
    let mut tagger = Tagger::shipped(games.len(), usize::MAX)?;
    let mut names = Vec::new();
    for (number, game) in games.iter().enumerate() {
        interrupt.check()?;
        let repeat = repeats.get(number).copied().flatten();
        if repeat.is_some_and(|repeat| repeat.has_tags) {
            continue;
        }
        let source = repeat.map(|repeat| &games[repeat.of].borrow().tags[..]);
        tagger.early(&mut encoder, &game.borrow().tags, source, &mut noted_in(&mut names))?;
    }
    let new_players = new_players::encode(&names, games.len(), interrupt)?;
    Ok(EarlyTags { tags: encoder.finish(), new_players })
}

/// Fills the tags of `games` with what [`encode_early`] was given; values that
/// wait for the moves stay empty. Names and values take at most `limit` bytes together, and each
/// pair counts for one byte more. Games from number `end` on get nothing.
///
/// # Errors
/// [`Error::Limit`] if they take more, [`Error::Damaged`] if `bytes` is not what was written.
pub fn decode_early<G: BorrowMut<Game>>(
    bytes: EarlyTags<&[u8]>,
    games: &mut [G],
    repeats: &[Option<Repeat>],
    limit: usize,
    end: u64,
) -> Result<()> {
    let end = usize::try_from(end).unwrap_or(usize::MAX);
    #[cfg(test)]
    if crate::forge::is_active() {
        let mut names = vec![];
        let mut player = |_: &[u8]| {
            names.push(crate::forge::name());
            Ok(names[names.len() - 1].clone())
        };
        decode_with(bytes.tags, games, repeats, limit, end, &mut player)?;
        crate::forge::keep_names(new_players::encode(&names, games.len(), &Interrupt::default())?);
        return Ok(());
    }
    let mut players = NewPlayersDecoder::new(bytes.new_players, games.len(), limit)?;
    let has_all = if bytes.new_players.len() >= LONG && rayon::current_num_threads() > 1 {
        let mut decode = |new_player: NewPlayer<'_>| {
            decode_with(bytes.tags, games, repeats, limit, end, new_player)
        };
        with_names(players, |next| decode(&mut |_| next()))?
    } else {
        decode_with(bytes.tags, games, repeats, limit, end, &mut |_| players.next())?;
        players.is_at_end()
    };
    if has_all || end < games.len() {
        Ok(())
    } else {
        Err(Error::damaged("more names than players"))
    }
}

/// The fewest bytes of names that are worth a thread of their own.
const LONG: usize = 1000;

/// [`decode_early`] with names from elsewhere.
fn decode_with<G: BorrowMut<Game>>(
    bytes: &[u8],
    games: &mut [G],
    repeats: &[Option<Repeat>],
    limit: usize,
    end: usize,
    new_player: NewPlayer<'_>,
) -> Result<()> {
    let mut decoder = Decoder::new(bytes);
    let mut tagger = Tagger::shipped(games.len(), limit)?;
    let mut room = limit;
    for number in 0..games.len().min(end) {
        let repeat = repeats.get(number).copied().flatten();
        let source = repeat.map(|repeat| &games[repeat.of].borrow().tags[..]);
        let tags = match source {
            Some(source) if repeat.is_some_and(|repeat| repeat.has_tags) => {
                let bytes = source.iter().map(|tag| tag.name.len() + tag.value.len() + 1);
                take(&mut room, bytes.sum())?;
                source.to_vec()
            }
            source => tagger.early(&mut decoder, &[], source, &mut *new_player)?,
        };
        games[number].borrow_mut().tags = tags;
    }
    Ok(())
}

/// Codes the values that are predicted from the moves: `ECO`, `Opening`, `Variation`, `SubVariation`
/// and `PlyCount`.
///
/// # Errors
/// None that a caller could cause.
pub fn encode_late<G: Borrow<Game>>(games: &[G]) -> Result<Vec<u8>> {
    if !any_late(games) {
        return Ok(vec![]);
    }
    let mut encoder = Encoder::new();
    let mut openings = Openings::shipped(games.len(), usize::MAX)?;
    for game in games {
        openings.code(&mut encoder, game.borrow())?;
    }
    Ok(encoder.finish())
}

/// Fills in the values that [`encode_late`] was given. The `games` have everything else that
/// tells them: tag names, starting positions and main lines. The values take at most
/// `limit` bytes together.
///
/// # Errors
/// [`Error::Limit`] if they take more, [`Error::Damaged`] if `bytes` is not what was written.
pub fn decode_late<G: BorrowMut<Game>>(bytes: &[u8], games: &mut [G], limit: usize) -> Result<()> {
    if !any_late(games) {
        return Ok(());
    }
    let mut decoder = Decoder::new(bytes);
    let mut openings = Openings::shipped(games.len(), limit)?;
    for game in games {
        let game: &mut Game = game.borrow_mut();
        let values = openings.code(&mut decoder, game)?;
        for (index, value) in values {
            game.tags[index].value = value;
        }
    }
    Ok(())
}

/// True if the values of tags of this name are coded after the moves.
pub fn is_late(name: &[u8]) -> bool {
    Kind::of(name).is_late()
}

/// Whether any of the games has a tag whose value waits for the moves.
fn any_late<G: Borrow<Game>>(games: &[G]) -> bool {
    games.iter().any(|game| game.borrow().tags.iter().any(|tag| is_late(&tag.name)))
}

/// Takes `bytes` off what may still be read.
fn take(room: &mut usize, bytes: usize) -> Result<()> {
    *room =
        room.checked_sub(bytes).ok_or_else(|| Error::Limit("longer tags than announced".into()))?;
    Ok(())
}

/// Slots for a model of `games` games, as a power of two that is at least `least` and at most
/// `most`.
fn slot_bits(games: usize, least: u32, most: u32) -> u32 {
    (usize::BITS - games.leading_zeros() + 8).clamp(least, most)
}

#[cfg(test)]
mod tests;
