//! Archive memory: what was played from this position earlier.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// The moves played from each position so far, counted.
///
/// Positions go by their key, moves by their place in the canonical order.
#[derive(Debug, Default)]
pub struct PositionCounts {
    /// The first node of each position's list.
    heads: HashMap<u64, u32, BuildHasherDefault<KeyHasher>>,
    nodes: Vec<Node>,
}

#[derive(Debug)]
struct Node {
    index: u8,
    count: u16,
    /// The next node's place plus one; 0 ends the list.
    next: u32,
}

/// The keys are hashes already.
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

/// Moves that a memory holds; what comes after it is full only counts what it has. Bounds its
/// size to some 200 MiB whatever a block holds.
const CAPACITY: usize = 1 << 22;

impl PositionCounts {
    /// A memory that has seen nothing.
    pub fn new() -> PositionCounts {
        PositionCounts::default()
    }

    /// The moves played from a position, as (place in the canonical order, times), in the order
    /// in which they first occurred.
    pub fn counts(&self, key: u64) -> impl Iterator<Item = (usize, u32)> {
        let mut place = self.heads.get(&key).copied().unwrap_or(0);
        std::iter::from_fn(move || {
            let node = self.nodes.get((place as usize).checked_sub(1)?)?;
            place = node.next;
            Some((node.index.into(), node.count.into()))
        })
    }

    /// Notes that the move with this place in the canonical order was played.
    pub fn learn(&mut self, key: u64, index: usize) {
        let full = self.nodes.len() >= CAPACITY;
        let end = self.nodes.len() as u32 + 1;
        let mut place = match self.heads.get(&key) {
            Some(&head) => head,
            None if full => return,
            None => {
                self.heads.insert(key, end);
                end
            }
        };
        while place != end {
            let node = &mut self.nodes[place as usize - 1];
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
            place = node.next;
        }
        self.nodes.push(Node { index: index as u8, count: 1, next: 0 });
    }
}
