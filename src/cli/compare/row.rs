//! What was measured of a system, as a table and as JSON.

use std::fmt::Write as _;

use serde::Serialize;

/// What was measured of one system. Fields may be added, none goes.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    /// The system's id, as in `docs/history.md`.
    pub id: String,
    /// What it is.
    pub name: String,
    /// What its own text expects.
    pub estimate: Option<String>,
    /// How small it is.
    #[serde(flatten)]
    pub size: Size,
    /// The average of the games, each in whole bytes of its own if it is coded alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes_per_game: Option<f64>,
    /// What could be hidden in a game.
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
    /// Whether everything that was coded came back as it was; `None`, in JSON `null`, if nothing was.
    pub round_trip: Option<bool>,
}

/// How small a system is. Not a number, and so `null` in JSON, if it could express nothing.
#[derive(Debug, Clone, Copy, Serialize)]
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
    /// Of what tells that a game ends here, or how it ended.
    End {
        /// All bits for it by all games.
        bits_per_game: f64,
    },
}

/// All that is told.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// One for each system.
    pub rows: Vec<Row>,
    /// Games that no row for single games or positions has, for want of a known start: other
    /// variants, positions that are not legal. Whole archives have them.
    pub unknown_starts: u64,
}

/// The report as one line of JSON.
pub fn json(report: &Report) -> String {
    serde_json::json!(report).to_string() + "\n"
}

/// The report as a table.
pub fn table(report: &Report) -> String {
    let head = [
        "id",
        "bits/move, position or end",
        "bytes/game",
        "encode/s",
        "decode/s",
        "back",
        "the text says",
        "what",
    ]
    .map(String::from);
    let mut lines = vec![head];
    for row in &report.rows {
        let (Size::Move { bits_per_move: bits }
        | Size::Position { bits_per_position: bits }
        | Size::End { bits_per_game: bits }) = row.size;
        let speed = |speed: Option<f64>| speed.map_or(String::new(), |speed| format!("{speed:.0}"));
        let mut name = row.name.clone();
        if let Some(payload) = row.payload_bits_per_game {
            name += &format!(" (room for {payload:.1} bits a game)");
        }
        if row.unsupported > 0 {
            name += &format!(" ({} unsupported)", row.unsupported);
        }
        lines.push([
            row.id.clone(),
            format!("{bits:.3}"),
            row.bytes_per_game.map_or(String::new(), |bytes| format!("{bytes:.2}")),
            speed(row.encode_plies_per_s),
            speed(row.decode_plies_per_s),
            row.round_trip.map_or("", |back| if back { "yes" } else { "NO" }).into(),
            row.estimate.clone().unwrap_or_default(),
            name,
        ]);
    }
    let mut text = layout(&lines);
    if report.unknown_starts > 0 {
        let games = report.unknown_starts;
        text +=
            &format!("left out but by whole archives, for want of a known start: {games} games\n");
    }
    text
}

/// Columns as wide as they have to be; the figures, in columns 1 to 4, to the right.
fn layout<const COLUMNS: usize>(lines: &[[String; COLUMNS]]) -> String {
    let mut widths = [0; COLUMNS];
    for line in lines {
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut text = String::new();
    for line in lines {
        let mut out = String::new();
        for (column, (cell, width)) in line.iter().zip(widths).enumerate() {
            // Writing to a string cannot fail.
            let _ = match column {
                1..=4 => write!(out, "{cell:>width$}  "),
                _ => write!(out, "{cell:width$}  "),
            };
        }
        text += out.trim_end();
        text.push('\n');
    }
    text
}
