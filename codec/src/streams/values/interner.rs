//! Values by number.

use std::sync::Arc;

use super::HashMap;
use crate::entropy::{hash, hash_bytes};

/// The number of a value: a hash of its bytes, so that it is the same in every archive, unless
/// another value has taken that number before. Never [`Id::MAX`].
pub(in crate::streams) type Id = u32;

/// Gives equal values equal numbers, and others others.
#[derive(Debug, Clone, Default)]
pub(in crate::streams) struct Interner {
    ids: HashMap<Arc<[u8]>, Id>,
    values: HashMap<Id, Arc<[u8]>>,
    /// How many numbers were drawn for values whose hash was taken.
    drawn: u32,
}

impl Interner {
    /// The number of a value, if it has one.
    pub fn find(&self, value: &[u8]) -> Option<Id> {
        self.ids.get(value).copied()
    }

    /// The number of a value, a new one if need be.
    pub fn intern(&mut self, value: &[u8]) -> Id {
        if let Some(id) = self.find(value) {
            return id;
        }
        let mut id = hash_bytes(value);
        // Numbers drawn anew do not depend on the value: values made to collide do not take long.
        while id == Id::MAX || self.values.contains_key(&id) {
            self.drawn = self.drawn.wrapping_add(1);
            id = hash(self.drawn, 0x1d);
        }
        let value: Arc<[u8]> = value.into();
        self.values.insert(id, Arc::clone(&value));
        self.ids.insert(value, id);
        id
    }

    /// The value of a number that was given.
    pub fn value(&self, id: Id) -> &[u8] {
        self.values.get(&id).map_or(&[], |value| value)
    }
}
