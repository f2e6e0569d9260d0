//! An archive's figures, for people and for programs.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::Path;

use plyzip::Result;
use plyzip::archive::StreamSizes;
use plyzip::archive::{Digest, ModelId, Summary, WriterOptions};
use serde::Serialize;

use super::arguments::Verbosity;
use super::beside::Beside;
use super::counted::counted;
use super::files::Format;
use super::shown::{self, shown};

/// The checks of an archive before its figures are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Checked {
    /// The index alone; blocks may be damaged.
    Index,
    /// The index and the checksum of each section.
    Sections,
    /// All of it was decoded.
    Everything,
}

impl Checked {
    fn describe(self) -> &'static str {
        match self {
            Checked::Index => "the index alone (plyzip test checks everything)",
            Checked::Sections => "all checksums, but nothing was decoded (plyzip test does)",
            Checked::Everything => "everything",
        }
    }
}

/// The output of `plyzip info --json`. Fields may be added, none goes.
#[derive(Debug, Serialize)]
struct Report<'a> {
    /// If there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    games: u64,
    moves: u64,
    original_bytes: u64,
    archive_bytes: u64,
    ratio: f64,
    bits_per_move: Option<f64>,
    bytes_per_game: Option<f64>,
    blocks: u64,
    streams: StreamSizes,
    model: ModelReport<'a>,
    original_blake3: String,
    checked: Checked,
    members: u64,
    recovery_bytes: u64,
    /// Of an archive that is a file: the index beside it.
    index: Option<IndexReport<'a>>,
}

#[derive(Debug, Serialize)]
struct IndexReport<'a> {
    bytes: u64,
    /// Games of the archive that it has.
    games: u64,
    /// Why it does not fit.
    fault: Option<&'a str>,
}

#[derive(Debug, Serialize)]
struct ModelReport<'a> {
    name: &'a str,
    hash: Option<String>,
}

/// The figures as one line of JSON.
pub fn json(
    file: Option<&str>,
    summary: &Summary,
    checked: Checked,
    index: Option<&Beside>,
) -> Result<String> {
    let index = index.map(|Beside { bytes, games, fault, .. }| IndexReport {
        bytes: *bytes,
        games: *games,
        fault: fault.as_deref(),
    });
    let report = Report {
        file,
        games: summary.stats.games,
        moves: summary.stats.moves,
        original_bytes: summary.original_bytes,
        archive_bytes: summary.archive_bytes,
        ratio: summary.ratio(),
        bits_per_move: summary.bits_per_move(),
        bytes_per_game: summary.bytes_per_game(),
        blocks: summary.blocks,
        streams: summary.stats.streams,
        model: ModelReport {
            name: model_name(summary),
            hash: summary.models.first().map(|model| model.hash.to_string()),
        },
        original_blake3: joined(&summary.original_hashes),
        checked,
        members: summary.members,
        recovery_bytes: summary.recovery_bytes,
        index,
    };
    let text = serde_json::to_string(&report).map_err(io::Error::from)?;
    Ok(text + "\n")
}

/// The figures of PGN, as a table or as one line of JSON.
pub fn of_pgn(
    file: Option<&str>,
    games: u64,
    moves: u64,
    bytes: u64,
    json: bool,
) -> Result<String> {
    #[derive(Serialize)]
    struct Pgn<'a> {
        #[serde(skip_serializing_if = "Option::is_none")]
        file: Option<&'a str>,
        games: u64,
        moves: u64,
        original_bytes: u64,
    }
    if json {
        let report = Pgn { file, games, moves, original_bytes: bytes };
        return Ok(serde_json::to_string(&report).map_err(io::Error::from)? + "\n");
    }
    let mut text = String::new();
    if let Some(file) = file {
        row(&mut text, "file", file);
    }
    for (name, value) in [("games", games), ("moves", moves), ("original bytes", bytes)] {
        row(&mut text, name, &value.to_string());
    }
    Ok(text)
}

/// The figures as a table.
pub fn table(file: Option<&str>, summary: &Summary, checked: Checked) -> String {
    let mut rows = vec![
        ("games", summary.stats.games.to_string()),
        ("moves", summary.stats.moves.to_string()),
        ("original bytes", summary.original_bytes.to_string()),
        ("archive bytes", summary.archive_bytes.to_string()),
        ("ratio", format!("{:.2}", summary.ratio())),
    ];
    rows.extend(summary.bits_per_move().map(|bits| ("bits per move", format!("{bits:.3}"))));
    rows.extend(summary.bytes_per_game().map(|bytes| ("bytes per game", format!("{bytes:.2}"))));
    rows.push(("blocks", summary.blocks.to_string()));
    if summary.members > 1 {
        rows.push(("members", members(summary)));
    }
    if summary.recovery_bytes > 0 {
        let share = 100.0 * summary.recovery_bytes as f64 / summary.archive_bytes as f64;
        rows.push(("recovery record", format!("{} ({share:.1} %)", summary.recovery_bytes)));
    }
    let mut text = String::new();
    if let Some(file) = file {
        row(&mut text, "file", file);
    }
    for (name, value) in rows {
        row(&mut text, name, &value);
    }
    if summary.models.is_empty() {
        row(&mut text, "model", "none");
    }
    for ModelId { name, hash, .. } in &summary.models {
        row(&mut text, "model", name);
        row(&mut text, "model hash", &hash.to_string());
    }
    if let Some(name) = summary.file.name() {
        row(&mut text, "original name", name);
    }
    row(&mut text, "original BLAKE3", &joined(&summary.original_hashes));
    for (stream, bytes) in summary.streams() {
        let share = 100.0 * bytes as f64 / summary.archive_bytes as f64;
        row(&mut text, &format!("stream {stream}"), &format!("{bytes} ({share:.1} %)"));
    }
    row(&mut text, "checked", checked.describe());
    text
}

/// Prints on stderr the sizes of `input` and of its archive and the speed, with as much detail as `verbosity` asks
/// for. `seconds` is the time that the command took. If stderr is full or closed, the work is done all the same: that
/// is no error.
pub fn tell(verbosity: Verbosity, input: &Path, summary: &Summary, seconds: f64) {
    if verbosity.quiet {
        return;
    }
    let Summary { original_bytes, archive_bytes, stats, .. } = summary;
    let speed = (stats.games as f64 / seconds, *original_bytes as f64 / 1e6 / seconds);
    shown::tell(&format!(
        "{}: {}, {original_bytes} bytes in {archive_bytes} ({:.2}:1), {seconds:.1} s ({:.0} games/s, {:.2} MB/s)",
        input.display(),
        counted(stats.games, "game"),
        summary.ratio(),
        speed.0,
        speed.1,
    ));
    if verbosity.verbose {
        let text = table(None, summary, Checked::Everything);
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }
}

/// Prints on stderr that it is not `input` as it lies that an archive holds, if it is compressed in a `format`.
pub fn tell_format(verbosity: Verbosity, input: &Path, format: Option<Format>) {
    if let Some(format) = format.filter(|_| !verbosity.quiet) {
        let (input, name) = (input.display(), format.name());
        shown::tell(&format!(
            "{input}: {name} data; the archive holds the PGN inside (--as-is keeps the file as it lies)"
        ));
    }
}

/// Prints on stderr how many games of `input` were found, and of how many if that is known.
pub fn tell_found(verbosity: Verbosity, input: &Path, found: u64, games: Option<u64>) {
    if !verbosity.quiet {
        let of = match games {
            Some(games) => format!("{found} of {}", counted(games, "game")),
            None => counted(found, "game"),
        };
        shown::tell(&format!("{}: {of}", input.display()));
    }
}

/// The number of members, and whether they are better joined.
fn members(summary: &Summary) -> String {
    let blocks = summary.stats.games.div_ceil(WriterOptions::default().block_games);
    match summary.blocks > blocks {
        true => format!(
            "{} (plyzip repack makes one of them, and the archive smaller)",
            summary.members
        ),
        false => summary.members.to_string(),
    }
}

fn model_name(summary: &Summary) -> &str {
    summary.models.first().map_or("none", |model| &model.name)
}

/// Hashes of the parts of an original, in order.
fn joined(hashes: &[Digest]) -> String {
    hashes.iter().map(Digest::to_string).collect::<Vec<_>>().join(" ")
}

/// Adds a line to a table.
pub fn row(text: &mut String, name: &str, value: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{name:18}{}", shown(value));
}
