use super::*;
use crate::Error;
use crate::entropy::{Decoder, Encoder};

const FEATURED: Features = [256; FEATURES];

fn code<C: Coder>(model: &mut TimeModel, coder: &mut C, seconds: i64, most: i64) -> usize {
    model.code(coder, &FEATURED, Selectors::default(), 300, most, seconds).unwrap()
}

#[test]
fn bins_follow_each_other_without_gaps() {
    let firsts: Vec<i64> = (0..14).map(first_second).collect();
    assert_eq!(firsts, [0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32, 48]);
}

#[test]
fn times_come_back_and_what_is_usual_becomes_cheap() {
    let times: Vec<i64> = (0..2000).map(|i| if i % 50 == 0 { i } else { 5 }).collect();
    let (mut encoder, mut model) = (Encoder::new(), TimeModel::new());
    let bins: Vec<usize> =
        times.iter().map(|&time| code(&mut model, &mut encoder, time, 2000)).collect();
    for (&bin, time) in bins.iter().zip(times) {
        assert!((first_second(bin)..first_second(bin + 1)).contains(&time));
    }
    let bytes = encoder.finish();
    assert!(bytes.len() < 200, "{}", bytes.len());
    let (mut decoder, mut model) = (Decoder::new(&bytes), TimeModel::new());
    for bin in bins {
        assert_eq!(code(&mut model, &mut decoder, 0, 2000), bin);
    }
}

#[test]
fn what_the_clock_does_not_have_costs_nothing() {
    let (mut encoder, mut model) = (Encoder::new(), TimeModel::new());
    for _ in 0..1000 {
        assert_eq!(code(&mut model, &mut encoder, 0, 0), 0);
    }
    assert!(encoder.finish().is_empty());
}

#[test]
fn garbage_decodes_to_a_bin_or_is_damaged() {
    for byte in [0, 1, 0x7f, 0xff] {
        let garbage = vec![byte; 1000];
        let (mut decoder, mut model) = (Decoder::new(&garbage), TimeModel::new());
        for _ in 0..200 {
            let features = [-6 * 256; FEATURES];
            let selectors = Selectors { left: 99, usual: 99, surprisal: 99 };
            match model.code(&mut decoder, &features, selectors, -9000, 1 << 40, 0) {
                Ok(bin) => assert!(first_second(bin) <= 1 << 40),
                Err(Error::Damaged(_)) => break,
                Err(error) => panic!("{error}"),
            }
        }
    }
}

#[test]
fn learned_weights_are_those_to_begin_with() {
    let untrained = TimeModel::untrained();
    assert_eq!(untrained.len(), WEIGHTS);
    let model = TimeModel::with(Rates::CODING, untrained.iter().copied());
    assert_eq!(model.learned(), untrained);
    let shipped: Vec<u8> =
        TimeModel::new().learned().into_iter().flat_map(i16::to_le_bytes).collect();
    assert!(shipped == SHIPPED);
}
