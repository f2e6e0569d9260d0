//! The predictor: all state that is learned while coding, and the coding of one ply.

use std::sync::Arc;

use super::book::{Book, Books, Entry};
use super::counts::PositionCounts;
use super::evidence_view::EvidenceView;
use super::game_end::GameEndModel;
use super::mixer::Mixer;
use super::mixer_input::{Counts, MixerInput};
#[cfg(feature = "training")]
use super::mixer_scales::MixerScales;
use super::parameters::SOURCES;
use super::pipeline::Pipeline;
use super::player::Player;
use super::ply_counter::PlyCounter;
use super::run::Run;
use super::surprisal::Surprisal;
use crate::Result;
use crate::entropy::Coder;

/// Everything that is learned while coding.
#[derive(Debug)]
pub struct Predictor {
    pipeline: Pipeline,
    books: Books,
    repertoires: Option<Arc<Book>>,
    mixer: Mixer,
    game_end: GameEndModel,
    /// Counts of all players together, and of each player.
    position_counts: [PositionCounts; 2],
    /// The counts of each source in the present position: index of a move, count.
    counts: [Vec<(usize, u32)>; SOURCES],
    ply_counter: PlyCounter,
}

impl Predictor {
    /// A predictor before its first game.
    pub fn new(run: impl Into<Run>) -> Predictor {
        let run = run.into();
        let model = run.model();
        let network = model.network().is_some();
        Predictor {
            mixer: Mixer::new(network, model.search_model().map(Arc::as_ref), model.mixer_scales()),
            game_end: GameEndModel::new(network),
            pipeline: Pipeline::new(&run),
            books: model.books().clone(),
            repertoires: model.repertoires().cloned(),
            position_counts: [PositionCounts::new(), PositionCounts::new()],
            counts: [const { vec![] }; SOURCES],
            ply_counter: run.plies.clone(),
        }
    }

    /// The scales of the mixer: before the first game those that it begins with, then those that it has learned.
    #[cfg(feature = "training")]
    pub fn mixer_scales(&mut self) -> &mut MixerScales {
        self.mixer.scales_mut()
    }

    /// The learned model of the ends of games, in the form of `tables/game_end.bin`.
    #[cfg(feature = "training")]
    pub fn game_ends(&self) -> Vec<u8> {
        self.game_end.learned()
    }

    /// Counts plies that have been coded, for those who look at how far the work has come.
    pub fn count(&self, plies: usize) {
        self.ply_counter.add(plies);
    }

    /// Prefetches what the books say of positions that are coded soon: the keys of the ply after the next and of the
    /// next.
    pub fn prefetch(&self, keys: [u64; 2]) {
        self.books.prefetch(keys);
    }

    /// The pipeline of this predictor's model.
    pub fn pipeline(&self) -> Pipeline {
        self.pipeline.clone()
    }

    /// The table that the last move was coded with, unless it was forced.
    pub fn last_frequencies(&self) -> &[u32] {
        self.mixer.cumulative()
    }

    /// The probability with which the last end was coded, unless no move was legal; in units of 2<sup>-16</sup>.
    pub fn last_end(&self) -> u32 {
        self.game_end.predicted()
    }

    /// Codes whether the line ends in this position. Where no move is legal, it does, which costs nothing.
    ///
    /// # Errors
    /// Those of [`Coder::bit`].
    pub fn code_end<C: Coder>(
        &mut self,
        coder: &mut C,
        ply: &EvidenceView<'_>,
        ended: bool,
    ) -> Result<bool> {
        if ply.moves == 0 {
            return Ok(true);
        }
        let p = self.game_end.predict(ply.facts.end, ply.end);
        let ended = coder.bit(p, ended)?;
        self.game_end.update(ended);
        Ok(ended)
    }

    /// How the last move compared with its prediction: move `played` of this ply.
    pub fn last_surprisal(&self, ply: &EvidenceView<'_>, played: usize) -> Surprisal {
        match ply.moves {
            0 | 1 => Surprisal::default(),
            _ => Surprisal::of(self.mixer.cumulative(), played),
        }
    }

    /// Codes a move by its index in the canonical order; the index. A forced move costs nothing.
    ///
    /// # Errors
    /// Those of [`Coder::symbol`].
    pub fn code_move<C: Coder>(
        &mut self,
        coder: &mut C,
        player: Player,
        ply: &EvidenceView<'_>,
        played: usize,
    ) -> Result<usize> {
        let &EvidenceView { moves, facts, policy, confidence, features, search, .. } = ply;
        let key = facts.key;
        let mut played = played;
        if moves > 1 {
            // Two positions may share a key: an index beyond the legal moves is skipped.
            let legal = |&(index, _): &(usize, u32)| index < moves;
            let [from_book, from_archive, from_repertoires, from_player] = &mut self.counts;
            let in_book = self.books.find(key);
            let repertoires = self.repertoires.as_deref().zip(player.repertoire());
            let in_repertoires = repertoires.and_then(|(book, player)| book.find(key ^ player));
            for (counts, entry) in [(from_book, in_book), (from_repertoires, in_repertoires)] {
                counts.clear();
                counts.extend(entry.into_iter().flat_map(Entry::moves).filter(legal));
            }
            let [all, own] = &self.position_counts;
            let found = [all.find(key), own.find(key ^ player.spelling())];
            for ((counts, positions), position) in
                [from_archive, from_player].into_iter().zip([all, own]).zip(found)
            {
                counts.clear();
                counts.extend(positions.counts(position).filter(legal));
            }
            let [book, archive, repertoires, own] = self.counts.each_ref();
            let rest = |entry: Option<Entry>| entry.map_or(0, Entry::rest);
            let counts = [
                Counts { moves: book, rest: rest(in_book) },
                Counts { moves: archive, rest: 0 },
                Counts { moves: repertoires, rest: rest(in_repertoires) },
                Counts { moves: own, rest: 0 },
            ];
            let input = MixerInput {
                policy,
                confidence,
                features,
                search,
                ply: facts.ply,
                last: facts.last,
                counts,
            };
            played = coder.symbol(self.mixer.predict(&input), played)?;
            self.mixer.update(&input, played);
            for (positions, position) in self.position_counts.iter_mut().zip(found) {
                positions.add(position, played);
            }
        } else {
            played = 0;
        }
        Ok(played)
    }
}
