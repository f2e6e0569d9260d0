//! Counting plies while they are coded.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts plies while they are coded, for another thread to look at. Clones count together.
#[derive(Debug, Clone, Default)]
pub struct PlyCounter(Arc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    announced: AtomicU64,
    coded: AtomicU64,
}

impl PlyCounter {
    /// Says that so many more plies are going to be coded.
    pub fn announce(&self, plies: u64) {
        self.0.announced.fetch_add(plies, Ordering::Relaxed);
    }

    /// Counts plies that have been coded.
    pub fn add(&self, plies: usize) {
        self.0.coded.fetch_add(plies as u64, Ordering::Relaxed);
    }

    /// All plies that were announced.
    pub fn announced(&self) -> u64 {
        self.0.announced.load(Ordering::Relaxed)
    }

    /// All plies that were coded. Those that are decoded again to compare them count twice.
    pub fn coded(&self) -> u64 {
        self.0.coded.load(Ordering::Relaxed)
    }
}
