//! The pipeline: what is computed for a ply before it is coded, in this order: legal moves, features, network, search.
//! None of it depends on what is learned from other games, so the plies of many lines are computed in parallel.

use std::sync::Arc;

use rayon::prelude::*;
use shakmaty::Move;

use super::board_policy::BoardPolicy;
use super::evidence_view::{EvidenceView, end_log_odds};
use super::linear_policy;
use super::mixer_input::MixedFeatures;
use super::mixer_scales::confidence;
use super::position_facts::PositionFacts;
use super::run::Run;
use crate::analysis::{
    Analysis, AnalysisInput, AnalysisState, SearchFeatures, SearchModel, examine,
};
#[cfg(feature = "training")]
use crate::board_network::Outputs;
use crate::board_network::{TOGETHER, View};
use crate::chess::{History, legal_moves};
use crate::engine::Searcher;
use crate::features::{
    self, AdaptedIndices, BOARD_PADDING, BOARD_SLOTS, GameContext, MoveIndices, Tactics,
    board_features, move_features,
};
use crate::network::{Network, Query, Scores};
use crate::spare::Spare;
use crate::{Interrupt, Result};

/// The legal moves of one position and their features, the input of the network.
#[derive(Debug)]
pub struct Prepared {
    /// The legal moves in canonical order.
    pub legal: Vec<Move>,
    /// What the network is asked; nothing without one.
    pub(super) query: Query,
    /// The linear policy's logits; empty where a network is the policy.
    pub(super) linear_policy: Vec<i32>,
    /// The features of the moves that the mixer adapts beside the linear policy.
    pub(super) adapted: Vec<AdaptedIndices>,
    /// What the board network is asked; `None` without one, or without legal moves.
    pub(super) seen: Option<Box<Seen>>,
}

/// A position for the board network, and how many plies were played before it.
#[derive(Debug)]
pub struct Seen {
    view: View,
    ply: usize,
}

impl Prepared {
    /// Nothing yet, for [`Prepared::renew`].
    fn blank() -> Prepared {
        let query = Query { board: [BOARD_PADDING; BOARD_SLOTS], moves: vec![] };
        Prepared { legal: vec![], query, linear_policy: vec![], adapted: vec![], seen: None }
    }

    /// Finds the legal moves and their features, in place of those of another position, whose memory is used again;
    /// `network` says whether a network is the policy: it needs the features of the board and of tactics; if not, the
    /// linear policy is computed, from features that are left in `plain`. `with_board` says whether there is a board
    /// network beside the network.
    fn renew(
        &mut self,
        history: &History,
        context: &GameContext,
        [network, with_board]: [bool; 2],
        plain: &mut Vec<MoveIndices>,
    ) {
        let Prepared { legal, query: Query { board, moves }, linear_policy, adapted, seen } = self;
        legal.clear();
        legal.extend_from_slice(&legal_moves(history.position()));
        linear_policy.clear();
        adapted.clear();
        if network {
            let tactics = Tactics::new(history, legal);
            move_features(history, legal, Some(&tactics), moves);
            *board = board_features(history, context, &tactics);
        } else if legal.len() > 1 {
            move_features(history, legal, None, plain);
            linear_policy::logits(history, context, plain, linear_policy);
            adapted.extend(plain.iter().map(features::adapted));
        }
        *seen = (with_board && !legal.is_empty()).then(|| {
            Box::new(Seen { view: View::new(history, context, legal), ply: history.ply() })
        });
    }

    /// The input of the analysis of this position; `scores` are the network's.
    pub fn analysis_input<'a>(
        &'a self,
        history: &'a History,
        context: &'a GameContext,
        scores: &'a Scores,
    ) -> AnalysisInput<'a> {
        let Prepared { legal, query, .. } = self;
        let Scores { moves: logits, vectors, .. } = scores;
        AnalysisInput { history, context, legal, moves: &query.moves, logits, vectors }
    }
}

/// All that the pipeline computes for one ply.
#[derive(Debug)]
pub struct PlyEvidence {
    /// The legal moves and their features.
    pub prepared: Prepared,
    /// What the position is looked up by.
    pub facts: PositionFacts,
    /// The class of the policy's largest probability.
    pub(super) confidence: u8,
    /// The network's scores, if there is a network.
    pub scores: Option<Scores>,
    /// The search features of the moves, if the model searches and does so in this position.
    pub search: Option<SearchFeatures>,
}

impl PlyEvidence {
    /// Evidence on nothing, to be overwritten.
    pub fn blank() -> PlyEvidence {
        PlyEvidence {
            prepared: Prepared::blank(),
            facts: PositionFacts::blank(),
            confidence: 0,
            scores: None,
            search: None,
        }
    }

    /// The policy's logits: the network's, or the linear policy's where there is no network.
    pub(super) fn policy(&self) -> &[i32] {
        self.scores.as_ref().map_or(&self.prepared.linear_policy, |scores| &scores.moves)
    }

    /// What the predictor reads.
    pub fn view(&self) -> EvidenceView<'_> {
        let Prepared { legal, query, adapted, .. } = &self.prepared;
        let search = self.search.as_ref();
        EvidenceView {
            moves: legal.len(),
            facts: &self.facts,
            policy: self.policy(),
            confidence: self.confidence,
            features: MixedFeatures::of(&query.moves, adapted),
            end: self.scores.as_ref().map(|scores| end_log_odds(scores.end, search)),
            search,
        }
    }
}

/// A line under way.
#[derive(Debug)]
pub struct LineState {
    /// The game up to the line's next ply, but for [`LineState::played`].
    pub history: History,
    /// The context of the game.
    pub context: GameContext,
    /// A move that was coded and is not on the history's board yet.
    pub played: Option<Move>,
    /// What the searches of the line's positions share, if the model searches.
    analysis_state: Option<AnalysisState>,
}

/// Computes the evidence on plies before they are coded; cheap to clone, for use by several threads.
#[derive(Debug, Clone)]
pub struct Pipeline {
    network: Option<Arc<Network>>,
    board_policy: Option<Arc<BoardPolicy>>,
    search_model: Option<Arc<SearchModel>>,
    /// Searchers that wait for their next position, if the model searches: a new one takes as long as some hundred nodes
    /// of a search. What one finds does not depend on what it has searched before.
    spare_searchers: Spare<Option<Searcher>>,
    interrupt: Interrupt,
}

impl Pipeline {
    /// The pipeline of a model.
    pub fn new(run: impl Into<Run>) -> Pipeline {
        let Run { model, interrupt, .. } = run.into();
        Pipeline {
            network: model.network().cloned(),
            board_policy: model.board_policy().cloned(),
            search_model: model.search_model().cloned(),
            spare_searchers: Spare::default(),
            interrupt,
        }
    }

    /// A line from the position of `history`.
    pub fn line(&self, history: History, context: GameContext) -> LineState {
        LineState { history, context, played: None, analysis_state: self.search_state() }
    }

    /// Plays the last coded move of each line, and computes the evidence on its next ply. `plies` are overwritten: the
    /// evidence on as many plies as there are, whose memory is used again.
    ///
    /// # Errors
    /// [`Error::Model`](crate::Error::Model) if the network fails, [`Error::Interrupted`](crate::Error::Interrupted)
    /// if the work is to end.
    pub fn next_plies(
        &self,
        lines: &mut [&mut LineState],
        plies: &mut Vec<PlyEvidence>,
    ) -> Result<()> {
        self.interrupt.check()?;
        plies.resize_with(lines.len(), PlyEvidence::blank);
        let pairs = lines.par_iter_mut().zip(&mut *plies).with_min_len(16);
        pairs.for_each_init(Vec::new, |plain, (line, ply)| {
            if let Some(played) = line.played.take() {
                line.history.play(played);
            }
            self.renew(&mut ply.prepared, &line.history, &line.context, plain);
            ply.facts = PositionFacts::new(&line.history, &line.context);
        });
        let prepared = plies.iter().map(|ply| &ply.prepared);
        let scored: Vec<&Prepared> =
            prepared.filter(|prepared| !prepared.legal.is_empty()).collect();
        let mut scores = self.score(&scored)?.into_iter();
        for ply in &mut *plies {
            let over = ply.prepared.legal.is_empty();
            ply.scores = if over { None } else { scores.next().flatten() };
            ply.search = None;
            ply.confidence = confidence(ply.policy());
        }
        if self.searches() {
            lines.par_iter_mut().zip(&mut *plies).for_each_init(
                || self.spare_searchers.borrow(|| self.searcher()),
                |borrowed, (line, ply)| {
                    let LineState { history, context, analysis_state, .. } = &mut **line;
                    let PlyEvidence { prepared, scores, search, .. } = ply;
                    // A search of the model `max` takes a while, and there are many in a batch.
                    if self.interrupt.is_set() {
                        return;
                    }
                    if let (Some(searcher), Some(state), Some(scores)) =
                        (&mut **borrowed, analysis_state, scores)
                    {
                        let input = prepared.analysis_input(history, context, scores);
                        *search = self.search_features(searcher, state, &input);
                        scores.vectors = vec![]; // nobody else reads them, and plies may be kept
                    }
                },
            );
            self.interrupt.check()?;
        }
        Ok(())
    }

    /// Finds the legal moves of the position at the end of `history`, and what the policy reads of them.
    pub fn prepare(&self, history: &History, context: &GameContext) -> Prepared {
        let mut prepared = Prepared::blank();
        self.renew(&mut prepared, history, context, &mut vec![]);
        prepared
    }

    /// [`Pipeline::prepare`] in place of another position.
    fn renew(
        &self,
        prepared: &mut Prepared,
        history: &History,
        context: &GameContext,
        plain: &mut Vec<MoveIndices>,
    ) {
        let networks = [self.network.is_some(), self.board_policy.is_some()];
        prepared.renew(history, context, networks, plain);
    }

    /// The networks' scores of prepared positions; `None` for each without a network.
    ///
    /// # Errors
    /// [`Error::Model`](crate::Error::Model) if the network fails.
    pub fn score(&self, prepared: &[&Prepared]) -> Result<Vec<Option<Scores>>> {
        self.score_with(prepared, self.reads_vectors())
    }

    /// [`Pipeline::score`] with or without the moves' vectors.
    ///
    /// # Errors
    /// [`Error::Model`](crate::Error::Model) if the network fails.
    pub fn score_with(&self, prepared: &[&Prepared], vectors: bool) -> Result<Vec<Option<Scores>>> {
        let Some(network) = &self.network else { return Ok(vec![None; prepared.len()]) };
        let queries: Vec<&Query> = prepared.iter().map(|prepared| &prepared.query).collect();
        let mut scores = network.score(&queries, vectors);
        if let Some(policy) = &self.board_policy {
            let scored = prepared.iter().zip(&mut scores);
            let mut asked: Vec<(&Seen, &mut Scores)> = scored
                .filter_map(|(prepared, scores)| Some((prepared.seen.as_deref()?, scores)))
                .filter(|(seen, scores)| policy.is_asked(seen.ply, &scores.moves))
                .collect();
            asked.par_chunks_mut(TOGETHER).for_each(|asked| {
                let views: Vec<&View> = asked.iter().map(|(seen, _)| &seen.view).collect();
                let outputs = policy.network.evaluate(&views);
                for ((seen, scores), outputs) in asked.iter_mut().zip(&outputs) {
                    policy.mix(seen.ply, outputs, scores);
                }
            });
        }
        Ok(scores.into_iter().map(Some).collect())
    }

    /// What the network of features says of prepared positions with legal moves by itself, whether or not there is a board
    /// network, for training; `None` without a network.
    #[cfg(feature = "training")]
    pub fn of_features(&self, prepared: &[&Prepared]) -> Option<Vec<Scores>> {
        let queries: Vec<&Query> = prepared.iter().map(|prepared| &prepared.query).collect();
        Some(self.network.as_ref()?.score(&queries, false))
    }

    /// [`Pipeline::of_features`], and what the board network says by itself; `None` if the model lacks one of them.
    #[cfg(feature = "training")]
    pub fn apart(&self, prepared: &[&Prepared]) -> Option<Vec<(Scores, Outputs)>> {
        let policy = self.board_policy.as_ref()?;
        let views: Vec<&View> =
            prepared.iter().filter_map(|prepared| Some(&prepared.seen.as_ref()?.view)).collect();
        let outputs =
            views.par_chunks(TOGETHER).flat_map_iter(|views| policy.network.evaluate(views));
        let outputs: Vec<Outputs> = outputs.collect();
        Some(self.of_features(prepared)?.into_iter().zip(outputs).collect())
    }

    /// Whether the reranker reads the vectors of moves.
    fn reads_vectors(&self) -> bool {
        let reranker = self.search_model.as_ref().and_then(|search| search.reranker.as_ref());
        reranker.is_some_and(|reranker| reranker.vector() > 0)
    }

    /// Whether the model searches.
    fn searches(&self) -> bool {
        self.search_model.is_some()
    }

    /// A searcher with the model's evaluation, if the model searches.
    pub fn searcher(&self) -> Option<Searcher> {
        self.search_model.as_ref().map(|search_model| Searcher::new(search_model.nnue.clone()))
    }

    /// The state that the searches of one game's positions share, if the model searches.
    pub fn search_state(&self) -> Option<AnalysisState> {
        self.search_model.as_ref().map(|search_model| AnalysisState::new(search_model.effort.nodes))
    }

    /// The search features of the moves; `None` if the model does not search, or not in this position. `state` is the
    /// game's.
    fn search_features(
        &self,
        searcher: &mut Searcher,
        state: &mut AnalysisState,
        input: &AnalysisInput,
    ) -> Option<SearchFeatures> {
        self.search_model.as_ref()?.evidence(searcher, state, input)
    }

    /// The analysis of a position, for training; `None` where there is no search. `state` is the game's.
    pub fn examine(
        &self,
        searcher: &mut Searcher,
        state: &mut AnalysisState,
        input: &AnalysisInput,
    ) -> Option<Analysis> {
        examine(searcher, state, input, self.search_model.as_ref()?.effort)
    }
}
