//! Features of the time that a player takes, as numbers.

use shakmaty::Role;

use super::play::{Play, Thinking};
use crate::entropy::fixed;

/// Numbers of a move and of the times around it.
pub(super) const FEATURES: usize = 29;
/// In units of 1/256.
pub(super) type Features = [i32; FEATURES];

/// Selectors of the weights of the mixer.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Selectors {
    /// The time left, in powers of e seconds.
    pub left: usize,
    /// The player's usual time, in powers of the root of e seconds.
    pub usual: usize,
    /// The surprisal of the move, in steps of two bits.
    pub surprisal: usize,
}

/// One, in the units of features.
const ONE: i32 = 256;
/// Features stay within ± this.
const MOST: i32 = 6 * ONE;
/// No time is longer: 2<sup>40</sup> sixteenths of a second.
const LONGEST: i64 = 1 << 40;
/// The natural logarithms of times are some 0.7 from their mean.
const USUAL_SPREAD: i32 = 179;
/// The natural logarithm of 2 in units of 2<sup>-16</sup>.
const LN_2: i64 = 45_426;

/// The natural logarithm of a time in sixteenths of a second, and half a second more so that 0 has
/// one; in units of 1/256.
pub(super) fn ln(sixteenths: i64) -> i32 {
    let bits = fixed::log2(sixteenths.clamp(0, LONGEST) as u64 + 8) - 4 * fixed::ONE;
    ((i64::from(bits) * LN_2) >> 24) as i32
}

/// e<sup>-`n` / 6</sup>, in units of 1/256.
fn fading(n: usize) -> i32 {
    (fixed::exp2_neg(n.min(1000) as u32 * 15_758) >> 23) as i32
}

/// Time and what it should be compared with, in sixteenths of a second.
#[derive(Debug, Clone, Copy)]
pub(super) struct Budget {
    /// On the mover's clock before the move.
    pub left: i64,
    /// Gained with each move.
    pub increment: i64,
    /// For the first forty moves.
    pub total: i64,
}

/// The features of the time for the last move of `play`.
pub(super) fn describe(play: &Play, budget: Budget) -> (Features, Selectors) {
    let typical = ln(budget.total / 60);
    let side = play.side();
    let [own, other] = [side, 1 - side].map(|side| play.sides[side].or_usual(typical));
    let [last, reply, before] = play.surprisals();
    let kind = play.move_kind();
    let moves = play.ply().saturating_sub(1) / 2;
    let flag = |flag: bool| if flag { ONE } else { 0 };
    // Some hundredths of the difference to what is usual.
    let scaled = |value: i32, usual: i32, hundredths: i32| (value - usual) * hundredths / 100;
    let surprisal = |eighths: u8, usual: i32, hundredths| {
        scaled(i32::from(eighths) * (ONE / 8), usual, hundredths)
    };

    let left = ln(budget.left);
    let moves_left = play.moves_left().max(1);
    let pace = ln(budget.left / moves_left + budget.increment * 9 / 10);
    let opening = fading(moves);
    let recapture = flag(kind.recapture);
    let took = own.took.map(|took| took.map_or(typical, ln));
    let rating = i32::from(play.rating());

    let features = [
        ONE,
        scaled(own.slow, ONE, 70),
        scaled(own.fast, ONE, 70),
        scaled(took[0], ONE, 50),
        scaled(took[1], ONE, 40),
        scaled(other.took[0].map_or(typical, ln), ONE, 50),
        scaled(other.slow, ONE, 50),
        scaled(left, 4 * ONE, 50),
        scaled(pace, ONE, 70),
        scaled(typical, ONE, 70),
        opening * 3 / 2,
        scaled(typical, ONE, 100) * opening / ONE,
        surprisal(last.cost, 2 * ONE, 30),
        surprisal(last.entropy, 640, 40),
        surprisal(before.cost, 2 * ONE, 30),
        surprisal(reply.entropy, 640, 30),
        recapture,
        recapture / ONE * scaled(own.slow, ONE, 70),
        flag(kind.capture) * 7 / 10,
        flag(kind.role == Some(Role::Pawn)) * 7 / 10,
        flag(kind.role == Some(Role::King)) * 7 / 10,
        flag(last.entropy == 0 && last.cost == 0),
        flag(play.captured_before()) * 7 / 10,
        if play.wins() { ONE * 3 / 10 } else { 0 },
        (own.spread - USUAL_SPREAD) * 3 / 2,
        (other.fast - own.fast) * 2 / 5,
        flag(own.took[0].is_some_and(at_once)) * 7 / 10,
        flag(own.took.iter().all(|took| took.is_some_and(at_once))) * 7 / 10,
        if rating > 0 { (rating - 1700) * ONE / 500 } else { 0 },
    ];
    let selectors = Selectors {
        left: (left / ONE).max(0) as usize,
        usual: ((own.slow + ONE) * 2 / ONE).max(0) as usize,
        surprisal: usize::from(last.cost) / 16,
    };
    (features.map(|feature| feature.clamp(-MOST, MOST)), selectors)
}

/// Whether a move took less than a second, as one does that was entered beforehand.
fn at_once(sixteenths: i64) -> bool {
    sixteenths < 16
}

impl Thinking {
    /// With what is usual where nothing is known yet: `typical` is the logarithm of a time.
    pub fn or_usual(self, typical: i32) -> Thinking {
        match self.count {
            0 => Thinking { fast: typical, slow: typical, spread: USUAL_SPREAD, ..self },
            _ => self,
        }
    }

    /// Takes note of a time in sixteenths of a second; `typical` is the logarithm to begin with.
    pub fn take(&mut self, sixteenths: i64, typical: i32) {
        *self = self.or_usual(typical);
        let time = ln(sixteenths);
        self.took = [Some(sixteenths), self.took[0]];
        self.count = (self.count + 1).min(100);
        let share = |least: i32, count: i32| (ONE / count).max(least);
        self.spread += ((time - self.slow).abs() - self.spread) * 31 / ONE;
        self.fast += (time - self.fast) * share(77, self.count + 1) / ONE;
        self.slow += (time - self.slow) * share(26, self.count + 2) / ONE;
    }
}
