//! Options of writing an archive.

use crate::Model;
use crate::pgn::game_starts;

/// How an archive is cut into blocks, and whether it is verified.
///
/// ```
/// use plyzip::archive::WriterOptions;
///
/// let options = WriterOptions::new().block_games(1000).verify(false);
/// assert_eq!((options.block_games, options.page_games), (1000, None));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct WriterOptions {
    /// Games in a block, at least 1. More are denser, fewer are quicker to reach into.
    /// Default: 20,000.
    pub block_games: u64,
    /// Games in a page, at least 1: what is decoded to reach a single game. More are denser. Default: `None`, which is
    /// [`PAGE_GAMES`](WriterOptions::PAGE_GAMES) with a network, and
    /// [`PAGE_GAMES_WITHOUT_NETWORK`](WriterOptions::PAGE_GAMES_WITHOUT_NETWORK) with none, and one page for a block of
    /// at most one and a half times as many games.
    pub page_games: Option<u64>,
    /// Original bytes in a block, at least 1 and at most
    /// [`Limits::block_original`](super::Limits::block_original)'s default. Bounds the memory that
    /// writing and reading take. Default: 32 MiB.
    pub block_bytes: usize,
    /// Whether each block is decoded again and compared before it is written. Default: true.
    pub verify: bool,
}

impl Default for WriterOptions {
    fn default() -> WriterOptions {
        WriterOptions { block_games: 20_000, page_games: None, block_bytes: 32 << 20, verify: true }
    }
}

impl WriterOptions {
    /// Games in a page, with a network: two cores decode one within some two seconds with `standard`.
    pub const PAGE_GAMES: u64 = 128;
    /// Games in a page, without one: decoding is faster by more than this is larger, and learns more from more games.
    pub const PAGE_GAMES_WITHOUT_NETWORK: u64 = 384;

    /// The defaults.
    pub fn new() -> WriterOptions {
        WriterOptions::default()
    }

    /// The same, with so many games in a block.
    #[must_use]
    pub fn block_games(self, block_games: u64) -> WriterOptions {
        WriterOptions { block_games, ..self }
    }

    /// The same, with so many games in a page.
    #[must_use]
    pub fn page_games(self, page_games: impl Into<Option<u64>>) -> WriterOptions {
        WriterOptions { page_games: page_games.into(), ..self }
    }

    /// The same, with so many original bytes in a block.
    #[must_use]
    pub fn block_bytes(self, block_bytes: usize) -> WriterOptions {
        WriterOptions { block_bytes, ..self }
    }

    /// The same, with each block decoded again, or not.
    #[must_use]
    pub fn verify(self, verify: bool) -> WriterOptions {
        WriterOptions { verify, ..self }
    }

    /// Games in a page, at most, of a block of `original`, in an archive that is made with `model`. By default a block of
    /// little more than one page is one page: a page takes some 20 bytes for itself, a per cent of what 100 games take.
    pub(super) fn games_of_page(&self, model: &Model, original: &[u8]) -> u64 {
        self.page_games.unwrap_or_else(|| {
            let usual = match model.hash() {
                Some(_) => WriterOptions::PAGE_GAMES,
                None => WriterOptions::PAGE_GAMES_WITHOUT_NETWORK,
            };
            let most = usual + usual / 2;
            // Games without tags are not counted: a block of many of them has pages of this size.
            if game_starts(original).nth(most as usize).is_some() { usual } else { most }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_of_little_more_than_a_page_is_one_page() {
        let model = Model::none();
        let games = |count| b"[Event \"\"]\n\n*\n\n".repeat(count);
        let pages = [0, 1, 384, 385, 576, 577, 20_000]
            .map(|count| WriterOptions::new().games_of_page(&model, &games(count)));
        assert_eq!(pages, [576, 576, 576, 576, 576, 384, 384]);
        let asked = WriterOptions::new().page_games(100);
        assert_eq!(asked.games_of_page(&model, &games(101)), 100);
    }
}
