//! Work on other threads, while the interpreter is free and listens to signals.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use plyzip::unstable::Pool;
use plyzip::{Interrupt, Result};
use pyo3::prelude::*;

use crate::errors::{DefectError, UsageError, exception};

/// The interval between two looks for signals.
pub const PAUSE: Duration = Duration::from_millis(50);

/// The threads of an object, and the interrupt that ends its work. A call borrows them: an object at rest has none.
#[derive(Debug)]
pub struct Work {
    /// 0: as many as there are cores, which are the most.
    threads: usize,
    interrupt: Interrupt,
}

impl Work {
    /// Work on this number of threads; all cores if it is `None`.
    pub fn new(threads: Option<usize>) -> PyResult<Work> {
        if threads == Some(0) {
            return Err(UsageError::new_err("at least one thread is wanted"));
        }
        Ok(Work { threads: threads.unwrap_or(0), interrupt: Interrupt::default() })
    }

    /// The interrupt that ends the work when the interpreter hears Ctrl-C.
    pub fn interrupt(&self) -> &Interrupt {
        &self.interrupt
    }

    /// Does `work` with the interpreter released. A signal whose handler raises an exception ends it.
    ///
    /// It must not wait for what another call has: a thread that waits for others' work takes up new work meanwhile.
    pub fn run<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce() -> Result<T> + Send,
    ) -> PyResult<T> {
        py.detach(|| {
            let pool = Pool::borrow(self.threads).map_err(exception)?;
            let (sender, receiver) = channel();
            pool.threads().map_err(exception)?.in_place_scope(|scope| {
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
}
