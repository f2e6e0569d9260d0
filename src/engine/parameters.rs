//! What tunes the search, each parameter with its unit. Any change of one changes what models find,
//! and so is a new version of the features.
//!
//! The names are those of the Chess Programming Wiki.

use crate::entropy::fixed;

/// Centipawns: values of moves that are worse than the best by more than this are only known to be
/// so.
pub const ROOT_MARGIN: i32 = 150;

/// Centipawns: what being mated is worth; in `n` plies it is `n` less bad.
pub const MATE: i32 = 20_000;

/// More than any value; without its sign less than any, and the value of a move that was not
/// looked at.
pub const INFINITE: i32 = 30_000;

/// Plies: the deepest line before quiescence.
pub const MAX_PLY: usize = 64;

/// Plies: captures in a row that quiescence looks at.
pub const QUIESCENCE_DEPTH: u32 = 6;

/// Entries: the largest transposition table. It has one for each position that a search may
/// visit, rounded up to a power of two. Each game under way has a table.
pub const MAX_TABLE_ENTRIES: usize = 1 << 15;

/// Plies: what an earlier search found is worth as much as what this one finds so much less deep.
pub const AGING_PENALTY: i32 = 4;

/// Plies of the root: from this depth on, values that earlier searches found cut off. At the first
/// depth a move is worth what is seen at that depth, and not what was seen after a long look at the
/// position before.
pub const TABLE_CUTOFF_DEPTH: i32 = 2;

/// Centipawns: from the third depth on a move is expected to be worth what it was at the depth
/// before, give or take this.
pub const ASPIRATION_WINDOW: i32 = 30;

/// Plies: from this depth on unlikely moves are scouted, and by how much less deep.
pub const SCOUT_DEPTH: i32 = 3;
pub const SCOUT_REDUCTION: i32 = 3;

/// The bound of a quiet move's history, of either sign.
pub const HISTORY_LIMIT: i32 = 16_000;

/// The history's bonus for each square of a ply of depth, and the largest.
pub const HISTORY_BONUS: i32 = 32;
pub const MAX_HISTORY_BONUS: i32 = 2_000;

/// Units of 1/256 ply: late moves are reduced by the base, and by the slope times the logarithms
/// (base 2) of depth and of the move's number.
pub const LMR_BASE: i64 = 100;
pub const LMR_SLOPE: i64 = 55;

/// Plies: late moves are reduced from this depth on.
pub const LMR_DEPTH: i32 = 3;

/// History for each ply that a quiet move is reduced less.
pub const LMR_HISTORY: i32 = 5_000;

/// Plies by which a late move is reduced, by depth and number.
pub static LMR_REDUCTIONS: [[i8; 64]; 32] = {
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

/// Centipawns for each ply of depth: a position so far above the window stays above.
pub const REVERSE_FUTILITY_MARGIN: i32 = 65;

/// Plies: the greatest depth of reverse futility pruning.
pub const REVERSE_FUTILITY_DEPTH: i32 = 5;

/// Centipawns for each ply of depth: a position so far below the window may be left to quiescence.
pub const RAZORING_MARGIN: i32 = 200;

/// Plies: the greatest depth of razoring.
pub const RAZORING_DEPTH: i32 = 2;

/// Plies: the least depth of a null move.
pub const NULL_MOVE_DEPTH: i32 = 2;

/// Plies by which a null move is reduced, besides one for each of so many plies of depth and one
/// for each of so many centipawns above the window, up to the last number.
pub const NULL_MOVE_REDUCTION: i32 = 3;
pub const NULL_MOVE_DEPTH_DIVISOR: i32 = 4;
pub const NULL_MOVE_EVAL_DIVISOR: i32 = 200;
pub const NULL_MOVE_MAX_EVAL_REDUCTION: i32 = 2;

/// Plies: from this depth on a position of which the table knows no move is searched one ply less
/// deep (internal iterative reduction).
pub const INTERNAL_REDUCTION_DEPTH: i32 = 4;

/// Moves: quiet moves are pruned after so many and the square of the depth.
pub const LATE_MOVE_PRUNING_BASE: i32 = 4;

/// Plies: the greatest depth of late move pruning and of futility pruning.
pub const LATE_MOVE_PRUNING_DEPTH: i32 = 4;

/// Plies: the greatest depth at which moves that lose material by static exchange are pruned.
pub const SEE_PRUNING_DEPTH: i32 = 6;

/// Centipawns for each ply of depth that a quiet move and a capture may lose.
pub const SEE_QUIET_MARGIN: i32 = 40;
pub const SEE_CAPTURE_MARGIN: i32 = 80;

/// Centipawns that a quiet move may win, at once and for each ply of depth.
pub const FUTILITY_MARGIN: i32 = 40;
pub const FUTILITY_MARGIN_PER_PLY: i32 = 90;

/// Centipawns that a capture of quiescence may win beyond what it takes.
pub const DELTA_MARGIN: i32 = 120;

/// Plies that it takes to come back to a position.
pub const SHORTEST_REPETITION: u32 = 4;
