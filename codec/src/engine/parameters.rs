//! The parameters of the search, each with its unit. A change of one changes what models predict, and
//! so needs a new [`FEATURES_VERSION`](crate::features::FEATURES_VERSION).
//!
//! The names are those of the Chess Programming Wiki.

use crate::entropy::fixed;

/// Centipawns: the root's window stays open by this below the best value. A move that is worse by
/// more has an upper bound for a value.
pub const ROOT_MARGIN: i32 = 150;

/// Centipawns: the value of giving mate at once; each ply that it takes costs one centipawn.
pub const MATE: i32 = 20_000;

/// Centipawns: values of greater magnitude than this say that one side is mated.
pub const MATE_THRESHOLD: i32 = MATE / 2;

/// Centipawns: values of greater magnitude than this are stored in the transposition table with the
/// distance to mate counted from the position, and not from the root.
pub const MATE_DISTANCE_THRESHOLD: i32 = MATE - 1_000;

/// Centipawns: more than any value. Its negative is less than any, and the value of a move that was
/// not searched.
pub const INFINITE: i32 = 30_000;

/// Plies: the longest line before quiescence.
pub const MAX_PLY: usize = 64;

/// Plies: the longest sequence of captures in quiescence.
pub const QUIESCENCE_DEPTH: u32 = 6;

/// Entries: the largest transposition table. It has one for each position that a search may
/// visit, rounded up to a power of two. Each game under way has a table.
pub const MAX_TABLE_ENTRIES: usize = 1 << 15;

/// Plies: for replacement, a table entry of an earlier search counts as shallower by this.
pub const AGING_PENALTY: i32 = 4;

/// Plies of the root: from this depth on, table entries of earlier searches cut off. The values of
/// the first depth are those of a shallow search, whatever earlier searches found out.
pub const TABLE_CUTOFF_DEPTH: i32 = 2;

/// Plies of the root: the greatest depth of a root search, and of a search for one value
/// ([`Searcher::value`](super::Searcher::value)).
pub const MAX_ROOT_DEPTH: i32 = 23;
pub const MAX_VALUE_DEPTH: i32 = 15;

/// Ninths of the node limit: a root search begins no new depth once it has used more.
pub const NEW_DEPTH_NINTHS: u64 = 2;

/// The share of the node limit, as a divisor, that the first depth may use.
pub const FIRST_DEPTH_DIVISOR: u64 = 2;

/// The share of the node limit, as a divisor, beyond which a search for one value begins no new
/// depth.
pub const VALUE_DIVISOR: u64 = 4;

/// Plies of the root: from this depth on moves are searched with an aspiration window.
pub const ASPIRATION_DEPTH: i32 = 3;

/// Centipawns: half the width of the aspiration window around a move's value at the depth before.
pub const ASPIRATION_WINDOW: i32 = 30;

/// Plies of the root: from this depth on unlikely moves are scouted first, with a null window and so
/// many plies less.
pub const SCOUT_DEPTH: i32 = 3;
pub const SCOUT_REDUCTION: i32 = 3;

/// The largest magnitude of a quiet move's history.
pub const HISTORY_LIMIT: i32 = 16_000;

/// The history's bonus is this times the square of the depth in plies, up to the maximum.
pub const HISTORY_BONUS: i32 = 32;
pub const MAX_HISTORY_BONUS: i32 = 2_000;

/// Units of 1/256 ply: late moves are reduced by the base plus the slope times the product of the
/// binary logarithms of the depth and of the move's number.
pub const LMR_BASE: i64 = 100;
pub const LMR_SLOPE: i64 = 55;

/// Plies: late moves are reduced from this depth on.
pub const LMR_DEPTH: i32 = 3;

/// Moves that are searched before the first that is reduced.
pub const LMR_FULL_MOVES: usize = 2;

/// Units of history: for each of them a quiet move is reduced by one ply less.
pub const LMR_HISTORY: i32 = 5_000;

/// Plies by which a late move is reduced, by depth and number.
static LMR_REDUCTIONS: [[i8; 64]; 32] = {
    let mut table = [[0; 64]; 32];
    let mut depth = 0;
    while depth < 32 {
        let mut number = 0;
        while number < 64 {
            // LMR_BASE + LMR_SLOPE log2(depth) log2(number), in units of 2^-24.
            let product = (fixed::log2(depth as u64) >> 8) * (fixed::log2(number as u64) >> 8);
            table[depth][number] = ((LMR_BASE * 65536 + product as i64 * LMR_SLOPE) >> 24) as i8;
            number += 1;
        }
        depth += 1;
    }
    table
};

/// Plies by which the move with this number, from 0, is reduced at this depth, at least 0.
pub fn lmr_reduction(depth: i32, number: usize) -> i32 {
    LMR_REDUCTIONS[depth.min(31) as usize][number.min(63)].into()
}

/// Centipawns for each ply of depth: a position with a static evaluation so far above beta is
/// pruned.
pub const REVERSE_FUTILITY_MARGIN: i32 = 65;

/// Plies: the greatest depth of reverse futility pruning.
pub const REVERSE_FUTILITY_DEPTH: i32 = 5;

/// Centipawns for each ply of depth: a position with a static evaluation so far below alpha is left
/// to quiescence, unless that raises it above alpha.
pub const RAZORING_MARGIN: i32 = 200;

/// Plies: the greatest depth of razoring.
pub const RAZORING_DEPTH: i32 = 2;

/// Plies: the least depth of a null move.
pub const NULL_MOVE_DEPTH: i32 = 2;

/// Plies by which a null move is reduced; one more for each `NULL_MOVE_DEPTH_DIVISOR` plies of depth,
/// and one more for each `NULL_MOVE_EVAL_DIVISOR` centipawns of static evaluation above beta, up to
/// `NULL_MOVE_MAX_EVAL_REDUCTION`.
pub const NULL_MOVE_REDUCTION: i32 = 3;
pub const NULL_MOVE_DEPTH_DIVISOR: i32 = 4;
pub const NULL_MOVE_EVAL_DIVISOR: i32 = 200;
pub const NULL_MOVE_MAX_EVAL_REDUCTION: i32 = 2;

/// Plies: from this depth on a position without a move in the table is searched one ply less deep
/// (internal iterative reduction).
pub const INTERNAL_REDUCTION_DEPTH: i32 = 4;

/// Moves: quiet moves are pruned after so many plus the square of the depth; after half as many
/// where the static evaluation does not improve, and after `LATE_MOVE_PRUNING_PV` more in nodes of the
/// principal variation.
pub const LATE_MOVE_PRUNING_BASE: i32 = 4;
pub const LATE_MOVE_PRUNING_PV: usize = 4;

/// Plies: the greatest depth of late move pruning and of futility pruning.
pub const LATE_MOVE_PRUNING_DEPTH: i32 = 4;

/// Plies: the greatest depth at which moves that lose material by static exchange are pruned.
pub const SEE_PRUNING_DEPTH: i32 = 6;

/// Centipawns for each ply of depth that a quiet move and a capture may lose by static exchange.
pub const SEE_QUIET_MARGIN: i32 = 40;
pub const SEE_CAPTURE_MARGIN: i32 = 80;

/// Centipawns, and centipawns for each ply of depth: quiet moves are pruned where the static
/// evaluation is below alpha by as much.
pub const FUTILITY_MARGIN: i32 = 40;
pub const FUTILITY_MARGIN_PER_PLY: i32 = 90;

/// Centipawns: quiescence prunes captures that stay below alpha even if they win this much beyond the
/// captured piece (delta pruning).
pub const DELTA_MARGIN: i32 = 120;

/// Centipawns: a search's error counts as no more than this for the correction history.
pub const MAX_CORRECTION: i32 = 100;

/// Units of 1/256: the share of an error that the correction history takes on for each ply of depth,
/// and at most.
pub const CORRECTION_WEIGHT: i32 = 2;
pub const MAX_CORRECTION_WEIGHT: i32 = 32;

/// Plies that it takes to come back to a position.
pub const SHORTEST_REPETITION: u32 = 4;

/// Plies without a capture or a pawn's move after which a position is a draw (the rule of fifty
/// moves).
pub const DRAW_HALFMOVES: u32 = 100;
