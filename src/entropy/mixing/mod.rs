//! Binary events predicted from many contexts at once.

mod estimate;
mod values;
mod warm;

use self::estimate::{Estimate, HISTORIES, Slot};
pub use self::values::{Node, Nodes};
use self::warm::Trace;
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
    /// By family, context and history: the probability that the history foretells.
    histories: Vec<Estimate>,
    /// Rows of [`ContextMixer::stride`] weights.
    by_family: Vec<i32>,
    by_detail: Vec<i32>,
    /// By family: the weights of the two sums.
    last: Vec<[i32; 2]>,
    /// Which contexts were used, if somebody wants to know.
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

/// So many slots, 64 bytes, lie together: those of the events of three turns in a tree.
const GROUP: u32 = 8;
/// Weights are in units of 2^-16.
const WEIGHT_BITS: u32 = 16;
/// How many past events a context remembers, and a history.
const SLOT_LIMIT: u32 = 250;
const HISTORY_LIMIT: u32 = 500;
/// No weight is larger, either way.
const MOST_WEIGHT: i32 = 1 << 20;
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
            histories: Estimate::OF_HISTORIES.repeat(families * contexts),
            by_family: row.repeat(families),
            by_detail: row.repeat(details),
            last: vec![[1 << (WEIGHT_BITS - 1); 2]; families],
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
        let (family, detail) = (family % self.families, detail % self.details);
        let used = contexts.len().min(self.contexts);
        let histories = family * self.contexts * HISTORIES;
        let seats = self.seats(&contexts[..used]);
        let mut inputs = [0i16; MOST_INPUTS];
        let mut found = [0; MOST_CONTEXTS];
        for (i, &seat) in seats[..used].iter().enumerate() {
            found[i] = self.find(seat);
            let slot = self.slot(found[i]);
            let count = slot.estimate.count();
            if count > 0 {
                // What has been seen once or twice is less certain than it looks.
                let odds = stretch(slot.estimate.p_true()) * CONFIDENCE[count.min(15) as usize];
                inputs[2 * i] = (odds >> 8) as i16;
            }
            let history = self.histories[histories + i * HISTORIES + slot.history()];
            inputs[2 * i + 1] = stretch(history.p_true()) as i16;
        }
        inputs[2 * used] = BIAS;
        inputs[2 * used + 1] = advice.clamp(-MAX_STRETCH, MAX_STRETCH) as i16;

        let stride = self.stride();
        let inputs = &inputs[..stride];
        let by_family = &mut self.by_family[family * stride..][..stride];
        let by_detail = &mut self.by_detail[detail * stride..][..stride];
        let sums = [sum(inputs, by_family), sum(inputs, by_detail)];
        let last = &mut self.last[family];
        let last_inputs = sums.map(|sum| sum as i16);
        let p_true = squash(sum(&last_inputs, last)).clamp(1, (1 << 16) - 1);

        let bit = coder.bit(p_true, bit)?;

        learn(inputs, by_family, squash(sums[0]), bit, RATE);
        learn(inputs, by_detail, squash(sums[1]), bit, RATE);
        learn(&last_inputs, last, p_true, bit, LAST_RATE);
        for (i, &found) in found[..used].iter().enumerate() {
            let mut slot = self.slot(found);
            self.histories[histories + i * HISTORIES + slot.history()].update(bit, HISTORY_LIMIT);
            slot.update(bit, SLOT_LIMIT);
            self.slots[found] = slot.to_bits();
        }
        Ok(bit)
    }

    /// Where the slots of an event's contexts may be. All of them are read once before any is used: the processor's
    /// caches then fetch them side by side, and most of the time of a mixer is spent on waiting for them.
    fn seats(&self, contexts: &[u32]) -> [Seat; MOST_CONTEXTS] {
        let mut seats = [Seat::default(); MOST_CONTEXTS];
        let mut checks = 0;
        for (seat, &context) in seats.iter_mut().zip(contexts) {
            *seat = self.seat(context);
            checks ^= self.slots[seat.first];
        }
        std::hint::black_box(checks);
        seats
    }

    /// Slots that differ in the lowest bits of their context lie side by side.
    fn seat(&self, context: u32) -> Seat {
        Seat { context, first: context as usize & (self.slots.len() - 1) }
    }

    /// The slot of a context: its own, or else the one of two candidates that knows less, emptied.
    fn find(&mut self, seat: Seat) -> usize {
        let context = seat.context;
        if let Some(trace) = &mut self.trace {
            trace.saw(context);
        }
        match self.owned(seat) {
            Ok(found) => found,
            Err(victim) => {
                self.slots[victim] = Slot { check: check(context), ..Slot::EMPTY }.to_bits();
                victim
            }
        }
    }

    fn slot(&self, index: usize) -> Slot {
        Slot::from_bits(self.slots[index])
    }

    /// Which of the two slots is the context's, or else which has to give way.
    fn owned(&self, Seat { context, first }: Seat) -> std::result::Result<usize, usize> {
        let check = check(context);
        if self.slot(first).check == check {
            return Ok(first);
        }
        let second = first ^ 1;
        if self.slot(second).check == check {
            return Ok(second);
        }
        let (one, other) = (self.slot(first).estimate.count(), self.slot(second).estimate.count());
        Err(if one <= other { first } else { second })
    }
}

/// Where the slot of a context may be.
#[derive(Debug, Clone, Copy, Default)]
struct Seat {
    context: u32,
    /// The other place is beside it.
    first: usize,
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

/// Inputs of a mixer: two for each context, a constant, an advice, and zeros up to whole registers.
const fn stride(contexts: usize) -> usize {
    (2 * contexts + 2).next_multiple_of(8)
}

/// The weights that a row begins with.
fn fresh_row(contexts: usize) -> Vec<i32> {
    vec![(1 << WEIGHT_BITS) * 3 / 4 / contexts.max(1) as i32; stride(contexts)]
}

/// Products are made with weights of this many bits fewer: they fit 16 bits then, and a sum of
/// [`MOST_INPUTS`] products 32.
const PRODUCT_SHIFT: u32 = 6;

/// The sum of the products of inputs, within ±[`MAX_STRETCH`], and weights.
fn sum(inputs: &[i16], weights: &[i32]) -> i32 {
    let products = inputs.iter().zip(weights).map(|(&x, &weight)| {
        let weight = ((weight + (1 << (PRODUCT_SHIFT - 1))) >> PRODUCT_SHIFT) as i16;
        i32::from(x) * i32::from(weight)
    });
    let sum: i32 = products.sum();
    (sum >> (WEIGHT_BITS - PRODUCT_SHIFT)).clamp(-MAX_STRETCH, MAX_STRETCH)
}

fn learn(inputs: &[i16], weights: &mut [i32], p_true: u32, bit: bool, rate: i32) {
    let target = if bit { 1 << 16 } else { 0 };
    let error = (((target - p_true as i32) * rate) >> 6) as i16;
    for (weight, &x) in weights.iter_mut().zip(inputs) {
        let step = (i32::from(x) * i32::from(error) + (1 << 13)) >> 14;
        *weight = (*weight + step).clamp(-MOST_WEIGHT, MOST_WEIGHT);
    }
}

#[cfg(test)]
mod tests;
