//! Searches whose evaluated positions are kept: what their network is to learn, rather than positions of games.

use shakmaty::Chess;

use super::INFINITE;
use super::parameters::MAX_PLY;
use super::sample::Sample;
use super::searcher::{Searcher, Window};

impl Searcher {
    /// Every `every`-th of the positions that a search of `position` evaluates, which visits at most `node_limit`; the
    /// first `skipped` do not count. None of them is in check.
    pub fn evaluated(
        &mut self,
        position: &Chess,
        node_limit: u64,
        every: u64,
        skipped: u64,
    ) -> Vec<Chess> {
        self.sample = Sample::new(every, skipped);
        let node = self.start_alone(position, node_limit);
        let window = Window { alpha: -INFINITE, beta: INFINITE };
        for depth in 1..MAX_PLY as i32 {
            self.negamax(node, depth, window, false);
            if self.stopped {
                break;
            }
        }
        std::mem::take(&mut self.sample).into_positions()
    }
}
