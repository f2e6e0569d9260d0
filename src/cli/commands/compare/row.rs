//! The figures of each system, and their JSON.

use serde::{Deserialize, Serialize};

/// The figures of one system. Fields may be added, none goes.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Row {
    /// The system's id, as in `docs/history.md`.
    pub id: String,
    /// A description of the system.
    pub name: String,
    /// The size that the system's own text expects.
    pub estimate: Option<String>,
    /// Size of moves, positions or ends of games; `None` for a compressor of whole files that does not
    /// know which of its bits are moves.
    #[serde(flatten)]
    pub size: Option<Size>,
    /// The share of moves that the system took to be the likeliest; `None` if it does not tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hits: Option<f64>,
    /// Bytes of a game's moves, the average of all games, each in whole bytes if it is coded alone. Tags, comments
    /// and layout are not counted: [`WholeFile::file_bytes_per_game`] has them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes_per_game: Option<f64>,
    /// Size of the whole file; `None` for a code of moves, positions or ends alone.
    #[serde(flatten)]
    pub file: Option<WholeFile>,
    /// Bits of a payload that the spare codes of an average game can hide.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payload_bits_per_game: Option<f64>,
    /// Plies (or positions) encoded in a second; `None`, in JSON `null`, if that was not measured.
    pub encode_plies_per_s: Option<f64>,
    /// Plies (or positions) decoded in a second.
    pub decode_plies_per_s: Option<f64>,
    /// Games (or positions) that were coded.
    pub games: u64,
    /// Games (or positions) that the system cannot express.
    pub unsupported: u64,
    /// Whether everything that was coded came back as it was; `None`, in JSON `null`, if nothing was coded.
    pub round_trip: Option<bool>,
}

/// The size in a system. Not a number, and so `null` in JSON, if it could express nothing.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Size {
    /// Of games.
    Move {
        /// All bits, the end of the game included, by all moves.
        bits_per_move: f64,
    },
    /// Of positions.
    Position {
        /// All bits by all positions.
        bits_per_position: f64,
    },
    /// Of the code for the end of a game.
    End {
        /// All bits for it by all games.
        bits_per_game: f64,
    },
}

impl Size {
    /// Bits for one move, position or end.
    pub fn bits(self) -> f64 {
        match self {
            Size::Move { bits_per_move: bits }
            | Size::Position { bits_per_position: bits }
            | Size::End { bits_per_game: bits } => bits,
        }
    }
}

/// The figures of a whole file: moves, tags, comments and layout.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct WholeFile {
    /// Bytes of the compressed file.
    pub file_bytes: u64,
    /// These by all games.
    pub file_bytes_per_game: f64,
    /// Bytes of the original by bytes of the compressed file.
    pub ratio: f64,
    /// Millions of bytes of the original compressed in a second; `null` if that was not measured.
    pub compress_mb_per_s: Option<f64>,
    /// Millions of bytes of the original decompressed in a second.
    pub decompress_mb_per_s: Option<f64>,
    /// Games compressed in a second.
    pub compress_games_per_s: Option<f64>,
    /// Games decompressed in a second.
    pub decompress_games_per_s: Option<f64>,
    /// Bytes of memory at the peak of compressing and decompressing, without the original and what comes back; `null` if
    /// the system does not tell.
    pub memory_bytes: Option<u64>,
}

/// What it took to compress a file and to decompress it.
#[derive(Debug, Clone, Copy)]
pub struct Costs {
    /// Seconds of compressing.
    pub compress: f64,
    /// Seconds of decompressing.
    pub decompress: f64,
    /// Bytes of memory at the peak of both, as far as the system tells.
    pub memory: Option<u64>,
}

impl WholeFile {
    /// Of `original`, which takes `file_bytes`; `costs` as far as they were measured.
    pub fn new(original: Original, file_bytes: u64, costs: Option<Costs>) -> WholeFile {
        let Original { bytes, games } = original;
        let (bytes, games) = (bytes as f64, games as f64);
        let compress = costs.map(|costs| costs.compress);
        let decompress = costs.map(|costs| costs.decompress);
        WholeFile {
            file_bytes,
            file_bytes_per_game: file_bytes as f64 / games,
            ratio: bytes / file_bytes as f64,
            compress_mb_per_s: compress.map(|seconds| bytes / 1e6 / seconds),
            decompress_mb_per_s: decompress.map(|seconds| bytes / 1e6 / seconds),
            compress_games_per_s: compress.map(|seconds| games / seconds),
            decompress_games_per_s: decompress.map(|seconds| games / seconds),
            memory_bytes: costs.and_then(|costs| costs.memory),
        }
    }
}

/// The file that is compared on.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Original {
    /// Its length.
    #[serde(rename = "original_bytes")]
    pub bytes: u64,
    /// Its games, those of unknown start included.
    pub games: u64,
}

/// All figures.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Report {
    /// One for each system.
    pub rows: Vec<Row>,
    /// The file that was compared on.
    #[serde(flatten)]
    pub original: Original,
    /// Games that no row for single games or positions has, for want of a known start: other
    /// variants, positions that are not legal. Whole files have them.
    pub unknown_starts: u64,
}

/// The report as one line of JSON.
pub fn json(report: &Report) -> String {
    serde_json::json!(report).to_string() + "\n"
}
