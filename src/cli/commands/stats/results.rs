//! Counts of games by result.

use serde::Serialize;

/// Results of games.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub(in crate::cli::commands) struct Results {
    /// Games that White has won.
    pub white: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games that Black has won.
    pub black: u64,
    /// Games without a result.
    pub unknown: u64,
}

impl Results {
    /// Counts a game.
    pub fn add(&mut self, result: &str) {
        *match result {
            "1-0" => &mut self.white,
            "1/2-1/2" => &mut self.draws,
            "0-1" => &mut self.black,
            _ => &mut self.unknown,
        } += 1;
    }

    pub fn games(&self) -> u64 {
        self.white + self.draws + self.black + self.unknown
    }

    /// White's points in percent of those of all games with a result.
    pub fn score(&self) -> Option<f64> {
        let games = self.white + self.draws + self.black;
        (games > 0).then(|| (self.white as f64 + self.draws as f64 / 2.0) * 100.0 / games as f64)
    }

    pub fn and(mut self, other: &Results) -> Results {
        self.white += other.white;
        self.draws += other.draws;
        self.black += other.black;
        self.unknown += other.unknown;
        self
    }
}
