//! The opening book: counts of the moves from positions that many games share, shipped with a model.
//!
//! A book is a byte of version, then 2<sup>16</sup> buckets, each with the positions whose keys share their first 16
//! bits. A bucket is the number of its positions in a byte, then the positions, ordered by the next 16 bits of their
//! keys. A position is
//!
//! - these 16 bits, little-endian;
//! - a byte: the number of moves minus one (low four bits), and the octave of the count of all other moves (high four
//!   bits; 0: there were none);
//! - the moves, most frequent first. The first move is its index in the canonical order and the class of its count, a
//!   byte each. Every other move is a byte: its index (low six bits) and by how many classes it is below the move
//!   before it (high two bits; 3: the number of classes follows in a byte of its own).
//!
//! `plyzip-training book` makes one. The rest of the key is not stored, so that one position in
//! 2<sup>32</sup> / (positions in the book) is taken for another.

mod books;
mod buckets;
#[cfg(any(test, feature = "training"))]
mod write;

#[cfg(test)]
mod tests;

pub use self::books::Books;
pub use self::buckets::MAX_SIZE;
#[cfg(any(test, feature = "training"))]
pub use self::write::{Position, write_book};

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use prefetch_index::prefetch_index;

use self::buckets::{ESCAPE, INDICES};
use crate::{Error, Result};

/// Counts are in this fraction of a game.
pub const UNIT: u32 = 4;

/// Most moves of one position.
#[cfg(any(test, feature = "training"))]
pub const MAX_MOVES: usize = 16;

/// The moves of one position with their counts, in units of 1 / [`UNIT`] game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry<'a> {
    /// The number of moves minus one and the octave of the count of the others, then the moves.
    bytes: &'a [u8],
}

/// The count of a class, in units of 1 / [`UNIT`] game: 2<sup>class / 2</sup>.
fn count_of(class: u8) -> u32 {
    // 1 and 2^(1/2) with 15 fraction bits, and a half to round
    let root: u64 = if class.is_multiple_of(2) { 1 << 15 } else { 46_341 };
    (((root << (class / 2)) + (1 << 14)) >> 15) as u32
}

impl<'a> Entry<'a> {
    /// The moves' indices in the canonical order and their counts, most frequent first.
    pub fn moves(self) -> impl Iterator<Item = (usize, u32)> + 'a {
        let count = usize::from(self.bytes[0] & 15) + 1;
        let mut class = self.bytes[2];
        let mut at = 3;
        std::iter::once((self.bytes[1].into(), count_of(class))).chain((1..count).map(move |_| {
            let byte = self.bytes[at];
            at += 1;
            let mut less = byte / INDICES;
            if less == ESCAPE {
                less = self.bytes[at];
                at += 1;
            }
            class -= less;
            ((byte % INDICES).into(), count_of(class))
        }))
    }

    /// Number of times that moves other than [`Entry::moves`] were played.
    pub fn rest(self) -> u32 {
        (1 << (self.bytes[0] >> 4)) >> 1
    }

    /// The entry at the beginning of `bytes` and what follows it, if it is whole.
    fn split(bytes: &'a [u8]) -> Option<(Entry<'a>, &'a [u8])> {
        let (bytes, rest) = bytes.split_at(buckets::entry_size(bytes)?);
        Some((Entry { bytes }, rest))
    }
}

/// A valid book. Shared between threads by reference.
#[derive(Debug)]
pub struct Book {
    bytes: Cow<'static, [u8]>,
    /// The offset of each bucket, little-endian.
    buckets: Cow<'static, [[u8; 4]]>,
}

/// The bucket of a position, and the part of its key that is stored there.
fn bucket_of(key: u64) -> (usize, u16) {
    ((key >> 48) as usize, (key >> 32) as u16)
}

/// The book that is built into the program, `tables/book.bin`: for predictions without a network, and for models that
/// name its hash.
static BUILT_IN: &[u8] = include_bytes!("../../../tables/book.bin");

/// The offsets of its buckets, which the build script finds.
static BUILT_IN_BUCKETS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/book_buckets.bin"));

/// BLAKE3 of the book that is built in.
pub fn built_in_hash() -> blake3::Hash {
    blake3::hash(BUILT_IN)
}

impl Book {
    /// The book that is built in.
    pub fn built_in() -> Arc<Book> {
        static SHARED: LazyLock<Arc<Book>> = LazyLock::new(|| {
            let (buckets, _) = BUILT_IN_BUCKETS.as_chunks();
            Arc::new(Book { bytes: BUILT_IN.into(), buckets: buckets.into() })
        });
        Arc::clone(&SHARED)
    }

    /// The book in `bytes`.
    ///
    /// # Errors
    /// [`Error::Model`] if they are no book.
    pub fn from_bytes(bytes: impl Into<Cow<'static, [u8]>>) -> Result<Book> {
        let bytes = bytes.into();
        let buckets = buckets::offsets(&bytes)
            .ok_or_else(|| Error::Model("one of its books is damaged".into()))?;
        Ok(Book { bytes, buckets: buckets.into() })
    }

    /// Prefetches the offset of the bucket of the first key, and the bucket of the second key, whose offset an earlier
    /// call has prefetched.
    pub fn prefetch(&self, [later, next]: [u64; 2]) {
        prefetch_index(&self.buckets, bucket_of(later).0);
        let entry = u32::from_le_bytes(self.buckets[bucket_of(next).0]) as usize;
        prefetch_index(&self.bytes, entry);
    }

    /// The entry of the position with this key.
    pub fn find(&self, key: u64) -> Option<Entry<'_>> {
        let (bucket, wanted) = bucket_of(key);
        let start = u32::from_le_bytes(self.buckets[bucket]) as usize;
        let (&count, mut rest) = self.bytes[start..].split_first()?;
        for _ in 0..count {
            let (stored, entry) = rest.split_first_chunk()?;
            let (entry, after) = Entry::split(entry)?;
            match u16::from_le_bytes(*stored).cmp(&wanted) {
                std::cmp::Ordering::Less => rest = after,
                std::cmp::Ordering::Equal => return Some(entry),
                std::cmp::Ordering::Greater => return None,
            }
        }
        None
    }
}
