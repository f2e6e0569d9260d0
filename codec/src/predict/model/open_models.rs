//! The models of files that are open in this process, by the hashes of their files.

use std::sync::{Arc, Mutex, Weak};

use super::{ModelHash, Parts};
use crate::brief_lock::brief_lock;

/// Weak: the last model that has the parts frees them.
static OPEN: Mutex<Vec<(ModelHash, Weak<Parts>)>> = Mutex::new(vec![]);

/// The parts of a model that is open.
pub fn find(hash: ModelHash) -> Option<Arc<Parts>> {
    let open = brief_lock(&OPEN)?;
    open.iter().filter(|(known, _)| *known == hash).find_map(|(_, parts)| parts.upgrade())
}

/// Takes note of the parts of a model that was just opened. Gives back those of another thread that was quicker.
pub fn keep(hash: ModelHash, parts: Arc<Parts>) -> Arc<Parts> {
    let Some(mut open) = brief_lock(&OPEN) else { return parts };
    open.retain(|(_, known)| known.strong_count() > 0);
    let known = open.iter().filter(|(known, _)| *known == hash);
    if let Some(quicker) = known.filter_map(|(_, parts)| parts.upgrade()).next() {
        return quicker;
    }
    open.push((hash, Arc::downgrade(&parts)));
    parts
}
