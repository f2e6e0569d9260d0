//! Logits as a model gives them, as numbers and as probabilities.

/// A logit in units of 2<sup>-16</sup> nat, in nats.
pub fn nats(logit: i32) -> f64 {
    f64::from(logit) / 65_536.0
}

/// The probabilities of alternatives with these logits, in nats.
pub fn softmax(logits: impl Iterator<Item = f64>) -> Vec<f64> {
    let logits: Vec<f64> = logits.collect();
    let largest = logits.iter().copied().fold(f64::MIN, f64::max);
    let odds: Vec<f64> = logits.iter().map(|logit| (logit - largest).exp()).collect();
    let sum: f64 = odds.iter().sum();
    odds.into_iter().map(|odds| odds / sum).collect()
}
