//! A model's search, and what it makes of each position.

use std::sync::Arc;

use super::effort::Effort;
use super::examine::{AnalysisInput, AnalysisState, examine};
use super::opinion::Opinion;
use super::reranker::Reranker;
use super::search_features::{SEARCH_SLOTS, features};
use crate::engine::{Nnue, Searcher};

/// A model's search: how much, and what its verdicts weigh to begin with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchModel {
    /// How much is searched.
    pub effort: Effort,
    /// What values the positions of the search.
    pub values: Arc<Nnue>,
    /// The weight of each feature in units of 2<sup>-10</sup> bit,
    /// [`SEARCH_FEATURES`](super::SEARCH_FEATURES) of them.
    pub weights: Vec<i16>,
    /// What looks at the moves once more when all is found, if the model has it.
    pub second_look: Option<Reranker>,
}

/// What is made of what was found: of each legal move its features, and the second look's logit, if
/// there is one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SearchFeatures {
    /// The features of each legal move.
    pub features: Vec<[u16; SEARCH_SLOTS]>,
    /// What a second look adds to each move's logit, in bits in units of 2<sup>-16</sup>; empty
    /// without one.
    pub second: Vec<i32>,
}

impl SearchModel {
    /// Searches a position with the `memory` of its game, and judges what was found. Nothing where
    /// [`examine`] finds nothing.
    pub fn deliberate(
        &self,
        searcher: &mut Searcher,
        memory: &mut AnalysisState,
        question: &AnalysisInput,
    ) -> Option<SearchFeatures> {
        let findings = examine(searcher, memory, question, self.effort)?;
        let opinion = Opinion::new(question.logits);
        let second = self.second_look.as_ref();
        Some(SearchFeatures {
            features: features(&findings, &opinion),
            second: second.map_or_else(Vec::new, |network| network.logits(&findings, &opinion)),
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
    fn verdicts_do_not_depend_on_what_was_searched_for_other_games() {
        let numbers: Vec<i16> = (0..NNUE_SIZES[0]).map(|i| (i * 7919 % 61) as i16 - 30).collect();
        let search_model = SearchModel {
            effort: Effort { nodes: 300, width: 8, glance: None },
            values: Arc::new(Nnue::new(&numbers).unwrap()),
            weights: vec![0; SEARCH_FEATURES],
            second_look: None,
        };
        let mut history = History::new(Chess::default());
        let context = GameContext { result: Some(Outcome::Black), ..GameContext::default() };
        let mut used = Searcher::new(search_model.values.clone());
        let mut two = [AnalysisState::new(300), AnalysisState::new(300)];
        let mut searched = 0;
        for ply in 0..60 {
            let legal = legal_moves(history.position());
            if legal.is_empty() {
                break;
            }
            let logits: Vec<i32> = (0..legal.len() as i32).map(|m| (m * 37 % 11) << 14).collect();
            let [one, other] = &mut two;
            let question = AnalysisInput {
                history: &history,
                context: &context,
                legal: &legal,
                moves: &[],
                logits: &logits,
            };
            let first = search_model.deliberate(&mut used, one, &question);
            let mut fresh = Searcher::new(search_model.values.clone());
            let second = search_model.deliberate(&mut fresh, other, &question);
            assert_eq!(first, second, "ply {ply}");
            let features = first.iter().flat_map(|verdicts| &verdicts.features).flatten();
            assert!(features.into_iter().all(|&index| usize::from(index) < SEARCH_FEATURES));
            searched += usize::from(first.is_some());
            history.play(legal[ply * 7 % legal.len()]);
        }
        assert!(searched > 20);
    }
}
