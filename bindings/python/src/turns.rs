//! An object that one call has at a time.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;

use crate::work::PAUSE;

/// Something that one call has at a time, which the others wait for. Signals are heard meanwhile.
#[derive(Debug)]
pub struct Turns<T> {
    /// `None` while a call has it.
    at_rest: Mutex<Option<T>>,
    returned: Condvar,
}

impl<T: Send> Turns<T> {
    pub fn new(thing: T) -> Turns<T> {
        Turns { at_rest: Mutex::new(Some(thing)), returned: Condvar::new() }
    }

    /// Waits for the calling thread's turn, with the interpreter released.
    ///
    /// This is for the thread that calls, and never for one that works for a call: that one might be the one that has
    /// to go on before the turn comes.
    pub fn take(&self, py: Python<'_>) -> PyResult<Turn<'_, T>> {
        let thing = py.detach(|| {
            let mut at_rest = self.lock();
            loop {
                if let Some(thing) = at_rest.take() {
                    return Ok(thing);
                }
                let waited = self.returned.wait_timeout(at_rest, PAUSE);
                let (woken, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
                at_rest = woken;
                if timeout.timed_out() {
                    drop(at_rest);
                    Python::attach(|py| py.check_signals())?;
                    at_rest = self.lock();
                }
            }
        });
        thing.map(|thing| Turn { turns: self, thing: Some(thing) })
    }

    fn lock(&self) -> MutexGuard<'_, Option<T>> {
        self.at_rest.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A turn, which ends when it is dropped.
#[derive(Debug)]
pub struct Turn<'a, T: Send> {
    turns: &'a Turns<T>,
    /// There until it is dropped.
    thing: Option<T>,
}

impl<T: Send> Turn<'_, T> {
    /// The thing itself; `None` never comes.
    pub fn thing(&mut self) -> Option<&mut T> {
        self.thing.as_mut()
    }
}

impl<T: Send> Drop for Turn<'_, T> {
    fn drop(&mut self) {
        *self.turns.lock() = self.thing.take();
        self.turns.returned.notify_one();
    }
}
