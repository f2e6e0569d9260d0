//! A sample of the positions that a search evaluates.

use shakmaty::Chess;

/// Every so many evaluated positions one is kept.
#[derive(Debug, Default)]
pub struct Sample {
    /// 0 keeps none.
    every: u64,
    seen: u64,
    kept: Vec<Chess>,
}

impl Sample {
    /// Keeps every `every`-th position, none for 0; the first `skipped` do not count.
    pub fn new(every: u64, skipped: u64) -> Sample {
        let seen = every.saturating_sub(1).saturating_sub(skipped);
        Sample { every, seen, kept: vec![] }
    }

    /// Notes an evaluated position.
    pub fn see(&mut self, position: &Chess) {
        self.seen += 1;
        if self.every > 0 && self.seen.is_multiple_of(self.every) {
            self.kept.push(position.clone());
        }
    }

    /// The positions that were kept, in the order in which they were evaluated.
    pub fn into_positions(self) -> Vec<Chess> {
        self.kept
    }
}
