//! plyzip itself, measured on a whole archive, where games help each other.

use std::io;
use std::time::Instant;

use super::row::{Row, Size};
use crate::Result;
use crate::archive::{ArchiveReader, ArchiveWriter, ReaderOptions, WriterOptions};
use crate::predict::Model;

/// Compresses `original` with `model`, decompresses it and compares.
///
/// The bits are those of the moves and game ends; the times are of everything: tags,
/// comments, layout.
///
/// # Errors
/// Those of the archive's writer and reader.
pub fn measure(model: Model, original: &[u8]) -> Result<Row> {
    let (id, name) = (
        format!("plyzip-{}", model.name()),
        format!("plyzip, model {}, whole archive", model.name()),
    );
    let for_reading = model.clone();
    let options = WriterOptions { verify: false, ..WriterOptions::default() };
    let started = Instant::now();
    let mut writer = ArchiveWriter::with_options(vec![], model, options)?;
    writer.push(original)?;
    let (archive, summary) = writer.finish()?;
    let encode_seconds = started.elapsed().as_secs_f64();

    let mut comparison = Comparison { expected: original, same: true };
    let started = Instant::now();
    let options = ReaderOptions { model: Some(for_reading), ..ReaderOptions::default() };
    ArchiveReader::with_options(&archive[..], options)?.copy_to(&mut comparison)?;
    let decode_seconds = started.elapsed().as_secs_f64();

    let stats = summary.stats;
    let bytes = stats.streams.moves as f64;
    Ok(Row {
        id,
        name,
        estimate: None,
        size: Size::Move { bits_per_move: 8.0 * bytes / stats.moves as f64 },
        bytes_per_game: Some(bytes / stats.games as f64),
        payload_bits_per_game: None,
        encode_plies_per_s: Some(stats.moves as f64 / encode_seconds),
        decode_plies_per_s: Some(stats.moves as f64 / decode_seconds),
        games: stats.games,
        unsupported: 0,
        round_trip: Some(comparison.same && comparison.expected.is_empty()),
    })
}

/// Takes bytes that should be the expected ones.
struct Comparison<'a> {
    /// What has still to come.
    expected: &'a [u8],
    /// Whether all was as expected so far.
    same: bool,
}

impl io::Write for Comparison<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.expected.strip_prefix(bytes) {
            Some(rest) => self.expected = rest,
            None => self.same = false,
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
