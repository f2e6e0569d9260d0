//! The board network as a part of the policy: its logits and those of the network of features, mixed.
//!
//! A position's scores are weighted sums; the weights, which depend on the stage of the game, stand in the model's file
//! beside the network. What comes after, the search, the reranker and the mixer, reads the sums.

use super::mixer_scales::{SCALE_FILE_BITS, STAGES};
use super::parameters::{MAX_SCALE, stage};
use crate::board_network::{BoardNetwork, Outputs};
use crate::network::Scores;

/// The largest sum, in units of 2<sup>-16</sup> nat: 256 nats.
const MAX_LOGIT: i64 = 1 << 24;

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
}

impl BoardPolicy {
    /// The number of weights in a file.
    pub const WEIGHTS: usize = STAGES * 5;

    /// From a network and the weights of a model's file, [`BoardPolicy::WEIGHTS`] numbers in units of 2<sup>-12</sup>,
    /// stage by stage; `None` if there are more or fewer, or if one is above [`MAX_SCALE`].
    pub fn new(network: BoardNetwork, weights: &[i16]) -> Option<BoardPolicy> {
        let limit = (MAX_SCALE << SCALE_FILE_BITS) as u16;
        let (stages, []) = weights.as_chunks::<5>() else { return None };
        if weights.iter().any(|weight| weight.unsigned_abs() > limit) {
            return None;
        }
        let stages: &[[i16; 5]; STAGES] = stages.try_into().ok()?;
        let weights = stages.map(|[features, played, taught, end, board_end]| StageWeights {
            moves: [features, played, taught],
            end: [end, board_end],
        });
        Some(BoardPolicy { network, weights })
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
    fn other_weights_are_refused() {
        let most = 4 << 12;
        assert!(BoardPolicy::new(network(), &[most; BoardPolicy::WEIGHTS]).is_some());
        assert!(BoardPolicy::new(network(), &[-most; BoardPolicy::WEIGHTS]).is_some());
        for numbers in [
            &[most; BoardPolicy::WEIGHTS - 1][..],
            &[most; BoardPolicy::WEIGHTS + 5],
            &[most + 1; BoardPolicy::WEIGHTS],
            &[i16::MIN; BoardPolicy::WEIGHTS],
            &[],
        ] {
            assert!(BoardPolicy::new(network(), numbers).is_none());
        }
    }
}
