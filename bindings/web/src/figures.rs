//! An archive in figures, for the page.

use plyzip::archive::Summary;
use serde::Serialize;

/// An archive in figures.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Figures<'a> {
    games: u64,
    /// Moves of either side, those of variations included.
    moves: u64,
    original_bytes: u64,
    archive_bytes: u64,
    blocks: u64,
    /// Bytes of each stream.
    streams: [(&'static str, u64); 6],
    bytes_per_game: Option<f64>,
    bits_per_move: Option<f64>,
    models: Vec<NamedModel<'a>>,
    /// The name of the original's file, if the archive has it.
    file: Option<&'a str>,
}

/// A model without which the archive cannot be decoded.
#[derive(Debug, Serialize)]
struct NamedModel<'a> {
    name: &'a str,
    hash: String,
}

impl Figures<'_> {
    /// The figures of a summary.
    pub fn of(summary: &Summary) -> Figures<'_> {
        let models = summary.models.iter();
        Figures {
            games: summary.stats.games,
            moves: summary.stats.moves,
            original_bytes: summary.original_bytes,
            archive_bytes: summary.archive_bytes,
            blocks: summary.blocks,
            streams: summary.streams(),
            bytes_per_game: summary.bytes_per_game(),
            bits_per_move: summary.bits_per_move(),
            models: models
                .map(|id| NamedModel { name: &id.name, hash: id.hash.to_string() })
                .collect(),
            file: summary.file.name(),
        }
    }
}
