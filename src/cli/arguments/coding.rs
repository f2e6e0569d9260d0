//! Options of the codec's run.

use std::num::NonZeroUsize;
use std::thread;

use clap::Args;

/// Options of the codec that change its speed but never its output.
#[derive(Debug, Clone, Copy, Args)]
pub struct Coding {
    /// Use N threads, at most one per core; 0 for all cores. The output never depends on it
    #[arg(short = 'T', long, value_name = "N", default_value_t = 0)]
    pub threads: usize,
}

/// Originals of fewer bytes are taken for a single game.
const BYTES_OF_TWO_GAMES: u64 = 1 << 10;

impl Coding {
    /// Number of threads that shall work on an original of `original_bytes`, if known. More than there are
    /// cores would take memory and gain nothing, and a single game has no work for two.
    pub(in crate::cli) fn threads(self, original_bytes: Option<u64>) -> usize {
        if original_bytes.is_some_and(|bytes| bytes < BYTES_OF_TWO_GAMES) {
            return 1;
        }
        let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        if self.threads == 0 { cores } else { self.threads.min(cores) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_never_more_than_cores() {
        let cores = thread::available_parallelism().unwrap().get();
        for (asked, started) in [(0, cores), (1, 1), (cores, cores), (100_000, cores)] {
            for bytes in [None, Some(1 << 20)] {
                assert_eq!(Coding { threads: asked }.threads(bytes), started, "-T {asked}");
            }
            assert_eq!(Coding { threads: asked }.threads(Some(700)), 1, "-T {asked}");
        }
    }
}
