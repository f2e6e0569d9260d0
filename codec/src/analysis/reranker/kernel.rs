//! The reranker's arithmetic, compiled once for each kind of registers.

use pulp::NullaryFnOnce;

use super::parts::{Hidden, OfPosition, Parts, Row};
use super::{FIRST, LARGEST, RERANKER_UNIT_BITS, SECOND, VECTOR_UNIT_BITS};
use crate::analysis::reranker_features::POSITION_SLOTS;
use crate::analysis::reranker_index::RerankerFeatures;
use crate::network::{BLOCK, Dot, QUAD};

/// Units of the first layer that are added up in registers together.
const TOGETHER: usize = 32;

/// The blocks of the first layer's units.
const BLOCKS: usize = FIRST / BLOCK;

/// One position: what is read of it, and what is to be found.
pub(super) struct Kernel<'a> {
    pub parts: &'a Parts,
    /// Of the searched moves.
    pub features: &'a [RerankerFeatures],
    /// The places of the searched moves among the legal ones.
    pub places: &'a [usize],
    /// Of the legal moves, one after the other.
    pub vectors: &'a [u8],
    /// Of the legal moves, in units of 2<sup>-31</sup>.
    pub priors: &'a [u32],
    /// Of the searched moves, in units of 2<sup>-16</sup> nat.
    pub logits: &'a mut [i32],
    /// In units of 2<sup>-16</sup> nat.
    pub end: &'a mut i32,
}

impl<'a> Kernel<'a> {
    pub fn with<D: Dot>(self, dot: D) -> Compiled<'a, D> {
        Compiled(self, dot)
    }
}

/// A kernel with its registers.
pub(super) struct Compiled<'a, D>(Kernel<'a>, D);

impl<D: Dot> NullaryFnOnce for Compiled<'_, D> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Compiled(Kernel { parts, features, places, vectors, priors, logits, end }, dot) = self;
        let Some(any) = features.first() else { return };
        // What all moves share is added up once.
        let mut shared = parts.biases.map(i32::from);
        parts.add_rows(&mut shared, &any[POSITION_SLOTS]);
        // Loops, since closures would be compiled for any processor.
        let mut units = vec![[0; FIRST]; features.len()];
        for ((units, features), &place) in units.iter_mut().zip(features).zip(places) {
            let mut sums = shared;
            parts.add_rows(&mut sums, &features[..POSITION_SLOTS.start]);
            parts.add_rows(&mut sums, &features[POSITION_SLOTS.end..parts.slots]);
            if parts.vector > 0 {
                let vector = &vectors[place * parts.vector..][..parts.vector];
                parts.add_vector(dot, &mut sums, vector);
            }
            for (unit, sum) in units.iter_mut().zip(sums) {
                // Not above LARGEST, and so of 16 bits.
                *unit = sum.clamp(0, LARGEST) as i16;
            }
        }
        let mut sums = parts.of_second.begin();
        if let Some(of_position) = &parts.of_position {
            let all = summary(&units, places, priors);
            of_position.add_second(&mut sums, &all);
            *end = of_position.end(&all);
        }
        for (units, logit) in units.iter().zip(logits) {
            let mut sums = sums;
            parts.add_second(dot, &mut sums, units);
            *logit = parts.of_second.output(&sums);
        }
    }
}

/// The mean of the units over all moves, weighted by their priors, and the greatest of each unit.
#[inline(always)]
fn summary(units: &[Row], places: &[usize], priors: &[u32]) -> [Row; 2] {
    let (mut sums, mut most, mut total) = ([0i32; FIRST], [0i16; FIRST], 0i32);
    for (units, &place) in units.iter().zip(places) {
        // 15 bits, so that sums have no more than 25: all priors together are 1.
        let prior = (priors[place] >> 16) as i32;
        total += prior;
        for ((sum, most), &unit) in sums.iter_mut().zip(&mut most).zip(units) {
            *sum += prior * i32::from(unit);
            *most = (*most).max(unit);
        }
    }
    let total = total.max(1);
    [sums.map(|sum| (sum / total) as i16), most]
}

/// The product of units with weights; the weights' sum is small enough.
#[inline(always)]
fn product(units: &Row, weights: &Row) -> i32 {
    let mut products = [0i32; FIRST];
    for (product, (&unit, &weight)) in products.iter_mut().zip(units.iter().zip(weights)) {
        *product = i32::from(unit) * i32::from(weight);
    }
    products.iter().sum()
}

impl<const UNITS: usize> Hidden<UNITS> {
    /// The sums before any input.
    #[inline(always)]
    fn begin(&self) -> [i32; UNITS] {
        self.biases.map(|bias| i32::from(bias) << RERANKER_UNIT_BITS)
    }

    /// The unit behind the layer, whose sums are given.
    #[inline(always)]
    fn output(&self, sums: &[i32; UNITS]) -> i32 {
        let mut output = i32::from(self.last_bias) << RERANKER_UNIT_BITS;
        for (sum, &weight) in sums.iter().zip(&self.last) {
            output += (sum >> RERANKER_UNIT_BITS).clamp(0, LARGEST) * i32::from(weight);
        }
        output
    }
}

impl OfPosition {
    /// Adds the second layer's products with the mean and with the greatest of the units.
    #[inline(always)]
    fn add_second(&self, sums: &mut [i32; SECOND], all: &[Row; 2]) {
        for (sum, [mean, most]) in sums.iter_mut().zip(&self.second) {
            *sum += product(&all[0], mean) + product(&all[1], most);
        }
    }

    /// The log-odds that the game ends.
    #[inline(always)]
    fn end(&self, all: &[Row; 2]) -> i32 {
        let mut sums = self.of_ends.begin();
        for (sum, [mean, most]) in sums.iter_mut().zip(&self.ends) {
            *sum += product(&all[0], mean) + product(&all[1], most);
        }
        self.of_ends.output(&sums)
    }
}

impl Parts {
    /// Adds the rows of features to the sums of the first layer.
    #[inline(always)]
    fn add_rows(&self, sums: &mut [i32; FIRST], features: &[u16]) {
        let (sums, _) = sums.as_chunks_mut::<TOGETHER>();
        for (chunk, sums) in sums.iter_mut().enumerate() {
            let mut part = *sums;
            for &feature in features {
                let row = &self.table[usize::from(feature)];
                for (sum, &number) in part.iter_mut().zip(&row.as_chunks::<TOGETHER>().0[chunk]) {
                    *sum += i32::from(number);
                }
            }
            *sums = part;
        }
    }

    /// Adds the second layer's products with the units of a move.
    #[inline(always)]
    fn add_second<D: Dot>(&self, dot: D, sums: &mut [i32; SECOND], units: &Row) {
        let mut products = [dot.zero(); SECOND / BLOCK];
        for (&pair, weights) in units.as_chunks::<2>().0.iter().zip(&self.second) {
            for (product, weights) in products.iter_mut().zip(weights) {
                *product = dot.add_pair(*product, pair, weights);
            }
        }
        for (sums, product) in sums.as_chunks_mut::<BLOCK>().0.iter_mut().zip(products) {
            for (sum, product) in sums.iter_mut().zip(dot.numbers(product)) {
                *sum += product;
            }
        }
    }

    /// Adds the product with a vector to the sums of the first layer.
    #[inline(always)]
    fn add_vector<D: Dot>(&self, dot: D, sums: &mut [i32; FIRST], vector: &[u8]) {
        let mut products = [dot.zero(); BLOCKS];
        let (quads, rest) = vector.as_chunks::<QUAD>();
        // Zeros behind the last numbers.
        let mut last = [0; QUAD];
        for (byte, &number) in last.iter_mut().zip(rest) {
            *byte = number;
        }
        let quads = quads.iter().chain([&last]).map(|&quad| u32::from_le_bytes(quad));
        for (quad, weights) in quads.zip(self.vector_weights.as_chunks::<BLOCKS>().0) {
            if quad == 0 {
                continue;
            }
            let inputs = dot.inputs(quad);
            for (product, weights) in products.iter_mut().zip(weights) {
                *product = dot.add(*product, inputs, &weights.0);
            }
        }
        let (sums, _) = sums.as_chunks_mut::<BLOCK>();
        for (sums, product) in sums.iter_mut().zip(products) {
            for (sum, product) in sums.iter_mut().zip(dot.numbers(product)) {
                *sum += product >> VECTOR_UNIT_BITS;
            }
        }
    }
}
