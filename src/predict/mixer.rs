//! The mixer: every predictor's priors in one distribution, learned online.
//!
//! The logit of a move is a sum of (1) the network's logit times a weight, (2) a weight for
//! each of the move's features, and (3) what each source of counts adds, times a weight.
//! After each move all weights take a step along the gradient of its
//! cost: softmax regression, as in logistic mixing, but over moves instead of
//! bits. Without a network, (2) alone is the heuristic predictor.

use super::book;
use crate::analysis::{SearchFeatures, SearchModel};
use crate::entropy::fixed::{self, ONE};
use crate::features::index::{moves, slots};
use crate::features::{MOVE_FEATURES, MOVE_SLOTS, MoveIndices, PLAIN_FEATURES, PLAIN_SLOTS};

/// Fraction bits of weights.
const WEIGHT_BITS: u32 = 20;

/// Fraction bits of the weights that are shipped.
const SHIPPED_BITS: u32 = 10;

/// What the features' weights were after coding games of the training set
/// (`plyzip-training learned-weights`), one `i16` each.
static HEURISTIC: &[u8; 2 * PLAIN_FEATURES] = include_bytes!("../../models/heuristic.bin");

/// Number of sources of counts: the book, the memory of all players, the repertoires and the memory
/// of each player. Each speaks of what those before it have concluded.
pub const SOURCES: usize = 4;

/// Places among the sources of those that a model has.
pub const BOOK: usize = 0;
pub const REPERTOIRE: usize = 2;

/// Pieces times squares, and one more for "there was no move".
pub const REPLIES: usize = 6 * 64 + 1;

/// Weights for a source's evidence are chosen by how much it has seen.
const SEEN_CLASSES: usize = 8;

/// Weights for the network are chosen by how sure it is: eighths of its largest probability.
const SURE_CLASSES: usize = 8;

/// Stages of a game.
const PHASES: usize = 4;

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

/// What one source has seen played from a position.
#[derive(Debug, Clone, Copy, Default)]
pub struct Counts<'a> {
    /// Places of moves, each at most once, and how often they were played.
    pub moves: &'a [(usize, u32)],
    /// How often other moves were.
    pub rest: u32,
}

/// What is known of one position when its move is predicted.
#[derive(Debug, Clone, Copy)]
pub struct Evidence<'a> {
    /// The network's logits in units of 2<sup>-16</sup> nat, if there is a network.
    pub network: Option<&'a [i32]>,
    /// The moves' features.
    pub features: &'a [MoveIndices],
    /// What a search says of each move, if there was one.
    pub verdicts: Option<&'a SearchFeatures>,
    /// Plies played.
    pub ply: usize,
    /// Piece and square of arrival, seen from the side to move, of the last move and of the one
    /// before: their places among [`REPLIES`].
    pub last: [usize; 2],
    /// What each source has seen from here, in units of 1 / [`UNITS`] game.
    pub counts: [Counts<'a>; SOURCES],
}

/// The weights, and scratch space.
#[derive(Debug)]
pub struct Mixer {
    rates: Rates,
    features: Vec<i32>,
    /// How many of a move's features count: without a network no tactics are looked at.
    slots: usize,
    /// Of the search's verdicts.
    verdicts: Vec<i32>,
    /// Of the second look, by phase.
    second: [i32; PHASES],
    /// By piece and arrival of the last move, or of the one before, and of the move itself.
    replies: [Vec<i32>; 2],
    /// By phase and sureness.
    network: [[i32; SURE_CLASSES]; PHASES],
    /// By source, phase and class of what was seen.
    sources: [[[i32; SEEN_CLASSES]; PHASES]; SOURCES],
    /// The network's logits, in units of 2^-16 bit.
    network_bits: Vec<i32>,
    /// How sure the network is.
    sure: usize,
    logits: Vec<i32>,
    /// Probabilities before the sources speak, in units of 2^-31.
    prior: Vec<u32>,
    /// What each source adds to each move's logit, before its weight.
    added: [Vec<i32>; SOURCES],
    /// Probabilities after the sources that have spoken so far.
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
    last * REPLIES + usize::from(features[slots::TO]) - moves::TO
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

/// Each source's unit of counts is one game over this.
pub const UNITS: [u32; SOURCES] = [book::UNIT, 1, book::UNIT, 1];

/// The prior's weight against a source's counts, in the same units: what a source of `total` says
/// is worth `total` / (`total` + this).
const PRIOR_COUNT: [u64; SOURCES] = [2 * book::UNIT as u64, 2, book::UNIT as u64, 1];

/// Weights of the sources to begin with, in hundredths, without and with a network.
const SOURCE_WEIGHTS: [[i32; SOURCES]; 2] = [[100, 75, 50, 50], [100, 40, 50, 50]];

/// Weights of the network to begin with, in hundredths, without and with a search, which knows some
/// of what the network knows.
const NETWORK_WEIGHTS: [i32; 2] = [100, 90];

impl Counts<'_> {
    fn class(&self, source: usize) -> usize {
        let listed: u32 = self.moves.iter().map(|&(_, count)| count).sum();
        seen_class((listed + self.rest) / UNITS[source])
    }

    /// The logarithm of posterior over prior probability for each move: of
    /// (count + k q) / (k q), with q its prior probability and k the prior's count.
    fn evidence(&self, source: usize, prior: &[u32], added: &mut Vec<i32>) {
        let gain = |count: u32, q: u64| {
            let before = (PRIOR_COUNT[source] * q).max(1);
            fixed::log2((u64::from(count) << 31) + before) - fixed::log2(before)
        };
        let listed: u64 = self.moves.iter().map(|&(index, _)| u64::from(prior[index])).sum();
        let others =
            if self.rest == 0 { 0 } else { gain(self.rest, (1u64 << 31).saturating_sub(listed)) };
        added.clear();
        added.resize(prior.len(), others);
        for &(index, count) in self.moves {
            added[index] = gain(count, prior[index].into());
        }
    }
}

impl Mixer {
    /// A mixer that starts without a network from the weights in `models/heuristic.bin`, and beside
    /// a network, which knows all that, from zero.
    pub fn new(rates: Rates, network: bool, search_model: Option<&SearchModel>) -> Mixer {
        let network_weight = NETWORK_WEIGHTS[usize::from(search_model.is_some())];
        let verdicts = search_model.map_or(&[][..], |search_model| &search_model.weights);
        let verdicts = verdicts.iter().map(|&w| i32::from(w) << (WEIGHT_BITS - SHIPPED_BITS));
        let shipped = HEURISTIC.chunks_exact(2).map(|weight| {
            i32::from(i16::from_le_bytes([weight[0], weight[1]])) << (WEIGHT_BITS - SHIPPED_BITS)
        });
        Mixer {
            rates,
            features: if network { vec![0; MOVE_FEATURES] } else { shipped.collect() },
            verdicts: verdicts.collect(),
            second: [1 << WEIGHT_BITS; PHASES],
            slots: if network { MOVE_SLOTS } else { PLAIN_SLOTS },
            replies: [vec![0; REPLIES * REPLIES], vec![0; REPLIES * REPLIES]],
            network: [[(network_weight << WEIGHT_BITS) / 100; SURE_CLASSES]; PHASES],
            sources: SOURCE_WEIGHTS[usize::from(network)]
                .map(|weight| [[(weight << WEIGHT_BITS) / 100; SEEN_CLASSES]; PHASES]),
            network_bits: vec![],
            sure: 0,
            logits: vec![],
            prior: vec![],
            added: [const { vec![] }; SOURCES],
            probabilities: vec![],
        }
    }

    /// The features' weights as they are shipped: in units of 2<sup>-10</sup> bit.
    pub fn feature_weights(&self) -> Vec<i16> {
        let largest = i32::from(i16::MAX);
        let shipped = self.features[..PLAIN_FEATURES].iter().map(|&weight| {
            (weight >> (WEIGHT_BITS - SHIPPED_BITS)).clamp(-largest, largest) as i16
        });
        shipped.collect()
    }

    /// The probability of each move, in units of 2<sup>-31</sup>.
    pub fn predict(&mut self, evidence: &Evidence) -> &[u32] {
        let phase = phase(evidence.ply);
        if let Some(logits) = evidence.network {
            self.network_bits.clear();
            self.network_bits.extend(logits.iter().map(|&logit| fixed::nats_to_bits(logit)));
            fixed::softmax(&self.network_bits, &mut self.prior);
            let largest = self.prior.iter().copied().max().unwrap_or(0);
            self.sure = (largest >> 28) as usize % SURE_CLASSES;
        }
        let weight = i64::from(self.network[phase][self.sure]);
        let second_weight = i64::from(self.second[phase]);
        self.logits.clear();
        self.logits.extend(evidence.features.iter().enumerate().map(|(index, features)| {
            let learned: i32 =
                features[..self.slots].iter().map(|&f| self.features[usize::from(f)]).sum();
            let replies = self.replies.iter().zip(evidence.last);
            let learned =
                learned + replies.map(|(r, last)| r[reply_index(last, features)]).sum::<i32>();
            let verdict: i32 = evidence.verdicts.map_or(0, |verdicts| {
                verdicts.features[index].iter().map(|&f| self.verdicts[usize::from(f)]).sum()
            });
            let learned = learned + verdict;
            let bits = self.network_bits.get(index).map_or(0, |&bits| i64::from(bits));
            let network = (bits * weight) >> WEIGHT_BITS;
            let second = evidence.verdicts.and_then(|verdicts| verdicts.reranker_logits.get(index));
            let second = second.map_or(0, |&bits| (i64::from(bits) * second_weight) >> WEIGHT_BITS);
            (learned >> (WEIGHT_BITS - 16))
                .saturating_add(network as i32)
                .saturating_add(second as i32)
                .clamp(-64 * ONE, 64 * ONE)
        }));
        fixed::softmax(&self.logits, &mut self.prior);
        self.probabilities.clone_from(&self.prior);
        for (source, counts) in evidence.counts.iter().enumerate() {
            if counts.moves.is_empty() {
                continue;
            }
            counts.evidence(source, &self.probabilities, &mut self.added[source]);
            let weight = i64::from(self.sources[source][phase][counts.class(source)]);
            for (logit, &added) in self.logits.iter_mut().zip(&self.added[source]) {
                *logit += ((i64::from(added) * weight) >> WEIGHT_BITS) as i32;
            }
            fixed::softmax(&self.logits, &mut self.probabilities);
        }
        &self.probabilities
    }

    /// Learns that move `played` followed; `evidence` is that of the last [`Mixer::predict`].
    pub fn update(&mut self, evidence: &Evidence, played: usize) {
        let phase = phase(evidence.ply);
        // gradient of the cost with a move's logit, in units of 2^-31
        let error =
            |p: &[u32], index: usize| i64::from(index == played) * (1 << 31) - i64::from(p[index]);
        for (source, counts) in evidence.counts.iter().enumerate() {
            if counts.moves.is_empty() {
                continue;
            }
            let added = self.added[source].iter().enumerate();
            let gradient: i64 = added
                .map(|(index, &added)| (error(&self.probabilities, index) * i64::from(added)) >> 16)
                .sum();
            let weight = &mut self.sources[source][phase][counts.class(source)];
            adjust(weight, gradient, self.rates.expert_shift);
        }
        if let Some(logits) = evidence.network {
            let gradient: i64 = logits
                .iter()
                .enumerate()
                .map(|(index, &logit)| (error(&self.prior, index) * i64::from(logit)) >> 16)
                .sum();
            adjust(&mut self.network[phase][self.sure], gradient, self.rates.expert_shift + 3);
        }
        if let Some(verdicts) = evidence.verdicts {
            let shift = 31 - WEIGHT_BITS + self.rates.verdict_shift;
            let gradient: i64 = verdicts
                .reranker_logits
                .iter()
                .enumerate()
                .map(|(index, &bits)| (error(&self.prior, index) * i64::from(bits)) >> 16)
                .sum();
            adjust(&mut self.second[phase], gradient, self.rates.expert_shift + 3);
            for (index, features) in verdicts.features.iter().enumerate() {
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
