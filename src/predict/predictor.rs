//! A predictor at work: what has been learned so far, and the coding of one ply.

use std::sync::Arc;

use shakmaty::Position;

use super::book::{Book, Entry};
use super::counts::PositionCounts;
use super::game_end::GameEndModel;
use super::mixer::{BOOK, Counts, Evidence, Mixer, REPERTOIRE, REPLIES, Rates, SOURCES};
use super::model::Model;
use super::pipeline::{Pipeline, PlyEvidence};
use super::player::Player;
use crate::Result;
use crate::chess::History;
use crate::entropy::{Coder, fixed};
use crate::features::GameContext;

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
    pipeline: Pipeline,
    book: Option<Arc<Book>>,
    repertoires: Option<Arc<Book>>,
    mixer: Mixer,
    ending: GameEndModel,
    /// Of all players, and of each player.
    memories: [PositionCounts; 2],
    cumulative: Vec<u32>,
    seen: [Vec<(usize, u32)>; SOURCES],
}

impl Predictor {
    /// A predictor that has learned nothing yet.
    pub fn new(model: &Model) -> Predictor {
        let network = model.network().is_some();
        let rates = if network {
            Rates { feature_shift: 10, expert_shift: 6, verdict_shift: 10 }
        } else {
            Rates { feature_shift: 6, expert_shift: 8, verdict_shift: 6 }
        };
        Predictor {
            mixer: Mixer::new(
                rates,
                network,
                model.search_model().map(|search_model| &**search_model),
            ),
            ending: GameEndModel::new(network),
            pipeline: Pipeline::new(model),
            book: model.book().cloned(),
            repertoires: model.repertoires().cloned(),
            memories: [PositionCounts::new(), PositionCounts::new()],
            cumulative: vec![],
            seen: [const { vec![] }; SOURCES],
        }
    }

    /// What was learned of the features, in the form of `models/heuristic.bin`: one weight each in
    /// units of 2<sup>-10</sup> bit.
    pub fn feature_weights(&self) -> Vec<i16> {
        self.mixer.feature_weights()
    }

    /// What prepares plies for this predictor.
    pub fn pipeline(&self) -> Pipeline {
        self.pipeline.clone()
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
        ply: &PlyEvidence,
        ended: bool,
    ) -> Result<bool> {
        if ply.prepared.legal.is_empty() {
            return Ok(true);
        }
        let network = ply.scores.as_ref().map(|scores| scores.end);
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
        ply: &PlyEvidence,
        played: usize,
    ) -> Result<usize> {
        let PlyEvidence { prepared, scores, verdicts } = ply;
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
            let probabilities = self.mixer.predict(&evidence);
            fixed::frequencies(probabilities, &mut self.cumulative);
            played = coder.symbol(&self.cumulative, played)?;
            self.mixer.update(&evidence, played);
            for (memory, key) in self.memories.iter_mut().zip(keys) {
                memory.learn(key, played);
            }
        } else {
            played = 0;
        }
        Ok(played)
    }
}
