//! Threads that work is done on.

use std::process;
use std::sync::{Arc, Mutex, PoisonError};

use plyzip::{Error, Interrupt, Result};
use rayon::{ThreadPool, ThreadPoolBuilder};

/// The threads of options and of the archives that were opened with them, and what ends their work.
#[derive(Debug, Default)]
pub(crate) struct Work {
    /// 0: as many as there are cores.
    threads: usize,
    /// With the process that has it: threads do not survive `fork`.
    pool: Mutex<Option<(u32, Arc<ThreadPool>)>>,
    pub interrupt: Interrupt,
}

impl Work {
    /// Work on so many threads; 0: as many as there are cores.
    pub fn on(threads: usize, interrupt: Interrupt) -> Work {
        Work { threads, pool: Mutex::default(), interrupt }
    }

    /// Does `work` on these threads, which begin with the first of it. It must not wait for a lock that a caller may
    /// hold: a thread that waits for others' work takes up new work meanwhile.
    pub fn run<T: Send>(&self, work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
        self.pool()?.install(work)
    }

    fn pool(&self) -> Result<Arc<ThreadPool>> {
        let mut pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        let this = process::id();
        if let Some((process, pool)) = &*pool
            && *process == this
        {
            return Ok(pool.clone());
        }
        let new = ThreadPoolBuilder::new().num_threads(self.threads).build();
        let new = Arc::new(new.map_err(|error| Error::Io(std::io::Error::other(error)))?);
        if let Some((_, lost)) = pool.replace((this, new.clone())) {
            // Its threads are the parent's.
            std::mem::forget(lost);
        }
        Ok(new)
    }
}
