//! Values by number.

use std::collections::HashMap;
use std::rc::Rc;

/// The number of a value: numbers are given in the order of first appearance, from 0.
pub(super) type Id = u32;

/// Gives equal values equal numbers.
#[derive(Debug, Default)]
pub(super) struct Interner {
    ids: HashMap<Rc<[u8]>, Id>,
    values: Vec<Rc<[u8]>>,
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
        let id = self.values.len() as Id;
        let value: Rc<[u8]> = value.into();
        self.values.push(Rc::clone(&value));
        self.ids.insert(value, id);
        id
    }

    /// The value of a number that was given.
    pub fn value(&self, id: Id) -> &[u8] {
        &self.values[id as usize]
    }
}
