//! What tunes the search.

use crate::entropy::fixed;

/// Values of moves that are worse than the best by more than this, in centipawns, are only
/// known to be so.
pub const MARGIN: i32 = 150;

/// What being mated is worth; in `n` plies it is `n` less bad.
pub const MATE: i32 = 20_000;

/// More than any value; without its sign less than any, and the value of a move that was not looked at.
pub const INFINITE: i32 = 30_000;

/// Deepest line before quiescence.
pub const MOST_PLIES: usize = 64;

/// Captures in a row that quiescence looks at.
pub const MOST_CAPTURES: u32 = 6;

/// Most entries of the transposition table, which has one for each position that a search may visit, rounded up to
/// a power of two. Each game under way has a table.
pub const MOST_ENTRIES: usize = 1 << 15;

/// What an earlier search found is worth as much as what this one finds so many plies less deep.
pub const OF_BEFORE: i32 = 4;

/// From the third depth on a move is expected to be worth what it was at the depth before, give or take this.
pub const EXPECTED: i32 = 30;

/// Bounds of a quiet move's history.
pub const MOST_HISTORY: i32 = 16_000;

/// Late moves are looked at less deep by this and that times the logarithms (base 2) of depth and number,
/// in units of 1/256 ply.
pub const LATE_BASE: i64 = 100;
pub const LATE_SLOPE: i64 = 55;

/// By how many plies a move is looked at less deep, by depth and number.
pub static REDUCTIONS: [[i8; 64]; 32] = {
    let mut table = [[0; 64]; 32];
    let mut depth = 0;
    while depth < 32 {
        let mut number = 0;
        while number < 64 {
            // LATE_BASE + LATE_SLOPE log2(depth) log2(number), in units of 2^-24.
            let product = (fixed::log2(depth as u64) >> 8) * (fixed::log2(number as u64) >> 8);
            table[depth][number] = ((LATE_BASE * 65536 + product as i64 * LATE_SLOPE) >> 24) as i8;
            number += 1;
        }
        depth += 1;
    }
    table
};

/// A position so far above the window for each ply of depth left, up to this depth, stays above.
pub const FAR_ABOVE: i32 = 65;
pub const FAR_ABOVE_DEPTH: i32 = 5;

/// A position so far below the window for each ply, one or two plies before the end, may be left to quiescence.
pub const FAR_BELOW: i32 = 200;

/// Up to this depth quiet moves are passed over after so many and the square of the depth.
pub const FEW_MOVES_DEPTH: i32 = 4;
pub const FEW_MOVES: i32 = 4;

/// Up to this depth quiet moves are passed over, and captures, if they lose more material than so much for each ply of depth left.
pub const EXCHANGE_DEPTH: i32 = 6;
pub const QUIET_LOSS: i32 = 40;
pub const CAPTURE_LOSS: i32 = 80;

/// What a quiet move may win, at once and for each ply of depth left.
pub const QUIET_GAIN: i32 = 40;
pub const QUIET_GAIN_PER_PLY: i32 = 90;

/// What a capture may win beyond what it takes.
pub const CAPTURE_GAIN: i32 = 120;

/// Plies that it takes to come back to a position.
pub const LEAST_REPETITION: u32 = 4;

/// From this depth of the root on, values that earlier searches found count. At first sight a move is worth what is
/// seen at first sight, and not what was seen after a long look at the position before.
pub const TRUSTING_DEPTH: i32 = 2;

/// From this depth on unlikely moves are looked at by so many plies less deep.
pub const GLANCING_DEPTH: i32 = 3;
pub const GLANCE_REDUCTION: i32 = 3;
