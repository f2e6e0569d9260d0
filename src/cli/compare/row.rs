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
    /// Plies (or positions) encoded in a second.
    pub encode_plies_per_s: f64,
    /// Plies (or positions) decoded in a second.
    pub decode_plies_per_s: f64,
    /// Games (or positions) that were coded.
    pub games: u64,
    /// Games (or positions) that the system cannot express.
    pub unsupported: u64,
    /// Whether everything that was coded came back as it was.
    pub round_trip: bool,
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
}

#[derive(Serialize)]
struct Report<'a> {
    rows: &'a [Row],
}

/// The rows as one line of JSON.
pub fn json(rows: &[Row]) -> String {
    serde_json::json!(Report { rows }).to_string() + "\n"
}

/// The rows as a table.
pub fn table(rows: &[Row]) -> String {
    let head = [
        "id",
        "bits/move or position",
        "bytes/game",
        "encode/s",
        "decode/s",
        "back",
        "the text says",
        "what",
    ]
    .map(String::from);
    let mut lines = vec![head];
    for row in rows {
        let (Size::Move { bits_per_move: bits } | Size::Position { bits_per_position: bits }) =
            row.size;
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
            format!("{:.0}", row.encode_plies_per_s),
            format!("{:.0}", row.decode_plies_per_s),
            if row.round_trip { "yes" } else { "NO" }.into(),
            row.estimate.clone().unwrap_or_default(),
            name,
        ]);
    }
    layout(&lines)
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
