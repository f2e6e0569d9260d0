//! The features of a move from its tactics.

use super::buckets::{MAGNITUDES, value_bucket};
use super::index::{TACTICAL_SLOTS, moves};
use super::tactics::{MoveTactics, Tactics};

/// The tactical features of a move. `from_feature` is its feature of the range [`moves::FROM`], which
/// has its role.
pub fn tactical_features(
    from_feature: u16,
    of_move: &MoveTactics,
    tactics: &Tactics,
) -> [u16; TACTICAL_SLOTS] {
    let role = usize::from(from_feature) / 64;
    let loss = value_bucket(tactics.best - of_move.value) - value_bucket(0);
    let threat = value_bucket(of_move.threat) - value_bucket(0);
    let concession = value_bucket(of_move.concession) - value_bucket(0);
    let hangs = usize::from(tactics.fears >= 50);
    let kind = match of_move {
        MoveTactics { check: true, .. } => 2,
        MoveTactics { capture: true, .. } => 1,
        _ => 0,
    };
    let better = tactics.moves.iter().filter(|other| other.eval_delta > of_move.eval_delta).count();
    let eval_loss = eval_loss_class(tactics.best_eval_delta - of_move.eval_delta);
    [
        moves::VALUE + value_bucket(of_move.value) * MAGNITUDES + loss,
        moves::INTENT + (threat * MAGNITUDES + concession) * 2 + usize::from(of_move.check),
        moves::MOTIVE + ((role * MAGNITUDES + loss) * 4 + threat_class(of_move.threat)) * 2 + hangs,
        moves::EVAL_DELTA + (eval_loss * 4 + phase_class(tactics.phase)) * 3 + kind,
        moves::STANDING + (role * 8 + rank_class(better)) * 7 + delta_class(of_move.eval_delta),
    ]
    .map(|index| index as u16)
}

/// Centipawns that a move threatens to win, to 4 classes.
fn threat_class(threat: i32) -> usize {
    match threat {
        ..50 => 0,
        50..200 => 1,
        200..450 => 2,
        _ => 3,
    }
}

/// The phase, 0 to 24, to 4 classes.
fn phase_class(phase: i32) -> usize {
    match phase {
        ..8 => 0,
        8..15 => 1,
        15..21 => 2,
        _ => 3,
    }
}

/// Centipawns by which a move changes the evaluation less than the best, to 12 classes.
fn eval_loss_class(loss: i32) -> usize {
    match loss {
        ..1 => 0,
        1..7 => 1,
        7..15 => 2,
        15..25 => 3,
        25..40 => 4,
        40..60 => 5,
        60..90 => 6,
        90..140 => 7,
        140..220 => 8,
        220..400 => 9,
        400..5000 => 10,
        _ => 11,
    }
}

/// The number of moves that are better, to 8 classes.
fn rank_class(better: usize) -> usize {
    match better {
        0..3 => better,
        3..5 => 3,
        5..8 => 4,
        8..13 => 5,
        13..20 => 6,
        _ => 7,
    }
}

/// Centipawns by which a move changes the evaluation, to 7 classes.
fn delta_class(delta: i32) -> usize {
    match delta {
        ..-60 => 0,
        -60..-20 => 1,
        -20..0 => 2,
        0..15 => 3,
        15..35 => 4,
        35..80 => 5,
        _ => 6,
    }
}
