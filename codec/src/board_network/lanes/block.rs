//! A block.

use super::super::block::Block;
use super::super::normal::Normal;
use super::super::requantise::{Factors, MOST_STREAM};
use super::heard::Heard;
use super::plane::{LANES, PARTS, Plane};
use super::vector::{OFFSETS, Vector, load, store};
use super::weights::Weights;
use super::workspace::Workspace;
use crate::network::QUAD;

impl Block {
    /// Adds to the residual stream.
    #[inline(always)]
    pub fn run_in_lanes(
        &self,
        vector: Vector,
        normal: &Normal,
        heard: &Heard,
        work: &mut Workspace,
    ) {
        normal.apply_in_lanes(vector, &work.stream, &mut work.normal);
        self.look_in_lanes(vector, work);
        work.mixed.resize(self.layout.stride / QUAD, Plane::ZERO);
        self.hear_in_lanes(vector, heard, work);
        self.attention.run_in_lanes(vector, &self.layout.heads, work);
        add_to(vector, &self.out.lanes, &self.added, &work.mixed, &mut work.stream);

        normal.apply_in_lanes(vector, &work.stream, &mut work.normal);
        work.hidden.resize(self.rise.lanes.groups(), Plane::ZERO);
        for (group, out) in work.hidden.iter_mut().enumerate() {
            let sums = self.rise.lanes.sums(vector, &work.normal, group);
            let factors = &self.hidden.0[QUAD * group..][..QUAD];
            for part in 0..PARTS {
                let mut numbers = [vector.splat(0); QUAD];
                for ((number, sums), &factor) in numbers.iter_mut().zip(&sums).zip(factors) {
                    let root = vector.to_f32(vector.max(sums[part], vector.splat(0)));
                    let square = vector.multiply(root, root);
                    let value = vector.multiply(square, vector.splat_f32(factor));
                    *number = vector.rounded(value, 0.0, 127.0);
                }
                out.0[part] = store(vector.unsigned(numbers));
            }
        }
        add_to(vector, &self.fall.lanes, &self.fallen, &work.hidden, &mut work.stream);
    }

    /// Queries, keys, values, and what squares say.
    #[inline(always)]
    fn look_in_lanes(&self, vector: Vector, work: &mut Workspace) {
        let quads = self.inner / QUAD;
        let (first, inputs) = (&self.first.lanes, &work.normal[..]);
        work.queries.resize(quads, Plane::ZERO);
        work.keys.resize(quads, Plane::ZERO);
        work.values.resize(self.inner, [0; LANES]);
        work.said.resize(first.groups() - 3 * quads, Plane::ZERO);
        let attention = &self.attention;
        for (group, out) in work.queries.iter_mut().enumerate() {
            let sums = first.sums(vector, inputs, group);
            for part in 0..PARTS {
                let numbers = attention.queries.in_lanes(vector, &sums, part, group, 63.0);
                out.0[part] = store(vector.raised(numbers));
            }
        }
        for (group, out) in work.keys.iter_mut().enumerate() {
            let sums = first.sums(vector, inputs, quads + group);
            for part in 0..PARTS {
                let numbers = attention.keys.in_lanes(vector, &sums, part, group, 127.0);
                out.0[part] = store(vector.signed(numbers));
            }
        }
        for (group, out) in work.values.as_chunks_mut::<QUAD>().0.iter_mut().enumerate() {
            let sums = first.sums(vector, inputs, 2 * quads + group);
            for part in 0..PARTS {
                let numbers = attention.values.in_lanes(vector, &sums, part, group, 127.0);
                for (out, number) in out.iter_mut().zip(numbers) {
                    let bytes = vector.0.avx512f._mm512_cvtepi32_epi8(number);
                    let squares: [i32; QUAD] = pulp::cast(bytes);
                    out[QUAD * part..][..QUAD].copy_from_slice(&squares);
                }
            }
        }
        for (group, out) in work.said.iter_mut().enumerate() {
            let sums = first.sums(vector, inputs, 3 * quads + group);
            for part in 0..PARTS {
                let numbers = self.said.in_lanes(vector, &sums, part, group, 63.0);
                out.0[part] = store(vector.raised(numbers));
            }
        }
    }

    /// What each square hears, into the planes of `mixed`.
    #[inline(always)]
    fn hear_in_lanes(&self, vector: Vector, heard: &Heard, work: &mut Workspace) {
        let quads = self.layout.ray / QUAD;
        let nothing = vector.splat(OFFSETS);
        for &(place, way) in &self.layout.rays {
            let said = &work.said[way * quads..][..quads];
            let mixed = &mut work.mixed[place / QUAD..][..quads];
            for (part, places) in heard.0[way].as_chunks().0.iter().enumerate() {
                let places = load(places);
                for (said, mixed) in said.iter().zip(mixed.iter_mut()) {
                    let mut table = [nothing; PARTS];
                    for (part, numbers) in table.iter_mut().zip(&said.0) {
                        *part = load(numbers);
                    }
                    let found = vector.look_up(table, places, nothing);
                    mixed.0[part] = store(found);
                }
            }
        }
    }
}

/// Adds a product to the residual stream.
#[inline(always)]
fn add_to(
    vector: Vector,
    weights: &Weights,
    factors: &Factors,
    inputs: &[Plane],
    stream: &mut [Plane],
) {
    let (low, high) = (vector.splat(-MOST_STREAM), vector.splat(MOST_STREAM));
    for (group, channels) in stream.as_chunks_mut::<QUAD>().0.iter_mut().enumerate() {
        let sums = weights.sums(vector, inputs, group);
        let factors = &factors.0[QUAD * group..][..QUAD];
        for ((channel, sums), &factor) in channels.iter_mut().zip(&sums).zip(factors) {
            for (number, &sum) in channel.0.iter_mut().zip(sums) {
                let value = vector.multiply(vector.to_f32(sum), vector.splat_f32(factor));
                let more = vector.rounded(value, -MOST_STREAM as f32, MOST_STREAM as f32);
                let total = vector.add(load(number), more);
                *number = store(vector.min(vector.max(total, low), high));
            }
        }
    }
}
