//! The book: what was played from positions that many games share, shipped with a network.
//!
//! A book is a byte of version, then 2<sup>16</sup> buckets of positions: those whose keys begin
//! with the same 16 bits. A bucket is the number of its positions in a byte, then the
//! positions, ordered by the next 16 bits of their keys. Of a position there are
//!
//! - these 16 bits, little-endian;
//! - a byte: the number of moves minus one (low four bits), and the octave of what was played
//!   besides them (high four bits; 0: nothing);
//! - the moves, most frequent first: the first one's place in the canonical order and the class of
//!   its count in a byte each; of the others a byte with the place (low six bits) and the classes
//!   that it is below the move before it (high two bits; 3: in a byte of its own, that follows).
//!
//! `plyzip-training book` makes one. The rest of the key is not stored, so that one position in
//! 2<sup>32</sup> / (positions in the book) is taken for another.

use crate::{Error, Result};

/// Counts are in this fraction of a game.
pub const UNIT: u32 = 4;

/// Largest book that is read, in bytes.
pub const MAX_SIZE: usize = 8 << 20;

/// Most moves of one position.
pub const MAX_MOVES: usize = 16;

const VERSION: u8 = 1;
const BUCKETS: usize = 1 << 16;

/// Largest class of a count: 2<sup>20</sup> units.
const MAX_CLASS: u8 = 40;

/// Places of moves in the book are below this.
const PLACES: u8 = 64;

/// The difference of classes that means: see the next byte.
const ESCAPE: u8 = 3;

/// The moves of one position with their counts, in units of 1 / [`UNIT`] game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry<'a> {
    /// The number of moves minus one and the octave of the rest, then the moves.
    bytes: &'a [u8],
}

/// What a class of counts stands for, in units of 1 / [`UNIT`] game: 2<sup>class / 2</sup>.
fn count_of(class: u8) -> u32 {
    // 1 and 2^(1/2) with 15 fraction bits, and a half to round
    let root: u64 = if class.is_multiple_of(2) { 1 << 15 } else { 46_341 };
    (((root << (class / 2)) + (1 << 14)) >> 15) as u32
}

impl<'a> Entry<'a> {
    /// The moves' places in the canonical order and their counts, most frequent first.
    pub fn moves(self) -> impl Iterator<Item = (usize, u32)> + 'a {
        let count = usize::from(self.bytes[0] & 15) + 1;
        let mut class = self.bytes[2];
        let mut at = 3;
        std::iter::once((self.bytes[1].into(), count_of(class))).chain((1..count).map(move |_| {
            let byte = self.bytes[at];
            at += 1;
            let mut less = byte / PLACES;
            if less == ESCAPE {
                less = self.bytes[at];
                at += 1;
            }
            class -= less;
            ((byte % PLACES).into(), count_of(class))
        }))
    }

    /// How often others than [`Entry::moves`] were played.
    pub fn rest(self) -> u32 {
        (1 << (self.bytes[0] >> 4)) >> 1
    }

    /// The entry at the beginning of `bytes` and what follows it, if it is whole.
    fn split(bytes: &'a [u8]) -> Option<(Entry<'a>, &'a [u8])> {
        let (&[head, place, mut class], mut rest) = bytes.split_first_chunk()?;
        if place >= PLACES || class > MAX_CLASS {
            return None;
        }
        let mut seen = 1u64 << place;
        for _ in 0..head & 15 {
            let (&byte, after) = rest.split_first()?;
            rest = after;
            let mut less = byte / PLACES;
            if less == ESCAPE {
                (less, rest) = rest.split_first().map(|(&less, rest)| (less, rest))?;
            }
            class = class.checked_sub(less)?;
            let move_bit = 1 << (byte % PLACES);
            if seen & move_bit != 0 {
                return None;
            }
            seen |= move_bit;
        }
        Some((Entry { bytes: &bytes[..bytes.len() - rest.len()] }, rest))
    }
}

/// A book that has been found to be whole. Shared between threads by reference.
#[derive(Debug)]
pub struct Book {
    bytes: Vec<u8>,
    /// Where each bucket begins.
    buckets: Vec<u32>,
}

/// The bucket of a position, and its place there.
fn place_of(key: u64) -> (usize, u16) {
    ((key >> 48) as usize, (key >> 32) as u16)
}

impl Book {
    /// The book in `bytes`.
    ///
    /// # Errors
    /// [`Error::Model`] if they are no book.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Book> {
        let buckets = Book::buckets(&bytes)
            .ok_or_else(|| Error::Model("one of its books is damaged".into()))?;
        Ok(Book { bytes, buckets })
    }

    /// Where the buckets of a valid book begin.
    fn buckets(bytes: &[u8]) -> Option<Vec<u32>> {
        if bytes.len() > MAX_SIZE || bytes.first() != Some(&VERSION) {
            return None;
        }
        let mut rest = &bytes[1..];
        let mut buckets = Vec::with_capacity(BUCKETS);
        for _ in 0..BUCKETS {
            buckets.push((bytes.len() - rest.len()) as u32);
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
                (_, rest) = Entry::split(entry)?;
            }
        }
        rest.is_empty().then_some(buckets)
    }

    /// What the book has on the position with this key.
    pub fn find(&self, key: u64) -> Option<Entry<'_>> {
        let (bucket, place) = place_of(key);
        let (&count, mut rest) = self.bytes[self.buckets[bucket] as usize..].split_first()?;
        for _ in 0..count {
            let (found, entry) = rest.split_first_chunk()?;
            let (entry, after) = Entry::split(entry)?;
            match u16::from_le_bytes(*found).cmp(&place) {
                std::cmp::Ordering::Less => rest = after,
                std::cmp::Ordering::Equal => return Some(entry),
                std::cmp::Ordering::Greater => return None,
            }
        }
        None
    }
}

/// One position for [`write_book`]: its key, its moves with their counts, and how often others were
/// played. Counts are in sixteenths of a game.
#[derive(Debug, Clone)]
pub struct Position {
    /// The key of [`position_key`](crate::chess::position_key).
    pub key: u64,
    /// Places in the canonical order and counts, most frequent first.
    pub moves: Vec<(u8, u32)>,
    /// The count of all other moves.
    pub rest: u32,
}

/// The class whose count is nearest to `sixteenths` of a game.
fn class_of(sixteenths: u32) -> u8 {
    let square = u64::from(sixteenths) * u64::from(sixteenths);
    let scale = u64::from(16 / UNIT) * u64::from(16 / UNIT);
    (0..MAX_CLASS)
        .find(|&class| {
            square <= scale * u64::from(count_of(class)) * u64::from(count_of(class + 1))
        })
        .unwrap_or(MAX_CLASS)
}

/// Writes a book. Positions whose keys cannot be told apart, or of which there are too many,
/// are left out but the first, and so are moves at a place above 63 and all after
/// [`MAX_MOVES`]; a position without a move is left out.
pub fn write_book(mut positions: Vec<Position>) -> Vec<u8> {
    positions.sort_by_key(|position| place_of(position.key));
    positions.dedup_by_key(|position| place_of(position.key));
    let mut bytes = vec![VERSION];
    let mut next = positions.into_iter().peekable();
    for bucket in 0..BUCKETS {
        let start = bytes.len();
        bytes.push(0);
        while let Some(mut position) = next.next_if(|next| place_of(next.key).0 == bucket) {
            let mut kept = 0;
            position.moves.retain(|&(place, count)| {
                let keep = place < PLACES && kept < MAX_MOVES;
                kept += usize::from(keep);
                position.rest += if keep { 0 } else { count };
                keep
            });
            if position.moves.is_empty() || bytes[start] == u8::MAX {
                continue;
            }
            bytes[start] += 1;
            bytes.extend(place_of(position.key).1.to_le_bytes());
            let octave = if position.rest == 0 { 0 } else { class_of(position.rest) / 2 + 1 };
            bytes.push((position.moves.len() - 1) as u8 | octave.min(15) << 4);
            let mut before = None;
            for &(place, count) in &position.moves {
                let class = class_of(count);
                match before.map(|before: u8| before.saturating_sub(class)) {
                    None => bytes.extend([place, class]),
                    Some(less) if less < ESCAPE => bytes.push(place | (less * PLACES)),
                    Some(less) => bytes.extend([place | (ESCAPE * PLACES), less]),
                }
                before = Some(before.map_or(class, |before| before.min(class)));
            }
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some_book() -> (Vec<Position>, Vec<u8>) {
        let position = |number: u64| {
            let count = 1 + number as usize % MAX_MOVES;
            let first = 16 << (number % 18);
            Position {
                key: crate::chess::split_mix(number),
                moves: (0..count).map(|i| ((i * 3) as u8, first >> i | 4)).collect(),
                rest: if number.is_multiple_of(3) { 100 } else { 0 },
            }
        };
        let positions: Vec<Position> = (0..3000).map(position).collect();
        let bytes = write_book(positions.clone());
        (positions, bytes)
    }

    #[test]
    fn what_is_written_is_found() {
        let (positions, bytes) = some_book();
        let book = Book::from_bytes(bytes).unwrap();
        for position in &positions {
            let entry = book.find(position.key).unwrap();
            let found: Vec<(usize, u32)> = entry.moves().collect();
            let places: Vec<usize> =
                position.moves.iter().map(|&(place, _)| place.into()).collect();
            assert_eq!(found.iter().map(|&(place, _)| place).collect::<Vec<_>>(), places);
            for (&(_, count), &(_, sixteenths)) in found.iter().zip(&position.moves) {
                // half octaves: a quarter of an octave away, and small counts rounded
                let ratio = f64::from(count) * 4.0 / f64::from(sixteenths);
                assert!((0.6..1.5).contains(&ratio), "{count} for {sixteenths}");
            }
            assert_eq!(entry.rest(), if position.rest == 0 { 0 } else { 16 });
            assert_eq!(book.find(position.key ^ 1 << 40), None);
        }
    }

    #[test]
    fn counts_grow_by_half_octaves() {
        let counts: Vec<u32> = (0..=MAX_CLASS).map(count_of).collect();
        assert_eq!(counts[..8], [1, 1, 2, 3, 4, 6, 8, 11]);
        assert_eq!(counts[40], 1 << 20);
        assert_eq!((class_of(0), class_of(4), class_of(16), class_of(u32::MAX)), (0, 0, 4, 40));
    }

    #[test]
    fn an_empty_book_has_nothing() {
        let book = Book::from_bytes(write_book(vec![])).unwrap();
        assert_eq!(book.find(0), None);
        assert_eq!(book.find(u64::MAX), None);
    }

    #[test]
    fn damaged_books_are_refused_or_harmless() {
        let (positions, bytes) = some_book();
        let mut cut = bytes.clone();
        cut.truncate(bytes.len() - 1);
        let mut longer = bytes.clone();
        longer.push(0);
        for damaged in [vec![], vec![VERSION], vec![2; bytes.len()], cut, longer] {
            assert!(matches!(Book::from_bytes(damaged), Err(Error::Model(_))));
        }
        assert!(Book::from_bytes(vec![VERSION; MAX_SIZE + 1]).is_err());
        let mut refused = 0;
        for seed in 0..300 {
            let random = crate::chess::split_mix(seed);
            let mut damaged = bytes.clone();
            let place = random as usize % damaged.len();
            damaged[place] ^= 1 << (random >> 60 & 7);
            match Book::from_bytes(damaged) {
                Err(error) => {
                    assert!(matches!(error, Error::Model(_)));
                    refused += 1;
                }
                Ok(book) => {
                    for position in &positions {
                        if let Some(entry) = book.find(position.key) {
                            assert!(entry.moves().count() <= MAX_MOVES);
                        }
                    }
                }
            }
        }
        assert!(refused > 200, "{refused}");
    }
}
