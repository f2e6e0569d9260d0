//! Telling what a mixer has learned, in the form that `warm.rs` reads.

use std::collections::HashMap;

use super::estimate::{ALWAYS, Slot};
use super::warm::{HISTORY_UNIT, LEVEL_UNIT, LEVELS, MIXED, ROW_SHIFT, WEIGHT_SHIFT};
use super::weights::{WEIGHT_BITS, fresh_row};
use super::{ContextMixer, owned};
use crate::entropy::stretch;
use crate::varint;

/// The contexts that were used, and in how many documents each.
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

/// By how much the weights of a row have to have changed to be kept.
const LEARNED: i64 = 3 << (WEIGHT_BITS - 7);

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

    /// The learned state: all weights, and at most `most` slots, those first that were used by the most
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
}
