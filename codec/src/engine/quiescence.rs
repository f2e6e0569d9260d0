//! Quiescence: captures until none is left that promises to win something.

use shakmaty::{Chess, Position};

use super::move_picker::{BAD_CAPTURE, GOOD_CAPTURE, MovePicker, PackedMove};
use super::nnue::FeatureDelta;
use super::parameters::DELTA_MARGIN;
use super::searcher::{Searcher, Window};
use crate::chess::leaves_king;

impl Searcher {
    /// The value of a position in centipawns for its side to move, when both sides may stand pat or
    /// go on with captures and promotions that lose no material, `depth` of them in a row at most.
    pub fn quiesce(&mut self, position: &Chess, window: Window, ply: usize, depth: u32) -> i32 {
        if !self.count_node() {
            return 0;
        }
        let Window { mut alpha, beta } = window;
        let (_, static_eval) = self.static_eval(position, ply);
        if static_eval >= beta || depth == 0 {
            return static_eval;
        }
        alpha = alpha.max(static_eval);
        let mut best = static_eval;
        let first_score = self.move_scores.len();
        let mut picker = MovePicker::new(PackedMove::NONE, &self.move_scores);
        let bound = alpha - static_eval - DELTA_MARGIN;
        picker.only_captures(position, bound, &mut self.move_scores);
        while let Some((score, played)) =
            picker.pick(position, &mut self.move_scores, |_, _, _| BAD_CAPTURE)
        {
            if score < GOOD_CAPTURE {
                break;
            }
            let mut next = position.clone();
            next.play_unchecked(played);
            if leaves_king(&next) {
                continue;
            }
            let delta = FeatureDelta::new(played, position.turn());
            self.enter_move(&next, ply + 1, &delta);
            let window = Window { alpha, beta }.reversed();
            let value = -self.quiesce(&next, window, ply + 1, depth - 1);
            if self.stopped {
                break;
            }
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        self.move_scores.truncate(first_score);
        best
    }
}
