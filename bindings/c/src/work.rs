//! Threads that work is done on.

use plyzip::unstable::Pool;
use plyzip::{Interrupt, Result};

/// The threads of options and of the archives that were opened with them, and the interrupt of their work. A call
/// borrows them: options and archives at rest have none.
#[derive(Debug, Default)]
pub(crate) struct Work {
    /// 0: as many as there are cores, which are the most.
    threads: usize,
    pub interrupt: Interrupt,
}

impl Work {
    /// Work on so many threads; 0: as many as there are cores.
    pub fn on(threads: usize, interrupt: Interrupt) -> Work {
        Work { threads, interrupt }
    }

    /// Does `work` on threads that no other call has meanwhile. It must not wait for a lock that a caller may hold: a
    /// thread that waits for others' work takes up new work meanwhile.
    pub fn run<T: Send>(&self, work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
        Pool::borrow(self.threads)?.threads()?.install(work)
    }
}
