//! Weighing: sums of inputs and weights, and what weights learn from the error of a sum.

use super::super::logistic::MAX_STRETCH;

/// Weights are in units of 2^-16.
pub(super) const WEIGHT_BITS: u32 = 16;
/// No weight is larger, either way.
const MOST_WEIGHT: i32 = 1 << 20;
/// Products are made with weights of this many bits fewer: they fit 16 bits then, and a sum of 32 products fits 32.
const PRODUCT_SHIFT: u32 = 6;
/// Numbers in a register; inputs and weights come in whole registers.
const LANES: usize = 8;

/// Inputs of a mixer: two for each context, a constant, an advice, and zeros up to whole registers.
pub(super) const fn stride(contexts: usize) -> usize {
    (2 * contexts + 2).next_multiple_of(LANES)
}

/// The weights that a row begins with.
pub(super) fn fresh_row(contexts: usize) -> Vec<i32> {
    vec![(1 << WEIGHT_BITS) * 3 / 4 / contexts.max(1) as i32; stride(contexts)]
}

/// The sum of the products of inputs, within ±[`MAX_STRETCH`], and a row of weights, in whole registers.
pub(super) fn sum(inputs: &[i16], weights: &[i32]) -> i32 {
    let registers = inputs.as_chunks::<LANES>().0.iter().zip(weights.as_chunks::<LANES>().0);
    clamped(registers.map(|(inputs, weights)| products(inputs, weights)).sum())
}

/// [`sum`] of two inputs.
pub(super) fn sum_of_two(inputs: [i16; 2], weights: [i32; 2]) -> i32 {
    clamped(products(&inputs, &weights))
}

fn clamped(sum: i32) -> i32 {
    (sum >> (WEIGHT_BITS - PRODUCT_SHIFT)).clamp(-MAX_STRETCH, MAX_STRETCH)
}

fn products<const N: usize>(inputs: &[i16; N], weights: &[i32; N]) -> i32 {
    let products = inputs.iter().zip(weights).map(|(&x, &weight)| {
        let weight = ((weight + (1 << (PRODUCT_SHIFT - 1))) >> PRODUCT_SHIFT) as i16;
        i32::from(x) * i32::from(weight)
    });
    products.sum()
}

/// Has a row of weights learn, in whole registers, from how far the probability of their sum was off.
pub(super) fn learn(inputs: &[i16], weights: &mut [i32], p_true: u32, bit: bool, rate: i32) {
    let error = error(p_true, bit, rate);
    let registers = inputs.as_chunks::<LANES>().0.iter();
    let mut beyond = 0;
    for (inputs, weights) in registers.zip(weights.as_chunks_mut::<LANES>().0) {
        beyond |= step(inputs, weights, error);
    }
    if beyond != 0 {
        limit(weights);
    }
}

/// [`learn`] of two weights.
pub(super) fn learn_two(
    inputs: [i16; 2],
    weights: &mut [i32; 2],
    p_true: u32,
    bit: bool,
    rate: i32,
) {
    if step(&inputs, weights, error(p_true, bit, rate)) != 0 {
        limit(weights);
    }
}

fn error(p_true: u32, bit: bool, rate: i32) -> i16 {
    let target = i32::from(bit) << 16;
    (((target - p_true as i32) * rate) >> 6) as i16
}

/// Moves weights; the result is not 0 if one of them may be too large now. That is rare, and to limit each weight would
/// take longer than all the rest.
fn step<const N: usize>(inputs: &[i16; N], weights: &mut [i32; N], error: i16) -> i32 {
    let mut beyond = 0;
    for (weight, &x) in weights.iter_mut().zip(inputs) {
        *weight += (i32::from(x) * i32::from(error) + (1 << 13)) >> 14;
        beyond |= (*weight + MOST_WEIGHT) & !(2 * MOST_WEIGHT - 1);
    }
    beyond
}

fn limit(weights: &mut [i32]) {
    for weight in weights {
        *weight = (*weight).clamp(-MOST_WEIGHT, MOST_WEIGHT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_weight_goes_beyond_its_limits() {
        let inputs = [MAX_STRETCH as i16, -MAX_STRETCH as i16, 0, 1, 0, 0, 0, 0];
        let mut weights =
            [MOST_WEIGHT - 1, 1 - MOST_WEIGHT, MOST_WEIGHT, -MOST_WEIGHT, 0, 5, -5, 7];
        learn(&inputs, &mut weights, 1, true, 24);
        assert_eq!(weights, [MOST_WEIGHT, -MOST_WEIGHT, MOST_WEIGHT, 1 - MOST_WEIGHT, 0, 5, -5, 7]);
        learn(&inputs, &mut weights, 1, false, 24);
        assert_eq!(weights, [MOST_WEIGHT, -MOST_WEIGHT, MOST_WEIGHT, 1 - MOST_WEIGHT, 0, 5, -5, 7]);
    }
}
