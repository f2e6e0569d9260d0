//! Attention between squares, head by head.

use super::file::{Linear, Tensors, refuse};
#[cfg(target_arch = "x86_64")]
use super::lanes::Relation;
use super::normal::UNIT;
use super::plan::OFFSET;
use super::registers::{BLOCKS, ROWS, Registers, STRIP, StripQuad, TILE, TileWeights, lay_out};
use super::requantise::Factors;
use super::rounding::{byte, power, rounded};
use super::sizes::Sizes;
use super::view::SQUARES;
use crate::Result;
use crate::network::{BLOCK, QUAD};

/// The exponent of the unit of scores.
const SCORE: i32 = -8;

/// The largest score without its bias, and the largest bias.
pub const MOST_SCORE: i16 = (1 << 14) - 1;

/// Entries of the table of shares: a power of two, so that an index needs no check.
const SHARES: usize = 2048;

const ZEROS: TileWeights = TileWeights([[0; QUAD * BLOCK]; BLOCKS]);

/// What attention has besides the matrices.
#[derive(Debug)]
pub struct Attention {
    heads: usize,
    pub(super) depth: usize,
    /// From sums to queries, keys and values.
    pub queries: Factors,
    pub keys: Factors,
    pub values: Factors,
    /// From products to scores, for each head.
    pub(super) scores: Vec<f32>,
    /// (heads, 64, 64), in units of scores: what a square's place says to another's.
    relation: Vec<i16>,
    /// The same for queries in lanes.
    #[cfg(target_arch = "x86_64")]
    pub(super) relation_in_lanes: Relation,
    /// From values to what is attended to, for each head.
    pub(super) out: Vec<f32>,
    /// Exponents of the units of what is attended to, for each head.
    pub units: Vec<i32>,
    pub(super) shares: Box<[u8; SHARES]>,
    /// Whether the shares are those that are computed in lanes.
    #[cfg(target_arch = "x86_64")]
    pub(super) shares_are_exponential: bool,
    /// The last entry of the table.
    pub(super) last: i32,
}

/// Memory for one head.
#[derive(Debug, Default)]
pub struct Scratch {
    queries: Vec<StripQuad>,
    keys: Vec<TileWeights>,
    values: Vec<TileWeights>,
    /// What the offset of queries adds to each key's products.
    offsets: Vec<i32>,
}

/// The exponent of about 1 / sqrt(width), by which products of vectors are multiplied.
pub fn halved(width: usize) -> i32 {
    let log = width.next_power_of_two().trailing_zeros() as i32;
    -((log + 1) / 2)
}

impl Attention {
    /// Reads the part of a block; `qkv` is its matrix.
    ///
    /// # Errors
    /// [`crate::Error::Model`] if a tensor is not there or of another form.
    pub fn read(
        tensors: &Tensors,
        name: &str,
        sizes: &Sizes,
        qkv: &Linear,
        exponential: &[u8],
    ) -> Result<Attention> {
        let (heads, inner) = (sizes.heads, sizes.inner());
        let depth = inner / heads;
        let units = |part: &str| tensors.units(&format!("{name}_{part}_unit"), heads);
        let [queries, keys, values, out] =
            [units("query")?, units("key")?, units("value")?, units("out")?];
        let factors = |part: usize, site: &[i32], more: i32| {
            let rows = qkv.units[part * inner..][..inner].iter().enumerate();
            Factors::new(rows.map(|(row, unit)| unit + UNIT + more - site[row / depth]))
        };
        let relation = tensors.i16(&format!("{name}_relation"), &[heads, SQUARES, SQUARES])?;
        if relation.iter().any(|bias| bias.unsigned_abs() > MOST_SCORE as u16) {
            return Err(refuse(format!("`{name}_relation` has a number beyond {MOST_SCORE}")));
        }
        let mut shares = Box::new([exponential[exponential.len() - 1]; SHARES]);
        shares[..exponential.len()].copy_from_slice(exponential);
        #[cfg_attr(not(target_arch = "x86_64"), expect(unused_mut))]
        let mut attention = Attention {
            heads,
            depth,
            queries: factors(0, &queries, halved(depth)),
            keys: factors(1, &keys, 0),
            values: factors(2, &values, 0),
            scores: queries.iter().zip(&keys).map(|(q, k)| power(q + k - SCORE)).collect(),
            #[cfg(target_arch = "x86_64")]
            relation_in_lanes: Relation::new(&relation),
            relation,
            out: values.iter().zip(&out).map(|(value, out)| power(value - out)).collect(),
            units: out,
            shares,
            #[cfg(target_arch = "x86_64")]
            shares_are_exponential: false,
            last: exponential.len() as i32 - 1,
        };
        #[cfg(target_arch = "x86_64")]
        {
            attention.shares_are_exponential = attention.table_is_exponential();
        }
        Ok(attention)
    }

    /// Writes what the squares attend to: for each head, into the rows of `mixed` (64, `stride`) from the head's place
    /// in `places` on, with [`OFFSET`]. Queries have it, too; all are (64, inner).
    #[cfg_attr(target_arch = "x86_64", inline(always))]
    pub fn run<D: Registers>(
        &self,
        dot: D,
        [queries, keys, values]: [&[u8]; 3],
        mixed: &mut [u8],
        stride: usize,
        places: &[usize],
        scratch: &mut Scratch,
    ) {
        let (depth, inner) = (self.depth, self.heads * self.depth);
        for (head, &place) in places.iter().enumerate() {
            let begin = head * depth;
            scratch.set(keys, values, inner, begin, depth);
            let relation = &self.relation[head * SQUARES * SQUARES..][..SQUARES * SQUARES];
            let strips = relation.as_chunks::<{ STRIP * SQUARES }>().0;
            for (strip, relation) in strips.iter().enumerate() {
                let rows = &queries[strip * STRIP * inner + begin..];
                lay_out(rows, inner, depth / QUAD, &mut scratch.queries);
                let mut products = [[0i32; SQUARES]; STRIP];
                product(dot, &scratch.queries, &scratch.keys, &mut products);
                let mut shares = [[[0; QUAD]; STRIP]; SQUARES / QUAD];
                let mut totals = [0i32; STRIP];
                let offsets = scratch.offsets.as_chunks::<SQUARES>().0;
                for row in 0..STRIP {
                    let relation = &relation.as_chunks::<SQUARES>().0[row];
                    let factor = self.scores[head];
                    let indices = self.indices(&products[row], &offsets[0], factor, relation);
                    for (quad, indices) in shares.iter_mut().zip(indices.as_chunks::<QUAD>().0) {
                        for (share, &index) in quad[row].iter_mut().zip(indices) {
                            *share = self.shares[index as usize % SHARES];
                            totals[row] += i32::from(*share);
                        }
                    }
                }
                let tiles = scratch.values.chunks_exact(SQUARES / QUAD);
                for (tile, values) in tiles.enumerate() {
                    let mut sums = [[0i32; TILE]; STRIP];
                    product(dot, &shares, values, &mut sums);
                    let width = (depth - tile * TILE).min(TILE);
                    for (row, sums) in sums.iter().enumerate() {
                        let factor = self.out[head] / totals[row] as f32;
                        let mut bytes = [0; TILE];
                        for (byte_of, &sum) in bytes.iter_mut().zip(sums) {
                            *byte_of = byte(sum as f32 * factor, -63.0, 63.0).wrapping_add(OFFSET);
                        }
                        let start = (strip * STRIP + row) * stride + place + tile * TILE;
                        mixed[start..start + width].copy_from_slice(&bytes[..width]);
                    }
                }
            }
        }
    }

    /// Where the shares of 64 squares stand in the table, by their scores.
    #[cfg_attr(target_arch = "x86_64", inline(always))]
    fn indices(
        &self,
        products: &[i32; SQUARES],
        offsets: &[i32; SQUARES],
        factor: f32,
        relation: &[i16; SQUARES],
    ) -> [i32; SQUARES] {
        let most = f32::from(MOST_SCORE);
        let mut scores = [0i32; SQUARES];
        for place in 0..SQUARES {
            let product = products[place] - offsets[place];
            let score = rounded(product as f32 * factor, -most, most);
            scores[place] = score + i32::from(relation[place]);
        }
        let largest = largest(&scores);
        for score in &mut scores {
            *score = (largest - *score).min(self.last);
        }
        scores
    }
}

/// The largest of the scores, by halves, which registers compare at once.
#[cfg_attr(target_arch = "x86_64", inline(always))]
fn largest(scores: &[i32; SQUARES]) -> i32 {
    let mut left = *scores;
    let mut half = SQUARES / 2;
    while half > 0 {
        for place in 0..half {
            let (one, other) = (left[place], left[place + half]);
            left[place] = if one > other { one } else { other };
        }
        half /= 2;
    }
    left[0]
}

impl Scratch {
    /// Packs the keys and values of a head: keys in tiles of 16 squares, quads of numbers in each; values in tiles of
    /// 16 numbers, quads of squares in each.
    #[cfg_attr(target_arch = "x86_64", inline(always))]
    fn set(&mut self, keys: &[u8], values: &[u8], inner: usize, begin: usize, depth: usize) {
        let quads = depth / QUAD;
        self.keys.resize(SQUARES / TILE * quads, ZEROS);
        self.offsets.clear();
        for square in 0..SQUARES {
            let key = &keys[square * inner + begin..][..depth];
            let (tile, block, place) = (square / TILE, square / BLOCK % BLOCKS, square % BLOCK);
            let weights = &mut self.keys[tile * quads..][..quads];
            for (weights, quad) in weights.iter_mut().zip(key.as_chunks::<QUAD>().0) {
                let weights = weights.0[block].as_chunks_mut::<QUAD>().0;
                weights[place] = quad.map(|number| number as i8);
            }
            let mut sum = 0;
            for &number in key {
                sum += i32::from(number as i8);
            }
            self.offsets.push(sum * i32::from(OFFSET));
        }
        self.values.resize(depth.div_ceil(TILE) * (SQUARES / QUAD), ZEROS);
        for (tile, weights) in self.values.chunks_exact_mut(SQUARES / QUAD).enumerate() {
            let place = begin + tile * TILE;
            let width = (depth - tile * TILE).min(TILE);
            for (quad, weights) in weights.iter_mut().enumerate() {
                let mut rows = [[0u8; TILE]; QUAD];
                for (row, numbers) in rows.iter_mut().enumerate() {
                    let start = (quad * QUAD + row) * inner + place;
                    numbers[..width].copy_from_slice(&values[start..start + width]);
                }
                for (number, weights) in
                    weights.0.as_flattened_mut().as_chunks_mut::<QUAD>().0.iter_mut().enumerate()
                {
                    for (weight, row) in weights.iter_mut().zip(&rows) {
                        *weight = row[number] as i8;
                    }
                }
            }
        }
    }
}

/// The products of a strip with tiles.
#[cfg_attr(target_arch = "x86_64", inline(always))]
fn product<D: Registers, const WIDTH: usize>(
    dot: D,
    strip: &[StripQuad],
    weights: &[TileWeights],
    out: &mut [[i32; WIDTH]; STRIP],
) {
    product_of_rows::<D, WIDTH>(dot, strip, 0, weights, out);
    product_of_rows::<D, WIDTH>(dot, strip, ROWS, weights, out);
}

/// The products of [`ROWS`] of a strip's rows from `first` on.
#[cfg_attr(target_arch = "x86_64", inline(always))]
fn product_of_rows<D: Registers, const WIDTH: usize>(
    dot: D,
    strip: &[StripQuad],
    first: usize,
    weights: &[TileWeights],
    out: &mut [[i32; WIDTH]; STRIP],
) {
    for (tile, weights) in weights.chunks_exact(strip.len()).enumerate() {
        let mut sums = [dot.zero(); ROWS];
        for (quads, weights) in strip.iter().zip(weights.as_chunks::<1>().0) {
            for (row, sums) in sums.iter_mut().enumerate() {
                *sums = dot.add(*sums, [quads[(first + row) % STRIP]], weights);
            }
        }
        for (row, &sums) in sums.iter().enumerate() {
            out[first + row][tile * TILE..][..TILE].copy_from_slice(&dot.numbers(sums));
        }
    }
}
