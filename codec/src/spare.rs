//! What takes long to make and waits to be used again.

use std::mem;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex};

use crate::brief_lock::brief_lock;

/// Values that can be used again, as many as were borrowed at once; cheap to clone, and shared by all clones.
#[derive(Debug, Default)]
pub struct Spare<T>(Arc<Mutex<Vec<T>>>);

impl<T> Clone for Spare<T> {
    fn clone(&self) -> Spare<T> {
        Spare(Arc::clone(&self.0))
    }
}

impl<T: Default> Spare<T> {
    /// A value that somebody has given back, or one that `make` makes if none is spare.
    pub fn borrow(&self, make: impl FnOnce() -> T) -> Borrowed<'_, T> {
        let spare = brief_lock(&self.0).and_then(|mut spare| spare.pop());
        Borrowed { value: spare.unwrap_or_else(make), spare: self }
    }
}

/// A value that goes back when this is dropped.
#[derive(Debug)]
pub struct Borrowed<'a, T: Default> {
    value: T,
    spare: &'a Spare<T>,
}

impl<T: Default> Deref for Borrowed<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T: Default> DerefMut for Borrowed<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.value
    }
}

impl<T: Default> Drop for Borrowed<'_, T> {
    fn drop(&mut self) {
        if let Some(mut spare) = brief_lock(&self.spare.0) {
            spare.push(mem::take(&mut self.value));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_given_back_is_used_again() {
        let spare = Spare::<Vec<u8>>::default();
        let mut first = spare.borrow(Vec::new);
        first.push(1);
        assert_eq!(*spare.clone().borrow(|| vec![2]), [2]);
        drop(first);
        let [one, other, third] = [(); 3].map(|()| spare.borrow(Vec::new));
        assert_eq!([&*one, &*other, &*third], [&vec![1], &vec![2], &vec![]]);
    }
}
