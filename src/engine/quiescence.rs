//! Quiescence: captures until nothing is to be won by them.

use shakmaty::{Chess, Position};

use super::move_picker::{LOSING, MovePicker, WINNING};
use super::nnue::FeatureDelta;
use super::parameters::DELTA_MARGIN;
use super::search::Searcher;
use crate::chess::leaves_king;

impl Searcher {
    /// The value of a position with nothing but captures and promotions, or none of them.
    pub fn quiesce(
        &mut self,
        position: &Chess,
        mut alpha: i32,
        beta: i32,
        ply: usize,
        depth: u32,
    ) -> i32 {
        if !self.visit() {
            return 0;
        }
        let (_, stand) = self.static_eval(position, ply);
        if stand >= beta || depth == 0 {
            return stand;
        }
        alpha = alpha.max(stand);
        let mut best = stand;
        let first = self.ranks.len();
        let mut picker = MovePicker::new(0, &self.ranks);
        picker.only_captures(position, alpha - stand - DELTA_MARGIN, &mut self.ranks);
        while let Some((rank, candidate)) = picker.pick(position, &mut self.ranks, |_, _, _| LOSING)
        {
            if rank < WINNING {
                break;
            }
            let mut next = position.clone();
            next.play_unchecked(candidate);
            if leaves_king(&next) {
                continue;
            }
            self.follow(&next, ply + 1, Some(&FeatureDelta::new(candidate, position.turn())));
            let value = -self.quiesce(&next, -beta, -alpha, ply + 1, depth - 1);
            if self.stopped {
                break;
            }
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        self.ranks.truncate(first);
        best
    }
}
