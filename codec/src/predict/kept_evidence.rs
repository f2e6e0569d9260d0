//! Evidence that is kept while a page is encoded, for the check that decodes it.

use std::collections::VecDeque;

use shakmaty::{Move, MoveList};

use super::pipeline::{PlyEvidence, Prepared};
use crate::analysis::SearchFeatures;
use crate::chess::History;
use crate::features::{BOARD_PADDING, BOARD_SLOTS, MOVE_SLOTS, MoveIndices, PLAIN_SLOTS};
use crate::network::{Query, Scores};
use crate::{Error, Result};

/// The evidence on plies in the order in which they were coded: a decoder that has it computes neither features nor the
/// network nor the search, which take most of the time. What it reads, learns and writes is its own.
///
/// A ply takes some 2 kB with a network, 1 kB without.
#[derive(Debug, Default)]
pub struct KeptEvidence {
    plies: VecDeque<KeptPly>,
}

/// [`PlyEvidence`] without what only the network reads.
#[derive(Debug)]
struct KeptPly {
    /// The key of the position.
    key: u64,
    legal: Box<[Move]>,
    /// The features of each move, one move after the other; without a network the plain ones.
    features: Box<[u16]>,
    linear_policy: Vec<i32>,
    scores: Option<Scores>,
    search: Option<SearchFeatures>,
}

/// Slots of a move's features that are kept.
fn slots(with_network: bool) -> usize {
    if with_network { MOVE_SLOTS } else { PLAIN_SLOTS }
}

impl KeptEvidence {
    /// Keeps the evidence on the next ply of `history`, which has been coded.
    pub fn keep(&mut self, history: &History, ply: PlyEvidence) {
        let PlyEvidence { prepared: Prepared { legal, query, linear_policy }, scores, search } =
            ply;
        let count = slots(scores.is_some());
        let features = query.moves.iter().flat_map(|move_features| &move_features[..count]);
        self.plies.push_back(KeptPly {
            key: history.key(),
            legal: legal.iter().copied().collect(),
            features: features.copied().collect(),
            linear_policy,
            scores,
            search,
        });
    }

    /// The evidence on the next ply, which must be that of `history`.
    ///
    /// # Errors
    /// [`Error::Verification`] if another one was coded.
    pub fn next(&mut self, history: &History) -> Result<PlyEvidence> {
        let other = || Error::Verification("other plies are decoded than were encoded".into());
        let kept = self.plies.pop_front().filter(|kept| kept.key == history.key());
        let KeptPly { legal, features, linear_policy, scores, search, .. } =
            kept.ok_or_else(other)?;
        let mut list = Box::new(MoveList::new());
        list.extend(legal);
        let moves = features.chunks_exact(slots(scores.is_some())).map(|kept| {
            let mut indices: MoveIndices = [0; MOVE_SLOTS];
            indices[..kept.len()].copy_from_slice(kept);
            indices
        });
        let query = Query { board: [BOARD_PADDING; BOARD_SLOTS], moves: moves.collect() };
        let prepared = Prepared { legal: list, query, linear_policy };
        Ok(PlyEvidence { prepared, scores, search })
    }

    /// True if the evidence on every ply was taken.
    pub fn is_empty(&self) -> bool {
        self.plies.is_empty()
    }
}
