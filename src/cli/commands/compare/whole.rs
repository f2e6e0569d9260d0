//! plyzip itself, measured on a whole archive, where games help each other.

use std::path::Path;

use plyzip::archive::{ArchiveReader, ArchiveWriter, ReaderOptions, WriterOptions};
use plyzip::{Model, Result};

use super::comparison::Comparison;
use super::memory::Memory;
use super::row::{Costs, Original, Row, Size, WholeFile};
use crate::cli::arguments::Verbosity;
use crate::cli::progress::Progress;

/// The id of the row of a model.
pub fn id(model: &Model) -> String {
    format!("plyzip-{}", model.name())
}

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
    memory: Memory,
    verbosity: Verbosity,
) -> Result<Row> {
    let (id, name) = (self::id(&model), format!("plyzip, model {}, whole archive", model.name()));
    let for_reading = model.clone();
    let options = WriterOptions::new().verify(false);
    let length = Some(bytes.len() as u64);
    let progress =
        |what: &str| Progress::new(Path::new(&format!("{id}, {what}")), length, verbosity);
    let mut comparison = Comparison::new(bytes);
    let (measured, peak) = memory.peak_of(|| -> Result<_> {
        let encoding = progress("compressing");
        let mut writer = ArchiveWriter::with_options(vec![], model, options)?;
        writer.set_progress(encoding.work());
        writer.push(bytes)?;
        let (archive, summary) = writer.finish()?;
        let encode_seconds = encoding.finish();

        let decoding = progress("decompressing");
        let options = ReaderOptions::new().model(for_reading).progress(decoding.work());
        ArchiveReader::with_options(&archive[..], options)?.copy_to(&mut comparison)?;
        Ok((archive.len() as u64, summary, encode_seconds, decoding.finish()))
    });
    let (archive_bytes, summary, encode_seconds, decode_seconds) = measured?;

    let stats = summary.stats;
    let of_moves = stats.streams.moves as f64;
    let costs = Costs { compress: encode_seconds, decompress: decode_seconds, memory: peak };
    Ok(Row {
        id,
        name,
        size: Some(Size::Move { bits_per_move: 8.0 * of_moves / stats.moves as f64 }),
        bytes_per_game: Some(of_moves / stats.games as f64),
        file: Some(WholeFile::new(original, archive_bytes, Some(costs))),
        encode_plies_per_s: Some(stats.moves as f64 / encode_seconds),
        decode_plies_per_s: Some(stats.moves as f64 / decode_seconds),
        games: stats.games,
        round_trip: Some(comparison.is_equal()),
        ..Row::default()
    })
}
