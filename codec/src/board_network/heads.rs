//! The heads: moves that people play and that the teacher plays, the game's end, the value.

use super::attention::halved;
use super::block::{matrix, side_by_side};
use super::file::{Linear, Tensors};
use super::matrix::{Matrix, Sums};
use super::normal::{Normal, UNIT};
use super::registers::{Registers, STRIP};
use super::requantise::Factors;
use super::rounding::{MOST_OUTPUT, fine};
use super::sizes::Sizes;
use super::view::{SQUARES, View};
use super::workspace::Workspace;
use crate::Result;

/// Kinds of promotion.
pub const PROMOTIONS: usize = 4;

/// What a network says of a position, in units of 2<sup>-16</sup> nat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outputs {
    /// Logits of the legal moves that people play, in the canonical order.
    pub played: Vec<i32>,
    /// Logits of the legal moves that the teacher plays.
    pub taught: Vec<i32>,
    /// The logit of the game's end.
    pub end: i32,
    /// Logits of a game won, drawn and lost by the player to move.
    pub value: [i32; 3],
}

/// A head for moves.
#[derive(Debug)]
pub(super) struct Policy {
    pub origin: Factors,
    pub target: Factors,
    /// The exponent of products of both.
    unit: i32,
    /// For each kind, the exponent of its sums.
    promotion: Vec<i32>,
    /// What speaks for each pair of squares.
    pair: Vec<i32>,
}

/// The matrices of a head for moves.
struct PolicyMatrices {
    origin: Linear,
    target: Linear,
    promotion: Linear,
}

/// All heads.
#[derive(Debug)]
pub struct Heads {
    pub(super) policy: usize,
    pub(super) pooled_width: usize,
    pub(super) policies: [Policy; 2],
    /// Departures and arrivals of both policies, promotions of both, and what is pooled.
    pub(super) all: Matrix,
    pooled: Factors,
    end: Matrix,
    end_unit: i32,
    value: Matrix,
    value_units: Vec<i32>,
}

impl Policy {
    fn read(tensors: &Tensors, name: &str, sizes: &Sizes) -> Result<(Policy, PolicyMatrices)> {
        let Sizes { width, policy, .. } = *sizes;
        let linear =
            |part: &str, outputs| tensors.linear(&format!("{name}_{part}"), width, outputs);
        let origin = linear("origin", policy)?;
        let target = linear("target", policy)?;
        let promotion = linear("promotion_matrix", PROMOTIONS)?;
        let site = |part: &str| tensors.unit(&format!("{name}_{part}_site_unit"));
        let [origin_site, target_site] = [site("origin")?, site("target")?];
        let scale = halved(policy);
        let read = Policy {
            origin: Factors::new(origin.units.iter().map(|unit| unit + UNIT + scale - origin_site)),
            target: Factors::new(target.units.iter().map(|unit| unit + UNIT - target_site)),
            unit: origin_site + target_site,
            promotion: promotion.units.iter().map(|unit| unit + UNIT).collect(),
            pair: tensors.i32(&format!("{name}_pair"), &[SQUARES * SQUARES], MOST_OUTPUT)?,
        };
        Ok((read, PolicyMatrices { origin, target, promotion }))
    }

    /// The logits of the legal moves; `origin` and `target` are the squares' vectors, bytes with a sign, and `promotion`
    /// (64, 4) sums.
    #[cfg_attr(target_arch = "x86_64", inline(always))]
    pub fn logits(
        &self,
        view: &View,
        [origin, target]: [Vectors; 2],
        promotion: &[[i32; PROMOTIONS]; SQUARES],
    ) -> Vec<i32> {
        let mut logits = vec![0; view.moves.len()];
        for (logit, seen) in logits.iter_mut().zip(&view.moves) {
            let (from, to) = (usize::from(seen.pair) / SQUARES, usize::from(seen.pair) % SQUARES);
            let mut product = 0;
            for (&a, &b) in origin.of(from).iter().zip(target.of(to)) {
                product += i32::from(a as i8) * i32::from(b as i8);
            }
            *logit = fine(i64::from(product), self.unit) + self.pair[usize::from(seen.pair)];
            if let Some(kind) = usize::from(seen.promotion).checked_sub(1) {
                *logit += fine(i64::from(promotion[to][kind]), self.promotion[kind]);
            }
        }
        logits
    }
}

/// A vector for each square.
#[derive(Clone, Copy)]
pub(super) struct Vectors<'a> {
    /// From the first vector on.
    pub bytes: &'a [u8],
    /// From one vector to the next.
    pub stride: usize,
    /// Numbers of a vector.
    pub width: usize,
}

impl<'a> Vectors<'a> {
    #[cfg_attr(target_arch = "x86_64", inline(always))]
    fn of(self, square: usize) -> &'a [u8] {
        &self.bytes[square * self.stride..][..self.width]
    }
}

impl Heads {
    /// Reads the heads.
    ///
    /// # Errors
    /// [`crate::Error::Model`] if a tensor is not there, of another form, or would not compute exactly.
    pub fn read(tensors: &Tensors, sizes: &Sizes) -> Result<Heads> {
        let Sizes { width, policy, pooled, .. } = *sizes;
        let (played, p) = Policy::read(tensors, "played", sizes)?;
        let (taught, t) = Policy::read(tensors, "taught", sizes)?;
        let pool = tensors.linear("pool", width, pooled)?;
        let site = tensors.unit("pooled_unit")?;
        let end = tensors.linear("end_matrix", pooled, 1)?;
        let value = tensors.linear("value_matrix", pooled, 3)?;
        let parts = [&p.origin, &p.target, &t.origin, &t.target, &p.promotion, &t.promotion, &pool];
        // The mean of 64 squares.
        let mean = |unit: &i32| unit + UNIT - 6 - site;
        Ok(Heads {
            policy,
            pooled_width: pooled,
            policies: [played, taught],
            all: side_by_side(&parts)?,
            pooled: Factors::new(pool.units.iter().map(mean)),
            end_unit: end.units[0] + site,
            end: matrix(&end, false)?,
            value_units: value.units.iter().map(|unit| unit + site).collect(),
            value: matrix(&value, false)?,
        })
    }

    /// What the residual stream (64, width) leads to.
    #[cfg_attr(target_arch = "x86_64", inline(always))]
    pub fn run<D: Registers>(
        &self,
        dot: D,
        normal: &Normal,
        view: &View,
        stream: &[i32],
        work: &mut Workspace,
    ) -> Outputs {
        normal.apply(stream, &mut work.normal);
        let policy = self.policy;
        let mut vectors: [Vec<u8>; 4] = std::array::from_fn(|_| vec![0; SQUARES * policy]);
        let mut promotions = [[[0; PROMOTIONS]; SQUARES]; 2];
        let mut pooled = vec![0i64; self.pooled_width];
        let (all, bias) = (self.all.width(), self.all.bias());
        let [played, taught] = &self.policies;
        let factors = [&played.origin, &played.target, &taught.origin, &taught.target];
        for first in (0..SQUARES).step_by(STRIP) {
            self.all.multiply(dot, &work.normal, first, &mut work.product);
            for (row, sums) in work.product.sums.chunks_exact(all).enumerate() {
                let square = first + row;
                for (part, factors) in factors.iter().enumerate() {
                    let most = if part % 2 == 0 { 63.0 } else { 127.0 };
                    let out = &mut vectors[part][square * policy..][..policy];
                    factors.signed(&sums[part * policy..], &bias[part * policy..], most, 0, out);
                }
                let (rest, bias) = (&sums[4 * policy..], &bias[4 * policy..]);
                for (head, promotions) in promotions.iter_mut().enumerate() {
                    for (kind, promotion) in promotions[square].iter_mut().enumerate() {
                        let place = head * PROMOTIONS + kind;
                        *promotion = rest[place] + bias[place];
                    }
                }
                let (rest, bias) = (&rest[2 * PROMOTIONS..], &bias[2 * PROMOTIONS..]);
                for (pooled, (&sum, &bias)) in pooled.iter_mut().zip(rest.iter().zip(bias)) {
                    *pooled += i64::from((sum + bias).max(0));
                }
            }
        }
        let (end, value) = self.ends(dot, &pooled, &mut work.product);
        let part = |part: usize| Vectors { bytes: &vectors[part], stride: policy, width: policy };
        Outputs {
            played: played.logits(view, [part(0), part(1)], &promotions[0]),
            taught: taught.logits(view, [part(2), part(3)], &promotions[1]),
            end,
            value,
        }
    }

    /// The logits of the game's end and of the value, from sums over all squares.
    #[cfg_attr(target_arch = "x86_64", inline(always))]
    pub(super) fn ends<D: Registers>(
        &self,
        dot: D,
        pooled: &[i64],
        product: &mut Sums,
    ) -> (i32, [i32; 3]) {
        let pooled = self.pooled.unsigned(pooled);
        self.end.multiply_one(dot, &pooled, product);
        let end = fine(i64::from(product.sums[0]), self.end_unit);
        self.value.multiply_one(dot, &pooled, product);
        let mut value = [0; 3];
        for (kind, value) in value.iter_mut().enumerate() {
            *value = fine(i64::from(product.sums[kind]), self.value_units[kind]);
        }
        (end, value)
    }
}
