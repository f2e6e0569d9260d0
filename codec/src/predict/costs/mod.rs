//! The costs of a game's moves, and the moves expected instead. For people: nothing that is coded depends on it.

mod game;
mod ply;

pub use game::GameCosts;
pub use ply::{LikelyMove, PlyCost};

use crate::entropy::{BIT_PRECISION, TABLE_PRECISION};

/// The legal moves of a position, the likeliest first; `frequencies` are cumulative, as
/// [`Coder::symbol`](crate::entropy::Coder::symbol) takes them, and empty if no more than one move is legal.
pub fn likeliest_first(legal: &[shakmaty::Move], frequencies: &[u32]) -> Vec<LikelyMove> {
    let mut moves: Vec<LikelyMove> = legal
        .iter()
        .enumerate()
        .map(|(place, &played)| LikelyMove { played, probability: of_table(frequencies, place) })
        .collect();
    // Moves of the same probability stay in the canonical order.
    moves.sort_by(|one, other| other.probability.total_cmp(&one.probability));
    moves
}

/// The probability of the symbol at `place`; 1 if there is no table, since no other is possible.
fn of_table(frequencies: &[u32], place: usize) -> f64 {
    match frequencies.get(place..) {
        Some([low, high, ..]) => f64::from(high - low) / f64::from(1u32 << TABLE_PRECISION),
        _ => 1.0,
    }
}

/// The probability of `true` of a binary event, which has it in units of 2<sup>-16</sup>.
pub fn of_bit(p_true: u32) -> f64 {
    f64::from(p_true) / f64::from(1u32 << BIT_PRECISION)
}

/// Bits that an event of this probability costs. Not -0 for what is certain: which of two zeros is the larger differs
/// from machine to machine, their sum does not.
fn bits(probability: f64) -> f64 {
    (-probability.log2()).max(0.0) + 0.0
}
