//! What a mixer has learned, in short, so that another can begin with it.
//!
//! Weights are kept in 16 bits, probabilities of histories in 8 bits of log odds, slots as their
//! context and one byte: how much was seen, and how likely the bit is.

use std::collections::HashMap;

use super::estimate::{ALWAYS, Estimate, HISTORIES, Slot};
use super::weights::{WEIGHT_BITS, fresh_row};
use super::{ContextMixer, check, owned};
use crate::entropy::{squash, stretch};
use crate::{Error, Result, varint};

/// Which contexts were used, and in how many documents.
#[derive(Debug, Clone, Default)]
pub(super) struct Trace {
    document: u32,
    /// By context: in how many documents it was seen, and the last of them.
    contexts: HashMap<u32, (u32, u32)>,
}

impl Trace {
    pub fn saw(&mut self, context: u32) {
        let (documents, last) = self.contexts.entry(context).or_default();
        if *last != self.document {
            (*documents, *last) = (*documents + 1, self.document);
        }
    }
}

/// Weights are kept in units of 2<sup>-11</sup>.
const WEIGHT_SHIFT: u32 = WEIGHT_BITS - 11;
/// Weights by detail are kept in units of 2<sup>-6</sup>, unless they have hardly changed.
const ROW_SHIFT: u32 = WEIGHT_BITS - 6;
const LEARNED: i64 = 3 << (WEIGHT_BITS - 7);
/// Log odds of histories are kept in units of 24/256.
const HISTORY_UNIT: i32 = 24;
/// How many events a history stands for that was learned before.
const HISTORY_COUNT: u32 = 120;
/// How many events a slot stands for that was learned before, by the amount that was seen: few
/// enough for an archive of another kind to be learned quickly.
const COUNTS: [usize; 8] = [0, 1, 2, 3, 5, 9, 16, 24];
/// Slots that have seen both bits: how likely a 1 is, in so many levels of so many log odds.
const LEVELS: i32 = 40;
const LEVEL_UNIT: i32 = 72;
/// The first code of such slots.
const MIXED: u8 = 16;

/// A slot in one byte; `None` if it knows nothing.
fn pack(slot: Slot) -> Option<u8> {
    let history = slot.history();
    let amount = (history >> 3) as u8;
    if amount == 0 {
        return None;
    }
    if history & ALWAYS == ALWAYS {
        return Some(amount << 1 | (history & 1) as u8);
    }
    let level = stretch(slot.estimate.p_true()).div_euclid(LEVEL_UNIT) + LEVELS / 2;
    Some(MIXED + (amount.max(2) - 2) * LEVELS as u8 + level.clamp(0, LEVELS - 1) as u8)
}

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
    /// Begins to take note of which contexts are used.
    pub fn trace(&mut self) {
        self.trace = Some(Box::default());
        self.next_document();
    }

    /// Tells that another document begins. Contexts that many documents share are worth keeping.
    pub fn next_document(&mut self) {
        if let Some(trace) = &mut self.trace {
            trace.document += 1;
        }
    }

    /// What was learned: all weights, and at most `most` slots, those first that were used by the most
    /// documents, at least `least` of them.
    pub fn learned(&self, most: usize, least: u32) -> Vec<u8> {
        let mut out = vec![self.contexts as u8, self.families as u8];
        out.extend((self.details as u32).to_le_bytes());
        for history in self.histories.iter().flatten() {
            let level = stretch(history.p_true()).div_euclid(HISTORY_UNIT) + 128;
            out.push(level.clamp(0, 255) as u8);
        }
        let put = |out: &mut Vec<u8>, weight: i32| {
            out.extend(((weight >> WEIGHT_SHIFT) as i16).to_le_bytes());
        };
        let (stride, inputs) = (self.stride(), 2 * self.contexts + 2);
        let rows = |rows: &[i32]| -> Vec<Vec<i32>> {
            rows.chunks(stride).map(|row| row[..inputs].to_vec()).collect()
        };
        rows(&self.by_family).iter().flatten().for_each(|&weight| put(&mut out, weight));
        self.last.iter().flatten().for_each(|&weight| put(&mut out, weight));
        let fresh = &fresh_row(self.contexts)[..inputs];
        let learned = |row: &[i32]| {
            let change: i64 =
                row.iter().zip(fresh).map(|(new, old)| i64::from((new - old).abs())).sum();
            change > LEARNED * fresh.len() as i64
        };
        let mut rows: Vec<(usize, Vec<i32>)> =
            rows(&self.by_detail).into_iter().enumerate().collect();
        rows.retain(|(_, row)| learned(row));
        varint::put_length(&mut out, rows.len());
        for (place, weight) in fresh.iter().enumerate() {
            let sum: i64 = rows.iter().map(|(_, row)| i64::from(row[place])).sum();
            put(&mut out, if rows.is_empty() { *weight } else { (sum / rows.len() as i64) as i32 });
        }
        for (detail, row) in rows {
            varint::put_length(&mut out, detail);
            out.extend(row.iter().map(|&weight| (weight >> ROW_SHIFT).clamp(-128, 127) as u8));
        }
        let mut slots: Vec<(u32, u32, u8)> = Vec::new();
        for (&context, &(documents, _)) in self.trace.iter().flat_map(|trace| &trace.contexts) {
            let found = owned(&self.slots, context);
            if let (true, Ok(found)) = (documents >= least, found)
                && let Some(code) = pack(Slot::from_bits(self.slots[found]))
            {
                slots.push((documents, context, code));
            }
        }
        slots.sort_unstable_by_key(|&(documents, context, _)| (u32::MAX - documents, context));
        slots.truncate(most);
        slots.sort_unstable_by_key(|&(_, context, _)| context);
        varint::put_length(&mut out, slots.len());
        let mut before = 0;
        for (_, context, code) in slots {
            varint::put_length(&mut out, (context - before) as usize);
            out.push(code);
            before = context;
        }
        out
    }

    /// Begins with what another mixer of the same shape has [learned](ContextMixer::learned),
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
