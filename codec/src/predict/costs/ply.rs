//! The cost of one move.

use shakmaty::Move;

use super::{bits, of_table};

/// A legal move and its probability.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct LikelyMove {
    /// The move.
    pub played: Move,
    /// How likely it is among the legal moves: above 0, at most 1.
    pub probability: f64,
}

/// How a move compared with its prediction.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PlyCost {
    /// The move, with the probability that it was coded with.
    pub played: LikelyMove,
    /// The likeliest of the other legal moves, at most [`PlyCost::OTHERS`], the likeliest first.
    pub others: Vec<LikelyMove>,
    /// How many legal moves were likelier.
    pub rank: usize,
    /// How many moves were legal.
    pub legal: usize,
    /// What the move was expected to cost, in bits: the entropy of the prediction, which tells how open the choice was.
    pub expected_bits: f64,
    /// How likely it was that the game would end before this move; 0 where that was not coded.
    pub end_probability: f64,
}

impl PlyCost {
    /// How many other moves are kept.
    pub const OTHERS: usize = 3;

    /// Of the move at the place `played` of `legal`; `frequencies` are cumulative, and empty if no other move was
    /// legal.
    pub(crate) fn new(
        legal: &[Move],
        frequencies: &[u32],
        played: usize,
        end_probability: f64,
    ) -> Option<PlyCost> {
        let likely = |place: usize| {
            let played = *legal.get(place)?;
            Some(LikelyMove { played, probability: of_table(frequencies, place) })
        };
        let own = likely(played)?;
        let (mut others, mut rank, mut expected_bits) = (vec![], 0, 0.0);
        for other in (0..legal.len()).filter_map(likely) {
            expected_bits += other.probability * bits(other.probability);
            rank += usize::from(other.probability > own.probability);
            if other.played != own.played {
                insert(&mut others, other);
            }
        }
        let legal = legal.len();
        Some(PlyCost { played: own, others, rank, legal, expected_bits, end_probability })
    }

    /// The surprisal of the move: the bits that it cost.
    pub fn bits(&self) -> f64 {
        bits(self.played.probability)
    }

    /// The bits that it cost to tell that the game does not end before this move.
    pub fn goes_on_bits(&self) -> f64 {
        bits(1.0 - self.end_probability)
    }
}

/// Keeps the likeliest moves, of which there are few.
fn insert(likeliest: &mut Vec<LikelyMove>, next: LikelyMove) {
    let place = likeliest.partition_point(|known| known.probability >= next.probability);
    if place < PlyCost::OTHERS {
        likeliest.truncate(PlyCost::OTHERS - 1);
        likeliest.insert(place, next);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::legal_moves;
    use shakmaty::Chess;

    #[test]
    fn the_likeliest_others_are_kept() {
        let legal = legal_moves(&Chess::default());
        // Each frequency of five moves, in units of 2^-24: a half, an eighth, a quarter, two sixteenths.
        let table = [0, 1 << 23, 5 << 21, 7 << 21, 15 << 20, 1 << 24];
        let cost = PlyCost::new(&legal[..5], &table, 2, 0.25).unwrap();
        assert_eq!(cost.played, LikelyMove { played: legal[2], probability: 0.25 });
        let others: Vec<(Move, f64)> =
            cost.others.iter().map(|other| (other.played, other.probability)).collect();
        assert_eq!(others, [(legal[0], 0.5), (legal[1], 0.125), (legal[3], 0.0625)]);
        assert_eq!((cost.rank, cost.legal), (1, 5));
        assert_eq!((cost.bits(), cost.expected_bits), (2.0, 1.875));
        assert!((cost.goes_on_bits() - 0.415).abs() < 0.001);
    }

    #[test]
    fn a_forced_move_is_free() {
        let legal = legal_moves(&Chess::default());
        let cost = PlyCost::new(&legal[..1], &[], 0, 0.0).unwrap();
        assert_eq!((cost.bits(), cost.goes_on_bits(), cost.expected_bits), (0.0, 0.0, 0.0));
        assert!(cost.others.is_empty() && cost.bits().is_sign_positive());
        assert_eq!(PlyCost::new(&legal[..1], &[], 1, 0.0), None);
    }
}
