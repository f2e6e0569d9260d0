//! The costs of all moves of a game.

use super::{PlyCost, bits};

/// The costs of a game's moves, in bits.
///
/// With the ends of games and the moves of variations, the costs of all games of a page add up to the bytes of its
/// stream of moves, but for the rounding of at most some bytes a page.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct GameCosts {
    /// The moves of the game as it was played.
    pub plies: Vec<PlyCost>,
    /// The probability that the game would end where it does; 1 where no move is legal, and where there is nothing to
    /// code, since nothing is known of the position that the game starts from.
    pub end_probability: f64,
    /// The cost of the moves of variations.
    pub variation_bits: f64,
}

/// Of a game of which nothing was coded.
impl Default for GameCosts {
    fn default() -> GameCosts {
        GameCosts { plies: vec![], end_probability: 1.0, variation_bits: 0.0 }
    }
}

impl GameCosts {
    /// The cost of the moves of the game as it was played.
    pub fn move_bits(&self) -> f64 {
        self.plies.iter().map(PlyCost::bits).sum()
    }

    /// The cost of the place where the game ends: that it goes on at each move, and that it ends after the last one.
    pub fn end_bits(&self) -> f64 {
        self.plies.iter().map(PlyCost::goes_on_bits).sum::<f64>() + self.last_end_bits()
    }

    /// The cost of the event that the game ends after its last move.
    pub fn last_end_bits(&self) -> f64 {
        bits(self.end_probability)
    }

    /// All of it.
    pub fn total_bits(&self) -> f64 {
        self.move_bits() + self.end_bits() + self.variation_bits
    }
}
