//! The weights that a mixer has learned, in short form, for another to begin with.
//!
//! Weights are kept in 16 bits, probabilities of histories in 8 bits of log odds, slots as their
//! context and one byte: how much was seen, and how likely the bit is.

use super::estimate::{Estimate, HISTORIES, Slot};
use super::weights::WEIGHT_BITS;
use super::{ContextMixer, check, owned};
use crate::entropy::squash;
use crate::{Error, Result, varint};

/// Weights are kept in units of 2<sup>-11</sup>.
pub(super) const WEIGHT_SHIFT: u32 = WEIGHT_BITS - 11;
/// Weights by detail are kept in units of 2<sup>-6</sup>, unless they have hardly changed.
pub(super) const ROW_SHIFT: u32 = WEIGHT_BITS - 6;
/// Log odds of histories are kept in units of 24/256.
pub(super) const HISTORY_UNIT: i32 = 24;
/// How many events a history stands for that was learned before.
const HISTORY_COUNT: u32 = 120;
/// How many events a slot stands for that was learned before, by the amount that was seen: few
/// enough for an archive of another kind to be learned quickly.
const COUNTS: [usize; 8] = [0, 1, 2, 3, 5, 9, 16, 24];
/// Slots that have seen both bits: levels of the probability of a 1, and the log odds between two levels.
pub(super) const LEVELS: i32 = 40;
pub(super) const LEVEL_UNIT: i32 = 72;
/// The first code of such slots.
pub(super) const MIXED: u8 = 16;

/// The slots of all codes; those of codes that are not used know nothing.
fn unpacked() -> [Slot; 256] {
    std::array::from_fn(|code| {
        let mut slot = Slot::EMPTY;
        if code < usize::from(MIXED) {
            (0..COUNTS[code >> 1]).for_each(|_| slot.update(code & 1 != 0, 1023));
        } else {
            let code = code - usize::from(MIXED);
            let level = (code % LEVELS as usize) as i32 - LEVELS / 2;
            let p_true = squash(level * LEVEL_UNIT + LEVEL_UNIT / 2);
            slot.estimate = Estimate(p_true << 16 | COUNTS[2 + code / LEVELS as usize] as u32);
            slot.run = u8::from(level >= 0) << 7 | 1;
        }
        slot
    })
}

impl ContextMixer {
    /// Begins with what another mixer of the same shape has learned (`learned.rs` tells it, in training),
    /// instead of with nothing. Should some of it find no room, it is left out.
    ///
    /// # Errors
    /// [`Error::Model`] if `learned` is not what a mixer of this shape has learned.
    pub fn warm(&mut self, learned: &[u8]) -> Result<()> {
        let wrong = || Error::Model("tables of a mixer that do not fit it".into());
        let mut rest = learned;
        let mut take = |len: usize| {
            let (head, tail) = rest.split_at_checked(len).ok_or_else(wrong)?;
            rest = tail;
            Ok::<_, Error>(head)
        };
        let mut shape = vec![self.contexts as u8, self.families as u8];
        shape.extend((self.details as u32).to_le_bytes());
        if take(shape.len())? != shape {
            return Err(wrong());
        }
        let packed = take(self.families * self.contexts * HISTORIES)?;
        for (history, &level) in self.histories.iter_mut().flatten().zip(packed) {
            let p_true = squash((i32::from(level) - 128) * HISTORY_UNIT + HISTORY_UNIT / 2);
            *history = Estimate(p_true.clamp(1, (1 << 16) - 1) << 16 | HISTORY_COUNT);
        }
        fn weights<'a>(bytes: &'a [u8]) -> impl Iterator<Item = i32> + 'a {
            bytes
                .chunks_exact(2)
                .map(|pair| i32::from(i16::from_le_bytes([pair[0], pair[1]])) << WEIGHT_SHIFT)
        }
        let (stride, inputs) = (self.stride(), 2 * self.contexts + 2);
        let row = 2 * inputs;
        for old in self.by_family.chunks_mut(stride) {
            old.iter_mut().zip(weights(take(row)?)).for_each(|(old, new)| *old = new);
        }
        let last = take(4 * self.families)?;
        self.last.iter_mut().flatten().zip(weights(last)).for_each(|(old, new)| *old = new);
        let rows = varint::take_length(&mut rest)?;
        let take = |len: usize, rest: &mut &[u8]| {
            let (head, tail) = rest.split_at_checked(len).ok_or_else(wrong)?;
            let head: Vec<i32> = weights(head).collect();
            *rest = tail;
            Ok::<_, Error>(head)
        };
        let usual = take(row, &mut rest)?;
        for old in self.by_detail.chunks_mut(stride) {
            old[..inputs].copy_from_slice(&usual);
        }
        for _ in 0..rows {
            let detail = varint::take_length(&mut rest)?;
            let (new, tail) = rest.split_at_checked(usual.len()).ok_or_else(wrong)?;
            rest = tail;
            let old = self.by_detail.chunks_mut(stride).nth(detail).ok_or_else(wrong)?;
            for (old, &new) in old.iter_mut().zip(new) {
                *old = (i32::from(new as i8) << ROW_SHIFT) + (1 << (ROW_SHIFT - 1));
            }
        }
        let slots = varint::take_length(&mut rest)?;
        // Memory that is read before it is written to is given twice: first as zeros that many share.
        self.slots.fill(0);
        let kinds = unpacked();
        let mut context = 0u32;
        for _ in 0..slots {
            let step = varint::take_length(&mut rest)?;
            context = u32::try_from(step)
                .ok()
                .and_then(|step| context.checked_add(step))
                .ok_or_else(wrong)?;
            let (&code, tail) = rest.split_first().ok_or_else(wrong)?;
            rest = tail;
            let (Ok(found) | Err(found)) = owned(&self.slots, context);
            if Slot::from_bits(self.slots[found]).estimate.count() == 0 {
                let slot = Slot { check: check(context), ..kinds[usize::from(code)] };
                self.slots[found] = slot.to_bits();
            }
        }
        if rest.is_empty() { Ok(()) } else { Err(wrong()) }
    }
}
