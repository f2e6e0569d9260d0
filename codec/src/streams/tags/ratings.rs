//! Ratings, and how a game changes them.

use super::column::Form;
use super::column::Side;
use super::tagger::{DIFF, IS_NUMBER, Known, Tagger};
use crate::entropy::{Coder, hash, squash};
use crate::streams::values::Id;
use crate::{Error, Result};

/// Ratings of frequent players are kept in steps of 8, from 1000 on.
pub const RATING_STEP: i64 = 8;
/// The least of them.
pub const LEAST_RATING: i64 = 1000;

impl Tagger {
    pub(super) fn elo<C: Coder>(
        &mut self,
        coder: &mut C,
        side: Side,
        column: u32,
        known: &mut Known,
        value: &[u8],
    ) -> Result<Id> {
        let player = known.player(side);
        let keys = [hash(player, known.pairing.event), player];
        let id = self.values.find(value);
        let other = known.elos.iter().flatten().next().copied();
        let id = match self.candidates.code(coder, column, &keys, 0, id)? {
            Some(id) => id,
            None => {
                let own = self.players.elo(player).or_else(|| self.known_rating(player));
                let last = self.last_numbers.get(&column).copied();
                let base = own.or(other).or(last).unwrap_or(0);
                let seen = u32::from(self.players.elo(player).is_some());
                let kind = u32::from(own.is_some()) << 1 | u32::from(other.is_some()) | seen << 2;
                let contexts = [
                    hash(column, kind),
                    hash(hash(column, kind), (base / 100) as u32),
                    hash(hash(column, kind), known.pairing.event),
                ];
                match self.near(coder, column, Form::Integer, base, &contexts, value)? {
                    Some(id) => id,
                    None => self.spell(coder, column, player, value)?,
                }
            }
        };
        self.candidates.learn(column, &keys, id);
        if let Some(elo) = Form::Integer.read(self.values.value(id)) {
            known.elos[side.index()] = Some(elo);
            self.last_numbers.insert(column, elo);
            self.players.rate(player, elo);
        }
        Ok(id)
    }

    /// What is known of the rating of a frequent player.
    fn known_rating(&self, player: Id) -> Option<i64> {
        let column = self.names.find(b"")?;
        let index = self.dictionaries.get(&column)?.find(self.values.value(player))?;
        match self.ratings.get(index) {
            None | Some(0) => None,
            Some(&rating) => Some(LEAST_RATING + RATING_STEP * i64::from(rating)),
        }
    }

    pub(super) fn rating_diff<C: Coder>(
        &mut self,
        coder: &mut C,
        side: Side,
        column: u32,
        known: &mut Known,
        value: &[u8],
    ) -> Result<Id> {
        let number = Form::Signed.read(value);
        let here = [hash(column, 1)];
        let is_number = number.is_some();
        let detail = DIFF + side.index();
        if !self.numbers.code(coder, &here, IS_NUMBER, detail, is_number)? {
            return self.spell(coder, column, 0, value);
        }
        let own = known.elos[side.index()].unwrap_or(0);
        let other = known.elos[1 - side.index()].unwrap_or(0);
        let ahead = (own - other).clamp(-800, 800) as i32;
        // The expected score in units of 2^-16: 400 points are a factor of 10.
        let expected = i64::from(squash(ahead * 1473 / 1000));
        let result = known.result.and_then(|id| self.values_result(id));
        let score = match (result, side) {
            (Some(0), Side::White) | (Some(1), Side::Black) => 2,
            (Some(2), _) => 1,
            _ => 0,
        };
        let base = (11 * (score * (1 << 15) - expected) + (1 << 15)) >> 16;
        let outcome = score as u32 | u32::from(result.is_some()) << 2;
        let opposite = known.diffs[1 - side.index()].map_or(999, |diff| diff.clamp(-99, 99));
        let contexts = [
            outcome,
            hash(outcome, base as u32),
            hash(outcome, opposite as u32),
            hash(hash(outcome, base as u32), opposite as u32),
            hash(known.player(side), outcome),
            hash(outcome, (ahead / 10) as u32),
        ];
        let diff =
            self.numbers.number(coder, &contexts, DIFF, detail, number.unwrap_or(0) - base)?;
        let diff = diff.clamp(-1 << 40, 1 << 40) + base;
        known.diffs[side.index()] = Some(diff);
        let value = Form::Signed
            .spell(diff)
            .ok_or_else(|| Error::damaged("a rating difference out of range"))?;
        Ok(self.values.intern(&value))
    }
}
