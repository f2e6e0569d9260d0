//! Models of ratings, and of how a game changes them.

use std::sync::Arc;

use shakmaty::Color;

use super::column::Form;
use super::known::Known;
use super::results;
use super::values::{IS_NUMBER, RATING_DIFF, Values};
use crate::entropy::{Coder, hash, squash};
use crate::streams::values::{HashMap, Id};
use crate::{Error, Result};

/// The ratings of frequent players are kept in steps of 8 points, from 1000 on.
pub const RATING_STEP: i64 = 8;
/// The least rating that is kept of a frequent player.
pub const LEAST_RATING: i64 = 1000;

/// Model of the tags `WhiteElo` and `BlackElo`.
#[derive(Debug, Clone)]
pub(super) struct RatingModel {
    /// The ratings of frequent players, by their numbers in the dictionary of names: 0 for an unknown one, and otherwise
    /// steps above [`LEAST_RATING`].
    shipped: Arc<[u8]>,
    /// The column of that dictionary.
    names: Id,
    /// The last rating of each player.
    last: HashMap<Id, i64>,
}

impl RatingModel {
    /// A model that has seen no game; `names` is the column of the players' names.
    pub fn new(shipped: Arc<[u8]>, names: Id) -> RatingModel {
        RatingModel { shipped, names, last: HashMap::default() }
    }

    /// The last rating of a player in this block.
    pub fn last(&self, player: Id) -> Option<i64> {
        self.last.get(&player).copied()
    }

    /// Codes the rating of one side.
    ///
    /// # Errors
    /// Those of [`Coder::bit`], and [`Error::Limit`] if what is read is too long.
    pub fn code<C: Coder>(
        &mut self,
        coder: &mut C,
        values: &mut Values,
        side: Color,
        column: u32,
        known: &mut Known,
        value: &[u8],
    ) -> Result<Id> {
        let player = known.player(side);
        let keys = [hash(player, known.pairing.event), player];
        let id = values.interner.find(value);
        let other = known.elos.white.or(known.elos.black);
        let id = match values.candidates.code(coder, column, &keys, 0, id)? {
            Some(id) => id,
            None => {
                let own = self.last(player).or_else(|| self.shipped(values, player));
                let last = values.last_numbers.get(&column).copied();
                let base = own.or(other).or(last).unwrap_or(0);
                let seen = u32::from(self.last(player).is_some());
                let kind = u32::from(own.is_some()) << 1 | u32::from(other.is_some()) | seen << 2;
                let contexts = [
                    hash(column, kind),
                    hash(hash(column, kind), (base / 100) as u32),
                    hash(hash(column, kind), known.pairing.event),
                ];
                match values.near(coder, column, Form::Integer, base, &contexts, value)? {
                    Some(id) => id,
                    None => values.spell(coder, column, player, value)?,
                }
            }
        };
        values.candidates.learn(column, &keys, id);
        if let Some(elo) = Form::Integer.read(values.interner.value(id)) {
            known.elos[side] = Some(elo);
            values.last_numbers.insert(column, elo);
            self.last.insert(player, elo);
        }
        Ok(id)
    }

    /// The rating of a frequent player.
    fn shipped(&self, values: &Values, player: Id) -> Option<i64> {
        let dictionary = values.dictionaries.get(&self.names)?;
        let index = dictionary.find(values.interner.value(player))?;
        match self.shipped.get(index) {
            None | Some(0) => None,
            Some(&rating) => Some(LEAST_RATING + RATING_STEP * i64::from(rating)),
        }
    }
}

/// Codes by how much a game changed the rating of one side: the tags `WhiteRatingDiff` and `BlackRatingDiff`.
///
/// # Errors
/// Those of [`Coder::bit`], and [`Error::Limit`] if what is read is too long.
pub(super) fn code_difference<C: Coder>(
    coder: &mut C,
    values: &mut Values,
    side: Color,
    column: u32,
    known: &mut Known,
    value: &[u8],
) -> Result<Id> {
    let number = Form::Signed.read(value);
    let here = [hash(column, 1)];
    let is_number = number.is_some();
    let detail = RATING_DIFF + usize::from(side.is_black());
    if !values.numbers.code(coder, &here, IS_NUMBER, detail, is_number)? {
        return values.spell(coder, column, 0, value);
    }
    let own = known.elos[side].unwrap_or(0);
    let other = known.elos[!side].unwrap_or(0);
    let ahead = (own - other).clamp(-800, 800) as i32;
    // The expected score in units of 2^-16: 400 points are a factor of 10.
    let expected = i64::from(squash(ahead * 1473 / 1000));
    let result = known.result.and_then(|id| results::index(values.interner.value(id)));
    let score = match (result, side) {
        (Some(0), Color::White) | (Some(1), Color::Black) => 2,
        (Some(2), _) => 1,
        _ => 0,
    };
    let base = (11 * (score * (1 << 15) - expected) + (1 << 15)) >> 16;
    let outcome = score as u32 | u32::from(result.is_some()) << 2;
    let opposite = known.rating_diffs[!side].map_or(999, |diff| diff.clamp(-99, 99));
    let contexts = [
        outcome,
        hash(outcome, base as u32),
        hash(outcome, opposite as u32),
        hash(hash(outcome, base as u32), opposite as u32),
        hash(known.player(side), outcome),
        hash(outcome, (ahead / 10) as u32),
    ];
    let diff =
        values.numbers.number(coder, &contexts, RATING_DIFF, detail, number.unwrap_or(0) - base)?;
    let diff = diff.clamp(-1 << 40, 1 << 40) + base;
    known.rating_diffs[side] = Some(diff);
    let value = Form::Signed
        .spell(diff)
        .ok_or_else(|| Error::damaged("a rating difference out of range"))?;
    Ok(values.interner.intern(&value))
}
