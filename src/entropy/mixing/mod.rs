//! Binary events predicted from many contexts at once.

mod estimate;
mod values;
mod warm;

use self::estimate::{Estimate, HISTORIES, Slot};
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
    shift: u32,
    /// Whether the slots of half a byte lie together.
    blocks: bool,
    contexts: usize,
    families: usize,
    details: usize,
    /// By family, context and history: the probability that the history foretells.
    histories: Vec<Estimate>,
    by_family: Vec<i32>,
    by_detail: Vec<i32>,
    /// By family: the weights of the two sums.
    last: Vec<[i32; 2]>,
    inputs: Vec<i32>,
    found: Vec<usize>,
    /// Which contexts were used, if somebody wants to know.
    trace: Option<Box<Trace>>,
}

/// One binary event.
#[derive(Debug, Clone, Copy)]
struct Event<'a> {
    contexts: &'a [u32],
    /// A place below 16 in blocks that the contexts tell, if there is one: events that follow each
    /// other then find their slots close by.
    place: Option<usize>,
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

/// Slots in a block.
const BLOCK: usize = 16;
/// Weights are in units of 2^-16.
const WEIGHT_BITS: u32 = 16;
/// How many past events a context remembers, and a history.
const SLOT_LIMIT: u32 = 250;
const HISTORY_LIMIT: u32 = 500;
/// Log odds that stand for a constant.
const BIAS: i32 = 256;

/// No event has more contexts.
const MOST_CONTEXTS: usize = 12;

impl ContextMixer {
    /// A predictor with 2<sup>`slot_bits`</sup> slots of 8 bytes, for at most `contexts` contexts
    /// at once, `families` kinds of events and `details` details.
    pub fn new(slot_bits: u32, contexts: usize, families: usize, details: usize) -> ContextMixer {
        assert!(contexts <= MOST_CONTEXTS, "more contexts than any event may have");
        assert!((5..=28).contains(&slot_bits), "between two blocks and 2 GiB of them");
        let inputs = 2 * contexts + 2;
        let weight = (1 << WEIGHT_BITS) * 3 / 4 / contexts.max(1) as i32;
        ContextMixer {
            slots: vec![0; 1 << slot_bits],
            shift: 32 - slot_bits,
            blocks: false,
            contexts,
            families,
            details,
            histories: Estimate::OF_HISTORIES.repeat(families * contexts),
            by_family: vec![weight; families * inputs],
            by_detail: vec![weight; details * inputs],
            last: vec![[1 << (WEIGHT_BITS - 1); 2]; families],
            inputs: vec![0; inputs],
            found: vec![0; contexts],
            trace: None,
        }
    }

    /// A predictor of the same shape that has seen nothing.
    pub fn alike(&self, slot_bits: u32) -> ContextMixer {
        ContextMixer::new(slot_bits, self.contexts, self.families, self.details)
    }

    /// Keeps the slots of half a byte together, for [`ContextMixer::byte`]: twice as fast where the
    /// slots are too many for the processor's caches, but not as dense where they are few.
    pub fn in_blocks(mut self) -> ContextMixer {
        self.blocks = true;
        self
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
        self.event(coder, Event { contexts, place: None, advice: 0, family, detail }, bit)
    }

    /// Codes an event and learns from it.
    fn event<C: Coder>(&mut self, coder: &mut C, event: Event<'_>, bit: bool) -> Result<bool> {
        if !C::LEARNING {
            return Ok(bit);
        }
        let Event { contexts, place, advice, family, detail } = event;
        let (family, detail) = (family % self.families, detail % self.details);
        let used = contexts.len().min(self.contexts);
        let inputs = 2 * used + 2;
        let histories = family * self.contexts * HISTORIES;
        let seats = self.seats(&contexts[..used], place);
        for (i, &seat) in seats[..used].iter().enumerate() {
            let found = self.find(seat);
            let slot = self.slot(found);
            self.found[i] = found;
            let count = slot.estimate.count();
            self.inputs[2 * i] = if count == 0 {
                0
            } else {
                // What has been seen once or twice is less certain than it looks.
                (stretch(slot.estimate.p_true()) * CONFIDENCE[count.min(15) as usize]) >> 8
            };
            let history = self.histories[histories + i * HISTORIES + slot.history()];
            self.inputs[2 * i + 1] = stretch(history.p_true());
        }
        self.inputs[2 * used] = BIAS;
        self.inputs[2 * used + 1] = advice;

        let stride = self.inputs.len();
        let by_family = &mut self.by_family[family * stride..][..inputs];
        let by_detail = &mut self.by_detail[detail * stride..][..inputs];
        let sums = [sum(&self.inputs[..inputs], by_family), sum(&self.inputs[..inputs], by_detail)];
        let last = &mut self.last[family];
        let p_true = squash(sum(&sums, last)).clamp(1, (1 << 16) - 1);

        let bit = coder.bit(p_true, bit)?;

        learn(&self.inputs[..inputs], by_family, squash(sums[0]), bit, RATE);
        learn(&self.inputs[..inputs], by_detail, squash(sums[1]), bit, RATE);
        learn(&sums, last, p_true, bit, LAST_RATE);
        for i in 0..used {
            let mut slot = self.slot(self.found[i]);
            self.histories[histories + i * HISTORIES + slot.history()].update(bit, HISTORY_LIMIT);
            slot.update(bit, SLOT_LIMIT);
            self.slots[self.found[i]] = slot.to_bits();
        }
        Ok(bit)
    }

    /// Where the slots of an event's contexts may be. All of them are read once before any is used: the processor's
    /// caches then fetch them side by side, and most of the time of a mixer is spent on waiting for them.
    fn seats(&self, contexts: &[u32], place: Option<usize>) -> [Seat; MOST_CONTEXTS] {
        let mut seats = [Seat::default(); MOST_CONTEXTS];
        let mut checks = 0;
        for (i, (seat, &context)) in seats.iter_mut().zip(contexts).enumerate() {
            *seat = self.seat(hash(context, i as u32), place);
            checks ^= self.slots[seat.first];
        }
        std::hint::black_box(checks);
        seats
    }

    fn seat(&self, context: u32, place: Option<usize>) -> Seat {
        let (context, place) = match place {
            Some(place) if !self.blocks => (hash(context, place as u32), None),
            _ => (context, place),
        };
        let first = (context >> self.shift) as usize;
        let (first, neighbour) = match place {
            Some(place) => (first & !(BLOCK - 1) | place, BLOCK),
            None => (first, 1),
        };
        Seat { context, first, second: first ^ neighbour }
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
                self.slots[victim] = Slot { check: context as u16, ..Slot::EMPTY }.to_bits();
                victim
            }
        }
    }

    fn slot(&self, index: usize) -> Slot {
        Slot::from_bits(self.slots[index])
    }

    /// Which of the two slots is the context's, or else which has to give way.
    fn owned(&self, Seat { context, first, second }: Seat) -> std::result::Result<usize, usize> {
        let check = context as u16;
        if self.slot(first).check == check {
            return Ok(first);
        }
        if self.slot(second).check == check {
            return Ok(second);
        }
        let (one, other) = (self.slot(first).estimate.count(), self.slot(second).estimate.count());
        Err(if one <= other { first } else { second })
    }
}

/// The two slots that a context may have.
#[derive(Debug, Clone, Copy, Default)]
struct Seat {
    context: u32,
    first: usize,
    second: usize,
}

/// By the number of events seen: how much their odds count, in units of 1/256.
static CONFIDENCE: [i32; 16] =
    [0, 128, 160, 180, 195, 205, 212, 218, 224, 229, 234, 239, 243, 248, 252, 256];
const RATE: i64 = 24;
const LAST_RATE: i64 = 8;

fn sum(inputs: &[i32], weights: &[i32]) -> i32 {
    let sum: i64 = inputs.iter().zip(weights).map(|(&x, &w)| i64::from(x) * i64::from(w)).sum();
    ((sum >> WEIGHT_BITS) as i32).clamp(-MAX_STRETCH, MAX_STRETCH)
}

fn learn(inputs: &[i32], weights: &mut [i32], p_true: u32, bit: bool, rate: i64) {
    let target = if bit { 1 << 16 } else { 0 };
    let error = (target - i64::from(p_true)) * rate;
    for (weight, &x) in weights.iter_mut().zip(inputs) {
        let step = (i64::from(x) * error + (1 << 19)) >> 20;
        *weight = (i64::from(*weight) + step).clamp(-(1 << 20), 1 << 20) as i32;
    }
}

#[cfg(test)]
mod tests;
