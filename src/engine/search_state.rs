//! What searches leave for those of a game's later positions.

use shakmaty::{Role, Square};

use super::parameters::{AGING_PENALTY, MATE, MAX_TABLE_ENTRIES};

/// How a stored value relates to the true one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

#[derive(Debug, Clone, Copy)]
pub struct Entry {
    pub key: u64,
    pub value: i16,
    /// [`hint`] of the best move.
    pub hint: u16,
    pub depth: i8,
    pub bound: Bound,
    /// The number of the search that found it.
    pub search: u8,
}

pub const EMPTY: Entry =
    Entry { key: 0, value: 0, hint: 0, depth: -1, bound: Bound::AtMost, search: 0 };

/// What the searches of a game's positions leave for those of its later ones. It is all that a game
/// has of its own, and small: hundreds of games take turns, and what is not in the cache must be
/// waited for.
#[derive(Debug)]
pub struct SearchState {
    /// The transposition table.
    pub table: Vec<Entry>,
    /// How well quiet moves of White and Black did, by piece and arrival.
    pub history: Vec<i16>,
    /// The number of the last search; after 255 comes 0.
    pub search: u8,
}

impl SearchState {
    /// The memory of a game of which nothing was searched yet, for searches that visit at most
    /// `budget` positions.
    pub fn new(budget: u64) -> SearchState {
        let entries = usize::try_from(budget).unwrap_or(usize::MAX);
        let entries = entries.clamp(2, MAX_TABLE_ENTRIES).next_power_of_two();
        SearchState { table: vec![EMPTY; entries], history: vec![0; 2 * 6 * 64], search: 0 }
    }

    /// Where the position with this key is in the table, or else what it may take the place of: of
    /// two entries, side by side in memory, that which was looked at less deep, or a while ago.
    pub fn slot(&self, key: u64) -> usize {
        let slot = key as usize & (self.table.len() - 1);
        let (one, other) = (&self.table[slot], &self.table[slot ^ 1]);
        let worth = |entry: &Entry| {
            i32::from(entry.depth) - if entry.search == self.search { 0 } else { AGING_PENALTY }
        };
        if one.key != key && (other.key == key || worth(other) < worth(one)) {
            slot ^ 1
        } else {
            slot
        }
    }

    /// Begins a search.
    pub fn begin(&mut self) {
        self.search = self.search.wrapping_add(1);
        // What has the same number is 256 searches old. Going through the table also brings it
        // near.
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

/// A value as the table has it: how many plies off a mate is counts from the position and not from
/// the root.
pub fn to_table(value: i32, ply: usize) -> i16 {
    let plies = if value.abs() > MATE - 1_000 { value.signum() * ply as i32 } else { 0 };
    (value + plies) as i16
}

/// The value that [`to_table`] put there, for a position `ply` plies from the root.
pub fn from_table(value: i16, ply: usize) -> i32 {
    let value = i32::from(value);
    let plies = if value.abs() > MATE - 1_000 { value.signum() * ply as i32 } else { 0 };
    value - plies
}

/// The place of a quiet move in [`SearchState::history`].
pub fn history_index(role: Role, to: Square, black: bool) -> usize {
    let piece = usize::from(black) * 6 + role as usize - 1;
    piece * 64 + usize::from(to)
}
