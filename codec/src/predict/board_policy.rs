//! Board networks as a part of the policy: their logits and those of the network of features, mixed.
//!
//! A position's scores are weighted sums; the weights, which depend on the stage of the game, stand in the model's file
//! beside the networks. What comes after, the search, the reranker and the mixer, reads the sums. Where the network of
//! features is sure of a move, a board network has little to add, and a file may have bounds beyond which none is
//! evaluated; the scores stay as they are then.

use super::mixer_scales::{SCALE_FILE_BITS, STAGES};
use super::parameters::{MAX_SCALE, stage};
use crate::board_network::{BoardNetwork, Outputs, View};
use crate::entropy::fixed;
use crate::network::Scores;

/// The largest sum, in units of 2<sup>-16</sup> nat: 256 nats.
const MAX_LOGIT: i64 = 1 << 24;

/// Largest probabilities have bounds in this unit, an eighth, as a shift of units of 2<sup>-31</sup>.
const BOUND_BITS: u32 = 28;

/// The largest bound: certainty.
const MOST_BOUND: i16 = 8;

/// Weights of one stage of a game, in units of 2<sup>-12</sup>.
#[derive(Debug, Clone, PartialEq, Eq)]
struct StageWeights {
    /// Of the logits of moves: of the network of features; then, for each board network, of moves that people play, of
    /// moves that the teacher plays.
    moves: Vec<i16>,
    /// Of the log-odds of the end: of the network of features, of each board network.
    end: Vec<i16>,
}

/// Board networks and the weights that their outputs have.
#[derive(Debug)]
pub struct BoardPolicy {
    networks: Vec<BoardNetwork>,
    weights: Vec<StageWeights>,
    /// For each stage, the networks are evaluated where no move has this probability by the network of features, in
    /// units of 2<sup>-31</sup>; everywhere without bounds.
    bounds: Option<[u32; STAGES]>,
}

impl BoardPolicy {
    /// Bounds in a file that has any.
    pub const BOUNDS: usize = STAGES;

    /// The number of weights in a file with this many board networks: for each stage those of the network of features,
    /// for moves and for the end, and three of each board network.
    pub const fn weights(networks: usize) -> usize {
        STAGES * (2 + 3 * networks)
    }

    /// From one network or more and the numbers of a model's file: [`BoardPolicy::weights`] in units of 2<sup>-12</sup>,
    /// stage by stage, and perhaps [`BoardPolicy::BOUNDS`], one for each stage, in eighths; `None` if there are more or
    /// fewer, if a weight is above [`MAX_SCALE`], or a bound not from 0 to 8.
    pub fn new(networks: Vec<BoardNetwork>, numbers: &[i16]) -> Option<BoardPolicy> {
        let limit = (MAX_SCALE << SCALE_FILE_BITS) as u16;
        let (weights, bounds) = numbers.split_at_checked(BoardPolicy::weights(networks.len()))?;
        let bounds = match bounds {
            [] => None,
            bounds => Some(<[i16; STAGES]>::try_from(bounds).ok()?),
        };
        if weights.iter().any(|weight| weight.unsigned_abs() > limit)
            || bounds
                .is_some_and(|bounds| bounds.iter().any(|bound| !(0..=MOST_BOUND).contains(bound)))
        {
            return None;
        }
        let bounds = bounds.map(|bounds| bounds.map(|bound| (bound as u32) << BOUND_BITS));
        let weights = weights.chunks_exact(weights.len() / STAGES).map(|weights| {
            let (moves, end) = weights.split_at(1 + 2 * networks.len());
            StageWeights { moves: moves.to_vec(), end: end.to_vec() }
        });
        let weights = weights.collect();
        Some(BoardPolicy { networks, weights, bounds })
    }

    /// The number of board networks.
    #[cfg(feature = "training")]
    pub fn networks(&self) -> usize {
        self.networks.len()
    }

    /// Whether the board networks are evaluated in the position after `ply` plies, where the network of features gives
    /// the moves these logits, in units of 2<sup>-16</sup> nat.
    pub fn is_asked(&self, ply: usize, logits: &[i32]) -> bool {
        self.bounds.is_none_or(|bounds| {
            let bits = logits.iter().map(|&logit| fixed::nats_to_bits(logit));
            let bound = bounds[stage(ply)];
            bound > 0 && fixed::largest_of_softmax(bits) < bound
        })
    }

    /// What each board network says of each position: for each network the outputs for all positions.
    pub fn evaluate(&self, views: &[&View]) -> Vec<Vec<Outputs>> {
        self.networks.iter().map(|network| network.evaluate(views)).collect()
    }

    /// Changes the scores of the position after `ply` plies, which the network of features made, to the sums with what
    /// the board networks say of it: `outputs` has the outputs of each.
    pub fn mix(&self, ply: usize, outputs: &[&Outputs], scores: &mut Scores) {
        let StageWeights { moves, end } = &self.weights[stage(ply)];
        for (place, logit) in scores.moves.iter_mut().enumerate() {
            let of_boards = outputs.iter().flat_map(|of| [of.played[place], of.taught[place]]);
            *logit = weighted(*logit, of_boards, moves);
        }
        scores.end = weighted(scores.end, outputs.iter().map(|of| of.end), end);
    }
}

/// The sum of logits times weights, rounded down to units of logits.
#[inline]
fn weighted(of_features: i32, of_boards: impl Iterator<Item = i32>, weights: &[i16]) -> i32 {
    let logits = std::iter::once(of_features).chain(of_boards);
    let products = logits.zip(weights);
    let sum: i64 = products.map(|(logit, &weight)| i64::from(logit) * i64::from(weight)).sum();
    (sum >> SCALE_FILE_BITS).clamp(-MAX_LOGIT, MAX_LOGIT) as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board_network::{Sizes, sample};

    const WEIGHTS: usize = BoardPolicy::weights(1);
    const WEIGHTS_AND_BOUNDS: usize = WEIGHTS + BoardPolicy::BOUNDS;

    fn networks(count: usize) -> Vec<BoardNetwork> {
        let network = || BoardNetwork::from_bytes(&sample(&Sizes::TOY, 1)).unwrap();
        (0..count).map(|_| network()).collect()
    }

    #[test]
    fn scores_are_weighted_by_the_stage() {
        let mut numbers = [0; WEIGHTS];
        numbers[..5].copy_from_slice(&[4096, 2048, -4096, 4096, 0]);
        numbers[15..].copy_from_slice(&[1, 0, 0, 0, 4 << 12]);
        let policy = BoardPolicy::new(networks(1), &numbers).unwrap();
        let outputs = Outputs {
            played: vec![10, -3],
            taught: vec![1, i32::MIN],
            end: i32::MAX,
            value: [0; 3],
        };
        let before = Scores { moves: vec![100, -7], end: 9, vectors: vec![1] };
        let mixed = |ply| {
            let mut scores = before.clone();
            policy.mix(ply, &[&outputs], &mut scores);
            (scores.moves, scores.end)
        };
        assert_eq!(mixed(11), (vec![104, 1 << 24], 9));
        assert_eq!(mixed(12), (vec![0, 0], 0));
        assert_eq!(mixed(60), (vec![0, -1], 1 << 24));
    }

    #[test]
    fn each_board_network_has_weights_of_its_own() {
        assert_eq!(BoardPolicy::weights(2), 32);
        let stage = [4096, 2048, -4096, 1024, 8192, 4096, -2048, 4096];
        let policy = BoardPolicy::new(networks(2), &stage.repeat(STAGES)).unwrap();
        let outputs = |played, taught, end| Outputs {
            played: vec![played],
            taught: vec![taught],
            end,
            value: [0; 3],
        };
        let mut scores = Scores { moves: vec![100], end: 9, vectors: vec![] };
        policy.mix(30, &[&outputs(10, 1, 40), &outputs(8, -5, 3)], &mut scores);
        assert_eq!((scores.moves, scores.end), (vec![100 + 5 - 1 + 2 - 10], 9 - 20 + 3));
        let spoken = policy.evaluate(&[]);
        assert_eq!(spoken, [vec![], vec![]]);
        assert!(BoardPolicy::new(networks(2), &[0; WEIGHTS]).is_none());
        assert!(BoardPolicy::new(networks(1), &[0; BoardPolicy::weights(2)]).is_none());
    }

    #[test]
    fn a_sure_position_is_not_asked() {
        let mut numbers = [0; WEIGHTS_AND_BOUNDS];
        numbers[WEIGHTS..].copy_from_slice(&[0, 4, 5, 8]);
        let policy = BoardPolicy::new(networks(1), &numbers).unwrap();
        // Halves, and one more than a half.
        let (even, uneven, alone) = ([7, 7], [1000, 0], [3]);
        assert!(!policy.is_asked(11, &[0; 200]));
        assert!(!policy.is_asked(12, &even) && policy.is_asked(12, &[0; 3]));
        assert!(policy.is_asked(24, &even) && policy.is_asked(24, &uneven));
        assert!(policy.is_asked(60, &uneven) && !policy.is_asked(60, &alone));
        let without = BoardPolicy::new(networks(1), &numbers[..WEIGHTS]).unwrap();
        assert!(without.is_asked(0, &[0; 200]) && without.is_asked(60, &alone));
    }

    #[test]
    fn other_weights_are_refused() {
        let most = 4 << 12;
        assert!(BoardPolicy::new(networks(1), &[most; WEIGHTS]).is_some());
        assert!(BoardPolicy::new(networks(1), &[-most; WEIGHTS]).is_some());
        for numbers in [
            &[most; WEIGHTS - 1][..],
            &[0; WEIGHTS + 1],
            &[0; WEIGHTS_AND_BOUNDS + 1],
            &[most + 1; WEIGHTS],
            &[i16::MIN; WEIGHTS],
            &[9; WEIGHTS_AND_BOUNDS],
            &[-1; WEIGHTS_AND_BOUNDS],
            &[],
        ] {
            assert!(BoardPolicy::new(networks(1), numbers).is_none());
        }
    }
}
