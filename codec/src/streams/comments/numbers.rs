//! Clocks and evaluations in the course of a game.

use super::features::{Budget, describe, ln};
use super::forms::EvalForm;
use super::play::{Eval, Play};
use super::time_model::{TimeModel, bin_bits, first_second};
use crate::Result;
use crate::entropy::{Coder, ContextMixer, hash};

/// Codes times and evaluations.
#[derive(Debug)]
pub(super) struct Numbers {
    times: TimeModel,
    mixing: ContextMixer,
    /// The largest gain of a move in the last game whose time control no tag told, in seconds.
    increment: i64,
}

/// No clock shows more seconds; damaged archives may claim it.
const LONGEST: i64 = 1 << 40;
/// No increment that is guessed is longer, in seconds.
const MOST_INCREMENT: i64 = 60;
/// Moves of a side after which its gains tell of the increment.
const TELLING: i32 = 8;

const FIRST_CLOCK: usize = 0;
const GAIN: usize = 1;
const FRACTION: usize = 2;
const REPEATED: usize = 3;
const EVAL: usize = 4;
const MATE: usize = 5;
const FAMILIES: usize = 6;

/// Of a time in a bin of several seconds, the odds that its first digits are 1, in units of
/// 2<sup>-16</sup>: longer times are rarer.
const LATER: [u32; 3] = [28_200, 30_100, 31_500];

/// The size of a number: its sign, its binary length and its foremost digits, `fine` of them.
fn rough(number: i64, fine: u32) -> u32 {
    let size = number.unsigned_abs();
    let length = 64 - size.leading_zeros();
    let shift = length.saturating_sub(fine + 1);
    (length << 8 | (size >> shift) as u32) << 1 | u32::from(number < 0)
}

/// A time in units of 1/`unit` second in sixteenths of a second.
fn sixteenths(time: i64, unit: i64) -> i64 {
    time.clamp(-LONGEST, LONGEST) * 16 / unit
}

/// Takes note of what the last move took.
fn note(play: &mut Play<'_>, took: i64, unit: i64) {
    let control = play.control;
    if play.spent.replace((took, unit)).is_none() {
        let typical = ln(16 * (control.start + 40 * control.increment) / 60);
        play.sides[play.side()].take(sixteenths(took, unit), typical);
    }
}

impl Numbers {
    /// A model that needs about 8 × 2<sup>`slot_bits`</sup> bytes, and knows of times what `times`
    /// knows.
    pub fn new(slot_bits: u32, times: TimeModel) -> Numbers {
        Numbers { times, mixing: ContextMixer::new(slot_bits, 12, FAMILIES, 256), increment: 0 }
    }

    /// The learned model of times.
    #[cfg(feature = "training")]
    pub fn times(&self) -> &TimeModel {
        &self.times
    }

    /// Codes a time in units of 1/`unit` second: what the mover's clock shows, or
    /// what the last move took.
    ///
    /// # Errors
    /// Those of [`Coder::bit`].
    pub fn clock<C: Coder>(
        &mut self,
        coder: &mut C,
        play: &mut Play<'_>,
        unit: i64,
        on_clock: bool,
        time: i64,
    ) -> Result<i64> {
        let side = play.side();
        if !on_clock {
            let took = match play.spent {
                Some(spent) => self.repeated(coder, spent, unit, time)?,
                None => self.time_used(coder, play, unit, LONGEST, time)?,
            };
            note(play, took, unit);
            return Ok(took);
        }
        let Some(before) = play.sides[side].clock else {
            return self.first_clock(coder, play, unit, time);
        };
        let gain = play.control.increment * unit;
        let expected = before.saturating_add(gain);
        let took = expected.saturating_sub(time);
        let took = match play.spent {
            Some(spent) => self.repeated(coder, spent, unit, took)?,
            None => {
                let most = (expected / unit).clamp(0, LONGEST);
                self.time_used(coder, play, unit, most, took)?
            }
        };
        note(play, took, unit);
        let time = expected.saturating_sub(took);
        play.sides[side].clock = Some(time);
        if !play.control.known {
            let gained = (time.saturating_sub(before) / unit).clamp(0, MOST_INCREMENT);
            play.control.increment = play.control.increment.max(gained);
            play.control.gained = play.control.gained.max(gained);
            if play.sides[side].count > TELLING {
                self.increment = play.control.gained;
            }
        }
        Ok(time)
    }

    /// Codes what a side's clock shows first.
    fn first_clock<C: Coder>(
        &mut self,
        coder: &mut C,
        play: &mut Play<'_>,
        unit: i64,
        time: i64,
    ) -> Result<i64> {
        let (side, ply) = (play.side(), play.ply());
        let control = hash(play.control.start as u32, play.control.increment as u32);
        let other = play.sides[1 - side].clock;
        let expected = other.unwrap_or(play.control.start * unit);
        let contexts = [
            hash(control, ply.min(4) as u32),
            hash(unit as u32, ply.min(4) as u32),
            hash(u32::from(other.is_some()), 1),
        ];
        let delta = expected.saturating_sub(time);
        let delta = self.mixing.number(coder, &contexts, FIRST_CLOCK, side, delta)?;
        let time = expected.saturating_sub(delta);
        play.sides[side].clock = Some(time);
        if !play.control.known && other.is_none() {
            play.control.start = (time / unit).clamp(0, LONGEST);
            play.control.increment = self.increment;
        }
        Ok(time)
    }

    /// Codes what the last move took, which is at most `most` seconds.
    fn time_used<C: Coder>(
        &mut self,
        coder: &mut C,
        play: &Play<'_>,
        unit: i64,
        most: i64,
        took: i64,
    ) -> Result<i64> {
        let control = play.control;
        let clock = play.sides[play.side()].clock;
        let budget = Budget {
            left: clock.map_or(16 * control.start, |clock| sixteenths(clock, unit)),
            increment: 16 * control.increment,
            total: 16 * (control.start + 40 * control.increment),
        };
        let (features, selectors) = describe(play, budget);
        let usual = play.sides[play.side()].or_usual(ln(budget.total / 60)).slow;
        let seconds = took.div_euclid(unit);
        let bin = self.times.code(coder, &features, selectors, usual, most, seconds)?;
        let (known, last) = (u32::from(control.known), play.sides[play.side()].took[0]);
        if bin == 0 {
            // A clock that gains more than the increment is rare.
            let contexts = [known, hash(2, last.is_some_and(|last| last < 0).into())];
            if self.mixing.code(coder, &contexts, GAIN, 0, took < 0)? {
                let gained = self.mixing.number(coder, &[known], GAIN, 1, took.saturating_neg())?;
                return Ok(gained.saturating_neg());
            }
        }
        let mut second = 0;
        for digit in (0..bin_bits(bin)).rev() {
            let p_later = LATER.get((bin_bits(bin) - 1 - digit) as usize).copied();
            let bit = (seconds - first_second(bin)) >> digit & 1 != 0;
            let bit = coder.bit(p_later.unwrap_or(1 << 15), bit)?;
            second |= i64::from(bit) << digit;
        }
        let mut took_units = (first_second(bin) + second) * unit;
        if unit > 1 {
            let last = last.map_or(99, |last| (last * unit / 16).clamp(-1, unit) as u32);
            let contexts = [
                hash(unit as u32, bin.min(4) as u32),
                hash(unit as u32, hash(bin.min(1) as u32, last)),
                hash(usual as u32 >> 7, hash(bin.min(2) as u32, unit as u32)),
            ];
            let fraction = took.rem_euclid(unit);
            let fraction = self.mixing.number(coder, &contexts, FRACTION, bin, fraction)?;
            took_units = took_units.saturating_add(fraction);
        }
        Ok(took_units)
    }

    /// Codes a time that was told in another way before.
    fn repeated<C: Coder>(
        &mut self,
        coder: &mut C,
        (spent, spent_unit): (i64, i64),
        unit: i64,
        time: i64,
    ) -> Result<i64> {
        let expected = spent.clamp(-LONGEST, LONGEST) * unit / spent_unit;
        let contexts = [hash(unit as u32, spent_unit as u32)];
        let delta = time.saturating_sub(expected);
        let delta = self.mixing.number(coder, &contexts, REPEATED, 0, delta)?;
        Ok(expected.saturating_add(delta))
    }

    /// Codes an evaluation: hundredths of a pawn or moves to mate.
    ///
    /// # Errors
    /// Those of [`Coder::bit`].
    pub fn eval<C: Coder>(
        &mut self,
        coder: &mut C,
        play: &mut Play<'_>,
        form: EvalForm,
        eval: i64,
    ) -> Result<i64> {
        let side = (play.ply() & 1) as u32;
        let Eval { last, mate, deltas } = play.eval;
        let is_mate = form == EvalForm::Mate;
        let annotation = u32::from(play.annotation);
        let moved = play.move_kind().key();
        let [surprisal, reply, _] = play.surprisals();
        let cost = u32::from(surprisal.cost) / 12;
        // A mate has nothing to do with hundredths of a pawn, except who gives it.
        let base = match mate == is_mate {
            true => last,
            false => 0,
        };
        let was = hash(u32::from(mate), rough(last, 1));
        let contexts = [
            hash(was, side),
            hash(hash(side, annotation), rough(last, 0)),
            hash(rough(deltas[0], 2), side),
            hash(hash(rough(deltas[0], 1), rough(deltas[1], 1)), side),
            hash(moved, hash(side, rough(deltas[0], 1))),
            hash(last.clamp(-3000, 3000) as u32, side),
            hash(play.ply().min(16) as u32, side),
            side,
            hash(cost, hash(side, rough(last, 0))),
            hash(hash(cost, u32::from(reply.cost) / 16), hash(side, rough(deltas[0], 0))),
            hash(play.course, 0),
            hash(rough(deltas[0].saturating_add(deltas[1]), 1), rough(deltas[0], 0)),
        ];
        let family = if is_mate { MATE } else { EVAL };
        let kind = u32::from(mate == is_mate);
        let contexts = contexts.map(|context| hash(context, kind));
        let detail = (side * 2 + kind) as usize * 16 + (rough(last, 0) >> 9) as usize % 16;
        let delta =
            self.mixing.number(coder, &contexts, family, detail, eval.saturating_sub(base))?;
        let eval = base.saturating_add(delta);
        play.eval = Eval { last: eval, mate: is_mate, deltas: [delta, deltas[0]] };
        Ok(eval)
    }
}
