//! The reranker: a small network that predicts, from the analysis of a position, which moves people
//! play, and whether the game ends.
//!
//! The weights of the search features (`search_features.rs`) are learned while coding, so they must be
//! few. The reranker is trained beforehand and has more features: a move's loss at six depths, its
//! ranks, the losses of the moves before, the players' ratings (`reranker_features.rs`). Its first
//! layer is an embedding bag: each feature has a row of weights, and the rows of a move's features are
//! added up, in the second form together with the product of the bag network's last hidden layer. Two dense layers
//! follow; in the second form the first of them also sees the mean and the greatest of each unit over all moves, as a
//! set of moves is seen by [Deep Sets](https://arxiv.org/abs/1703.06114), and a layer of its own makes from these the
//! log-odds that the game ends.
//!
//! ```text
//! features ─ rows ─┐
//!                  ├─► units of the move ─┬──────────────────────────────► second layer ─► logit
//! vector ──────────┘                      └─ mean, greatest of all moves ──┤
//!                                                                          └► ends ─► log-odds
//! ```
//!
//! Everything is integer arithmetic. Activations and weights are in units of 2<sup>-8</sup>;
//! activations are clipped to 0 to 4.

mod kernel;
mod parts;
#[cfg(test)]
mod tests;

use pulp::NullaryFnOnce;

use self::kernel::Kernel;
use self::parts::Parts;
pub use self::parts::{MAX_RERANKER_SIZE, RERANKER_HEADER};
use super::examine::Analysis;
use super::move_priors::MovePriors;
use super::reranker_features::reranker_features;
use crate::entropy::fixed;
#[cfg(target_arch = "x86_64")]
use crate::network::Avx2;
use crate::network::Portable;

/// Units of the first and of the second layer, and of the layer of ends.
pub const RERANKER_LAYERS: [usize; 3] = [FIRST, SECOND, ENDS];
const FIRST: usize = 96;
const SECOND: usize = 48;
const ENDS: usize = 32;

/// Fraction bits of activations and weights.
pub const RERANKER_UNIT_BITS: u32 = 8;

/// Fraction bits of the numbers of a move's vector.
pub const VECTOR_UNIT_BITS: u32 = 5;

/// The most numbers of a move's vector.
pub const MAX_VECTOR: usize = 512;

/// Largest magnitude of a weight of a vector's number, so that products of pairs fit 16 bits.
pub const LARGEST_VECTOR_WEIGHT: i8 = 127;

/// Largest activation, in units of 1 and of 2<sup>-8</sup>.
pub const LARGEST_ACTIVATION: i32 = 4;
const LARGEST: i32 = LARGEST_ACTIVATION << RERANKER_UNIT_BITS;

/// The reranker's weights.
#[derive(Debug, Clone)]
pub struct Reranker {
    parts: Parts,
}

/// What a reranker says of a position.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reranking {
    /// Its addition to each legal move's logit, in bits in units of 2<sup>-16</sup>; 0 for moves that were not searched.
    pub logits: Vec<i32>,
    /// Its addition to the log-odds that the game ends here, in units of 2<sup>-16</sup> nat; 0 in the first form.
    pub end: i32,
}

impl Reranker {
    /// The network with these numbers, of either form; `None` if they are of neither, or if a unit's sum could overflow.
    pub fn new(numbers: &[i16]) -> Option<Reranker> {
        Parts::new(numbers).map(|parts| Reranker { parts })
    }

    /// Numbers of the vector of a move ([`Analysis::vectors`]) that it reads; 0 if it reads none.
    pub fn vector(&self) -> usize {
        self.parts.vector
    }

    /// What it says of a position that was searched.
    pub(super) fn rerank(&self, analysis: &Analysis, priors: &MovePriors) -> Reranking {
        let features = reranker_features(analysis, priors);
        let places: Vec<usize> = analysis.searched().collect();
        let (mut logits, mut end) = (vec![0; places.len()], 0);
        let kernel = Kernel {
            parts: &self.parts,
            features: &features,
            places: &places,
            vectors: &analysis.vectors,
            priors: &priors.prior,
            logits: &mut logits,
            end: &mut end,
        };
        in_registers(kernel);
        let mut of_moves = vec![0; analysis.logits.len()];
        for (place, logit) in places.into_iter().zip(logits) {
            of_moves[place] = fixed::nats_to_bits(logit);
        }
        Reranking { logits: of_moves, end }
    }
}

/// Runs the kernel with the widest registers that the machine has.
fn in_registers(kernel: Kernel) {
    #[cfg(target_arch = "x86_64")]
    {
        if let Some(simd) = pulp::x86::V4::try_new() {
            return simd.vectorize(kernel.with(Avx2(*simd)));
        }
        if let Some(simd) = pulp::x86::V3::try_new() {
            return simd.vectorize(kernel.with(Avx2(simd)));
        }
    }
    kernel.with(Portable).call();
}
