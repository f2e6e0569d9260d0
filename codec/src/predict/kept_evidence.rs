//! Evidence that is kept while a page is encoded, for the check that decodes it.

use shakmaty::Move;

use super::pipeline::{PlyEvidence, Prepared};
use crate::analysis::SearchFeatures;
use crate::chess::History;
use crate::features::{AdaptedIndices, MoveIndices};
use crate::network::Scores;
use crate::{Error, Result};

/// The evidence on plies in the order in which they were coded: a decoder that has it computes neither features nor the
/// network nor the search, which take most of the time. What it reads, learns and writes is its own.
///
/// A ply takes some 2 kB with a network, 0.8 kB without. The moves of all plies stand in common lists, so that keeping
/// a ply without a network allocates nothing.
#[derive(Debug, Default)]
pub struct KeptEvidence {
    plies: Vec<KeptPly>,
    /// The legal moves of each ply, one ply after the other.
    legal: Vec<Move>,
    /// The features of each move, with a network.
    features: Vec<MoveIndices>,
    /// Without a network, the logit of each move and the features that the mixer adapts.
    linear_policy: Vec<i32>,
    adapted: Vec<AdaptedIndices>,
    taken: Taken,
}

/// Legal moves of a ply that [`KeptEvidence::with_capacity`] has room for: most games have fewer in the mean.
const MOVES_OF_A_PLY: usize = 36;

/// What of a ply is not in the common lists.
#[derive(Debug)]
struct KeptPly {
    /// The key of the position.
    key: u64,
    /// Number of legal moves, of moves with features, and of logits of the linear policy.
    counts: [u16; 3],
    scores: Option<Scores>,
    search: Option<SearchFeatures>,
}

/// How much of each list was taken.
#[derive(Debug, Default)]
struct Taken {
    plies: usize,
    legal: usize,
    features: usize,
    linear_policy: usize,
    adapted: usize,
}

/// The next `count` elements of a list of which `taken` were taken.
fn take<'a, T>(list: &'a [T], taken: &mut usize, count: usize) -> &'a [T] {
    let next = &list[*taken..][..count];
    *taken += count;
    next
}

impl KeptEvidence {
    /// Nothing yet, with room for some `plies` without a network.
    pub fn with_capacity(plies: usize) -> KeptEvidence {
        let moves = plies * MOVES_OF_A_PLY;
        KeptEvidence {
            plies: Vec::with_capacity(plies),
            legal: Vec::with_capacity(moves),
            linear_policy: Vec::with_capacity(moves),
            adapted: Vec::with_capacity(moves),
            ..KeptEvidence::default()
        }
    }

    /// Keeps the evidence on the next ply of `history`, which has been coded.
    pub fn keep(&mut self, history: &History, ply: &mut PlyEvidence) {
        let PlyEvidence { prepared, scores, search } = ply;
        let Prepared { legal, query, linear_policy, adapted, .. } = prepared;
        self.features.extend_from_slice(&query.moves);
        self.adapted.extend_from_slice(adapted);
        self.legal.extend_from_slice(legal);
        self.linear_policy.extend_from_slice(linear_policy);
        // No board has more than 270 legal moves.
        let counts = [legal.len(), query.moves.len(), linear_policy.len()].map(|n| n as u16);
        let (scores, search) = (scores.take(), search.take());
        self.plies.push(KeptPly { key: history.key(), counts, scores, search });
    }

    /// Sets `ply` to the evidence on the next ply, which must be that of `history`.
    ///
    /// # Errors
    /// [`Error::Verification`] if another one was coded.
    pub fn next(&mut self, history: &History, ply: &mut PlyEvidence) -> Result<()> {
        let Taken { plies, legal, features, linear_policy, adapted } = &mut self.taken;
        let kept = self.plies.get_mut(*plies).filter(|kept| kept.key == history.key());
        let kept = kept.ok_or_else(|| {
            Error::Verification("other plies are decoded than were encoded".into())
        })?;
        *plies += 1;
        let [moves, with_features, logits] = kept.counts.map(usize::from);
        ply.scores = kept.scores.take();
        ply.search = kept.search.take();
        let Prepared { legal: list, query, linear_policy: policy, adapted: of_mixer, .. } =
            &mut ply.prepared;
        list.clear();
        list.extend_from_slice(take(&self.legal, legal, moves));
        query.moves.clear();
        query.moves.extend_from_slice(take(&self.features, features, with_features));
        policy.clear();
        policy.extend_from_slice(take(&self.linear_policy, linear_policy, logits));
        of_mixer.clear();
        of_mixer.extend_from_slice(take(&self.adapted, adapted, logits));
        Ok(())
    }

    /// True if the evidence on every ply was taken.
    pub fn is_empty(&self) -> bool {
        self.taken.plies == self.plies.len()
    }
}
