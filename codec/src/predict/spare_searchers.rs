//! Searchers that wait for their next position: a new one takes as long as some hundred nodes of a search.

use std::sync::{Arc, Mutex};

use crate::brief_lock::brief_lock;
use crate::engine::Searcher;

/// Searchers with one network, as many as were busy at once.
#[derive(Debug, Clone, Default)]
pub struct SpareSearchers(Arc<Mutex<Vec<Searcher>>>);

/// A searcher that goes back when this is dropped.
#[derive(Debug)]
pub struct Borrowed<'a> {
    searcher: Option<Searcher>,
    spare: &'a SpareSearchers,
}

impl SpareSearchers {
    /// A searcher, which `make` makes if none is spare. What it finds does not depend on what it has searched before.
    pub fn borrow(&self, make: impl FnOnce() -> Option<Searcher>) -> Borrowed<'_> {
        let spare = brief_lock(&self.0).and_then(|mut spare| spare.pop());
        Borrowed { searcher: spare.or_else(make), spare: self }
    }
}

impl Borrowed<'_> {
    /// The searcher; `None` if none could be made.
    pub fn searcher(&mut self) -> Option<&mut Searcher> {
        self.searcher.as_mut()
    }
}

impl Drop for Borrowed<'_> {
    fn drop(&mut self) {
        if let Some(searcher) = self.searcher.take()
            && let Some(mut spare) = brief_lock(&self.spare.0)
        {
            spare.push(searcher);
        }
    }
}
