//! Counts of the moves played from each position earlier in the archive.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::parameters::MAX_COUNTED_MOVES;

/// The moves played from each position so far, counted.
///
/// A position is found by its key, or by its key and its player's; a move by its index in the canonical order.
#[derive(Debug, Default)]
pub struct PositionCounts {
    /// The first node of each position's list.
    heads: HashMap<u64, u32, BuildHasherDefault<KeyHasher>>,
    nodes: Vec<Node>,
}

/// A position that was looked up.
#[derive(Debug, Clone, Copy)]
pub struct Found {
    key: u64,
    /// The first node of its list plus one; 0 if it is new.
    head: u32,
}

#[derive(Debug)]
struct Node {
    index: u8,
    count: u16,
    /// The next node's index plus one; 0 ends the list.
    next: u32,
}

/// The keys, which are hashes already, as they are.
#[derive(Debug, Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

impl PositionCounts {
    /// Counts of no games.
    pub fn new() -> PositionCounts {
        PositionCounts::default()
    }

    /// Looks a position up.
    pub fn find(&self, key: u64) -> Found {
        Found { key, head: self.heads.get(&key).copied().unwrap_or(0) }
    }

    /// The moves played from a position, as (index in the canonical order, times played), in the order in which they
    /// first occurred.
    pub fn counts(&self, position: Found) -> impl Iterator<Item = (usize, u32)> {
        let mut next = position.head;
        std::iter::from_fn(move || {
            let node = self.nodes.get((next as usize).checked_sub(1)?)?;
            next = node.next;
            Some((node.index.into(), node.count.into()))
        })
    }

    /// Counts one more game with the move of this index in the canonical order; nothing was counted since the position
    /// was looked up.
    pub fn add(&mut self, Found { key, head }: Found, index: usize) {
        let full = self.nodes.len() >= MAX_COUNTED_MOVES;
        let end = self.nodes.len() as u32 + 1;
        let mut node_number = head;
        if head == 0 {
            if full {
                return;
            }
            self.heads.insert(key, end);
            node_number = end;
        }
        while node_number != end {
            let node = &mut self.nodes[node_number as usize - 1];
            if usize::from(node.index) == index {
                node.count = node.count.saturating_add(1);
                return;
            }
            if node.next == 0 {
                if full {
                    return;
                }
                node.next = end;
            }
            node_number = node.next;
        }
        self.nodes.push(Node { index: index as u8, count: 1, next: 0 });
    }
}
