//! Searches whose evaluated positions are kept: what their network is to learn, rather than positions of games.

use shakmaty::{Chess, Position};

use super::INFINITE;
use super::parameters::MAX_PLY;
use super::sample::Sample;
use super::search_state::SearchState;
use super::searcher::{Node, Searcher, Window};
use crate::chess::pieces_key;

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
        self.state = SearchState::new(node_limit);
        self.start(position, node_limit);
        self.keys.push(0);
        let node = Node { position, pieces_key: pieces_key(position.board()), delta: None, ply: 0 };
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
