//! The heads.

use super::super::heads::{Heads, Outputs, PROMOTIONS, Vectors};
use super::super::matrix::Sums;
use super::super::normal::Normal;
use super::super::view::{SQUARES, View};
use super::plane::{LANES, PARTS};
use super::vector::{Vector, store, transposed};
use super::workspace::Workspace;
use crate::network::{Portable, QUAD};

impl Heads {
    /// What the residual stream leads to.
    #[inline(always)]
    pub fn run_in_lanes(
        &self,
        vector: Vector,
        normal: &Normal,
        view: &View,
        work: &mut Workspace,
        product: &mut Sums,
    ) -> Outputs {
        normal.apply_in_lanes(vector, &work.stream, &mut work.normal);
        // Four parts: departures and arrivals of both policies.
        let quads = self.policy / QUAD;
        let stride = (4 * quads).next_multiple_of(LANES);
        work.vectors.resize(SQUARES * stride, [0; QUAD]);
        let [played, taught] = &self.policies;
        let factors = [&played.origin, &played.target, &taught.origin, &taught.target];
        // Sixteen quads become rows of as many squares together.
        for first in (0..stride).step_by(LANES) {
            let mut columns = [[vector.splat(0); LANES]; PARTS];
            for (place, quad) in (first..4 * quads).take(LANES).enumerate() {
                let (part_of, group) = (quad / quads, quad % quads);
                let most = if part_of % 2 == 0 { 63.0 } else { 127.0 };
                let sums = self.all.lanes.sums(vector, &work.normal, quad);
                for (part, columns) in columns.iter_mut().enumerate() {
                    let numbers = factors[part_of].in_lanes(vector, &sums, part, group, most);
                    columns[place] = vector.signed(numbers);
                }
            }
            for (part, columns) in columns.into_iter().enumerate() {
                for (lane, row) in transposed(vector, columns).into_iter().enumerate() {
                    let start = (LANES * part + lane) * stride + first;
                    let quads: [[u8; QUAD]; LANES] = pulp::cast(row);
                    work.vectors[start..start + LANES].copy_from_slice(&quads);
                }
            }
        }

        let mut promotions = [[[0; PROMOTIONS]; SQUARES]; 2];
        for (head, promotions) in promotions.iter_mut().enumerate() {
            let sums = self.all.lanes.sums(vector, &work.normal, 4 * quads + head);
            for (kind, sums) in sums.iter().enumerate() {
                for (part, &sums) in sums.iter().enumerate() {
                    for (lane, sum) in store(sums).into_iter().enumerate() {
                        promotions[LANES * part + lane][kind] = sum;
                    }
                }
            }
        }

        let mut pooled = vec![0i64; self.pooled_width];
        for (group, pooled) in pooled.as_chunks_mut::<QUAD>().0.iter_mut().enumerate() {
            let sums = self.all.lanes.sums(vector, &work.normal, 4 * quads + 2 + group);
            for (pooled, sums) in pooled.iter_mut().zip(sums) {
                for sums in sums {
                    for sum in store(vector.max(sums, vector.splat(0))) {
                        *pooled += i64::from(sum);
                    }
                }
            }
        }

        let (end, value) = self.ends(Portable, &pooled, product);
        let bytes = work.vectors.as_flattened();
        let part = |part: usize| Vectors {
            bytes: &bytes[part * self.policy..],
            stride: QUAD * stride,
            width: self.policy,
        };
        Outputs {
            played: played.logits(view, [part(0), part(1)], &promotions[0]),
            taught: taught.logits(view, [part(2), part(3)], &promotions[1]),
            end,
            value,
        }
    }
}
