//! Work on threads of its own, while the interpreter is free and listens to signals.

use std::io;
use std::process;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use plyzip::{Error, Interrupt, Result};
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::errors::{DefectError, UsageError, exception};

/// How often signals are looked for.
const PAUSE: Duration = Duration::from_millis(50);

/// The threads of an object, and what ends their work.
#[derive(Debug)]
pub struct Work {
    threads: usize,
    /// With the process that has it: threads do not survive `fork`, which `multiprocessing` uses.
    pool: Mutex<Option<(u32, Arc<ThreadPool>)>>,
    interrupt: Interrupt,
}

impl Work {
    /// So many threads; all cores unless a number is given.
    pub fn new(threads: Option<usize>) -> PyResult<Work> {
        if threads == Some(0) {
            return Err(UsageError::new_err("at least one thread is wanted"));
        }
        Ok(Work {
            threads: threads.unwrap_or(0),
            pool: Mutex::default(),
            interrupt: Interrupt::default(),
        })
    }

    /// What ends the work when the interpreter hears Ctrl-C.
    pub fn interrupt(&self) -> &Interrupt {
        &self.interrupt
    }

    /// Does `work` with the interpreter released. A signal whose handler raises an exception ends it.
    pub fn run<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce() -> Result<T> + Send,
    ) -> PyResult<T> {
        let pool = self.pool().map_err(exception)?;
        py.detach(|| {
            let (sender, receiver) = channel();
            pool.in_place_scope(|scope| {
                scope.spawn(move |_| {
                    // Somebody waits for it in any case.
                    let _ = sender.send(work());
                });
                loop {
                    match receiver.recv_timeout(PAUSE) {
                        Ok(result) => return result.map_err(exception),
                        Err(RecvTimeoutError::Timeout) => {}
                        Err(RecvTimeoutError::Disconnected) => {
                            return Err(DefectError::new_err("a worker thread was lost"));
                        }
                    }
                    if let Err(heard) = Python::attach(|py| py.check_signals()) {
                        self.interrupt.set();
                        let _ = receiver.recv();
                        self.interrupt.clear();
                        return Err(heard);
                    }
                }
            })
        })
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
        let new = Arc::new(new.map_err(|error| Error::Io(io::Error::other(error)))?);
        if let Some((_, lost)) = pool.replace((this, new.clone())) {
            // Its threads are the parent's.
            std::mem::forget(lost);
        }
        Ok(new)
    }
}
