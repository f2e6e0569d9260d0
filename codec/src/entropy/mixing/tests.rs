//! Tests of the mixer.

use super::*;
use crate::Error;
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
            let contexts = [0, u32::from(last[0]), u32::from(last[0]) << 8 | u32::from(last[1])];
            let byte = mixing.byte(coder, &contexts, 0, usize::from(last[0]), byte).unwrap();
            last = [byte, last[0]];
            byte
        })
        .collect()
}

#[test]
fn bytes_come_back() {
    let text = text();
    // So few slots that contexts drive each other out.
    for slot_bits in [5, 10, 18] {
        let new = || ContextMixer::new(slot_bits, 3, 1, 256 * 256);
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
    // Three contexts with one home, which has one neighbour.
    let mut rivals = (0..).map(|number| hash(number, 0)).filter(|hash| hash % 32 == 6);
    let rivals: [u32; 3] = std::array::from_fn(|_| rivals.next().unwrap());
    let mut seen = |context: u32, times: usize| {
        let found = find(&mut mixing.slots, context);
        let mut slot = Slot::from_bits(mixing.slots[found]);
        (0..times).for_each(|_| slot.update(true, SLOT_LIMIT));
        mixing.slots[found] = slot.to_bits();
        (found, Slot::from_bits(mixing.slots[found]).estimate.count())
    };
    assert_eq!(seen(rivals[0], 5), (6, 5));
    assert_eq!(seen(rivals[1], 2), (7, 2));
    // The third takes the place of the second, and the first stays.
    assert_eq!(seen(rivals[2], 0), (7, 0));
    assert_eq!(seen(rivals[0], 0), (6, 5));
}

#[test]
fn a_mixer_that_begins_with_what_another_has_learned_is_right_from_the_start() {
    let text = text();
    let new = || ContextMixer::new(15, 3, 1, 1 << 8);
    let mut teacher = new();
    teacher.trace();
    for _ in 0..3 {
        teacher.next_document();
        code_bytes(&mut teacher, &mut Encoder::new(), &text[..600]);
    }
    let learned = teacher.learned(20_000, 2);
    let size = |mut mixing: ContextMixer| {
        let mut encoder = Encoder::new();
        code_bytes(&mut mixing, &mut encoder, &text[..200]);
        encoder.finish().len()
    };
    let mut warm = new();
    warm.warm(&learned).unwrap();
    let (cold, warm) = (size(new()), size(warm));
    assert!(warm * 2 < cold, "{warm} instead of {cold}");
    // Slots that only some documents have used are not kept, nor more than wanted.
    assert!(teacher.learned(10, 2).len() < learned.len());
    assert_eq!(teacher.learned(10, 9), teacher.learned(0, 0));
    for cut in [0, 1, 5, 100, learned.len() / 2, learned.len() - 1] {
        assert!(new().warm(&learned[..cut]).is_err(), "{cut}");
    }
    assert!(ContextMixer::new(15, 2, 1, 1 << 8).warm(&learned).is_err());
}
