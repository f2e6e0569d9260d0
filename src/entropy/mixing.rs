//! Binary events predicted from many contexts at once.

use super::Coder;
use super::logistic::{MAX_STRETCH, squash, stretch};
use crate::{Error, Result};

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
    slots: Vec<Slot>,
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
}

/// Mixes two numbers into a hash.
pub fn hash(a: u32, b: u32) -> u32 {
    let mixed = (u64::from(a) << 32 | u64::from(b)) ^ 0x9e37_79b9_7f4a_7c15;
    let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ mixed >> 32).wrapping_mul(0x94d0_49bb_1331_11eb);
    (mixed >> 32) as u32
}

/// A probability in units of 2<sup>-22</sup> above a count of 10 bits.
#[derive(Debug, Clone, Copy)]
struct Estimate(u32);

impl Estimate {
    const EVEN: Estimate = Estimate(1 << 31);

    /// What to expect after a history: that what was always so stays so, the surer the longer.
    fn of_history(history: usize) -> Estimate {
        const SURE: [u32; 8] = [128, 200, 220, 230, 238, 246, 252, 254];
        if history & ALWAYS != ALWAYS {
            return Estimate::EVEN;
        }
        let p_last = SURE[history >> 3] << 24;
        Estimate(if history & 1 != 0 { p_last } else { p_last.wrapping_neg() })
    }

    fn p_true(self) -> u32 {
        self.0 >> 16
    }

    fn count(self) -> u32 {
        self.0 & 1023
    }

    fn update(&mut self, bit: bool, limit: u32) {
        let (p, count) = (self.0 >> 10, self.count());
        let target = if bit { (1 << 22) - 1 } else { 0 };
        let distance = i64::from(target) - i64::from(p);
        let step = (distance * i64::from(RECIPROCAL[count as usize])) >> 16;
        let p = (i64::from(p) + step) as u32;
        self.0 = p << 10 | (count + 1).min(limit);
    }
}

/// 2<sup>16</sup> / (n + 1.5).
static RECIPROCAL: [u32; 1024] = {
    let mut table = [0; 1024];
    let mut n = 0;
    while n < 1024 {
        table[n] = (2 << 16) / (2 * n as u32 + 3);
        n += 1;
    }
    table
};

/// What one context knows.
#[derive(Debug, Clone, Copy)]
struct Slot {
    estimate: Estimate,
    check: u16,
    /// How often the last bit has come in a row, at most 127; bit 7 is that bit.
    run: u8,
}

impl Slot {
    const EMPTY: Slot = Slot { estimate: Estimate::EVEN, check: 0, run: 0 };

    /// The past in 64 classes: how much of it, and whether it was always the same.
    fn history(self) -> usize {
        let count = self.estimate.count();
        let run = u32::from(self.run & 127);
        let amount = match count {
            0..=3 => count,
            4..=6 => 4,
            7..=14 => 5,
            15..=49 => 6,
            _ => 7,
        };
        let run = if run >= count.min(127) {
            3
        } else {
            match run {
                0..=1 => 0,
                2..=3 => 1,
                _ => 2,
            }
        };
        (amount << 3 | run << 1 | u32::from(self.run >> 7)) as usize
    }

    fn update(&mut self, bit: bool, limit: u32) {
        self.estimate.update(bit, limit);
        let same = (self.run >> 7 != 0) == bit;
        let run = if same { (self.run & 127).saturating_add(1).min(127) } else { 1 };
        self.run = u8::from(bit) << 7 | run;
    }
}

const HISTORIES: usize = 64;
/// Slots in a block.
const BLOCK: usize = 16;
/// The bits of a history that tell, if all set, that it knows one bit only.
const ALWAYS: usize = 0b110;
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
    /// How many binary digits of a number are learned.
    pub const DIGITS: u32 = 10;

    /// A predictor with 2<sup>`slot_bits`</sup> slots of 8 bytes, for at most `contexts` contexts
    /// at once, `families` kinds of events and `details` details.
    pub fn new(slot_bits: u32, contexts: usize, families: usize, details: usize) -> ContextMixer {
        assert!(contexts <= MOST_CONTEXTS, "more contexts than any event may have");
        assert!((5..=28).contains(&slot_bits), "between two blocks and 2 GiB of them");
        let inputs = 2 * contexts + 1;
        let weight = (1 << WEIGHT_BITS) * 3 / 4 / contexts.max(1) as i32;
        ContextMixer {
            slots: vec![Slot::EMPTY; 1 << slot_bits],
            shift: 32 - slot_bits,
            blocks: false,
            contexts,
            families,
            details,
            histories: (0..families * contexts)
                .flat_map(|_| (0..HISTORIES).map(Estimate::of_history))
                .collect(),
            by_family: vec![weight; families * inputs],
            by_detail: vec![weight; details * inputs],
            last: vec![[1 << (WEIGHT_BITS - 1); 2]; families],
            inputs: vec![0; inputs],
            found: vec![0; contexts],
        }
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
        self.code_at(coder, contexts, None, family, detail, bit)
    }

    /// Codes an event whose slots lie at a `place` below 16 in blocks that the contexts tell, if
    /// there is one: events that follow each other then find their slots close by.
    fn code_at<C: Coder>(
        &mut self,
        coder: &mut C,
        contexts: &[u32],
        place: Option<usize>,
        family: usize,
        detail: usize,
        bit: bool,
    ) -> Result<bool> {
        let (family, detail) = (family % self.families, detail % self.details);
        let used = contexts.len().min(self.contexts);
        let inputs = 2 * used + 1;
        let histories = family * self.contexts * HISTORIES;
        for (i, &context) in contexts[..used].iter().enumerate() {
            let found = self.find(hash(context, i as u32), place);
            let slot = self.slots[found];
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
            let slot = &mut self.slots[self.found[i]];
            self.histories[histories + i * HISTORIES + slot.history()].update(bit, HISTORY_LIMIT);
            slot.update(bit, SLOT_LIMIT);
        }
        Ok(bit)
    }

    /// Codes a byte, the highest bit first. Of the details, the 256 from 256 × `detail` on are
    /// used.
    ///
    /// # Errors
    /// Those of [`Coder::bit`].
    pub fn byte<C: Coder>(
        &mut self,
        coder: &mut C,
        contexts: &[u32],
        family: usize,
        detail: usize,
        byte: u8,
    ) -> Result<u8> {
        let mut here = [0; MOST_CONTEXTS];
        let used = contexts.len().min(MOST_CONTEXTS);
        let mut node = 1;
        for lowest in [4, 0] {
            for (here, &context) in here.iter_mut().zip(contexts) {
                *here = hash(context, node as u32);
            }
            // Half a byte has 15 nodes, which may share a block.
            let mut place = 1;
            for shift in (lowest..lowest + 4).rev() {
                let bit = byte >> shift & 1 != 0;
                let detail = detail << 8 | node;
                let bit = self.code_at(coder, &here[..used], Some(place), family, detail, bit)?;
                (node, place) = (node << 1 | usize::from(bit), place << 1 | usize::from(bit));
            }
        }
        Ok(node as u8)
    }

    /// Codes a number: whether it is 0, its sign, its length and its digits in base 2, each with
    /// all `contexts`. Of long numbers the [`ContextMixer::DIGITS`] foremost digits are learned,
    /// the rest by their place only.
    ///
    /// # Errors
    /// Those of [`Coder::bit`], and [`Error::Damaged`] for a number beyond 2<sup>62</sup>.
    pub fn number<C: Coder>(
        &mut self,
        coder: &mut C,
        contexts: &[u32],
        family: usize,
        detail: usize,
        number: i64,
    ) -> Result<i64> {
        let mut here = [0; MOST_CONTEXTS];
        let used = contexts.len().min(MOST_CONTEXTS);
        let mut event = |mixing: &mut ContextMixer, node: u32, bit: bool| {
            for (here, &context) in here.iter_mut().zip(contexts) {
                *here = hash(context, node);
            }
            mixing.code(coder, &here[..used], family, detail, bit)
        };
        if event(self, 0, number == 0)? {
            return Ok(0);
        }
        let negative = event(self, 1, number < 0)?;
        let size = number.unsigned_abs();
        let length = 64 - size.leading_zeros();
        let mut read = 1;
        while !event(self, read + 1, read >= length)? {
            read += 1;
            if read > 62 {
                return Err(Error::damaged("a number of more than 62 bits"));
            }
        }
        let mut value = 1u64;
        for shift in (0..read - 1).rev() {
            let bit = size >> shift & 1 != 0;
            let bit = if read - 1 - shift <= Self::DIGITS {
                event(self, read << 16 | value as u32, bit)?
            } else {
                event(self, read << 16, bit)?
            };
            value = value << 1 | u64::from(bit);
        }
        Ok(if negative { -(value as i64) } else { value as i64 })
    }

    /// The slot of a context: its own, or else the one of two candidates that knows less, emptied.
    fn find(&mut self, context: u32, place: Option<usize>) -> usize {
        let (context, place) = match place {
            Some(place) if !self.blocks => (hash(context, place as u32), None),
            _ => (context, place),
        };
        let first = (context >> self.shift) as usize;
        let (first, neighbour) = match place {
            Some(place) => (first & !(BLOCK - 1) | place, BLOCK),
            None => (first, 1),
        };
        let check = (context.wrapping_mul(0x2545_f491) >> 16) as u16;
        let second = first ^ neighbour;
        if self.slots[first].check == check {
            return first;
        }
        if self.slots[second].check == check {
            return second;
        }
        let victim = if self.slots[first].estimate.count() <= self.slots[second].estimate.count() {
            first
        } else {
            second
        };
        self.slots[victim] = Slot { check, ..Slot::EMPTY };
        victim
    }
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
mod tests {
    use super::*;
    use crate::entropy::{Decoder, Encoder};

    /// Bytes that repeat themselves with changes.
    fn text() -> Vec<u8> {
        (0..3000u32).map(|i| if i % 17 == 0 { hash(i, 0) as u8 } else { (i % 29) as u8 }).collect()
    }

    fn code_bytes<C: Coder>(mixing: &mut ContextMixer, coder: &mut C, bytes: &[u8]) -> Vec<u8> {
        let mut last = [0; 2];
        bytes
            .iter()
            .map(|&byte| {
                let contexts =
                    [0, u32::from(last[0]), u32::from(last[0]) << 8 | u32::from(last[1])];
                let byte = mixing.byte(coder, &contexts, 0, usize::from(last[0]), byte).unwrap();
                last = [byte, last[0]];
                byte
            })
            .collect()
    }

    #[test]
    fn bytes_come_back_with_and_without_blocks() {
        let text = text();
        for blocks in [false, true] {
            // So few slots that contexts drive each other out.
            for slot_bits in [5, 10, 18] {
                let new = || {
                    let mixing = ContextMixer::new(slot_bits, 3, 1, 256 * 256);
                    if blocks { mixing.in_blocks() } else { mixing }
                };
                let mut encoder = Encoder::new();
                assert_eq!(code_bytes(&mut new(), &mut encoder, &text), text);
                let coded = encoder.finish();
                let mut decoder = Decoder::new(&coded);
                let anything = vec![0; text.len()];
                assert_eq!(code_bytes(&mut new(), &mut decoder, &anything), text);
                if slot_bits == 18 {
                    assert!(coded.len() < text.len() / 4, "{}", coded.len());
                }
            }
        }
    }

    fn numbers() -> Vec<i64> {
        let sizes = (0..62).flat_map(|shift| [1 << shift, (1 << shift) + 77, (2 << shift) - 1]);
        sizes.flat_map(|size: i64| [0, size.min(1 << 62), -size]).collect()
    }

    #[test]
    fn numbers_of_either_sign_and_any_length_come_back() {
        let numbers = numbers();
        let new = || ContextMixer::new(12, 2, 2, 4);
        let (mut encoder, mut mixing) = (Encoder::new(), new());
        for &number in &numbers {
            assert_eq!(mixing.number(&mut encoder, &[1, 2], 1, 3, number).unwrap(), number);
        }
        let coded = encoder.finish();
        let (mut decoder, mut mixing) = (Decoder::new(&coded), new());
        for &number in &numbers {
            assert_eq!(mixing.number(&mut decoder, &[1, 2], 1, 3, 0).unwrap(), number);
        }
    }

    #[test]
    fn numbers_that_are_too_long_are_refused() {
        let mut mixing = ContextMixer::new(12, 1, 1, 1);
        for number in [i64::MAX, i64::MIN] {
            let coded = mixing.number(&mut Encoder::new(), &[0], 0, 0, number);
            assert!(matches!(coded, Err(Error::Damaged(_))), "{coded:?}");
        }
    }

    #[test]
    fn garbage_decodes_to_numbers_that_are_not_too_long_or_is_damaged() {
        let mut damaged = 0;
        for seed in 0..200 {
            let bytes: Vec<u8> = (0..100).map(|i| hash(seed, i) as u8 | 1).collect();
            let mut decoder = Decoder::new(&bytes);
            let mut mixing = ContextMixer::new(8, 1, 1, 1);
            for _ in 0..100 {
                match mixing.number(&mut decoder, &[0], 0, 0, 0) {
                    Ok(number) => assert!(number.unsigned_abs() < 1 << 63),
                    Err(Error::Damaged(_)) => {
                        damaged += 1;
                        break;
                    }
                    Err(error) => panic!("{error}"),
                }
            }
        }
        assert!(damaged < 200, "no number at all");
    }

    /// Numbers below 5 without a rule.
    fn class(i: u32) -> u32 {
        hash(i, 9) % 5
    }

    /// What the bits become that tell where the class is 0.
    fn coded(
        contexts: usize,
        given: impl Fn(u32) -> Vec<u32>,
        family: usize,
        detail: usize,
    ) -> Vec<u8> {
        let mut mixing = ContextMixer::new(12, contexts, 2, 3);
        let mut encoder = Encoder::new();
        for i in 0..4000 {
            mixing.code(&mut encoder, &given(i), family, detail, class(i) == 0).unwrap();
        }
        encoder.finish()
    }

    #[test]
    fn a_context_that_tells_all_wins_over_those_that_tell_nothing() {
        let none = coded(2, |_| vec![0, 1], 0, 0).len();
        let telling = coded(2, |i| vec![0, class(i)], 0, 0).len();
        // The entropy of one in five is 0.72 bits: 361 bytes.
        assert!((350..380).contains(&none), "{none}");
        assert!(telling < 25, "{telling}");
    }

    #[test]
    fn contexts_beyond_the_number_are_ignored_and_kinds_wrap_around() {
        let one = coded(1, |i| vec![class(i)], 0, 0);
        assert_eq!(coded(1, |i| vec![class(i), i, 7], 0, 0), one);
        assert_eq!(coded(1, |i| vec![class(i)], 2, 3), one);
    }

    #[test]
    fn what_is_known_less_makes_room() {
        let mut mixing = ContextMixer::new(5, 1, 1, 1);
        let home = |mixing: &ContextMixer, context: u32| (context >> mixing.shift) as usize;
        // Three contexts with one home, which has one neighbour.
        let mut rivals = (0..).filter(|&number| home(&mixing, hash(number, 0)) == 6);
        let rivals: [u32; 3] = std::array::from_fn(|_| hash(rivals.next().unwrap(), 0));
        let mut seen = |context: u32, times: usize| {
            let found = mixing.find(context, None);
            (0..times).for_each(|_| mixing.slots[found].update(true, SLOT_LIMIT));
            (found, mixing.slots[found].estimate.count())
        };
        assert_eq!(seen(rivals[0], 5), (6, 5));
        assert_eq!(seen(rivals[1], 2), (7, 2));
        // The third takes the place of the second, and the first stays.
        assert_eq!(seen(rivals[2], 0), (7, 0));
        assert_eq!(seen(rivals[0], 0), (6, 5));
    }
}
