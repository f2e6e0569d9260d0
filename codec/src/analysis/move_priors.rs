//! The network's prediction of the legal moves, before the search.

use crate::entropy::fixed;

/// The network's prediction of the legal moves, in their order.
#[derive(Debug)]
pub struct MovePriors {
    /// Probabilities in units of 2<sup>-31</sup>.
    pub prior: Vec<u32>,
    /// The surprisal of each move, in bits in units of 2<sup>-16</sup>.
    pub surprisal: Vec<i32>,
}

impl MovePriors {
    /// The prediction for moves with these logits, in units of 2<sup>-16</sup> nat.
    pub fn new(logits: &[i32]) -> MovePriors {
        let bits: Vec<i32> = logits.iter().map(|&logit| fixed::nats_to_bits(logit)).collect();
        let mut prior = vec![];
        fixed::softmax(&bits, &mut prior);
        // A move's surprisal is that of the likeliest move plus the difference of their logits.
        let largest = bits.iter().copied().max().unwrap_or(0);
        let least = (31 << 16) - fixed::log2(prior.iter().copied().max().unwrap_or(1).into());
        let surprisal = bits.iter().map(|&bits| (largest - bits).saturating_add(least)).collect();
        MovePriors { prior, surprisal }
    }

    /// The entropy in bits in units of 2<sup>-16</sup>.
    pub fn entropy(&self) -> i32 {
        // Probability in units of 2^-16 times surprisal in units of 2^-16 bit.
        let parts = self.prior.iter().zip(&self.surprisal);
        let entropy: i64 =
            parts.map(|(&p, &surprisal)| i64::from(p >> 15) * i64::from(surprisal)).sum();
        (entropy >> 16) as i32
    }
}
