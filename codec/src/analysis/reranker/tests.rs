use super::super::reranker_features::tests::analysis;
use super::super::reranker_index::{FIRST_FORM_FEATURES, RERANKER_FEATURES};
use super::parts::{MAX_RERANKER_SIZE, RERANKER_HEADER};
use super::*;

/// Numbers of the first form, and of the second behind its header without a vector.
const FIRST_FORM: usize = (FIRST_FORM_FEATURES + 1 + SECOND) * FIRST + 2 * SECOND + 1;
const SECOND_FORM: usize = MAX_RERANKER_SIZE - 3 - MAX_VECTOR * FIRST;

fn rerank(numbers: &[i16], vectors: Vec<u8>) -> Reranking {
    let mut analysis = analysis();
    analysis.vectors = vectors;
    Reranker::new(numbers).unwrap().rerank(&analysis, &MovePriors::new(&analysis.logits))
}

#[test]
fn the_largest_numbers_do_not_overflow() {
    let mut numbers = vec![i16::MAX; FIRST_FORM];
    assert!(Reranker::new(&numbers).is_none());
    // As many of a unit's weights as allowed are of the largest magnitude.
    let weights = (FIRST_FORM_FEATURES + 1) * FIRST;
    for sign in [1, -1] {
        for unit in numbers[weights..][..SECOND * FIRST].chunks_exact_mut(FIRST) {
            unit.fill(0);
            unit[..31].fill(sign * i16::MAX);
        }
        numbers[weights + SECOND * FIRST..].fill(0);
        numbers[weights + SECOND * FIRST + SECOND..][..31].fill(i16::MAX);
        let Reranking { logits, end } = rerank(&numbers, vec![]);
        assert_eq!((logits[2], logits[0] > 0, end), (0, sign > 0, 0));
    }
    assert!(Reranker::new(&vec![0; FIRST_FORM - 1]).is_none());
}

/// A reranker of the second form of zeros, and where the numbers of its parts begin: the table, the biases, the vector's
/// weights, the second layer, what is behind it, the layer of ends, what is behind it.
fn second_form(vector: usize) -> (Vec<i16>, [usize; 7]) {
    let mut numbers = RERANKER_HEADER.to_vec();
    numbers.push(vector as i16);
    let table = numbers.len();
    numbers.resize(table + SECOND_FORM + vector * FIRST, 0);
    let biases = table + RERANKER_FEATURES * FIRST;
    let vectors = biases + FIRST;
    let second = vectors + vector * FIRST;
    let of_second = second + SECOND * 3 * FIRST;
    let ends = of_second + 2 * SECOND + 1;
    (numbers, [table, biases, vectors, second, of_second, ends, ends + ENDS * 2 * FIRST])
}

#[test]
fn the_largest_numbers_of_the_second_form_do_not_overflow() {
    for sign in [1, -1] {
        let (mut numbers, [table, _, vectors, second, of_second, ends, of_ends]) =
            second_form(MAX_VECTOR);
        numbers[table..vectors].fill(i16::MAX);
        numbers[vectors..second].fill(sign * i16::from(LARGEST_VECTOR_WEIGHT));
        // 31 of a unit's weights, of the mean and of the greatest.
        for unit in numbers[second..of_second].chunks_exact_mut(3 * FIRST) {
            unit[FIRST..][..15].fill(sign * i16::MAX);
            unit[2 * FIRST..][..16].fill(sign * i16::MAX);
        }
        for unit in numbers[ends..of_ends].chunks_exact_mut(2 * FIRST) {
            unit[..31].fill(sign * i16::MAX);
        }
        numbers[of_second + SECOND..][..31].fill(i16::MAX);
        numbers[of_ends + ENDS..][..31].fill(i16::MAX);
        let Reranking { logits, end } = rerank(&numbers, vec![127; 4 * MAX_VECTOR]);
        assert_eq!((logits[0] > 0, end > 0), (sign > 0, sign > 0));
        for unit in [second, ends + FIRST] {
            numbers[unit..][..2].fill(i16::MAX);
            assert!(Reranker::new(&numbers).is_none());
            numbers[unit..][..2].fill(0);
        }
        for weight in [128, -128] {
            numbers[vectors] = weight;
            assert!(Reranker::new(&numbers).is_none());
        }
        numbers[vectors] = -127;
        assert!(Reranker::new(&numbers).is_some());
        assert!(Reranker::new(&numbers[..numbers.len() - 1]).is_none());
    }
}

/// Nats in bits, in units of 2^-16.
fn in_bits(nats: f64) -> f64 {
    nats * std::f64::consts::LOG2_E * 65536.0
}

#[test]
fn logits_are_those_of_the_layers() {
    let mut numbers = vec![0; FIRST_FORM];
    let analysis = analysis();
    let priors = MovePriors::new(&analysis.logits);
    // The best move at the last depth has 1 in the first unit, the second unit of the next
    // layer half of it and 1/4, and the logit twice that.
    let best = usize::from(reranker_features(&analysis, &priors)[2][0]);
    numbers[best * FIRST] = 256;
    let weights = (FIRST_FORM_FEATURES + 1) * FIRST;
    numbers[weights + FIRST] = 128;
    numbers[weights + SECOND * FIRST + 1] = 64;
    numbers[weights + SECOND * FIRST + SECOND + 1] = 512;
    let expected = [0.5, 0.5, 0.0, 1.5].map(in_bits);
    for (found, expected) in rerank(&numbers, vec![]).logits.iter().zip(expected) {
        assert!((f64::from(*found) - expected).abs() < 3.0, "{found} {expected}");
    }
}

#[test]
fn the_second_form_sees_vectors_and_all_moves() {
    // A width that is no multiple of four.
    let (mut numbers, [_, biases, vectors, second, of_second, ends, of_ends]) = second_form(6);
    // The first unit is half of a vector's last number, less 1/8; the others are 0.
    numbers[biases] = -32;
    numbers[vectors + 5 * FIRST] = 127;
    numbers[vectors + 4 * FIRST] = 1;
    // Units of the second layer: the unit of the move, the mean, and the greatest; their sum is the logit.
    for unit in 0..3 {
        numbers[second + unit * 3 * FIRST + unit * FIRST] = 256;
        numbers[of_second + SECOND + unit] = 256;
    }
    // Ends: the mean and twice the greatest.
    numbers[ends] = 256;
    numbers[ends + FIRST] = 512;
    numbers[of_ends + ENDS] = 256;
    let of_moves = [[0, 0, 0, 0, 32, 64], [0, 1, 0, 0, 0, 16], [99; 6], [127, 0, 0, 0, 0, 0]];
    let units = [64 * 127 + 32, 16 * 127, 0, 0].map(|sum: i32| ((sum >> 5) - 32).clamp(0, LARGEST));
    let analysis = analysis();
    let priors = MovePriors::new(&analysis.logits).prior;
    let priors = [0, 1, 3].map(|place| (priors[place] >> 16) as i32);
    let total = priors.iter().sum::<i32>();
    let mean = (priors[0] * units[0] + priors[1] * units[1]) / total;
    let Reranking { logits, end } = rerank(&numbers, of_moves.concat());
    assert_eq!(end, (mean + 2 * units[0]) * 256);
    for (place, unit) in [(0, units[0]), (1, units[1]), (3, 0)] {
        let expected = fixed::nats_to_bits((unit + mean + units[0]) * 256);
        assert_eq!(logits[place], expected, "{place}");
    }
    assert_eq!(logits[2], 0);
    assert!(mean > 0 && units[1] > 0);
}
