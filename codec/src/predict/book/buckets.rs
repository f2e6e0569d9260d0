//! The places of a book's buckets. The build script finds those of the book that is built in, with this file.

/// Largest book that is read, in bytes.
pub const MAX_SIZE: usize = 8 << 20;

/// The first byte of a book.
pub const VERSION: u8 = 1;

/// Number of buckets.
pub const BUCKETS: usize = 1 << 16;

/// Largest class of a count: 2<sup>20</sup> units.
pub const MAX_CLASS: u8 = 40;

/// The indices of the moves in the book are below this.
pub const INDICES: u8 = 64;

/// The difference of classes that means: see the next byte.
pub const ESCAPE: u8 = 3;

/// Bytes of the entry at the beginning of `bytes`; `None` if it is not whole, or not valid.
pub fn entry_size(bytes: &[u8]) -> Option<usize> {
    let (&[head, index, mut class], mut rest) = bytes.split_first_chunk()?;
    if index >= INDICES || class > MAX_CLASS {
        return None;
    }
    let mut found = 1u64 << index;
    for _ in 0..head & 15 {
        let (&byte, after) = rest.split_first()?;
        rest = after;
        let mut less = byte / INDICES;
        if less == ESCAPE {
            (less, rest) = rest.split_first().map(|(&less, rest)| (less, rest))?;
        }
        class = class.checked_sub(less)?;
        let move_bit = 1 << (byte % INDICES);
        if found & move_bit != 0 {
            return None;
        }
        found |= move_bit;
    }
    Some(bytes.len() - rest.len())
}

/// The offsets of the buckets of a valid book, little-endian; `None` if it is not valid.
pub fn offsets(bytes: &[u8]) -> Option<Vec<[u8; 4]>> {
    if bytes.len() > MAX_SIZE || bytes.first() != Some(&VERSION) {
        return None;
    }
    let mut rest = &bytes[1..];
    let mut offsets = Vec::with_capacity(BUCKETS);
    for _ in 0..BUCKETS {
        offsets.push(((bytes.len() - rest.len()) as u32).to_le_bytes());
        let (&count, positions) = rest.split_first()?;
        rest = positions;
        let mut before = None;
        for _ in 0..count {
            let (key, entry) = rest.split_first_chunk()?;
            let key = Some(u16::from_le_bytes(*key));
            if key <= before {
                return None;
            }
            before = key;
            rest = &entry[entry_size(entry)?..];
        }
    }
    rest.is_empty().then_some(offsets)
}
