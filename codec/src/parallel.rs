//! Jobs for several threads.

use std::sync::{Mutex, PoisonError, mpsc};

use crate::Result;

/// The results of `work` on all of `jobs`, in their order. Each thread takes the next job when it is done with one: no
/// more jobs are under way than there are threads, whatever the threads do while they wait for parts of a job.
///
/// # Errors
/// The error of the first job that failed, in their order. No job begins after a failure.
pub fn in_parallel<J: Send, T: Send>(
    jobs: Vec<J>,
    work: impl Fn(J) -> Result<T> + Sync,
) -> Result<Vec<T>> {
    if jobs.len() < 2 {
        return jobs.into_iter().map(work).collect();
    }
    let threads = rayon::current_num_threads().min(jobs.len());
    let left = Mutex::new(jobs.into_iter().enumerate());
    let (sender, receiver) = mpsc::channel();
    let worker = |sender: mpsc::Sender<(usize, Result<T>)>| {
        let next = || left.lock().unwrap_or_else(PoisonError::into_inner).next();
        while let Some((number, job)) = next() {
            let result = work(job);
            if result.is_err() {
                let mut left = left.lock().unwrap_or_else(PoisonError::into_inner);
                left.by_ref().for_each(drop);
            }
            // The receiver outlives all threads.
            let _ = sender.send((number, result));
        }
    };
    rayon::scope(|scope| {
        for _ in 0..threads {
            let (worker, sender) = (&worker, sender.clone());
            scope.spawn(move |_| worker(sender));
        }
    });
    drop(sender);
    let mut results: Vec<(usize, Result<T>)> = receiver.into_iter().collect();
    results.sort_by_key(|&(number, _)| number);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::Error;

    #[test]
    fn results_come_in_the_order_of_the_jobs() {
        for count in [0, 1, 2, 100] {
            let squares = in_parallel((0..count).collect(), |job: usize| Ok(job * job)).unwrap();
            assert_eq!(squares, (0..count).map(|job| job * job).collect::<Vec<_>>());
        }
    }

    #[test]
    fn no_job_begins_after_a_failure() {
        let begun = AtomicUsize::new(0);
        let work = |job: usize| {
            begun.fetch_add(1, Ordering::Relaxed);
            if job == 1 { Err(Error::Interrupted) } else { Ok(()) }
        };
        let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let failed = one_thread.install(|| in_parallel((0..10).collect(), work));
        assert!(matches!(failed, Err(Error::Interrupted)));
        assert_eq!(begun.into_inner(), 2);
    }
}
