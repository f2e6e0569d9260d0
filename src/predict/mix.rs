//! The mix: every predictor's opinion in one distribution, learned online.
//!
//! The logit of a move is a sum of (1) the network's logit times a weight, (2) a weight for
//! each of the move's features, and (3) what each memory adds, times a weight.
//! After each move all weights take a step along the gradient of its
//! cost: softmax regression, as in logistic mixing, but over moves instead of
//! bits. Without a network, (2) alone is the heuristic predictor.

use super::features::moves::TO;
use super::features::{MOVE_FEATURES, MOVE_SLOTS, MoveIndices, PLAIN_FEATURES, PLAIN_SLOTS};
use super::fixed::{self, ONE};
use super::verdict::{VERDICT_FEATURES, Verdicts};

/// Fraction bits of weights.
const WEIGHT_BITS: u32 = 20;

/// Fraction bits of the weights that are shipped.
const SHIPPED_BITS: u32 = 10;

/// What the features' weights were after coding games of the training set
/// (`examples/heuristic_weights.rs`), one `i16` each.
static HEURISTIC: &[u8; 2 * PLAIN_FEATURES] = include_bytes!("../../models/heuristic.bin");

/// Number of memories.
pub const MEMORIES: usize = 2;

/// Pieces times squares, and one more for "there was no move".
pub const REPLIES: usize = 6 * 64 + 1;

/// Weights for the memories' evidence are chosen by how much they have seen.
const SEEN_CLASSES: usize = 8;

/// How fast the weights learn; a shift is a power of two that divides the gradient.
#[derive(Debug, Clone, Copy)]
pub struct Rates {
    /// Of the features' weights.
    pub feature_shift: u32,
    /// Of the other weights.
    pub expert_shift: u32,
    /// Of the verdicts' weights.
    pub verdict_shift: u32,
}

/// What is known of one position when its move is predicted.
#[derive(Debug, Clone, Copy)]
pub struct Evidence<'a> {
    /// The network's logits in units of 2<sup>-16</sup> nat, if there is a network.
    pub network: Option<&'a [i32]>,
    /// The moves' features.
    pub features: &'a [MoveIndices],
    /// What a search says of each move, if there was one.
    pub verdicts: Option<&'a Verdicts>,
    /// Plies played.
    pub ply: usize,
    /// Piece and square of arrival, seen from the side to move, of the last move and of the one
    /// before: their places among [`REPLIES`].
    pub last: [usize; 2],
    /// What each memory has seen from here: (place of the move, times).
    pub memories: [&'a [(usize, u32)]; MEMORIES],
}

/// The weights, and scratch space.
#[derive(Debug)]
pub struct Mix {
    rates: Rates,
    features: Vec<i32>,
    /// How many of a move's features count: without a network no tactics are looked at.
    slots: usize,
    /// Of the search's verdicts.
    verdicts: Vec<i32>,
    /// By piece and arrival of the last move, or of the one before, and of the move itself.
    replies: [Vec<i32>; 2],
    /// By phase.
    network: [i32; 4],
    /// By memory, phase and class of what was seen.
    memory: [[[i32; SEEN_CLASSES]; 4]; MEMORIES],
    logits: Vec<i32>,
    /// Probabilities before the memories speak, in units of 2^-31.
    prior: Vec<u32>,
    /// What each memory adds to each move's logit, before its weight.
    added: [Vec<i32>; MEMORIES],
    probabilities: Vec<u32>,
}

fn phase(ply: usize) -> usize {
    match ply {
        0..12 => 0,
        12..24 => 1,
        24..60 => 2,
        _ => 3,
    }
}

/// Where the weight of a move in answer to the last one stands.
fn reply_index(last: usize, features: &MoveIndices) -> usize {
    last * REPLIES + usize::from(features[1]) - TO
}

fn seen_class(total: u32) -> usize {
    (total.max(1).ilog2() as usize).min(SEEN_CLASSES - 1)
}

/// Moves an expert's weight by `gradient`, in units of 2^-31, over 2^`shift`.
fn adjust(weight: &mut i32, gradient: i64, shift: u32) {
    let limit = 4 << WEIGHT_BITS;
    let moved = i64::from(*weight) + (gradient >> (31 - WEIGHT_BITS + shift));
    *weight = moved.clamp(-limit, limit) as i32;
}

/// The prior's weight against a memory's counts: what a memory of `total` says is worth
/// `total` / (`total` + this).
const PRIOR_COUNT: [u64; MEMORIES] = [1, 1];

impl Mix {
    /// A mix that starts without a network from the weights in `models/heuristic.bin`, and beside a
    /// network, which knows all that, from zero.
    pub fn new(rates: Rates, network: bool) -> Mix {
        let shipped = HEURISTIC.chunks_exact(2).map(|weight| {
            i32::from(i16::from_le_bytes([weight[0], weight[1]])) << (WEIGHT_BITS - SHIPPED_BITS)
        });
        Mix {
            rates,
            features: if network { vec![0; MOVE_FEATURES] } else { shipped.collect() },
            verdicts: vec![0; VERDICT_FEATURES],
            slots: if network { MOVE_SLOTS } else { PLAIN_SLOTS },
            replies: [vec![0; REPLIES * REPLIES], vec![0; REPLIES * REPLIES]],
            network: [1 << WEIGHT_BITS; 4],
            memory: [
                [[(3 << WEIGHT_BITS) / 4; SEEN_CLASSES]; 4],
                [[(1 << WEIGHT_BITS) / 2; SEEN_CLASSES]; 4],
            ],
            logits: vec![],
            prior: vec![],
            added: [vec![], vec![]],
            probabilities: vec![],
        }
    }

    /// The features' weights as they are shipped: in units of 2<sup>-10</sup> bit.
    pub fn feature_weights(&self) -> Vec<i16> {
        let largest = i32::from(i16::MAX);
        let shipped = self.features.iter().map(|&weight| {
            (weight >> (WEIGHT_BITS - SHIPPED_BITS)).clamp(-largest, largest) as i16
        });
        shipped.collect()
    }

    /// The probability of each move, in units of 2<sup>-31</sup>.
    pub fn predict(&mut self, evidence: &Evidence) -> &[u32] {
        let phase = phase(evidence.ply);
        self.logits.clear();
        self.logits.extend(evidence.features.iter().enumerate().map(|(index, features)| {
            let learned: i32 =
                features[..self.slots].iter().map(|&f| self.features[usize::from(f)]).sum();
            let replies = self.replies.iter().zip(evidence.last);
            let learned =
                learned + replies.map(|(r, last)| r[reply_index(last, features)]).sum::<i32>();
            let network = evidence.network.map_or(0, |logits| {
                let bits = i64::from(fixed::nats_to_bits(logits[index]));
                (bits * i64::from(self.network[phase])) >> WEIGHT_BITS
            });
            let verdict: i32 = evidence.verdicts.map_or(0, |verdicts| {
                verdicts[index].iter().map(|&f| self.verdicts[usize::from(f)]).sum()
            });
            let learned = learned + verdict;
            (learned >> (WEIGHT_BITS - 16))
                .saturating_add(network as i32)
                .clamp(-64 * ONE, 64 * ONE)
        }));
        fixed::softmax(&self.logits, &mut self.prior);
        if evidence.memories.iter().all(|memory| memory.is_empty()) {
            self.probabilities.clone_from(&self.prior);
            return &self.probabilities;
        }
        for (memory, seen) in evidence.memories.iter().enumerate() {
            let added = &mut self.added[memory];
            added.clear();
            added.resize(self.logits.len(), 0);
            let total: u32 = seen.iter().map(|&(_, count)| count).sum();
            let weight = self.memory[memory][phase][seen_class(total)];
            for &(index, count) in *seen {
                // log2 of (count + k q) / (k q), q the prior probability
                let prior = (PRIOR_COUNT[memory] * u64::from(self.prior[index])).max(1);
                let posterior = (u64::from(count) << 31) + prior;
                added[index] = fixed::log2(posterior) - fixed::log2(prior);
                self.logits[index] +=
                    ((i64::from(added[index]) * i64::from(weight)) >> WEIGHT_BITS) as i32;
            }
        }
        fixed::softmax(&self.logits, &mut self.probabilities);
        &self.probabilities
    }

    /// Learns that move `played` followed; `evidence` is that of the last [`Mix::predict`].
    pub fn update(&mut self, evidence: &Evidence, played: usize) {
        let phase = phase(evidence.ply);
        // gradient of the cost with a move's logit, in units of 2^-31
        let error =
            |p: &[u32], index: usize| i64::from(index == played) * (1 << 31) - i64::from(p[index]);
        for (memory, seen) in evidence.memories.iter().enumerate() {
            if seen.is_empty() {
                continue;
            }
            let total: u32 = seen.iter().map(|&(_, count)| count).sum();
            let gradient: i64 = seen
                .iter()
                .map(|&(index, _)| {
                    (error(&self.probabilities, index) * i64::from(self.added[memory][index])) >> 16
                })
                .sum();
            let weight = &mut self.memory[memory][phase][seen_class(total)];
            adjust(weight, gradient, self.rates.expert_shift);
        }
        if let Some(logits) = evidence.network {
            let gradient: i64 = logits
                .iter()
                .enumerate()
                .map(|(index, &logit)| (error(&self.prior, index) * i64::from(logit)) >> 16)
                .sum();
            adjust(&mut self.network[phase], gradient, self.rates.expert_shift + 3);
        }
        if let Some(verdicts) = evidence.verdicts {
            let shift = 31 - WEIGHT_BITS + self.rates.verdict_shift;
            for (index, features) in verdicts.iter().enumerate() {
                let step = ((error(&self.prior, index) + (1 << (shift - 1))) >> shift) as i32;
                for &feature in features {
                    let weight = &mut self.verdicts[usize::from(feature)];
                    *weight = (*weight + step).clamp(-(32 << WEIGHT_BITS), 32 << WEIGHT_BITS);
                }
            }
        }
        let shift = 31 - WEIGHT_BITS + self.rates.feature_shift;
        for (index, features) in evidence.features.iter().enumerate() {
            let step = ((error(&self.prior, index) + (1 << (shift - 1))) >> shift) as i32;
            if step != 0 {
                for (replies, last) in self.replies.iter_mut().zip(evidence.last) {
                    let reply = &mut replies[reply_index(last, features)];
                    *reply = (*reply + 4 * step).clamp(-(32 << WEIGHT_BITS), 32 << WEIGHT_BITS);
                }
                for &feature in &features[..self.slots] {
                    let weight = &mut self.features[usize::from(feature)];
                    *weight = (*weight + step).clamp(-(32 << WEIGHT_BITS), 32 << WEIGHT_BITS);
                }
            }
        }
    }
}
