//! Locks of the whole process that a child after `fork` may find taken for ever.

use std::sync::{Mutex, MutexGuard, TryLockError};
use std::thread;
use std::time::Duration;

/// How often a lock is tried, and how long is waited in between.
const TRIES: u32 = 100;
const NAP: Duration = Duration::from_millis(1);

/// Takes a lock that nobody holds for longer than an instant. `None` if it does not come free within a tenth of a
/// second: then a thread may have held it when this process was forked, and the caller does without what is in it.
pub fn brief_lock<T>(mutex: &Mutex<T>) -> Option<MutexGuard<'_, T>> {
    for _ in 0..TRIES {
        match mutex.try_lock() {
            Ok(guard) => return Some(guard),
            Err(TryLockError::Poisoned(poisoned)) => return Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => thread::sleep(NAP),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_that_is_never_given_back_is_no_hang() {
        let mutex = Mutex::new(7);
        let held = brief_lock(&mutex).unwrap();
        assert!(brief_lock(&mutex).is_none());
        drop(held);
        assert_eq!(*brief_lock(&mutex).unwrap(), 7);
    }
}
