//! Evidence that is kept while a page is encoded, for the check that decodes it.

use shakmaty::Move;

use super::evidence_view::{EvidenceView, end_log_odds};
use super::linear_policy;
use super::mixer_input::MixedFeatures;
use super::pipeline::{PlyEvidence, Prepared};
use super::position_facts::PositionFacts;
use crate::analysis::SearchFeatures;
use crate::chess::History;
use crate::features::{AdaptedIndices, GameContext, MoveIndices};
use crate::network::Scores;
use crate::{Error, Result};

/// The evidence on plies in the order in which they were coded: a decoder that has it computes neither positions nor
/// features nor the network nor the search, which take most of the time. What it reads, learns and writes is its own.
///
/// A decoder that begins its lines where the encoder began them, and reads the same moves, has the same positions. So the
/// beginnings of lines and the moves played are kept, too, and compared with its own.
///
/// A ply takes some 2 kB with a network, 0.4 kB without. The moves of all plies stand in common lists, so that keeping
/// a ply without a network allocates nothing.
#[derive(Debug, Default)]
pub struct KeptEvidence {
    /// The beginning of each line: the key of its position, and its context.
    lines: Vec<(u64, GameContext)>,
    plies: Vec<KeptPly>,
    /// The features of each legal move, one ply after the other, with a network.
    features: Vec<MoveIndices>,
    /// Without a network, the logit of each move, packed, and the features that the mixer adapts.
    linear_policy: Vec<i16>,
    adapted: Vec<AdaptedIndices>,
    taken: Taken,
    /// Whether anything that is coded behind the moves depends on their surprisals.
    surprisals: bool,
    /// The logits of the ply that was taken last.
    unpacked: Vec<i32>,
}

/// Legal moves of a ply that [`KeptEvidence::reserve`] has room for: most games have fewer in the mean.
const MOVES_OF_A_PLY: usize = 36;

/// What of a ply is not in the common lists.
#[derive(Debug)]
struct KeptPly {
    facts: PositionFacts,
    confidence: u8,
    /// The move that was played and its index; `None` where the line ended.
    played: Option<(u16, Move)>,
    /// Number of legal moves, of moves with features, and of logits of the linear policy.
    counts: [u16; 3],
    network: Option<Box<OfNetwork>>,
}

/// What network and search say of a ply.
#[derive(Debug)]
struct OfNetwork {
    scores: Scores,
    search: Option<SearchFeatures>,
}

/// How much of each list was taken.
#[derive(Debug, Default)]
struct Taken {
    lines: usize,
    plies: usize,
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

/// The error of a decoder that finds other plies than were encoded.
fn other_plies() -> Error {
    Error::Verification("other plies are decoded than were encoded".into())
}

impl KeptEvidence {
    /// Forgets all evidence; the memory is used again.
    pub fn clear(&mut self) {
        let KeptEvidence {
            lines,
            plies,
            features,
            linear_policy,
            adapted,
            taken,
            surprisals,
            unpacked,
        } = self;
        lines.clear();
        plies.clear();
        features.clear();
        linear_policy.clear();
        adapted.clear();
        *taken = Taken::default();
        *surprisals = false;
        unpacked.clear();
    }

    /// Makes room for some `plies`, with a network or without.
    pub fn reserve(&mut self, plies: usize, network: bool) {
        let moves = plies * MOVES_OF_A_PLY;
        self.plies.reserve(plies);
        if network {
            self.features.reserve(moves);
        } else {
            self.linear_policy.reserve(moves);
            self.adapted.reserve(moves);
        }
    }

    /// Keeps whether anything that is coded behind the moves depends on their surprisals.
    pub fn keep_surprisals(&mut self, needed: bool) {
        self.surprisals = needed;
    }

    /// Whether anything that was coded behind the moves depends on their surprisals.
    pub fn needs_surprisals(&self) -> bool {
        self.surprisals
    }

    /// Keeps the beginning of the next line.
    pub fn begin_line(&mut self, history: &History, context: &GameContext) {
        self.lines.push((history.key(), *context));
    }

    /// Keeps the evidence on the next ply, which has been coded: the index of the move played, if the line went on.
    pub fn keep(&mut self, ply: &mut PlyEvidence, played: Option<usize>) {
        let PlyEvidence { prepared, facts, confidence, scores, search } = ply;
        let Prepared { legal, query, linear_policy, adapted, .. } = prepared;
        self.features.extend_from_slice(&query.moves);
        self.adapted.extend_from_slice(adapted);
        self.linear_policy.extend(linear_policy.iter().map(|&logit| linear_policy::pack(logit)));
        // No board has more than 270 legal moves.
        let counts = [legal.len(), query.moves.len(), linear_policy.len()].map(|n| n as u16);
        let played = played.map(|index| (index as u16, legal[index]));
        let (facts, confidence) = (*facts, *confidence);
        let of_network = |scores| Box::new(OfNetwork { scores, search: search.take() });
        let network = scores.take().map(of_network);
        self.plies.push(KeptPly { facts, confidence, played, counts, network });
    }

    /// Takes the beginning of the next line, which must be this one.
    ///
    /// # Errors
    /// [`Error::Verification`] if another one was encoded.
    pub fn take_line(&mut self, history: &History, context: &GameContext) -> Result<()> {
        let kept = self.lines.get(self.taken.lines);
        self.taken.lines += 1;
        let same = kept.is_some_and(|(key, kept)| *key == history.key() && kept == context);
        if same { Ok(()) } else { Err(other_plies()) }
    }

    /// The keys of the positions of the ply after the next and of the one before it, if there are as many.
    pub fn keys_ahead(&self) -> Option<[u64; 2]> {
        let [_, next, later] = self.plies.get(self.taken.plies..)?.first_chunk()?;
        Some([later.facts.key, next.facts.key])
    }

    /// Takes the evidence on the next ply, and shows it to `code`, which decodes the index of the move played, if the line
    /// goes on; that move.
    ///
    /// # Errors
    /// That of `code`; [`Error::Verification`] if the ply was encoded with another move, or not at all.
    pub fn with_next(
        &mut self,
        code: impl FnOnce(&EvidenceView<'_>) -> Result<Option<usize>>,
    ) -> Result<Option<Move>> {
        let Taken { plies, features, linear_policy, adapted, .. } = &mut self.taken;
        let ply = self.plies.get(*plies).ok_or_else(other_plies)?;
        *plies += 1;
        let [moves, with_features, logits] = ply.counts.map(usize::from);
        let all = take(&self.features, features, with_features);
        let packed = take(&self.linear_policy, linear_policy, logits).iter();
        self.unpacked.clear();
        self.unpacked.extend(packed.map(|&logit| linear_policy::unpack(logit)));
        let network = ply.network.as_ref();
        let search = network.and_then(|network| network.search.as_ref());
        let decoded = code(&EvidenceView {
            moves,
            facts: &ply.facts,
            policy: network.map_or(&self.unpacked, |network| &network.scores.moves),
            confidence: ply.confidence,
            features: MixedFeatures::of(all, take(&self.adapted, adapted, logits)),
            end: network.map(|network| end_log_odds(network.scores.end, search)),
            search,
        })?;
        let same = decoded == ply.played.map(|(index, _)| usize::from(index));
        if same { Ok(ply.played.map(|(_, played)| played)) } else { Err(other_plies()) }
    }

    /// True if all that was kept was taken.
    pub fn is_empty(&self) -> bool {
        self.taken.plies == self.plies.len() && self.taken.lines == self.lines.len()
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Chess;

    use super::*;
    use crate::predict::{Model, Pipeline};

    /// Of a line of one move, and that move's index.
    const PLAYED: usize = 3;

    fn kept() -> (KeptEvidence, Move) {
        let pipeline = Pipeline::new(&Model::none());
        let mut line = pipeline.line(History::new(Chess::default()), GameContext::new());
        let mut kept = KeptEvidence::default();
        kept.begin_line(&line.history, &line.context);
        let mut plies = vec![];
        pipeline.next_plies(&mut [&mut line], &mut plies).unwrap();
        let played = plies[0].prepared.legal[PLAYED];
        kept.keep(&mut plies[0], Some(PLAYED));
        line.played = Some(played);
        pipeline.next_plies(&mut [&mut line], &mut plies).unwrap();
        kept.keep(&mut plies[0], None);
        (kept, played)
    }

    fn is_refused<T>(result: Result<T>) -> bool {
        matches!(result, Err(Error::Verification(_)))
    }

    #[test]
    fn a_line_comes_back_as_it_was_kept() {
        let (mut kept, played) = kept();
        let start = History::new(Chess::default());
        for _ in 0..2 {
            kept.take_line(&start, &GameContext::new()).unwrap();
            let decoded = kept.with_next(|ply| {
                assert_eq!((ply.moves, ply.policy.len(), ply.facts.key), (20, 20, start.key()));
                Ok(Some(PLAYED))
            });
            assert_eq!(decoded.unwrap(), Some(played));
            assert!(!kept.is_empty());
            assert_eq!(kept.with_next(|_| Ok(None)).unwrap(), None);
            assert!(kept.is_empty());
            assert!(is_refused(kept.with_next(|_| Ok(None))));
            kept.taken = Taken::default();
        }
        kept.clear();
        assert!(kept.is_empty());
    }

    #[test]
    fn other_lines_and_moves_are_refused() {
        let start = History::new(Chess::default());
        let mut later = start.clone();
        later.play(kept().1);
        let online = GameContext { online: true, ..GameContext::new() };
        assert!(is_refused(kept().0.take_line(&later, &GameContext::new())));
        assert!(is_refused(kept().0.take_line(&start, &online)));
        assert!(is_refused(kept().0.with_next(|_| Ok(Some(PLAYED + 1)))));
        assert!(is_refused(kept().0.with_next(|_| Ok(None))));
        assert!(kept().0.with_next(|_| Err(Error::Interrupted)).is_err());
    }
}
