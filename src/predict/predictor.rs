//! A predictor at work: what has been learned so far, and the coding of one ply.

use std::sync::Arc;

use shakmaty::{MoveList, Position};

use super::book::{Book, Entry};
use super::ending::EndModel;
use super::memory::Memory;
use super::mix::{BOOK, Counts, Evidence, Mix, REPERTOIRE, REPLIES, Rates, SOURCES};
use super::model::Model;
use super::player::Player;
use crate::Result;
use crate::analysis::{AnalysisMemory, Expert, Findings, Question, Verdicts, examine};
use crate::chess::{History, legal_moves};
use crate::engine::Searcher;
use crate::entropy::{Coder, fixed};
use crate::features::{GameContext, MoveIndices, Tactics, board_features, move_features};
use crate::network::{Network, Query, Scores};

/// One position in which a ply is to be coded, with all that does not depend on
/// what is learned from other games, so that many can be prepared side by side.
#[derive(Debug)]
pub struct Prepared {
    /// The legal moves in canonical order.
    pub legal: MoveList,
    query: Query,
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
            [crate::features::BOARD_PADDING; crate::features::BOARD_SLOTS]
        };
        Prepared { legal, query: Query { board, moves } }
    }

    /// What may be searched, with the network's `scores`.
    pub fn question<'a>(
        &'a self,
        history: &'a History,
        context: &'a GameContext,
        scores: &'a Scores,
    ) -> Question<'a> {
        let Prepared { legal, query } = self;
        Question { history, context, legal, moves: &query.moves, logits: &scores.moves }
    }
}

/// What is known of a ply before its turn to be coded comes.
#[derive(Debug)]
pub struct Judged {
    /// The legal moves and their features.
    pub prepared: Prepared,
    /// What the network says, if there is one.
    pub scores: Option<Scores>,
    /// What the search says, if the model searches and need not pass over this position.
    pub verdicts: Option<Verdicts>,
}

/// What can be done for plies before their turn to be coded comes, beside the coding of others.
#[derive(Debug, Clone)]
pub struct Judge {
    network: Option<Arc<Network>>,
    expert: Option<Arc<Expert>>,
}

impl Judge {
    /// Whether a network will look at the positions.
    pub fn has_network(&self) -> bool {
        self.network.is_some()
    }

    /// The network's scores of prepared positions; nothing without a network.
    ///
    /// # Errors
    /// [`Error::Model`](crate::Error::Model) if the network fails.
    pub fn score(&self, prepared: &[&Prepared]) -> Result<Vec<Option<Scores>>> {
        let Some(network) = &self.network else { return Ok(vec![None; prepared.len()]) };
        let queries: Vec<&Query> = prepared.iter().map(|prepared| &prepared.query).collect();
        Ok(network.score(&queries)?.into_iter().map(Some).collect())
    }

    /// Whether positions are searched.
    pub fn searches(&self) -> bool {
        self.expert.is_some()
    }

    /// What searches positions, if the model searches.
    pub fn searcher(&self) -> Option<Searcher> {
        self.expert.as_ref().map(|expert| Searcher::new(expert.values.clone()))
    }

    /// What the searches of a game's positions need for themselves, if the model searches.
    pub fn search_memory(&self) -> Option<AnalysisMemory> {
        self.expert.as_ref().map(|expert| AnalysisMemory::new(expert.effort.nodes))
    }

    /// What a search says of the moves; nothing if the model does not search, or need not here. `memory` is the game's.
    pub fn deliberate(
        &self,
        searcher: &mut Searcher,
        memory: &mut AnalysisMemory,
        question: &Question,
    ) -> Option<Verdicts> {
        self.expert.as_ref()?.deliberate(searcher, memory, question)
    }

    /// What a search finds, for those who learn from it; nothing where [`Judge::deliberate`] says nothing.
    pub fn examine(
        &self,
        searcher: &mut Searcher,
        memory: &mut AnalysisMemory,
        question: &Question,
    ) -> Option<Findings> {
        examine(searcher, memory, question, self.expert.as_ref()?.effort)
    }
}

/// The move `back` plies ago as [`Evidence::last`] has it.
fn last_place(history: &History, back: usize) -> usize {
    let flip = if history.position().turn().is_white() { 0 } else { 56 };
    history.last(back).map_or(REPLIES - 1, |last| {
        (usize::from(last.role) - 1) * 64 + (usize::from(last.to) ^ flip)
    })
}

/// Everything that is learned while coding.
#[derive(Debug)]
pub struct Predictor {
    network: Option<Arc<Network>>,
    expert: Option<Arc<Expert>>,
    book: Option<Arc<Book>>,
    repertoires: Option<Arc<Book>>,
    mix: Mix,
    ending: EndModel,
    /// Of all players, and of each player.
    memories: [Memory; 2],
    cumulative: Vec<u32>,
    seen: [Vec<(usize, u32)>; SOURCES],
}

impl Predictor {
    /// A predictor that has learned nothing yet.
    pub fn new(model: &Model) -> Predictor {
        let network = model.network().cloned();
        let expert = model.expert().cloned();
        let rates = if network.is_some() {
            Rates { feature_shift: 10, expert_shift: 6, verdict_shift: 10 }
        } else {
            Rates { feature_shift: 6, expert_shift: 8, verdict_shift: 6 }
        };
        Predictor {
            mix: Mix::new(rates, network.is_some(), expert.as_deref()),
            ending: EndModel::new(network.is_some()),
            network,
            expert,
            book: model.book().cloned(),
            repertoires: model.repertoires().cloned(),
            memories: [Memory::new(), Memory::new()],
            cumulative: vec![],
            seen: [const { vec![] }; SOURCES],
        }
    }

    /// What was learned of the features, in the form of `models/heuristic.bin`: one weight each in
    /// units of 2<sup>-10</sup> bit.
    pub fn feature_weights(&self) -> Vec<i16> {
        self.mix.feature_weights()
    }

    /// What prepares plies for this predictor.
    pub fn judge(&self) -> Judge {
        Judge { network: self.network.clone(), expert: self.expert.clone() }
    }

    /// Codes whether the line ends here. Where no move is legal it must.
    ///
    /// # Errors
    /// Those of [`Coder::bit`].
    pub fn code_end<C: Coder>(
        &mut self,
        coder: &mut C,
        history: &History,
        context: &GameContext,
        judged: &Judged,
        ended: bool,
    ) -> Result<bool> {
        if judged.prepared.legal.is_empty() {
            return Ok(true);
        }
        let network = judged.scores.as_ref().map(|scores| scores.end);
        let p = self.ending.predict(history, context, network);
        let ended = coder.bit(p, ended)?;
        self.ending.update(ended);
        Ok(ended)
    }

    /// Codes a move by its place in the canonical order. A forced move costs nothing.
    ///
    /// # Errors
    /// Those of [`Coder::symbol`].
    pub fn code_move<C: Coder>(
        &mut self,
        coder: &mut C,
        history: &History,
        player: Player,
        judged: &Judged,
        played: usize,
    ) -> Result<usize> {
        let Judged { prepared, scores, verdicts } = judged;
        let key = history.key();
        let keys = [key, key ^ player.spelling()];
        let mut played = played;
        if prepared.legal.len() > 1 {
            // Two positions may share a key: what is no move here is passed over.
            let legal = |&(index, _): &(usize, u32)| index < prepared.legal.len();
            let [from_book, from_all, from_repertoire, from_player] = &mut self.seen;
            let entry = self.book.as_deref().and_then(|book| book.find(key));
            let repertoires = self.repertoires.as_deref().zip(player.repertoire());
            let own = repertoires.and_then(|(book, player)| book.find(key ^ player));
            for (seen, entry) in [(&mut *from_book, entry), (&mut *from_repertoire, own)] {
                seen.clear();
                seen.extend(entry.into_iter().flat_map(Entry::moves).filter(legal));
            }
            for ((seen, memory), key) in
                [from_all, from_player].into_iter().zip(&self.memories).zip(keys)
            {
                seen.clear();
                seen.extend(memory.counts(key).filter(legal));
            }
            let mut counts = self.seen.each_ref().map(|moves| Counts { moves, rest: 0 });
            counts[BOOK].rest = entry.map_or(0, Entry::rest);
            counts[REPERTOIRE].rest = own.map_or(0, Entry::rest);
            let evidence = Evidence {
                network: scores.as_ref().map(|scores| &scores.moves[..]),
                features: &prepared.query.moves,
                verdicts: verdicts.as_ref(),
                ply: history.ply(),
                last: [last_place(history, 0), last_place(history, 1)],
                counts,
            };
            let probabilities = self.mix.predict(&evidence);
            fixed::frequencies(probabilities, &mut self.cumulative);
            played = coder.symbol(&self.cumulative, played)?;
            self.mix.update(&evidence, played);
            for (memory, key) in self.memories.iter_mut().zip(keys) {
                memory.learn(key, played);
            }
        } else {
            played = 0;
        }
        Ok(played)
    }
}
