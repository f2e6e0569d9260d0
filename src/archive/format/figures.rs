//! The figures of blocks: added up, and in the order of the format.

use std::io::Read;

use super::source::{Source, reserved};
use crate::streams::{BlockStats, StreamSizes};
use crate::{Error, Result, varint};

/// The sizes in the order of the format; [`sizes_from_fields`] is the inverse. Both name every
/// field, so a stream that is added cannot be forgotten here.
pub fn fields(sizes: &StreamSizes) -> [u64; 6] {
    let StreamSizes { tags, moves, structure, comments, layout, text } = *sizes;
    [tags, moves, structure, comments, layout, text]
}

pub fn sizes_from_fields(fields: [u64; 6]) -> StreamSizes {
    let [tags, moves, structure, comments, layout, text] = fields;
    StreamSizes { tags, moves, structure, comments, layout, text }
}

/// The figures of a block without games: all of its section counts as text.
pub fn of_text(section_bytes: u64) -> BlockStats {
    let streams = StreamSizes { text: section_bytes, ..StreamSizes::default() };
    BlockStats { streams, ..BlockStats::default() }
}

/// Adds the figures of one block to those of the archive.
///
/// # Errors
/// [`Error::Damaged`] if a sum does not fit 64 bits, as no real one fails to.
pub fn add(total: &mut BlockStats, block: &BlockStats) -> Result<()> {
    let add = |a: u64, b: u64| a.checked_add(b).ok_or_else(|| Error::damaged("impossible totals"));
    let mut streams = fields(&total.streams);
    for (sum, size) in streams.iter_mut().zip(fields(&block.streams)) {
        *sum = add(*sum, size)?;
    }
    *total = BlockStats {
        games: add(total.games, block.games)?,
        moves: add(total.moves, block.moves)?,
        streams: sizes_from_fields(streams),
    };
    Ok(())
}

/// Appends the moves and the stream sizes: a byte with one bit for each stream
/// that has any, then the sizes of those.
pub fn write(stats: &BlockStats, out: &mut Vec<u8>) {
    varint::put(out, stats.moves);
    let sizes = fields(&stats.streams);
    let present = (0..sizes.len()).filter(|&stream| sizes[stream] > 0);
    out.push(present.clone().map(|stream| 1 << stream).sum());
    for stream in present {
        varint::put(out, sizes[stream]);
    }
}

/// Reads what [`write`] wrote.
pub fn read<R: Read>(games: u64, source: &mut Source<R>) -> Result<BlockStats> {
    let moves = source.varint()?;
    let mut sizes = [0; 6];
    let present = source.byte()?;
    reserved(present, (1 << sizes.len()) - 1, "streams")?;
    for (stream, size) in sizes.iter_mut().enumerate() {
        if present >> stream & 1 != 0 {
            *size = source.varint()?;
            if *size == 0 {
                return Err(Error::damaged("a stream that is there has no bytes"));
            }
        }
    }
    Ok(BlockStats { games, moves, streams: sizes_from_fields(sizes) })
}
