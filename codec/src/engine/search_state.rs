//! The state that the searches of a game's positions share: transposition table and history.

use shakmaty::{Role, Square};

use super::move_picker::PackedMove;
use super::parameters::{AGING_PENALTY, MATE_DISTANCE_THRESHOLD, MAX_TABLE_ENTRIES};

/// The relation of a stored value to the true one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    Exact,
    /// The true value is not lower.
    Lower,
    /// The true value is not higher.
    Upper,
}

/// An entry of the transposition table.
#[derive(Debug, Clone, Copy)]
pub struct TableEntry {
    /// [`position_key`](crate::chess::position_key) of the position.
    pub key: u64,
    /// Centipawns for the side to move, as [`to_table`] writes them.
    pub value: i16,
    pub best_move: PackedMove,
    /// Plies searched; -1 in an empty entry.
    pub depth: i8,
    pub bound: Bound,
    /// The number of the search that wrote the entry.
    pub search: u8,
}

const EMPTY: TableEntry = TableEntry {
    key: 0,
    value: 0,
    best_move: PackedMove::NONE,
    depth: -1,
    bound: Bound::Upper,
    search: 0,
};

/// The state that the searches of a game's positions share. Each game under way has one, so it is small:
/// hundreds of games take turns, and a large table would never be in the cache.
#[derive(Debug)]
pub struct SearchState {
    /// The transposition table.
    pub table: Vec<TableEntry>,
    /// The success of quiet moves in cutting off, by [`history_index`].
    pub history: Vec<i16>,
    /// The number of the last search; after 255 comes 0.
    pub search: u8,
}

impl SearchState {
    /// The state of a game before its first search, for searches that visit at most `node_limit`
    /// positions.
    pub fn new(node_limit: u64) -> SearchState {
        let entries = usize::try_from(node_limit).unwrap_or(usize::MAX);
        let entries = entries.clamp(2, MAX_TABLE_ENTRIES).next_power_of_two();
        SearchState { table: vec![EMPTY; entries], history: vec![0; 2 * 6 * 64], search: 0 }
    }

    /// The index of the entry of the position with this key. If there is none, the index of the entry
    /// to replace: of two neighbours, the shallower, [`AGING_PENALTY`] considered.
    pub fn slot(&self, key: u64) -> usize {
        let slot = key as usize & (self.table.len() - 1);
        let (one, other) = (&self.table[slot], &self.table[slot ^ 1]);
        let worth = |entry: &TableEntry| {
            i32::from(entry.depth) - if entry.search == self.search { 0 } else { AGING_PENALTY }
        };
        if one.key != key && (other.key == key || worth(other) < worth(one)) {
            slot ^ 1
        } else {
            slot
        }
    }

    /// Begins a search: removes the oldest entries and halves the history.
    pub fn start_search(&mut self) {
        self.search = self.search.wrapping_add(1);
        // Entries of the same number are 256 searches old. Reading the table also brings it into the
        // cache.
        for entry in &mut self.table {
            if entry.search == self.search {
                *entry = EMPTY;
            }
        }
        for weight in &mut self.history {
            *weight /= 2;
        }
    }
}

/// A value as the table has it: the distance to mate counts from the position, `ply` plies from the
/// root, and not from the root.
pub fn to_table(value: i32, ply: usize) -> i16 {
    let plies = if value.abs() > MATE_DISTANCE_THRESHOLD { value.signum() * ply as i32 } else { 0 };
    (value + plies) as i16
}

/// The value that [`to_table`] wrote, for a position `ply` plies from the root.
pub fn from_table(value: i16, ply: usize) -> i32 {
    let value = i32::from(value);
    let plies = if value.abs() > MATE_DISTANCE_THRESHOLD { value.signum() * ply as i32 } else { 0 };
    value - plies
}

/// The index of a quiet move in [`SearchState::history`], by piece and arrival.
pub fn history_index(role: Role, to: Square, black: bool) -> usize {
    let piece = usize::from(black) * 6 + role as usize - 1;
    piece * 64 + usize::from(to)
}
