//! Counting plies while they are coded.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts plies while they are coded, for another thread to look at. Clones count together.
#[derive(Debug, Clone, Default)]
pub struct PlyCounter(Arc<Counts>);

#[derive(Default)]
struct Counts {
    announced: AtomicU64,
    coded: AtomicU64,
    observer: Option<Box<Observer>>,
}

/// What is called with the counter whenever plies have been coded.
type Observer = dyn Fn(&PlyCounter) + Send + Sync;

impl fmt::Debug for Counts {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counts { announced, coded, observer: _ } = self;
        let mut counts = formatter.debug_struct("Counts");
        counts.field("announced", announced).field("coded", coded).finish_non_exhaustive()
    }
}

impl PlyCounter {
    /// A counter that calls `observer` whenever plies have been coded, on the thread that has coded them.
    pub fn observed(observer: impl Fn(&PlyCounter) + Send + Sync + 'static) -> PlyCounter {
        PlyCounter(Arc::new(Counts { observer: Some(Box::new(observer)), ..Counts::default() }))
    }

    /// Announces `plies` more plies that are going to be coded.
    pub fn announce(&self, plies: u64) {
        self.0.announced.fetch_add(plies, Ordering::Relaxed);
    }

    /// Counts plies that have been coded.
    pub fn add(&self, plies: usize) {
        self.0.coded.fetch_add(plies as u64, Ordering::Relaxed);
        if let Some(observer) = &self.0.observer {
            observer(self);
        }
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
