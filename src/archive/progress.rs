//! Progress of writing or reading an archive.

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
    search: Arc<Mutex<Search>>,
}

/// How far a search of single games has come.
#[derive(Debug, Clone, Copy, Default)]
struct Search {
    /// Games before the blocks under way, and in these.
    games_before: u64,
    games: u64,
    /// Pages that are done and all that are wanted, of the blocks under way.
    pages_done: u64,
    pages: u64,
    /// The same of the blocks before.
    done_before: u64,
    pages_before: u64,
    /// Pages that a model has decoded.
    decoded: u64,
    found: u64,
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
        let search: Arc<Mutex<Search>> = Arc::default();
        let shared = (blocks.clone(), search.clone());
        let counter = PlyCounter::observed(move |counter| {
            let (blocks, search) = shared.clone();
            observer(&Progress { counter: counter.clone(), blocks, search });
        });
        Progress { counter, blocks, search }
    }

    /// Games of the archive that a search ([`Select`](super::Select)) has passed, whether they were wanted or not; of
    /// the blocks under way, as many as the share of their wanted pages that is done. The search is done when these are
    /// all.
    pub fn games_passed(&self) -> u64 {
        let Search { games_before, games, pages_done, pages, .. } = *self.search();
        let share =
            u128::from(games) * u128::from(pages_done.min(pages)) / u128::from(pages.max(1));
        games_before.saturating_add(u64::try_from(share).unwrap_or(u64::MAX))
    }

    /// Games of the archive of which the search knows by now which pages may hold one that is wanted: those up to the
    /// end of the blocks under way.
    pub fn games_looked_into(&self) -> u64 {
        let Search { games_before, games, .. } = *self.search();
        games_before.saturating_add(games)
    }

    /// Games that a search has found.
    pub fn games_found(&self) -> u64 {
        self.search().found
    }

    /// Pages among those of [`games_looked_into`](Progress::games_looked_into) that may hold a game that is wanted.
    ///
    /// ```
    /// use std::io::Cursor;
    /// use plyzip::archive::{AllGames, ArchiveWriter, IndexedReader, Progress, ReaderOptions, WriterOptions};
    /// use plyzip::Model;
    ///
    /// let options = WriterOptions::new().page_games(2);
    /// let mut writer = ArchiveWriter::with_options(Vec::new(), Model::none(), options)?;
    /// writer.push(&b"[Event \"A\"]\n\n1. e4 e5 2. Nf3 *\n\n".repeat(6))?;
    ///
    /// let progress = Progress::default();
    /// let options = ReaderOptions::new().progress(&progress);
    /// let mut reader = IndexedReader::with_options(Cursor::new(writer.finish()?.0), options)?;
    /// reader.select(&AllGames).first(3).bytes(|_, _| Ok(()))?;
    /// assert_eq!((progress.pages_done(), progress.pages_wanted()), (2, 3));
    /// assert_eq!((progress.games_found(), progress.games_looked_into()), (3, 6));
    /// # Ok::<(), plyzip::Error>(())
    /// ```
    pub fn pages_wanted(&self) -> u64 {
        let Search { pages_before, pages, .. } = *self.search();
        pages_before.saturating_add(pages)
    }

    /// Those of [`pages_wanted`](Progress::pages_wanted) that the search is done with: a model has decoded them, an
    /// index has told all that they were wanted for, or the tags have.
    pub fn pages_done(&self) -> u64 {
        let Search { done_before, pages_done, .. } = *self.search();
        done_before.saturating_add(pages_done)
    }

    /// Pages that a search has decoded with a model.
    pub fn pages_decoded(&self) -> u64 {
        self.search().decoded
    }

    /// A search has passed all games before this one, and found so many more.
    pub(super) fn pass(&self, game: u64, found: u64) {
        let mut search = self.search();
        *search = Search {
            games_before: game,
            done_before: search.done_before + search.pages_done,
            pages_before: search.pages_before + search.pages,
            decoded: search.decoded,
            found: search.found + found,
            ..Search::default()
        };
    }

    /// A search looks into the `games` games from `first` on.
    pub(super) fn look_into(&self, first: u64, games: u64) {
        self.pass(first, 0);
        self.search().games = games;
    }

    /// Of the games that it looks into, those in so many pages may be wanted.
    pub(super) fn want(&self, pages: usize) {
        self.search().pages += pages as u64;
    }

    /// A search is done with a page, which a model has decoded or not.
    pub(super) fn page_done(&self, decoded: bool) {
        let mut search = self.search();
        search.pages_done += 1;
        search.decoded += u64::from(decoded);
    }

    /// A search has found so many games more.
    pub(super) fn find(&self, games: u64) {
        self.search().found += games;
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

    fn search(&self) -> std::sync::MutexGuard<'_, Search> {
        self.search.lock().unwrap_or_else(PoisonError::into_inner)
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

    #[test]
    fn a_search_is_done_page_by_page() {
        let progress = Progress::default();
        progress.look_into(0, 1000);
        assert_eq!((progress.games_passed(), progress.games_looked_into()), (0, 1000));
        progress.want(4);
        progress.page_done(true);
        progress.find(3);
        assert_eq!((progress.games_passed(), progress.games_found()), (250, 3));
        progress.page_done(false);
        assert_eq!((progress.pages_done(), progress.pages_wanted()), (2, 4));
        // The others are not decoded; the next block has no page that is wanted.
        progress.look_into(1000, 500);
        assert_eq!((progress.games_passed(), progress.games_looked_into()), (1000, 1500));
        progress.pass(1500, 2);
        assert_eq!((progress.games_passed(), progress.games_found()), (1500, 5));
        assert_eq!((progress.pages_done(), progress.pages_wanted()), (2, 4));
        assert_eq!(progress.pages_decoded(), 1);
    }
}
