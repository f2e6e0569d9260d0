//! What the network thinks of moves, before anything is searched.

use crate::entropy::fixed;

/// What the network thinks of moves.
#[derive(Debug)]
pub struct Opinion {
    /// Probabilities in units of 2<sup>-31</sup>.
    pub prior: Vec<u32>,
    /// What each move would cost, in bits in units of 2<sup>-16</sup>.
    pub surprisal: Vec<i32>,
}

impl Opinion {
    /// Of moves with these logits, in units of 2<sup>-16</sup> nat.
    pub fn new(logits: &[i32]) -> Opinion {
        let bits: Vec<i32> = logits.iter().map(|&logit| fixed::nats_to_bits(logit)).collect();
        let mut prior = vec![];
        fixed::softmax(&bits, &mut prior);
        // What a move costs: what the likeliest costs, and how far it is behind.
        let largest = bits.iter().copied().max().unwrap_or(0);
        let least = (31 << 16) - fixed::log2(prior.iter().copied().max().unwrap_or(1).into());
        let surprisal = bits.iter().map(|&bits| (largest - bits).saturating_add(least)).collect();
        Opinion { prior, surprisal }
    }

    /// What is left open: entropy in bits in units of 2<sup>-16</sup>.
    pub fn open(&self) -> i32 {
        // Probability in units of 2^-16 times surprisal in units of 2^-16 bit.
        let parts = self.prior.iter().zip(&self.surprisal);
        let open: i64 =
            parts.map(|(&p, &surprisal)| i64::from(p >> 15) * i64::from(surprisal)).sum();
        (open >> 16) as i32
    }
}
