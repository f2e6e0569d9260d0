//! Attention between squares: queries in lanes, so that the shares of all keys stand in one lane.

use core::arch::x86_64::__m512i;

use super::super::attention::{Attention, MOST_SCORE};
use super::super::view::SQUARES;
use super::plane::{LANES, PARTS, Plane};
use super::products::add_products;
use super::vector::{OFFSETS, Vector, load, store};
use super::workspace::Workspace;
use crate::network::QUAD;

/// A head's numbers.
struct Head<'a> {
    attention: &'a Attention,
    head: usize,
    relation: &'a [[[i16; LANES]; PARTS]],
    queries: &'a [Plane],
    keys: &'a [Plane],
    /// For each number of a square's vector.
    values: &'a [[i32; LANES]],
}

impl Attention {
    /// Writes what the squares attend to: for each head, into planes of `work.mixed` from the head's place in `places` on.
    #[inline(always)]
    pub(super) fn run_in_lanes(&self, vector: Vector, places: &[usize], work: &mut Workspace) {
        let (quads, depth) = (self.depth / QUAD, self.depth);
        work.scores.resize(SQUARES, Plane::ZERO);
        let scores = &mut work.scores[..SQUARES];
        for (head, &place) in places.iter().enumerate() {
            let numbers = Head {
                attention: self,
                head,
                relation: &self.relation_in_lanes.0[head * SQUARES..][..SQUARES],
                queries: &work.queries[head * quads..][..quads],
                keys: &work.keys[head * quads..][..quads],
                values: &work.values[head * depth..][..depth],
            };
            let largest = numbers.scores(vector, scores);
            let totals = self.shares_in_lanes(vector, scores, largest);
            numbers.attend(vector, scores, totals, &mut work.mixed[place / QUAD..][..quads]);
        }
    }

    /// Turns the scores of each key into shares, four keys in the bytes of a plane. Returns the sums of shares.
    #[inline(always)]
    fn shares_in_lanes(
        &self,
        vector: Vector,
        scores: &mut [Plane],
        largest: [__m512i; PARTS],
    ) -> [__m512i; PARTS] {
        let last = vector.splat(self.last);
        let mut totals = [vector.splat(0); PARTS];
        for quad in 0..SQUARES / QUAD {
            for part in 0..PARTS {
                let mut shares = [vector.splat(0); QUAD];
                for (share, plane) in shares.iter_mut().zip(&scores[QUAD * quad..][..QUAD]) {
                    let less = vector.sub(largest[part], load(&plane.0[part]));
                    let less = vector.min(less, last);
                    *share = match self.shares_are_exponential {
                        true => exponential(vector, less),
                        false => self.look_up(less),
                    };
                    totals[part] = vector.add(totals[part], *share);
                }
                // What stood here has been read.
                scores[quad].0[part] = store(vector.unsigned(shares));
            }
        }
        totals
    }

    /// Shares from the table.
    #[inline(always)]
    fn look_up(&self, places: __m512i) -> __m512i {
        let mut numbers = store(places);
        for number in &mut numbers {
            *number = i32::from(self.shares[*number as usize % self.shares.len()]);
        }
        load(&numbers)
    }

    /// Whether [`exponential`] finds what the table says.
    pub(in crate::board_network) fn table_is_exponential(&self) -> bool {
        let Some(simd) = plyzip_kernel::Vnni::try_new() else { return false };
        let places: Vec<i32> = (0..=self.last).collect();
        simd.vectorize(Compare { attention: self, vector: Vector(simd), places: &places })
    }
}

/// A comparison, compiled for the registers.
struct Compare<'a> {
    attention: &'a Attention,
    vector: Vector,
    places: &'a [i32],
}

impl pulp::NullaryFnOnce for Compare<'_> {
    type Output = bool;

    #[inline(always)]
    fn call(self) -> bool {
        let Compare { attention, vector, places } = self;
        let mut same = true;
        for &place in places {
            let places = vector.splat(place);
            let found = store(exponential(vector, places));
            same &= found == store(attention.look_up(places));
        }
        same
    }
}

/// 127 e<sup>-x/256</sup> rounded: the usual table of shares. The error is below 2<sup>-11</sup>, and no entry of the
/// usual table is within 2<sup>-11</sup> of where it would be rounded to another number.
#[inline(always)]
fn exponential(vector: Vector, less: __m512i) -> __m512i {
    /// 127 x 2<sup>r</sup> for r from -1/2 to 1/2, the highest power first: from values at Chebyshev's nodes.
    const POWERS: [f32; 5] = [1.228_856_7, 7.102_098_5, 30.508_076, 88.026_375, 127.000_01];
    /// -1 / (256 ln 2).
    const PACE: f32 = -0.005_635_528;
    let f = vector.0.avx512f;
    let power = vector.multiply(vector.to_f32(less), vector.splat_f32(PACE));
    let whole = f._mm512_roundscale_ps::<0>(power);
    let rest = f._mm512_sub_ps(power, whole);
    let mut sum = vector.splat_f32(POWERS[0]);
    for coefficient in &POWERS[1..] {
        sum = f._mm512_fmadd_ps(sum, rest, vector.splat_f32(*coefficient));
    }
    f._mm512_cvtps_epi32(f._mm512_scalef_ps(sum, whole))
}

impl Head<'_> {
    /// Writes the scores of each key with all queries. Returns the largest of each query.
    #[inline(always)]
    fn scores(&self, vector: Vector, scores: &mut [Plane]) -> [__m512i; PARTS] {
        let most = f32::from(MOST_SCORE);
        let factor = vector.splat_f32(self.attention.scores[self.head]);
        let offsets = self.offsets(vector);
        let mut largest = [vector.splat(i32::MIN); PARTS];
        for keys in 0..SQUARES / QUAD {
            let mut sums = [[vector.splat(0); PARTS]; QUAD];
            for (queries, numbers) in self.queries.iter().zip(self.keys) {
                let quads = numbers.0.as_flattened().as_chunks::<QUAD>().0;
                add_products(vector, &mut sums, queries, quads[keys]);
            }
            for (place, sums) in sums.iter().enumerate() {
                let key = QUAD * keys + place;
                let offset = vector.splat(offsets.0.as_flattened()[key]);
                for part in 0..PARTS {
                    let product = vector.to_f32(vector.sub(sums[part], offset));
                    let score = vector.rounded(vector.multiply(product, factor), -most, most);
                    let relation = pulp::cast(self.relation[key][part]);
                    let relation = vector.0.avx512f._mm512_cvtepi16_epi32(relation);
                    let score = vector.add(score, relation);
                    largest[part] = vector.max(largest[part], score);
                    scores[key].0[part] = store(score);
                }
            }
        }
        largest
    }

    /// What the offset of queries adds to each key's products.
    #[inline(always)]
    fn offsets(&self, vector: Vector) -> Plane {
        let mut offsets = Plane::ZERO;
        for part in 0..PARTS {
            let mut sums = vector.splat(0);
            for keys in self.keys {
                let keys = load(&keys.0[part]);
                sums = vector.0.add_products(sums, vector.splat(OFFSETS), keys);
            }
            offsets.0[part] = store(sums);
        }
        offsets
    }

    /// Writes what squares attend to with these shares, whose sums are `totals`.
    #[inline(always)]
    fn attend(
        &self,
        vector: Vector,
        shares: &[Plane],
        totals: [__m512i; PARTS],
        out: &mut [Plane],
    ) {
        let mut factors = [vector.splat_f32(self.attention.out[self.head]); PARTS];
        for (factor, total) in factors.iter_mut().zip(totals) {
            *factor = vector.0.avx512f._mm512_div_ps(*factor, vector.to_f32(total));
        }
        for (values, out) in self.values.as_chunks::<QUAD>().0.iter().zip(out) {
            let mut sums = [[vector.splat(0); PARTS]; QUAD];
            for (keys, shares) in shares[..SQUARES / QUAD].iter().enumerate() {
                let [a, b, c, d] = values;
                add_products(vector, &mut sums, shares, [a[keys], b[keys], c[keys], d[keys]]);
            }
            for part in 0..PARTS {
                let mut numbers = [vector.splat(0); QUAD];
                for (number, sums) in numbers.iter_mut().zip(&sums) {
                    let value = vector.multiply(vector.to_f32(sums[part]), factors[part]);
                    *number = vector.rounded(value, -63.0, 63.0);
                }
                out.0[part] = store(vector.raised(numbers));
            }
        }
    }
}
