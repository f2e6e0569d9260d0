//! How an archive is to be written.

/// How an archive is cut into blocks, and whether it is verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriterOptions {
    /// Games in a block, at least 1. More are denser, fewer are quicker to reach into.
    /// Default: 20,000.
    pub block_games: u64,
    /// Games in a page, at least 1: what is decoded to reach a single game. More are denser. Default: 128.
    pub page_games: u64,
    /// Original bytes in a block, at least 1 and at most
    /// [`Limits::block_original`](super::Limits::block_original)'s default. Bounds the memory that
    /// writing and reading take. Default: 32 MiB.
    pub block_bytes: usize,
    /// Whether each block is decoded again and compared before it is written. Default: true.
    pub verify: bool,
}

impl Default for WriterOptions {
    fn default() -> WriterOptions {
        WriterOptions { block_games: 20_000, page_games: 128, block_bytes: 32 << 20, verify: true }
    }
}
