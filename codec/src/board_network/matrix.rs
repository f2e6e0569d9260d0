//! Products of many rows of bytes with one matrix.
//!
//! A matrix is packed in tiles of 16 outputs, so that the weights of a tile serve several rows before the next are read.
//! Within a tile, the weights of up to four quads of inputs form a chain: their products are added up in 16 bits, which
//! was found to suffice for these weights whatever the inputs, and become 32 bits together.

#[cfg(target_arch = "x86_64")]
use super::lanes::Weights;
use super::plan::{OFFSET, Plan};
use super::registers::{BLOCKS, ROWS, Registers, STRIP, StripQuad, TILE, TileWeights, lay_out};
use crate::network::{BLOCK, QUAD};
use crate::{Error, Result};

/// Most quads in a chain.
const MOST_LINKS: usize = 4;

/// The largest input: of unsigned ones, and of signed ones with [`OFFSET`].
const MOST_INPUT: i32 = 127;

/// No sum of a matrix reaches this number, whatever the inputs.
const MOST_SUM: i128 = 1 << 29;

/// Quads of inputs with the same unit.
#[derive(Debug)]
struct Segment {
    /// Bits by which the sums before are shifted.
    shift: u32,
    /// How many chains there are of each length, the longest first.
    chains: [usize; MOST_LINKS],
}

/// A packed matrix.
#[derive(Debug)]
pub struct Matrix {
    inputs: usize,
    outputs: usize,
    /// One for each output, and as many zeros as fill the last tile.
    bias: Vec<i32>,
    /// As many for each tile.
    segments: Vec<Segment>,
    segments_of_a_tile: usize,
    /// The first quad of each chain, in the order of the chains.
    places: Vec<u16>,
    /// Those of each quad, in the order of the chains.
    weights: Vec<TileWeights>,
    /// The same for squares in lanes.
    #[cfg(target_arch = "x86_64")]
    pub lanes: Weights,
}

/// A strip of rows, and its sums.
#[derive(Debug, Default)]
pub struct Sums {
    strip: Vec<StripQuad>,
    /// (rows of a strip, width of the matrix).
    pub sums: Vec<i32>,
}

impl Matrix {
    /// Packs a matrix.
    ///
    /// # Errors
    /// [`Error::Model`] if a sum could become too large.
    pub fn new(plan: &Plan) -> Result<Matrix> {
        let quads = plan.inputs / QUAD;
        let starts: Vec<usize> =
            [0].into_iter().chain(plan.steps.iter().map(|step| step.0)).collect();
        let ends = plan.steps.iter().map(|step| step.0).chain([quads]);
        // Units from 2^-32 to 2^16 lie 48 bits apart: no sum leaves 128 bits.
        let mut multiples = vec![1i128; starts.len()];
        for (place, &(_, shift)) in plan.steps.iter().enumerate() {
            multiples[..=place].iter_mut().for_each(|multiple| *multiple <<= shift);
        }
        let bounds: Vec<_> = starts.iter().copied().zip(ends).collect();

        let mut bias = plan.bias.to_vec();
        for (output, bias) in bias.iter_mut().enumerate() {
            let (mut sum, mut largest) = (0, i128::from(*bias).abs());
            for (&(start, end), multiple) in bounds.iter().zip(&multiples) {
                for input in start * QUAD..end * QUAD {
                    let weight = i128::from((plan.weight)(input, output)) * multiple;
                    sum += weight;
                    largest += weight.abs() * i128::from(MOST_INPUT);
                }
            }
            if largest >= MOST_SUM {
                return Err(Error::Model(format!("sums of `{}` can become too large", plan.name)));
            }
            if plan.signed {
                // Below 2^30, as both parts are below 2^29.
                *bias -= (sum * i128::from(OFFSET)) as i32;
            }
        }
        #[cfg(target_arch = "x86_64")]
        let lanes = Weights::new(plan, &bias);
        let tiles = plan.outputs.div_ceil(TILE);
        bias.resize(tiles * TILE, 0);

        let mut matrix = Matrix {
            inputs: plan.inputs,
            outputs: plan.outputs,
            bias,
            segments: vec![],
            segments_of_a_tile: bounds.len(),
            places: vec![],
            weights: vec![],
            #[cfg(target_arch = "x86_64")]
            lanes,
        };
        for tile in 0..tiles {
            for (place, &(start, end)) in bounds.iter().enumerate() {
                let shift = if place == 0 { 0 } else { plan.steps[place - 1].1 };
                matrix.push_segment(plan, tile, start..end, shift);
            }
        }
        Ok(matrix)
    }

    /// Number of outputs.
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// Number of outputs, with those that fill the last tile.
    pub fn width(&self) -> usize {
        self.bias.len()
    }

    /// What is to be added to the sums of each output.
    pub fn bias(&self) -> &[i32] {
        &self.bias
    }

    fn push_segment(
        &mut self,
        plan: &Plan,
        tile: usize,
        quads: std::ops::Range<usize>,
        shift: u32,
    ) {
        // Longest chains first: a chain grows while the next quad fits.
        let mut chains: [Vec<usize>; MOST_LINKS] = Default::default();
        let mut start = quads.start;
        while start < quads.end {
            let most = MOST_LINKS.min(quads.end - start);
            let links = (2..=most).rev().find(|&links| fits(plan, tile, start..start + links));
            let links = links.unwrap_or(1);
            chains[MOST_LINKS - links].push(start);
            start += links;
        }
        for (kind, starts) in chains.iter().enumerate() {
            for &start in starts {
                self.places.push(start as u16);
                for quad in start..start + MOST_LINKS - kind {
                    let block = |block| weights(plan, quad, tile * BLOCKS + block);
                    self.weights.push(TileWeights(std::array::from_fn(block)));
                }
            }
        }
        self.segments.push(Segment { shift, chains: chains.map(|starts| starts.len()) });
    }

    /// Multiplies [`STRIP`] rows from `first` on, each of as many inputs as the matrix has: leaves [`STRIP`] times
    /// [`Matrix::width`] sums in `work`, to which [`Matrix::bias`] is yet to be added.
    ///
    /// Here and in whatever else is compiled for wide registers, loops stand in place of closures: a closure that is not
    /// inlined is compiled for any processor.
    #[cfg_attr(target_arch = "x86_64", inline(always))]
    pub fn multiply<D: Registers>(&self, dot: D, rows: &[u8], first: usize, work: &mut Sums) {
        lay_out(&rows[first * self.inputs..], self.inputs, self.inputs / QUAD, &mut work.strip);
        work.sums.resize(STRIP * self.width(), 0);
        self.multiply_rows::<D, ROWS>(dot, 0, work);
        self.multiply_rows::<D, ROWS>(dot, ROWS, work);
    }

    /// The sums of `COUNT` rows of a strip.
    #[cfg_attr(target_arch = "x86_64", inline(always))]
    fn multiply_rows<D: Registers, const COUNT: usize>(
        &self,
        dot: D,
        first: usize,
        work: &mut Sums,
    ) {
        let width = self.width();
        let (mut places, mut weights) = (&self.places[..], &self.weights[..]);
        for (tile, segments) in self.segments.chunks_exact(self.segments_of_a_tile).enumerate() {
            let mut sums = [dot.zero(); COUNT];
            for Segment { shift, chains } in segments {
                for _ in 0..*shift {
                    for sums in &mut sums {
                        *sums = dot.double(*sums);
                    }
                }
                let rows = (&work.strip[..], first);
                chain::<D, COUNT, 4>(dot, &mut sums, rows, chains[0], &mut places, &mut weights);
                chain::<D, COUNT, 3>(dot, &mut sums, rows, chains[1], &mut places, &mut weights);
                chain::<D, COUNT, 2>(dot, &mut sums, rows, chains[2], &mut places, &mut weights);
                chain::<D, COUNT, 1>(dot, &mut sums, rows, chains[3], &mut places, &mut weights);
            }
            for (row, &sums) in sums.iter().enumerate() {
                let out = &mut work.sums[(first + row) * width + tile * TILE..][..TILE];
                out.copy_from_slice(&dot.numbers(sums));
            }
        }
    }

    /// The sums of one row, with their bias: for few outputs of one row.
    #[cfg_attr(target_arch = "x86_64", inline(always))]
    pub fn multiply_one<D: Registers>(&self, dot: D, row: &[u8], work: &mut Sums) {
        lay_out(row, self.inputs, self.inputs / QUAD, &mut work.strip);
        work.sums.resize(self.width(), 0);
        self.multiply_rows::<D, 1>(dot, 0, work);
        for (sum, bias) in work.sums.iter_mut().zip(&self.bias) {
            *sum += bias;
        }
    }
}

/// `count` chains of `LINKS` quads, for `COUNT` of a strip's rows from `first` on.
#[cfg_attr(target_arch = "x86_64", inline(always))]
fn chain<D: Registers, const COUNT: usize, const LINKS: usize>(
    dot: D,
    sums: &mut [D::Sums; COUNT],
    (strip, first): (&[StripQuad], usize),
    count: usize,
    places: &mut &[u16],
    weights: &mut &[TileWeights],
) {
    let (mine, rest) = places.split_at(count);
    *places = rest;
    let (chains, rest) = weights.split_at(count * LINKS);
    *weights = rest;
    for (&place, weights) in mine.iter().zip(chains.as_chunks::<LINKS>().0) {
        let strip = &strip[usize::from(place)..][..LINKS];
        for (row, sums) in sums.iter_mut().enumerate() {
            let mut quads = [[0; QUAD]; LINKS];
            for (quad, strip) in quads.iter_mut().zip(strip) {
                *quad = strip[(first + row) % STRIP];
            }
            *sums = dot.add(*sums, quads, weights);
        }
    }
}

/// The weights of four inputs for the outputs of a block.
fn weights(plan: &Plan, quad: usize, block: usize) -> [i8; QUAD * BLOCK] {
    std::array::from_fn(|place| {
        let (input, output) = (quad * QUAD + place % QUAD, block * BLOCK + place / QUAD);
        if output < plan.outputs { (plan.weight)(input, output) } else { 0 }
    })
}

/// Whether sums of pairs of these quads stay within 16 bits, whatever the inputs.
fn fits(plan: &Plan, tile: usize, quads: std::ops::Range<usize>) -> bool {
    let outputs = tile * TILE..plan.outputs.min((tile + 1) * TILE);
    outputs.into_iter().all(|output| {
        [0, 1].into_iter().all(|half| {
            let (mut most, mut least) = (0, 0);
            for quad in quads.clone() {
                for place in [0, 1] {
                    let weight = (plan.weight)(quad * QUAD + 2 * half + place, output);
                    let product = i32::from(weight) * MOST_INPUT;
                    most += product.max(0);
                    least += product.min(0);
                }
            }
            most <= i32::from(i16::MAX) && least >= i32::from(i16::MIN)
        })
    })
}

#[cfg(test)]
mod tests {
    use crate::network::Portable;
    use crate::split_mix::SplitMix;

    use super::*;

    struct Case {
        inputs: usize,
        outputs: usize,
        steps: Vec<(usize, u32)>,
        signed: bool,
        largest: i64,
    }

    fn check(case: &Case) {
        let Case { inputs, outputs, ref steps, signed, largest } = *case;
        let mut random = SplitMix(inputs as u64);
        let mut number = |most: i64| (random.next() >> 33) as i64 % (2 * most + 1) - most;
        let weights: Vec<i8> = (0..inputs * outputs).map(|_| number(largest) as i8).collect();
        let bias: Vec<i32> = (0..outputs).map(|_| number(100_000) as i32).collect();
        let rows = 2 * STRIP;
        let low = if signed { 63 } else { 127 };
        let values: Vec<i64> = (0..rows * inputs)
            .map(|_| if signed { number(low) } else { number(low).abs() })
            .collect();
        let plan = Plan {
            name: "test",
            inputs,
            outputs,
            weight: &|input, output| weights[input * outputs + output],
            bias: &bias,
            steps,
            signed,
        };
        let matrix = Matrix::new(&plan).unwrap();
        let multiple = |input: usize| -> i64 {
            let later = steps.iter().filter(|step| step.0 * QUAD > input);
            1 << later.map(|step| step.1).sum::<u32>()
        };
        let expected: Vec<i64> = (0..rows * outputs)
            .map(|place| {
                let (row, output) = (place / outputs, place % outputs);
                let products = (0..inputs).map(|input| {
                    let weight = i64::from(weights[input * outputs + output]);
                    values[row * inputs + input] * weight * multiple(input)
                });
                products.sum::<i64>() + i64::from(bias[output])
            })
            .collect();
        let offset = if signed { i64::from(OFFSET) } else { 0 };
        let bytes: Vec<u8> = values.iter().map(|value| (value + offset) as u8).collect();
        let found = |multiply: &dyn Fn(usize, &mut Sums)| {
            let (mut found, mut work) = (vec![], Sums::default());
            for first in (0..rows).step_by(STRIP) {
                multiply(first, &mut work);
                for sums in work.sums.chunks(matrix.width()) {
                    let sums = sums.iter().zip(matrix.bias()).map(|(a, b)| i64::from(a + b));
                    found.extend(sums.take(outputs));
                }
            }
            found
        };
        let portable = found(&|first, out| matrix.multiply(Portable, &bytes, first, out));
        assert_eq!(portable, expected, "{inputs} x {outputs}, portable");
        #[cfg(target_arch = "x86_64")]
        if let Some(simd) = pulp::x86::V3::try_new() {
            let dot = crate::network::Avx2(simd);
            let wide = found(&|first, out| matrix.multiply(dot, &bytes, first, out));
            assert_eq!(wide, expected, "{inputs} x {outputs}, AVX2");
        }
    }

    #[test]
    fn products_are_those_of_the_numbers() {
        for (inputs, outputs) in [(4, 1), (8, 16), (20, 17), (96, 240), (148, 96), (192, 40)] {
            for signed in [false, true] {
                // Small weights make long chains, large ones short chains.
                for largest in [20, 64, 127] {
                    check(&Case { inputs, outputs, steps: vec![], signed, largest });
                }
            }
        }
    }

    #[test]
    fn inputs_have_units() {
        let steps = vec![(3, 2), (5, 1), (20, 3)];
        check(&Case { inputs: 100, outputs: 50, steps, signed: true, largest: 100 });
    }

    #[test]
    fn the_largest_of_numbers_do_not_overflow() {
        for weight in [-127, 127] {
            let plan = Plan {
                name: "test",
                inputs: 64,
                outputs: 16,
                weight: &|_, _| weight,
                bias: &[7; 16],
                steps: &[],
                signed: false,
            };
            let mut work = Sums::default();
            Matrix::new(&plan).unwrap().multiply_one(Portable, &[127; 64], &mut work);
            assert_eq!(work.sums, [64 * 127 * i32::from(weight) + 7; 16]);
        }
    }

    #[test]
    fn sums_that_could_overflow_are_refused() {
        let plan = Plan {
            name: "rise",
            inputs: 64,
            outputs: 1,
            weight: &|_, _| 127,
            bias: &[0],
            steps: &[(8, 12)],
            signed: true,
        };
        // Also where 64 bits would not hold them: eight of these weights come to 2^64.
        for steps in [[(8, 12)], [(8, 48)]] {
            let error = Matrix::new(&Plan { steps: &steps, ..plan }).unwrap_err().to_string();
            assert!(error.contains("`rise`"), "{error}");
        }
    }
}
