//! The stages that a ply goes through before its turn to be coded comes: legal moves, features,
//! the network, the search. They do not depend on what is learned from other games, so the plies
//! of many lines go through them side by side.

use std::sync::Arc;

use rayon::prelude::*;
use shakmaty::{Move, MoveList};

use super::model::Model;
use crate::Result;
use crate::analysis::{
    Analysis, AnalysisInput, AnalysisState, SearchFeatures, SearchModel, examine,
};
use crate::chess::{History, legal_moves};
use crate::engine::Searcher;
use crate::features::{
    BOARD_PADDING, BOARD_SLOTS, GameContext, MoveIndices, Tactics, board_features, move_features,
};
use crate::network::{Network, Query, Scores};

/// One position in which a ply is to be coded, with all that does not depend on
/// what is learned from other games, so that many can be prepared side by side.
#[derive(Debug)]
pub struct Prepared {
    /// The legal moves in canonical order.
    pub legal: MoveList,
    pub(super) query: Query,
}

impl Prepared {
    /// Finds the legal moves and their features; `board` says whether a network will look.
    pub fn new(history: &History, context: &GameContext, board: bool) -> Prepared {
        let legal = legal_moves(history.position());
        let mut moves: Vec<MoveIndices> = vec![];
        let mut tactics = None;
        if legal.len() > 1 || board {
            tactics = board.then(|| Tactics::new(history, &legal));
            move_features(history, &legal, tactics.as_ref(), &mut moves);
        }
        let board = if let Some(tactics) = &tactics {
            board_features(history, context, tactics)
        } else {
            [BOARD_PADDING; BOARD_SLOTS]
        };
        Prepared { legal, query: Query { board, moves } }
    }

    /// What may be searched, with the network's `scores`.
    pub fn question<'a>(
        &'a self,
        history: &'a History,
        context: &'a GameContext,
        scores: &'a Scores,
    ) -> AnalysisInput<'a> {
        let Prepared { legal, query } = self;
        AnalysisInput { history, context, legal, moves: &query.moves, logits: &scores.moves }
    }
}

/// What is known of a ply before its turn to be coded comes.
#[derive(Debug)]
pub struct PlyEvidence {
    /// The legal moves and their features.
    pub prepared: Prepared,
    /// What the network says, if there is one.
    pub scores: Option<Scores>,
    /// What the search says, if the model searches and need not pass over this position.
    pub verdicts: Option<SearchFeatures>,
}

/// A line under way.
#[derive(Debug)]
pub struct LineState {
    /// The game up to the line's next ply, but for [`LineState::played`].
    pub history: History,
    /// What is known of the game.
    pub context: GameContext,
    /// A move that was coded and is not on the history's board yet.
    pub played: Option<Move>,
    /// What was found in the line's positions, if the model searches.
    memory: Option<AnalysisState>,
}

/// What can be done for plies before their turn to be coded comes, beside the coding of others.
#[derive(Debug, Clone)]
pub struct Pipeline {
    network: Option<Arc<Network>>,
    search_model: Option<Arc<SearchModel>>,
}

impl Pipeline {
    /// The pipeline of a model.
    pub fn new(model: &Model) -> Pipeline {
        Pipeline { network: model.network().cloned(), search_model: model.search_model().cloned() }
    }

    /// A line from the position of `history`.
    pub fn line(&self, history: History, context: GameContext) -> LineState {
        LineState { history, context, played: None, memory: self.search_state() }
    }

    /// Plays what was coded last in each line, and finds the evidence on its next ply.
    ///
    /// # Errors
    /// [`Error::Model`](crate::Error::Model) if the network fails.
    pub fn next_plies(&self, lines: &mut [&mut LineState]) -> Result<Vec<PlyEvidence>> {
        let prepared: Vec<Prepared> = lines
            .par_iter_mut()
            .with_min_len(16)
            .map(|line| {
                if let Some(played) = line.played.take() {
                    line.history.play(played);
                }
                Prepared::new(&line.history, &line.context, self.has_network())
            })
            .collect();
        let scored: Vec<&Prepared> =
            prepared.iter().filter(|prepared| !prepared.legal.is_empty()).collect();
        let mut scores = self.score(&scored)?.into_iter();
        let mut plies: Vec<PlyEvidence> = prepared
            .into_iter()
            .map(|prepared| {
                let scores = if prepared.legal.is_empty() { None } else { scores.next().flatten() };
                PlyEvidence { prepared, scores, verdicts: None }
            })
            .collect();
        if self.searches() {
            lines.par_iter_mut().zip(&mut plies).for_each_init(
                || self.searcher(),
                |searcher, (line, ply)| {
                    let LineState { history, context, memory, .. } = &mut **line;
                    let PlyEvidence { prepared, scores, verdicts } = ply;
                    if let (Some(searcher), Some(memory), Some(scores)) = (searcher, memory, scores)
                    {
                        let question = prepared.question(history, context, scores);
                        *verdicts = self.deliberate(searcher, memory, &question);
                    }
                },
            );
        }
        Ok(plies)
    }

    /// Whether a network will look at the positions.
    fn has_network(&self) -> bool {
        self.network.is_some()
    }

    /// The network's scores of prepared positions; nothing without a network.
    ///
    /// # Errors
    /// [`Error::Model`](crate::Error::Model) if the network fails.
    pub fn score(&self, prepared: &[&Prepared]) -> Result<Vec<Option<Scores>>> {
        let Some(network) = &self.network else { return Ok(vec![None; prepared.len()]) };
        let queries: Vec<&Query> = prepared.iter().map(|prepared| &prepared.query).collect();
        Ok(network.score(&queries).into_iter().map(Some).collect())
    }

    /// Whether positions are searched.
    fn searches(&self) -> bool {
        self.search_model.is_some()
    }

    /// What searches positions, if the model searches.
    pub fn searcher(&self) -> Option<Searcher> {
        self.search_model.as_ref().map(|search_model| Searcher::new(search_model.nnue.clone()))
    }

    /// What the searches of a game's positions need for themselves, if the model searches.
    pub fn search_state(&self) -> Option<AnalysisState> {
        self.search_model.as_ref().map(|search_model| AnalysisState::new(search_model.effort.nodes))
    }

    /// What a search says of the moves; nothing if the model does not search, or need not here.
    /// `memory` is the game's.
    fn deliberate(
        &self,
        searcher: &mut Searcher,
        memory: &mut AnalysisState,
        question: &AnalysisInput,
    ) -> Option<SearchFeatures> {
        self.search_model.as_ref()?.evidence(searcher, memory, question)
    }

    /// What a search finds, for those who learn from it; nothing where a search finds nothing.
    pub fn examine(
        &self,
        searcher: &mut Searcher,
        memory: &mut AnalysisState,
        question: &AnalysisInput,
    ) -> Option<Analysis> {
        examine(searcher, memory, question, self.search_model.as_ref()?.effort)
    }
}
