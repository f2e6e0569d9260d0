//! plyzip itself, measured on a whole archive, where games help each other.

use std::io;
use std::path::Path;

use plyzip::archive::{ArchiveReader, ArchiveWriter, ReaderOptions, WriterOptions};
use plyzip::{Model, Result};

use super::row::{Original, Row, Size, WholeFile};
use crate::cli::arguments::Verbosity;
use crate::cli::progress::Progress;

/// Compresses `bytes` with `model`, decompresses it and compares.
///
/// Bits a move are those of the moves and game ends; the size of the file and all times are of everything,
/// with tags, comments and layout.
///
/// # Errors
/// Those of the archive's writer and reader.
pub fn measure(
    model: Model,
    bytes: &[u8],
    original: Original,
    verbosity: Verbosity,
) -> Result<Row> {
    let (id, name) = (
        format!("plyzip-{}", model.name()),
        format!("plyzip, model {}, whole archive", model.name()),
    );
    let for_reading = model.clone();
    let options = WriterOptions::new().verify(false);
    let length = Some(bytes.len() as u64);
    let progress =
        |what: &str| Progress::new(Path::new(&format!("{id}, {what}")), length, verbosity);
    let encoding = progress("compressing");
    let mut writer = ArchiveWriter::with_options(vec![], model, options)?;
    writer.set_progress(encoding.work());
    writer.push(bytes)?;
    let (archive, summary) = writer.finish()?;
    let encode_seconds = encoding.finish();

    let mut comparison = Comparison { expected: bytes, same: true };
    let decoding = progress("decompressing");
    let options = ReaderOptions::new().model(for_reading).progress(decoding.work());
    ArchiveReader::with_options(&archive[..], options)?.copy_to(&mut comparison)?;
    let decode_seconds = decoding.finish();

    let stats = summary.stats;
    let of_moves = stats.streams.moves as f64;
    let seconds = Some((encode_seconds, decode_seconds));
    Ok(Row {
        id,
        name,
        size: Some(Size::Move { bits_per_move: 8.0 * of_moves / stats.moves as f64 }),
        bytes_per_game: Some(of_moves / stats.games as f64),
        file: Some(WholeFile::new(original, archive.len() as u64, seconds)),
        encode_plies_per_s: Some(stats.moves as f64 / encode_seconds),
        decode_plies_per_s: Some(stats.moves as f64 / decode_seconds),
        games: stats.games,
        round_trip: Some(comparison.same && comparison.expected.is_empty()),
        ..Row::default()
    })
}

/// Takes bytes that should be the expected ones.
struct Comparison<'a> {
    /// The bytes that have still to come.
    expected: &'a [u8],
    /// Whether all bytes so far were the expected ones.
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
