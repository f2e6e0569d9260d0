//! Values that a column has had before.

use super::HashMap;
use super::interner::Id;
use crate::Result;
use crate::entropy::{Coder, ContextMixer, hash};

/// Codes values that are, under some key, what they were before.
#[derive(Debug, Clone)]
pub(in crate::streams) struct Candidates {
    mixing: ContextMixer,
    last_values: HashMap<(u32, u32, u32), LastValue>,
    columns: HashMap<u32, Column>,
    /// Scratch: the proposals of the keys for the present value.
    proposals: Vec<Proposal>,
}

/// The value last seen under a key.
#[derive(Debug, Clone, Copy)]
struct LastValue {
    value: Id,
    /// How often in a row it has been this value, at most [`MOST_RUN`].
    run: u8,
    /// Whether it has ever been another.
    changed: bool,
}

#[derive(Debug, Clone, Default)]
struct Column {
    /// The most recent first.
    recent: Vec<Id>,
    /// What the last values were found by, 4 bits each.
    outcomes: u32,
}

#[derive(Debug, Clone, Copy)]
struct Proposal {
    value: Id,
    /// The keys that propose it, as bits.
    keys: u32,
    /// How sure the first of them is.
    strength: u32,
}

const MOST_RUN: u8 = 6;
/// Most recent values that are tried after those that the keys propose.
const MOST_RECENT: usize = 30;

const KEYED: usize = 0;
const RECENT: usize = 1;
const WHICH: usize = 2;

/// Which weights the values of a column use.
fn family(column: u32) -> usize {
    (hash(column, 0) & 255) as usize
}

impl Candidates {
    /// A model that has seen nothing.
    pub fn new(slot_bits: u32) -> Candidates {
        Candidates {
            mixing: ContextMixer::new(slot_bits, 6, 3, 256),
            last_values: HashMap::default(),
            columns: HashMap::default(),
            proposals: Vec::new(),
        }
    }

    /// The mixer, for its warm start.
    pub fn mixer(&mut self) -> &mut ContextMixer {
        &mut self.mixing
    }

    /// Codes a value of `column` if it is what one of the `keys` proposes or one of the
    /// column's recent values; `None` if it is not. Keys are tried in order. `hint` is whatever
    /// else may tell the value.
    ///
    /// # Errors
    /// Those of [`Coder::bit`].
    pub fn code<C: Coder>(
        &mut self,
        coder: &mut C,
        column: u32,
        keys: &[u32],
        hint: u32,
        value: Option<Id>,
    ) -> Result<Option<Id>> {
        let known = self.propose(column, keys);
        if let Some(found) = self.proposed(coder, column, known, hint, value)? {
            return Ok(Some(found));
        }
        self.recent(coder, column, known, hint, value)
    }

    /// Collects what the keys propose; which of them propose anything, as bits.
    fn propose(&mut self, column: u32, keys: &[u32]) -> u32 {
        self.proposals.clear();
        let mut known = 0;
        for (kind, &key) in keys.iter().enumerate() {
            let Some(last) = self.last_values.get(&(column, kind as u32, key)) else { continue };
            known |= 1 << kind;
            match self.proposals.iter_mut().find(|proposal| proposal.value == last.value) {
                Some(proposal) => proposal.keys |= 1 << kind,
                None => self.proposals.push(Proposal {
                    value: last.value,
                    keys: 1 << kind,
                    strength: u32::from(last.run) << 1 | u32::from(last.changed),
                }),
            }
        }
        known
    }

    /// Codes a value that one of the keys proposes.
    fn proposed<C: Coder>(
        &mut self,
        coder: &mut C,
        column: u32,
        known: u32,
        hint: u32,
        value: Option<Id>,
    ) -> Result<Option<Id>> {
        let state = self.columns.entry(column).or_default();
        let family = family(column);
        for (rank, proposal) in self.proposals.iter().enumerate() {
            let agreement = hash(proposal.keys, known << 4 | rank as u32);
            let contexts = [
                hash(column, agreement),
                hash(hash(column, agreement), proposal.strength),
                hash(column, proposal.value),
                hash(hash(column, state.outcomes & 0xfff), proposal.keys),
                hash(hash(column, hint), proposal.value),
                hash(hash(column, hash(state.outcomes & 0xf, proposal.strength)), agreement),
            ];
            let detail = family + rank.min(3);
            let hit = value == Some(proposal.value);
            if self.mixing.code(coder, &contexts, KEYED, detail, hit)? {
                state.outcomes = state.outcomes << 4 | (rank as u32 + 1).min(7);
                return Ok(Some(proposal.value));
            }
        }
        Ok(None)
    }

    /// Codes a value that is among the recent ones of its column, but that no key proposes.
    fn recent<C: Coder>(
        &mut self,
        coder: &mut C,
        column: u32,
        known: u32,
        hint: u32,
        value: Option<Id>,
    ) -> Result<Option<Id>> {
        let state = self.columns.entry(column).or_default();
        let family = family(column);
        let proposals = &self.proposals;
        let mut left = state
            .recent
            .iter()
            .take(MOST_RECENT)
            .filter(|&&recent| proposals.iter().all(|proposal| proposal.value != recent))
            .enumerate()
            .peekable();
        if left.peek().is_none() {
            state.outcomes = state.outcomes << 4 | 15;
            return Ok(None);
        }
        let fresh = value.is_none_or(|value| left.clone().all(|(_, &recent)| recent != value));
        let contexts = [
            hash(column, state.outcomes & 0xff),
            hash(column, known),
            hash(column, state.recent.len() as u32),
            hash(column, hint),
            hash(column, state.outcomes & 0xfff),
            hash(column, 0),
        ];
        if self.mixing.code(coder, &contexts, RECENT, family, fresh)? {
            state.outcomes = state.outcomes << 4 | 15;
            return Ok(None);
        }
        while let Some((rank, &recent)) = left.next() {
            let last = left.peek().is_none();
            let contexts = [
                hash(column, rank as u32),
                hash(column, recent),
                hash(hash(column, rank as u32), known),
                hash(hash(column, recent), hint),
                hash(column, state.recent.len() as u32),
                hash(hash(column, state.outcomes & 0xff), rank as u32),
            ];
            let hit = value == Some(recent);
            if last || self.mixing.code(coder, &contexts, WHICH, family + rank.min(15), hit)? {
                state.outcomes = state.outcomes << 4 | (8 + rank as u32).min(14);
                return Ok(Some(recent));
            }
        }
        Ok(None)
    }

    /// Takes note of a value, found by [`Candidates::code`] or not.
    pub fn learn(&mut self, column: u32, keys: &[u32], value: Id) {
        for (kind, &key) in keys.iter().enumerate() {
            let last = self.last_values.entry((column, kind as u32, key)).or_insert(LastValue {
                value,
                run: 0,
                changed: false,
            });
            if last.value == value {
                last.run = (last.run + 1).min(MOST_RUN);
            } else {
                *last = LastValue { value, run: 1, changed: true };
            }
        }
        let recent = &mut self.columns.entry(column).or_default().recent;
        match recent.iter().position(|&other| other == value) {
            Some(rank) => recent[..=rank].rotate_right(1),
            None => {
                recent.insert(0, value);
                recent.truncate(MOST_RECENT + 8);
            }
        }
    }
}
