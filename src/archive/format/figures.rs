//! The figures of blocks: added up, and in the order of the format.

use std::io::Read;

use plyzip_codec::block::{BlockStats, StreamSizes};

use super::source::{Source, reserved};
use crate::{Error, Result, varint};

/// The figures of a block without games: all of its section counts as text.
pub fn of_text(section_bytes: u64) -> BlockStats {
    let mut streams = StreamSizes::default();
    streams.text = section_bytes;
    BlockStats::new(0, 0, streams)
}

/// Adds the figures of one block to those of the archive.
///
/// # Errors
/// [`Error::Damaged`] if a sum does not fit 64 bits, as no real one fails to.
pub fn add(total: &mut BlockStats, block: &BlockStats) -> Result<()> {
    let add = |a: u64, b: u64| a.checked_add(b).ok_or_else(|| Error::damaged("impossible totals"));
    let mut streams = total.streams.fields();
    for (sum, size) in streams.iter_mut().zip(block.streams.fields()) {
        *sum = add(*sum, size)?;
    }
    let (games, moves) = (add(total.games, block.games)?, add(total.moves, block.moves)?);
    *total = BlockStats::new(games, moves, StreamSizes::from_fields(streams));
    Ok(())
}

/// Appends the moves and the stream sizes: a byte with one bit for each stream
/// that has any, then the sizes of those.
pub fn write(stats: &BlockStats, out: &mut Vec<u8>) {
    varint::put(out, stats.moves);
    let sizes = stats.streams.fields();
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
    Ok(BlockStats::new(games, moves, StreamSizes::from_fields(sizes)))
}
