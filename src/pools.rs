//! Threads that calls borrow: what the bindings work on.
//!
//! A process has as many pools as calls run at the same time, however many archives and codecs are open, and a call has
//! its pool for itself. One pool for all calls would not do: a worker that waits takes up any other task of its pool, so
//! that a game which is asked for could wait until another call's block is done; and a file object that blocks, as a
//! pipe does, would take a thread from all others.

use std::num::NonZero;
use std::sync::Mutex;
use std::{io, mem, process, thread};

use plyzip_codec::unstable::brief_lock;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::{Error, Result};

/// Threads of all calls that run at the same time, for each core. Calls beyond that get one thread each.
const LENT_PER_CORE: usize = 4;
/// Threads that are kept while no call has them, for each core.
const IDLE_PER_CORE: usize = 2;

static POOLS: Mutex<Pools> = Mutex::new(Pools { process: 0, lent: 0, idle: vec![] });

/// The pools of this process.
#[derive(Debug)]
struct Pools {
    /// The process that has them: threads do not survive `fork`.
    process: u32,
    /// Threads that calls have.
    lent: usize,
    /// The one that was used last comes last.
    idle: Vec<ThreadPool>,
}

/// Threads that a call has for itself until it is dropped.
#[derive(Debug)]
pub struct Pool {
    process: u32,
    /// Threads that were counted as lent.
    counted: usize,
    /// `None` only while it is made, and when it is given back.
    pool: Option<ThreadPool>,
}

impl Pool {
    /// So many threads, but no more than there are cores; 0 is as many as there are cores.
    ///
    /// If many calls run at the same time, it may have fewer. No result depends on the number.
    ///
    /// # Errors
    /// [`Error::Io`] if the system gives no threads.
    pub fn borrow(threads: usize) -> Result<Pool> {
        let cores = cores();
        let mut threads = if threads == 0 { cores } else { threads.min(cores) };
        let mut lent = Pool { process: process::id(), counted: 0, pool: None };
        if let Some(mut pools) = brief_lock(&POOLS) {
            if pools.process != lent.process {
                // The threads are the parent's.
                mem::forget(mem::take(&mut pools.idle));
                (pools.process, pools.lent) = (lent.process, 0);
            }
            threads = (LENT_PER_CORE * cores).saturating_sub(pools.lent).clamp(1, threads);
            pools.lent += threads;
            lent.counted = threads;
            let idle = pools.idle.iter().rposition(|pool| pool.current_num_threads() == threads);
            lent.pool = idle.map(|place| pools.idle.remove(place));
        }
        if lent.pool.is_none() {
            let made = ThreadPoolBuilder::new().num_threads(threads).build();
            lent.pool = Some(made.map_err(|error| Error::Io(io::Error::other(error)))?);
        }
        Ok(lent)
    }

    /// The threads.
    ///
    /// # Errors
    /// None: it has them until it is dropped.
    pub fn threads(&self) -> Result<&ThreadPool> {
        self.pool.as_ref().ok_or_else(|| Error::Internal("a pool without threads".into()))
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        let mut surplus = vec![];
        let returned = self.pool.take();
        match brief_lock(&POOLS).filter(|pools| pools.process == self.process) {
            Some(mut pools) => {
                pools.lent = pools.lent.saturating_sub(self.counted);
                pools.idle.extend(returned);
                let threads = |pools: &Pools| -> usize {
                    pools.idle.iter().map(ThreadPool::current_num_threads).sum()
                };
                while threads(&pools) > IDLE_PER_CORE * cores() {
                    surplus.push(pools.idle.remove(0));
                }
            }
            None if process::id() == self.process => surplus.extend(returned),
            None => mem::forget(returned),
        }
        // Their threads end by themselves; here nobody holds the lock any more.
        drop(surplus);
    }
}

fn cores() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(pool: &Pool) -> usize {
        pool.threads().unwrap().install(rayon::current_num_threads)
    }

    // One test, since there is one `POOLS`.
    #[test]
    fn calls_get_threads_of_their_own_and_no_more_than_there_are_cores() {
        for (asked, got) in [(0, cores()), (1, 1), (1 << 40, cores()), (usize::MAX, cores())] {
            assert_eq!(size(&Pool::borrow(asked).unwrap()), got);
        }
        // One after the other, they get the same threads.
        let id = || Pool::borrow(1).unwrap().threads().unwrap().install(|| thread::current().id());
        assert_eq!(id(), id());
        // At the same time, each has some, and all together not many.
        let many: Vec<Pool> = (0..100).map(|_| Pool::borrow(0).unwrap()).collect();
        let sizes: Vec<usize> = many.iter().map(size).collect();
        assert!(sizes.iter().all(|&threads| threads >= 1));
        assert!(sizes.iter().sum::<usize>() <= LENT_PER_CORE * cores() + 100, "{sizes:?}");
        assert_eq!(sizes[0], cores());
        drop(many);
        let pools = brief_lock(&POOLS).unwrap();
        assert_eq!(pools.lent, 0);
        let idle: usize = pools.idle.iter().map(ThreadPool::current_num_threads).sum();
        assert!(idle <= IDLE_PER_CORE * cores());
        drop(pools);
        assert_eq!(size(&Pool::borrow(0).unwrap()), cores());
    }
}
