//! The board network as a part of the policy: its logits and those of the network of features, mixed.
//!
//! A position's scores are weighted sums; the weights, which depend on the stage of the game, stand in the model's file
//! beside the network. What comes after, the search, the reranker and the mixer, reads the sums. Where the network of
//! features is sure of a move, the board network has little to add, and a file may have bounds beyond which it is not
//! evaluated; the scores stay as they are then.

use super::mixer_scales::{SCALE_FILE_BITS, STAGES};
use super::parameters::{MAX_SCALE, stage};
use crate::board_network::{BoardNetwork, Outputs};
use crate::entropy::fixed;
use crate::network::Scores;

/// The largest sum, in units of 2<sup>-16</sup> nat: 256 nats.
const MAX_LOGIT: i64 = 1 << 24;

/// Largest probabilities have bounds in this unit, an eighth, as a shift of units of 2<sup>-31</sup>.
const BOUND_BITS: u32 = 28;

/// The largest bound: certainty.
const MOST_BOUND: i16 = 8;

/// Weights of one stage of a game, in units of 2<sup>-12</sup>.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct StageWeights {
    /// Of the logits of moves: of the network of features, of moves that people play, of moves that the teacher plays.
    moves: [i16; 3],
    /// Of the log-odds of the end: of the network of features, of the board network.
    end: [i16; 2],
}

/// A board network and the weights that its outputs have.
#[derive(Debug)]
pub struct BoardPolicy {
    /// The network.
    pub network: BoardNetwork,
    weights: [StageWeights; STAGES],
    /// For each stage, the network is evaluated where no move has this probability by the network of features, in units
    /// of 2<sup>-31</sup>; everywhere without bounds.
    bounds: Option<[u32; STAGES]>,
}

impl BoardPolicy {
    /// The number of weights in a file.
    pub const WEIGHTS: usize = STAGES * 5;

    /// The number of weights and bounds in a file that has bounds.
    pub const WEIGHTS_AND_BOUNDS: usize = BoardPolicy::WEIGHTS + STAGES;

    /// From a network and the numbers of a model's file: [`BoardPolicy::WEIGHTS`] in units of 2<sup>-12</sup>, stage by
    /// stage, and perhaps a bound for each stage, in eighths; `None` if there are more or fewer, if a weight is above
    /// [`MAX_SCALE`], or a bound not from 0 to 8.
    pub fn new(network: BoardNetwork, numbers: &[i16]) -> Option<BoardPolicy> {
        let limit = (MAX_SCALE << SCALE_FILE_BITS) as u16;
        let (weights, bounds) = numbers.split_at_checked(BoardPolicy::WEIGHTS)?;
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
        let stages: &[[i16; 5]; STAGES] = weights.as_chunks::<5>().0.try_into().ok()?;
        let weights = stages.map(|[features, played, taught, end, board_end]| StageWeights {
            moves: [features, played, taught],
            end: [end, board_end],
        });
        Some(BoardPolicy { network, weights, bounds })
    }

    /// Whether the board network is evaluated in the position after `ply` plies, where the network of features gives
    /// the moves these logits, in units of 2<sup>-16</sup> nat.
    pub fn is_asked(&self, ply: usize, logits: &[i32]) -> bool {
        self.bounds.is_none_or(|bounds| {
            let bits = logits.iter().map(|&logit| fixed::nats_to_bits(logit));
            let bound = bounds[stage(ply)];
            bound > 0 && fixed::largest_of_softmax(bits) < bound
        })
    }

    /// Changes the scores of the position after `ply` plies, which the network of features made, to the sums with what
    /// the board network says of it.
    pub fn mix(&self, ply: usize, outputs: &Outputs, scores: &mut Scores) {
        let StageWeights { moves, end } = self.weights[stage(ply)];
        let spoken = outputs.played.iter().zip(&outputs.taught);
        for (logit, (&played, &taught)) in scores.moves.iter_mut().zip(spoken) {
            *logit = weighted([*logit, played, taught], moves);
        }
        scores.end = weighted([scores.end, outputs.end], end);
    }
}

/// The sum of logits times weights, rounded down to units of logits.
fn weighted<const N: usize>(logits: [i32; N], weights: [i16; N]) -> i32 {
    let products = logits.into_iter().zip(weights);
    let sum: i64 = products.map(|(logit, weight)| i64::from(logit) * i64::from(weight)).sum();
    (sum >> SCALE_FILE_BITS).clamp(-MAX_LOGIT, MAX_LOGIT) as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board_network::{Sizes, sample};

    fn network() -> BoardNetwork {
        BoardNetwork::from_bytes(&sample(&Sizes::TOY, 1)).unwrap()
    }

    #[test]
    fn scores_are_weighted_by_the_stage() {
        let mut numbers = [0; BoardPolicy::WEIGHTS];
        numbers[..5].copy_from_slice(&[4096, 2048, -4096, 4096, 0]);
        numbers[15..].copy_from_slice(&[1, 0, 0, 0, 4 << 12]);
        let policy = BoardPolicy::new(network(), &numbers).unwrap();
        let outputs = Outputs {
            played: vec![10, -3],
            taught: vec![1, i32::MIN],
            end: i32::MAX,
            value: [0; 3],
        };
        let before = Scores { moves: vec![100, -7], end: 9, vectors: vec![1] };
        let mixed = |ply| {
            let mut scores = before.clone();
            policy.mix(ply, &outputs, &mut scores);
            (scores.moves, scores.end)
        };
        assert_eq!(mixed(11), (vec![104, 1 << 24], 9));
        assert_eq!(mixed(12), (vec![0, 0], 0));
        assert_eq!(mixed(60), (vec![0, -1], 1 << 24));
    }

    #[test]
    fn a_sure_position_is_not_asked() {
        let mut numbers = [0; BoardPolicy::WEIGHTS_AND_BOUNDS];
        numbers[BoardPolicy::WEIGHTS..].copy_from_slice(&[0, 4, 5, 8]);
        let policy = BoardPolicy::new(network(), &numbers).unwrap();
        // Halves, and one more than a half.
        let (even, uneven, alone) = ([7, 7], [1000, 0], [3]);
        assert!(!policy.is_asked(11, &[0; 200]));
        assert!(!policy.is_asked(12, &even) && policy.is_asked(12, &[0; 3]));
        assert!(policy.is_asked(24, &even) && policy.is_asked(24, &uneven));
        assert!(policy.is_asked(60, &uneven) && !policy.is_asked(60, &alone));
        let without = BoardPolicy::new(network(), &numbers[..BoardPolicy::WEIGHTS]).unwrap();
        assert!(without.is_asked(0, &[0; 200]) && without.is_asked(60, &alone));
    }

    #[test]
    fn other_weights_are_refused() {
        let most = 4 << 12;
        assert!(BoardPolicy::new(network(), &[most; BoardPolicy::WEIGHTS]).is_some());
        assert!(BoardPolicy::new(network(), &[-most; BoardPolicy::WEIGHTS]).is_some());
        for numbers in [
            &[most; BoardPolicy::WEIGHTS - 1][..],
            &[0; BoardPolicy::WEIGHTS + 1],
            &[0; BoardPolicy::WEIGHTS_AND_BOUNDS + 1],
            &[most + 1; BoardPolicy::WEIGHTS],
            &[i16::MIN; BoardPolicy::WEIGHTS],
            &[9; BoardPolicy::WEIGHTS_AND_BOUNDS],
            &[-1; BoardPolicy::WEIGHTS_AND_BOUNDS],
            &[],
        ] {
            assert!(BoardPolicy::new(network(), numbers).is_none());
        }
    }
}
