//! Binary events predicted from many contexts at once.

mod estimate;
#[cfg(any(test, feature = "training"))]
mod learned;
mod values;
mod warm;
mod weights;

use self::estimate::{Estimate, HISTORIES, Slot};
#[cfg(any(test, feature = "training"))]
use self::learned::Trace;
pub use self::values::{Node, Nodes};
use self::weights::{WEIGHT_BITS, fresh_row, learn, learn_two, stride, sum, sum_of_two};
use prefetch_index::prefetch_index;

use super::Coder;
use super::logistic::{MAX_STRETCH, squash, stretch};
use crate::Result;

/// A binary predictor that mixes what several contexts say.
///
/// Each context, a 32-bit hash given by the caller, has a slot in one hash table,
/// where a probability and a short history are kept. Either gives log odds; the log odds of
/// all contexts are weighed and added, and the weights follow the
/// error of the sum: contexts that are right gain weight. Weights are kept by `family`, the
/// kind of event, and by `detail`, any small number that tells when to trust which context.
///
/// Memory is fixed when the predictor is made; nothing that is coded changes it.
///
/// ```
/// use plyzip::unstable::entropy::{Encoder, ContextMixer, hash};
/// let mut mixing = ContextMixer::new(10, 2, 1, 1);
/// let mut encoder = Encoder::new();
/// let mut last = 0;
/// for i in 0..1000u32 {
///     let bit = i % 3 == 0;
///     let contexts = [0, last & 3].map(|past| hash(past, 0)); // the past two bits tell all
///     mixing.code(&mut encoder, &contexts, 0, 0, bit)?;
///     last = last << 1 | u32::from(bit);
/// }
/// assert!(encoder.finish().len() < 12);
/// # Ok::<(), plyzip::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct ContextMixer {
    /// [`Slot`]s as bits.
    slots: Vec<u64>,
    contexts: usize,
    families: usize,
    details: usize,
    /// By family and context: for each history, the probability that it predicts.
    histories: Vec<[Estimate; HISTORIES]>,
    /// Rows of [`ContextMixer::stride`] weights.
    by_family: Vec<i32>,
    by_detail: Vec<i32>,
    /// By family: the weights of the two sums.
    last: Vec<[i32; 2]>,
    /// Scratch: the slots of the present event.
    used_slots: [UsedSlot; MOST_CONTEXTS],
    /// The contexts that were used, if a trainer wants to know.
    #[cfg(any(test, feature = "training"))]
    trace: Option<Box<Trace>>,
}

/// One binary event.
#[derive(Debug, Clone, Copy)]
struct Event<'a> {
    /// The hashes under which slots are sought: one for each context, in which its number is mixed.
    contexts: &'a [u32],
    /// Log odds from elsewhere, in units of 1/256; 0 if there is nothing to say.
    advice: i32,
    family: usize,
    detail: usize,
}

/// A hash of bytes.
pub fn hash_bytes(bytes: &[u8]) -> u32 {
    bytes.iter().fold(bytes.len() as u32, |sum, &byte| hash(sum, byte.into()))
}

/// Mixes two numbers into a hash.
pub fn hash(a: u32, b: u32) -> u32 {
    let mixed = (u64::from(a) << 32 | u64::from(b)) ^ 0x9e37_79b9_7f4a_7c15;
    let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ mixed >> 32).wrapping_mul(0x94d0_49bb_1331_11eb);
    (mixed >> 32) as u32
}

/// Slots that lie together, 64 bytes: those of the events of three turns in a tree.
const GROUP: u32 = 8;
/// How many past events a context remembers, and a history.
const SLOT_LIMIT: u32 = 250;
const HISTORY_LIMIT: u32 = 500;
/// Log odds that stand for a constant.
const BIAS: i16 = 256;

/// No event has more contexts.
const MOST_CONTEXTS: usize = 12;
const MOST_INPUTS: usize = stride(MOST_CONTEXTS);

impl ContextMixer {
    /// A predictor with 2<sup>`slot_bits`</sup> slots of 8 bytes, for at most `contexts` contexts
    /// at once, `families` kinds of events and `details` details.
    pub fn new(slot_bits: u32, contexts: usize, families: usize, details: usize) -> ContextMixer {
        assert!(contexts <= MOST_CONTEXTS, "more contexts than any event may have");
        assert!((5..=28).contains(&slot_bits), "between two blocks and 2 GiB of them");
        let row = fresh_row(contexts);
        ContextMixer {
            slots: vec![0; 1 << slot_bits],
            contexts,
            families,
            details,
            histories: vec![Estimate::OF_HISTORIES; families * contexts],
            by_family: row.repeat(families),
            by_detail: row.repeat(details),
            last: vec![[1 << (WEIGHT_BITS - 1); 2]; families],
            used_slots: [UsedSlot::default(); MOST_CONTEXTS],
            #[cfg(any(test, feature = "training"))]
            trace: None,
        }
    }

    /// A predictor of the same shape that has seen nothing.
    pub fn alike(&self, slot_bits: u32) -> ContextMixer {
        ContextMixer::new(slot_bits, self.contexts, self.families, self.details)
    }

    /// Codes `bit` and learns from it. `family` and `detail` are taken modulo the
    /// numbers given to [`ContextMixer::new`]; contexts beyond the number given there are ignored.
    ///
    /// # Errors
    /// Those of [`Coder::bit`].
    pub fn code<C: Coder>(
        &mut self,
        coder: &mut C,
        contexts: &[u32],
        family: usize,
        detail: usize,
        bit: bool,
    ) -> Result<bool> {
        self.advised(coder, contexts, 0, family, detail, bit)
    }

    /// [`ContextMixer::code`] with log odds from elsewhere, in units of 1/256.
    ///
    /// # Errors
    /// Those of [`Coder::bit`].
    pub fn advised<C: Coder>(
        &mut self,
        coder: &mut C,
        contexts: &[u32],
        advice: i32,
        family: usize,
        detail: usize,
        bit: bool,
    ) -> Result<bool> {
        let (contexts, used) = numbered(contexts);
        let contexts = &contexts[..used];
        self.event(coder, Event { contexts, advice, family, detail }, bit)
    }

    /// Weights in a row: one for each input, up to a whole number of registers.
    fn stride(&self) -> usize {
        stride(self.contexts)
    }

    /// Codes an event and learns from it.
    fn event<C: Coder>(&mut self, coder: &mut C, event: Event<'_>, bit: bool) -> Result<bool> {
        if !C::LEARNING {
            return Ok(bit);
        }
        let Event { contexts, advice, family, detail } = event;
        let (family, detail) = (modulo(family, self.families), modulo(detail, self.details));
        let used = contexts.len().min(self.contexts);
        let contexts = &contexts[..used];
        #[cfg(any(test, feature = "training"))]
        if let Some(trace) = &mut self.trace {
            contexts.iter().for_each(|&context| trace.saw(context));
        }
        self.prefetch(contexts);
        let stride = self.stride();
        let histories = &mut self.histories[family * self.contexts..][..used];
        let mut inputs = [0i16; MOST_INPUTS];
        let pairs = inputs.as_chunks_mut::<2>().0;
        for (((&context, histories), used_slot), pair) in
            contexts.iter().zip(&*histories).zip(&mut self.used_slots).zip(pairs)
        {
            let index = find(&mut self.slots, context);
            let bits = self.slots[index];
            let slot = Slot::from_bits(bits);
            let history = slot.history();
            // What has been seen once or twice is less certain than it looks.
            let confidence = CONFIDENCE[slot.estimate.count().min(15) as usize];
            let odds = (stretch(slot.estimate.p_true()) * confidence) >> 8;
            *pair = [odds as i16, stretch(histories[history].p_true()) as i16];
            *used_slot = UsedSlot { index, bits, history };
        }
        inputs[2 * used] = BIAS;
        inputs[2 * used + 1] = advice.clamp(-MAX_STRETCH, MAX_STRETCH) as i16;

        let inputs = &inputs[..stride];
        let by_family = &mut self.by_family[family * stride..][..stride];
        let by_detail = &mut self.by_detail[detail * stride..][..stride];
        let sums = [sum(inputs, by_family), sum(inputs, by_detail)];
        let last = &mut self.last[family];
        let last_inputs = sums.map(|sum| sum as i16);
        let p_true = squash(sum_of_two(last_inputs, *last)).clamp(1, (1 << 16) - 1);

        let bit = coder.bit(p_true, bit)?;

        learn(inputs, by_family, squash(sums[0]), bit, RATE);
        learn(inputs, by_detail, squash(sums[1]), bit, RATE);
        learn_two(last_inputs, last, p_true, bit, LAST_RATE);
        for (&UsedSlot { index, bits, history }, histories) in self.used_slots.iter().zip(histories)
        {
            let now = self.slots[index];
            let mut slot = Slot::from_bits(now);
            // A later context may have emptied the slot, or an earlier one, of the same hash, have learned.
            let history = if now == bits { history } else { slot.history() };
            histories[history].update(bit, HISTORY_LIMIT);
            slot.update(bit, SLOT_LIMIT);
            self.slots[index] = slot.to_bits();
        }
        Ok(bit)
    }

    /// Has the processor fetch the slots of an event's contexts side by side, as soon as they are known: much of the
    /// time of a mixer is spent on waiting for them.
    fn prefetch(&self, contexts: &[u32]) {
        for &context in contexts {
            prefetch_index(&self.slots, first_place(&self.slots, context));
        }
    }
}

/// The remainder, without a division where there is nothing to divide.
fn modulo(number: usize, count: usize) -> usize {
    if number < count { number } else { number % count }
}

/// Slots that differ in the lowest bits of their context lie side by side.
fn first_place(slots: &[u64], context: u32) -> usize {
    context as usize & (slots.len() - 1)
}

/// The slot of a context: its own, or else the one of two candidates that knows less, emptied.
#[inline(always)]
fn find(slots: &mut [u64], context: u32) -> usize {
    match owned(slots, context) {
        Ok(found) => found,
        Err(victim) => {
            slots[victim] = Slot { check: check(context), ..Slot::EMPTY }.to_bits();
            victim
        }
    }
}

/// Which of the two slots is the context's, or else which has to give way.
#[inline(always)]
fn owned(slots: &[u64], context: u32) -> std::result::Result<usize, usize> {
    let (first, check) = (first_place(slots, context), check(context));
    let one = Slot::from_bits(slots[first]);
    if one.check == check {
        return Ok(first);
    }
    let second = first ^ 1;
    let other = Slot::from_bits(slots[second]);
    if other.check == check {
        return Ok(second);
    }
    Err(if one.estimate.count() <= other.estimate.count() { first } else { second })
}

/// The slot of a context of the present event.
#[derive(Debug, Clone, Copy, Default)]
struct UsedSlot {
    index: usize,
    /// What it held when it was found.
    bits: u64,
    /// Its history.
    history: usize,
}

/// What tells the contexts of a slot apart: the upper half of the context's hash, and its place in a [`GROUP`].
fn check(context: u32) -> u16 {
    (context >> 16) as u16 ^ (context as u16 & (GROUP - 1) as u16) << 13
}

/// By the number of events seen: how much their odds count, in units of 1/256.
static CONFIDENCE: [i32; 16] =
    [0, 128, 160, 180, 195, 205, 212, 218, 224, 229, 234, 239, 243, 248, 252, 256];
const RATE: i32 = 24;
const LAST_RATE: i32 = 8;

/// The contexts, each with its number mixed in, and how many there are.
fn numbered(contexts: &[u32]) -> ([u32; MOST_CONTEXTS], usize) {
    let mut numbered = [0; MOST_CONTEXTS];
    let used = contexts.len().min(MOST_CONTEXTS);
    for (i, (numbered, &context)) in numbered.iter_mut().zip(contexts).enumerate() {
        *numbered = hash(context, i as u32);
    }
    (numbered, used)
}

#[cfg(test)]
mod tests;
