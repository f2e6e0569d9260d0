//! The evidence on one ply as the predictor reads it.

use super::mixer_input::MixedFeatures;
use super::position_facts::PositionFacts;
use crate::analysis::SearchFeatures;

/// The evidence on one ply as the predictor reads it, wherever it is kept.
#[derive(Debug, Clone, Copy)]
pub struct EvidenceView<'a> {
    /// Number of legal moves.
    pub moves: usize,
    /// What the position is looked up by.
    pub facts: &'a PositionFacts,
    /// The policy's logits, see [`MixerInput`](super::mixer_input::MixerInput).
    pub(super) policy: &'a [i32],
    /// The class of the policy's largest probability.
    pub(super) confidence: u8,
    /// The features whose weights the mixer learns.
    pub(super) features: MixedFeatures<'a>,
    /// The log-odds that the game ends here, of network and search, in units of 2<sup>-16</sup> nat; `None` without a
    /// network.
    pub(super) end: Option<i32>,
    /// The search features of the moves, if there was a search.
    pub(super) search: Option<&'a SearchFeatures>,
}

/// The log-odds of the end of the game: the network's, and what the search adds.
pub(super) fn end_log_odds(network: i32, search: Option<&SearchFeatures>) -> i32 {
    network.saturating_add(search.map_or(0, |search| search.reranking.end))
}
