//! The threads that work on a command.

use std::io;

use plyzip::{Error, Result};
use rayon::ThreadPoolBuilder;

use super::arguments::Coding;

/// Does `work` where the codec finds as many threads as asked for; one is the current thread.
pub fn with_threads<T: Send>(
    coding: Coding,
    original_bytes: Option<u64>,
    work: impl FnOnce() -> Result<T> + Send,
) -> Result<T> {
    let threads = coding.threads(original_bytes);
    let builder = || ThreadPoolBuilder::new().num_threads(threads);
    let pool = match threads {
        // The current thread may belong to a pool already.
        1 => builder().use_current_thread().build().or_else(|_| builder().build()),
        _ => builder().build(),
    };
    pool.map_err(|error| Error::Io(io::Error::other(error)))?.install(work)
}
