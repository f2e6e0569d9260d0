//! Progress of writing or reading an archive.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use plyzip_codec::block::PlyCounter;

/// How far a writer or a reader has come, ply by ply, for another thread to look at while it works. Clones look at the
/// same.
///
/// ```
/// use plyzip::archive::{ArchiveWriter, Progress};
/// use plyzip::Model;
///
/// let progress = Progress::default();
/// let mut writer = ArchiveWriter::new(Vec::new(), Model::none())?;
/// writer.set_progress(&progress);
/// writer.push(b"[Event \"A\"]\n\n1. e4 e5 2. Nf3 *\n")?;
/// writer.finish()?;
/// assert_eq!((progress.plies(), progress.original_bytes()), (3, 31));
/// # Ok::<(), plyzip::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Progress {
    counter: PlyCounter,
    blocks: Arc<Mutex<Blocks>>,
    search: Arc<Search>,
}

/// How far a search of single games has come.
#[derive(Debug, Default)]
struct Search {
    passed: AtomicU64,
    found: AtomicU64,
    pages: AtomicU64,
}

/// What is done, and what is under way.
#[derive(Debug, Clone, Copy, Default)]
struct Blocks {
    /// Bytes of the original in the blocks that are done.
    bytes_done: u64,
    /// Bytes of the original in the block under way.
    bytes: u64,
    /// How often each ply of the block is coded.
    passes: u64,
    /// What the counter had announced and coded before the block.
    announced_before: u64,
    coded_before: u64,
}

impl Progress {
    /// Progress that calls `observer` whenever some plies more have been coded, on the thread that has coded them and
    /// waits meanwhile: for where no other thread can look, as in a browser.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use std::sync::atomic::{AtomicU64, Ordering};
    /// use plyzip::archive::{ArchiveWriter, Progress};
    /// use plyzip::Model;
    ///
    /// let most = Arc::new(AtomicU64::new(0));
    /// let seen = most.clone();
    /// let progress = Progress::observed(move |progress| {
    ///     seen.fetch_max(progress.plies(), Ordering::Relaxed);
    /// });
    /// let mut writer = ArchiveWriter::new(Vec::new(), Model::none())?;
    /// writer.set_progress(&progress);
    /// writer.push(b"[Event \"A\"]\n\n1. e4 e5 2. Nf3 *\n")?;
    /// writer.finish()?;
    /// assert_eq!(most.load(Ordering::Relaxed), 3);
    /// # Ok::<(), plyzip::Error>(())
    /// ```
    pub fn observed(observer: impl Fn(&Progress) + Send + Sync + 'static) -> Progress {
        let blocks: Arc<Mutex<Blocks>> = Arc::default();
        let search: Arc<Search> = Arc::default();
        let shared = (blocks.clone(), search.clone());
        let counter = PlyCounter::observed(move |counter| {
            let (blocks, search) = shared.clone();
            observer(&Progress { counter: counter.clone(), blocks, search });
        });
        Progress { counter, blocks, search }
    }

    /// Games of the archive that a search ([`Select`](super::Select)) has passed, whether they were wanted or not: it is
    /// done when these are all.
    pub fn games_passed(&self) -> u64 {
        self.search.passed.load(Ordering::Relaxed)
    }

    /// Games that a search has found.
    pub fn games_found(&self) -> u64 {
        self.search.found.load(Ordering::Relaxed)
    }

    /// Pages that a search has decoded with a model.
    pub fn pages_decoded(&self) -> u64 {
        self.search.pages.load(Ordering::Relaxed)
    }

    /// A search has passed all games before this one, and found so many more.
    pub(super) fn pass(&self, game: u64, found: u64) {
        self.search.passed.store(game, Ordering::Relaxed);
        self.search.found.fetch_add(found, Ordering::Relaxed);
    }

    /// A search has decoded a page more, of so many games.
    pub(super) fn decoded(&self, games: u64) {
        self.search.pages.fetch_add(1, Ordering::Relaxed);
        self.search.passed.fetch_add(games, Ordering::Relaxed);
    }

    /// Bytes of the original that are done; of the block under way, as many as the share of its plies that is done.
    pub fn original_bytes(&self) -> u64 {
        let blocks = self.blocks();
        let (done, planned) = self.of_block(&blocks);
        let share = match planned {
            0 => 0,
            _ => u128::from(blocks.bytes) * u128::from(done) / u128::from(planned),
        };
        blocks.bytes_done + u64::try_from(share).unwrap_or(u64::MAX)
    }

    /// Plies that are done, those of variations included. Where a writer decodes what it has coded, a ply is done when
    /// it was decoded; while a block is under way, that is an estimate.
    pub fn plies(&self) -> u64 {
        let blocks = self.blocks();
        let (done, _) = self.of_block(&blocks);
        blocks.announced_before + done / blocks.passes.max(1)
    }

    /// Plies that have been coded or decoded, each time that they were.
    pub fn codings(&self) -> u64 {
        self.counter.coded()
    }

    /// What counts the plies of a run.
    pub(super) fn counter(&self) -> &PlyCounter {
        &self.counter
    }

    /// A block of so many bytes begins, each ply of which is coded so many times. Encoding announces its plies.
    pub(super) fn begin_block(&self, bytes: u64, passes: u64) {
        let mut blocks = self.lock();
        *blocks = Blocks {
            bytes_done: blocks.bytes_done + blocks.bytes,
            bytes,
            passes,
            announced_before: self.counter.announced(),
            coded_before: self.counter.coded(),
        };
    }

    /// The block has so many plies.
    pub(super) fn announce(&self, plies: u64) {
        self.counter.announce(plies);
    }

    /// The block is done, whether or not all of its plies had to be coded.
    pub(super) fn end_block(&self) {
        self.begin_block(0, 1);
    }

    /// Plies of the block under way: codings done, and all of them.
    fn of_block(&self, blocks: &Blocks) -> (u64, u64) {
        let announced = self.counter.announced().saturating_sub(blocks.announced_before);
        let planned = announced.saturating_mul(blocks.passes);
        (self.counter.coded().saturating_sub(blocks.coded_before).min(planned), planned)
    }

    fn blocks(&self) -> Blocks {
        *self.lock()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Blocks> {
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_done_ply_by_ply() {
        let progress = Progress::default();
        progress.begin_block(1000, 2);
        progress.announce(50);
        assert_eq!((progress.plies(), progress.original_bytes()), (0, 0));
        progress.counter.add(25);
        assert_eq!((progress.plies(), progress.original_bytes()), (12, 250));
        progress.counter.add(75);
        assert_eq!((progress.plies(), progress.original_bytes()), (50, 1000));
        progress.end_block();
        assert_eq!((progress.plies(), progress.original_bytes()), (50, 1000));
        // Text has no plies; a block may be stored as it is, without being decoded again.
        progress.begin_block(500, 2);
        assert_eq!(progress.original_bytes(), 1000);
        progress.begin_block(200, 2);
        progress.announce(10);
        progress.counter.add(10);
        assert_eq!((progress.plies(), progress.original_bytes()), (55, 1600));
        progress.end_block();
        assert_eq!((progress.plies(), progress.original_bytes()), (60, 1700));
        assert_eq!(progress.codings(), 110);
    }
}
