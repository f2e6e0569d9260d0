//! Pruning rules for the moves of a node, and the reduction of late moves.

use super::move_picker::{BAD_CAPTURE, SECOND_KILLER};
use super::parameters::{
    FUTILITY_MARGIN, FUTILITY_MARGIN_PER_PLY, INFINITE, LATE_MOVE_PRUNING_BASE,
    LATE_MOVE_PRUNING_DEPTH, LATE_MOVE_PRUNING_PV, LMR_DEPTH, LMR_FULL_MOVES, LMR_HISTORY,
    SEE_CAPTURE_MARGIN, SEE_QUIET_MARGIN, lmr_reduction,
};

/// Facts of a node that prunings and reductions depend on.
#[derive(Debug, Clone, Copy)]
pub struct NodeFacts {
    /// Plies left to search.
    pub depth: i32,
    pub in_check: bool,
    /// True if the window was open at first: the node may be one of the principal variation.
    pub pv: bool,
    /// The network's evaluation in centipawns, as it is and corrected; -[`INFINITE`] in check.
    pub raw_eval: i32,
    pub static_eval: i32,
    /// True if the static evaluation is higher than it was two plies before.
    pub improving: bool,
}

/// A move about to be searched.
#[derive(Debug, Clone, Copy)]
pub struct Candidate {
    pub quiet: bool,
    /// The picker's score.
    pub score: i32,
    /// Moves searched before it.
    pub number: usize,
}

impl NodeFacts {
    /// True if the quiet moves that are left are pruned: after `searched` moves they are too late, or
    /// the static evaluation is so far below `alpha` that they are futile.
    #[inline(always)]
    pub fn prunes_quiets(&self, searched: usize, alpha: i32) -> bool {
        let late = (LATE_MOVE_PRUNING_BASE + self.depth * self.depth) as usize
            >> usize::from(!self.improving && !self.pv);
        let futile = FUTILITY_MARGIN + FUTILITY_MARGIN_PER_PLY * self.depth;
        self.depth <= LATE_MOVE_PRUNING_DEPTH
            && (searched > late + LATE_MOVE_PRUNING_PV * usize::from(self.pv)
                || self.static_eval + futile <= alpha)
    }

    /// Centipawns: a move that loses more by static exchange is pruned.
    #[inline(always)]
    pub fn max_exchange_loss(&self, candidate: Candidate) -> i32 {
        if candidate.quiet && candidate.score < SECOND_KILLER {
            let reduction = lmr_reduction(self.depth, candidate.number);
            SEE_QUIET_MARGIN * (self.depth - reduction).max(1)
        } else if candidate.score <= BAD_CAPTURE / 2 {
            SEE_CAPTURE_MARGIN * self.depth
        } else {
            INFINITE
        }
    }

    /// Plies by which a move that is not the first is reduced (late move reduction).
    #[inline(always)]
    pub fn reduction(&self, candidate: Candidate) -> i32 {
        let Candidate { quiet, score, number } = candidate;
        if self.depth < LMR_DEPTH
            || number < LMR_FULL_MOVES + usize::from(self.pv)
            || self.in_check
            || !(quiet || score < 0)
            || score >= SECOND_KILLER
        {
            return 0;
        }
        let mut reduction = lmr_reduction(self.depth, number);
        reduction += i32::from(!self.improving) - i32::from(self.pv);
        if quiet {
            reduction -= score / LMR_HISTORY;
        }
        reduction.clamp(0, self.depth - 2)
    }
}
