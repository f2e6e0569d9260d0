//! Values that all blocks and pages begin with, made once.

use std::sync::OnceLock;

use crate::Result;

/// A value that is made when it is first asked for.
///
/// Threads that ask for it at the same time may each make one; the first is kept. So none waits for another: making it
/// may run tasks in parallel, and a thread that takes up such a task must not come to wait for itself.
#[derive(Debug)]
pub(in crate::streams) struct MadeOnce<T>(OnceLock<T>);

impl<T> MadeOnce<T> {
    /// A value that is not made yet.
    pub const fn new() -> MadeOnce<T> {
        MadeOnce(OnceLock::new())
    }

    /// The value, made by `make` if it is not there. All calls have to make the same.
    ///
    /// # Errors
    /// Those of `make`; the next call tries again.
    pub fn get(&self, make: impl FnOnce() -> Result<T>) -> Result<&T> {
        if let Some(value) = self.0.get() {
            return Ok(value);
        }
        let value = make()?;
        Ok(self.0.get_or_init(|| value))
    }
}
