//! Writing a book, from counts.

use super::buckets::{BUCKETS, ESCAPE, INDICES, MAX_CLASS, VERSION};
use super::{MAX_MOVES, UNIT, bucket_of, count_of};

/// One position for [`write_book`]. Counts are in sixteenths of a game.
#[derive(Debug, Clone)]
pub struct Position {
    /// The key of [`position_key`](crate::chess::position_key).
    pub key: u64,
    /// Indices in the canonical order and counts, most frequent first.
    pub moves: Vec<(u8, u32)>,
    /// The count of all other moves.
    pub rest: u32,
}

/// The class whose count is nearest to `sixteenths` of a game.
pub(super) fn class_of(sixteenths: u32) -> u8 {
    let square = u64::from(sixteenths) * u64::from(sixteenths);
    let scale = u64::from(16 / UNIT) * u64::from(16 / UNIT);
    (0..MAX_CLASS)
        .find(|&class| {
            square <= scale * u64::from(count_of(class)) * u64::from(count_of(class + 1))
        })
        .unwrap_or(MAX_CLASS)
}

/// Writes a book. Left out are: all but the first of positions that share the stored bits of their keys, positions in
/// a bucket that is full, moves of an index above 63, moves beyond [`MAX_MOVES`], and positions without a move.
pub fn write_book(mut positions: Vec<Position>) -> Vec<u8> {
    positions.sort_by_key(|position| bucket_of(position.key));
    positions.dedup_by_key(|position| bucket_of(position.key));
    let mut bytes = vec![VERSION];
    let mut next = positions.into_iter().peekable();
    for bucket in 0..BUCKETS {
        let start = bytes.len();
        bytes.push(0);
        while let Some(mut position) = next.next_if(|next| bucket_of(next.key).0 == bucket) {
            let mut kept = 0;
            position.moves.retain(|&(index, count)| {
                let keep = index < INDICES && kept < MAX_MOVES;
                kept += usize::from(keep);
                position.rest += if keep { 0 } else { count };
                keep
            });
            if position.moves.is_empty() || bytes[start] == u8::MAX {
                continue;
            }
            bytes[start] += 1;
            bytes.extend(bucket_of(position.key).1.to_le_bytes());
            let octave = if position.rest == 0 { 0 } else { class_of(position.rest) / 2 + 1 };
            bytes.push((position.moves.len() - 1) as u8 | octave.min(15) << 4);
            let mut before = None;
            for &(index, count) in &position.moves {
                let class = class_of(count);
                match before.map(|before: u8| before.saturating_sub(class)) {
                    None => bytes.extend([index, class]),
                    Some(less) if less < ESCAPE => bytes.push(index | (less * INDICES)),
                    Some(less) => bytes.extend([index | (ESCAPE * INDICES), less]),
                }
                before = Some(before.map_or(class, |before| before.min(class)));
            }
        }
    }
    bytes
}
