//! A model's search: effort, evaluation, and the networks that turn values into predictions.

use std::sync::Arc;

use super::effort::Effort;
use super::examine::{AnalysisInput, AnalysisState, examine};
use super::move_priors::MovePriors;
use super::reranker::{Reranker, Reranking};
use super::search_features::{SEARCH_SLOTS, features};
use crate::engine::{Nnue, Searcher};

/// A model's search.
#[derive(Debug, Clone)]
pub struct SearchModel {
    /// Nodes and moves to search.
    pub effort: Effort,
    /// The network that evaluates positions.
    pub nnue: Arc<Nnue>,
    /// The initial weight of each feature of the search in units of 2<sup>-10</sup> bit,
    /// [`SEARCH_FEATURES`](super::SEARCH_FEATURES) of them; the mixer learns on from there.
    pub weights: Vec<i16>,
    /// The reranker, if the model has one.
    pub reranker: Option<Reranker>,
}

/// The evidence of a search on the legal moves, in their order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SearchFeatures {
    /// The features of each legal move, below [`SEARCH_FEATURES`](super::SEARCH_FEATURES).
    pub features: Vec<[u16; SEARCH_SLOTS]>,
    /// What the reranker says; nothing without one.
    pub reranking: Reranking,
}

impl SearchModel {
    /// Searches a position with the `state` of its game. `None` where [`examine`] gives `None`.
    pub fn evidence(
        &self,
        searcher: &mut Searcher,
        state: &mut AnalysisState,
        input: &AnalysisInput,
    ) -> Option<SearchFeatures> {
        let analysis = examine(searcher, state, input, self.effort)?;
        let priors = MovePriors::new(input.logits);
        let rerank = |reranker: &Reranker| reranker.rerank(&analysis, &priors);
        Some(SearchFeatures {
            features: features(&analysis, &priors),
            reranking: self.reranker.as_ref().map(rerank).unwrap_or_default(),
        })
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Chess;

    use super::super::SEARCH_FEATURES;
    use super::*;
    use crate::chess::{History, legal_moves};
    use crate::engine::NNUE_SIZES;
    use crate::features::GameContext;
    use crate::pgn::Outcome;

    #[test]
    fn evidence_does_not_depend_on_searches_for_other_games() {
        let numbers: Vec<i16> = (0..NNUE_SIZES[0]).map(|i| (i * 7919 % 61) as i16 - 30).collect();
        let search_model = SearchModel {
            effort: Effort { nodes: 300, width: 8, scout_margin: None },
            nnue: Arc::new(Nnue::new(&numbers).unwrap()),
            weights: vec![0; SEARCH_FEATURES],
            reranker: None,
        };
        let mut history = History::new(Chess::default());
        let context = GameContext::new().result(Some(Outcome::Black));
        let mut used = Searcher::new(search_model.nnue.clone());
        let mut two = [AnalysisState::new(300), AnalysisState::new(300)];
        let mut searched = 0;
        for ply in 0..60 {
            let legal = legal_moves(history.position());
            if legal.is_empty() {
                break;
            }
            let logits: Vec<i32> = (0..legal.len() as i32).map(|m| (m * 37 % 11) << 14).collect();
            let [one, other] = &mut two;
            let input = AnalysisInput {
                history: &history,
                context: &context,
                legal: &legal,
                moves: &[],
                logits: &logits,
                vectors: &[],
            };
            let first = search_model.evidence(&mut used, one, &input);
            let mut fresh = Searcher::new(search_model.nnue.clone());
            let second = search_model.evidence(&mut fresh, other, &input);
            assert_eq!(first, second, "ply {ply}");
            let features = first.iter().flat_map(|evidence| &evidence.features).flatten();
            assert!(features.into_iter().all(|&index| usize::from(index) < SEARCH_FEATURES));
            searched += usize::from(first.is_some());
            history.play(legal[ply * 7 % legal.len()]);
        }
        assert!(searched > 20);
    }
}
