//! Bytes that are read, as progress.

use std::io::{self, Read, Seek, SeekFrom};
use std::sync::atomic::{AtomicU64, Ordering};

use super::progress::Progress;

/// Counts the bytes that all of its readers have read.
#[derive(Debug)]
pub struct Watch<'a> {
    progress: &'a Progress,
    read: AtomicU64,
}

impl<'a> Watch<'a> {
    /// Nothing is read yet.
    pub fn new(progress: &'a Progress) -> Watch<'a> {
        Watch { progress, read: AtomicU64::new(0) }
    }

    /// A reader of the same as `inner`.
    pub fn reader<R>(&self, inner: R) -> Watched<'_, R> {
        Watched { inner, watch: self }
    }
}

/// A reader whose bytes are counted.
#[derive(Debug)]
pub struct Watched<'a, R> {
    inner: R,
    watch: &'a Watch<'a>,
}

impl<R: Read> Read for Watched<'_, R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(bytes)?;
        let Watch { progress, read } = self.watch;
        progress.set(read.fetch_add(count as u64, Ordering::Relaxed) + count as u64, 0);
        Ok(count)
    }
}

impl<R: Seek> Seek for Watched<'_, R> {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        self.inner.seek(position)
    }
}
