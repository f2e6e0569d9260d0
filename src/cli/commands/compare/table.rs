//! The report as tables: whole files, moves, ends of games and positions have one each, since their figures do not
//! compare.

use std::fmt::Write as _;

use super::row::{Original, Report, Row, Size, WholeFile};

/// The report as tables with a line above each that says what its figures count.
pub fn tables(report: &Report) -> String {
    let Original { bytes, games } = report.original;
    let mut text = String::new();
    if report.rows.iter().any(|row| row.file.is_some()) {
        let _ = write!(
            text,
            "Whole files: all {bytes} bytes of {games} games, with tags, comments and layout.\n\
             bits/move counts moves and the ends of games only. In: compressing, out:\n\
             decompressing. MB: memory at the peak of both, without the file itself.\n\n{}",
            files(&report.rows)
        );
    }
    for kind in [Kind::Move, Kind::End, Kind::Position] {
        let rows: Vec<&Row> = report.rows.iter().filter(|row| kind.has(row)).collect();
        if !rows.is_empty() {
            let gap = if text.is_empty() { "" } else { "\n" };
            let _ = write!(text, "{gap}{}\n\n{}", kind.explanation(), codes(kind, &rows));
        }
    }
    if report.unknown_starts > 0 {
        let games = report.unknown_starts;
        let _ = writeln!(text, "\nIn whole files only, for want of a known start: {games} games");
    }
    text
}

/// The kinds of codes for less than a whole file.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Move,
    Position,
    End,
}

impl Kind {
    fn has(self, row: &Row) -> bool {
        matches!(
            (self, row.size),
            (Kind::Move, Some(Size::Move { .. }))
                | (Kind::Position, Some(Size::Position { .. }))
                | (Kind::End, Some(Size::End { .. }))
        )
    }

    /// The text above the table.
    fn explanation(self) -> &'static str {
        match self {
            Kind::Move => {
                "Moves alone: bits/move and bytes/game count moves and the ends of games, and no tags, comments \
                 or layout.\nThe times of plyzip's whole archives are of everything."
            }
            Kind::End => {
                "Ends of games alone: what it costs to tell where a game ends, and how it ended."
            }
            Kind::Position => "Single positions.",
        }
    }

    /// The heads of the columns with figures: bits, and speeds of encoding and decoding.
    fn columns(self) -> [&'static str; 3] {
        match self {
            Kind::Move => ["bits/move", "plies/s encoded", "decoded"],
            Kind::Position => ["bits/position", "positions/s encoded", "decoded"],
            Kind::End => ["bits/game", "plies/s encoded", "decoded"],
        }
    }
}

/// The rows that compress whole files, in no more columns than a terminal of 80 shows.
fn files(rows: &[Row]) -> String {
    let heads = [
        ["", "", "bytes/", "", "bits/", "games/s", "games/s", ""],
        ["id", "bytes", "game", "ratio", "move", "in", "out", "MB"],
    ];
    let mut lines = heads.map(|head| head.map(String::from)).to_vec();
    for row in rows {
        let Some(file) = row.file else { continue };
        let WholeFile { file_bytes, file_bytes_per_game, ratio, .. } = file;
        lines.push([
            row.id.clone(),
            file_bytes.to_string(),
            format!("{file_bytes_per_game:.2}"),
            format!("{ratio:.2}"),
            bits(row),
            speed(file.compress_games_per_s),
            speed(file.decompress_games_per_s),
            megabytes(file.memory_bytes),
        ]);
    }
    layout(&lines, heads.len(), 1..=7)
}

/// The rows that code moves, positions or ends of games.
fn codes(kind: Kind, rows: &[&Row]) -> String {
    let [size, encoded, decoded] = kind.columns();
    let head =
        ["id", size, "hits", "bytes/game", encoded, decoded, "back", "the text says", "what"];
    let mut lines = vec![head.map(String::from)];
    for row in rows {
        let mut name = row.name.clone();
        if let Some(payload) = row.payload_bits_per_game {
            let _ = write!(name, " (room for {payload:.1} bits a game)");
        }
        if row.unsupported > 0 {
            let _ = write!(name, " ({} unsupported)", row.unsupported);
        }
        lines.push([
            row.id.clone(),
            bits(row),
            row.hits.map_or(String::new(), |hits| format!("{:.1} %", 100.0 * hits)),
            row.bytes_per_game.map_or(String::new(), |bytes| format!("{bytes:.2}")),
            speed(row.encode_plies_per_s),
            speed(row.decode_plies_per_s),
            back(row).into(),
            row.estimate.clone().unwrap_or_default(),
            name,
        ]);
    }
    layout(&lines, 1, 1..=5)
}

fn bits(row: &Row) -> String {
    row.size.map_or(String::new(), |size| format!("{:.3}", size.bits()))
}

fn back(row: &Row) -> &'static str {
    row.round_trip.map_or("", |back| if back { "yes" } else { "NO" })
}

/// A speed with as many decimals as it is good for.
fn speed(speed: Option<f64>) -> String {
    speed.map_or(String::new(), |speed| match speed {
        100.0.. => format!("{speed:.0}"),
        1.0.. => format!("{speed:.1}"),
        _ => format!("{speed:.3}"),
    })
}

/// Millions of bytes.
fn megabytes(bytes: Option<u64>) -> String {
    bytes.map_or(String::new(), |bytes| match bytes as f64 / 1e6 {
        bytes @ 10.0.. => format!("{bytes:.0}"),
        bytes => format!("{bytes:.1}"),
    })
}

/// Columns as wide as they have to be, those with `figures` to the right. A column without anything but its head, which
/// takes the first `heads` lines, is left out.
fn layout<const COLUMNS: usize>(
    lines: &[[String; COLUMNS]],
    heads: usize,
    figures: std::ops::RangeInclusive<usize>,
) -> String {
    let width = |column: usize| {
        let filled = lines.iter().skip(heads).any(|line| !line[column].is_empty());
        let cells = lines.iter().map(|line| line[column].chars().count());
        filled.then(|| cells.max().unwrap_or(0))
    };
    let widths: [Option<usize>; COLUMNS] = std::array::from_fn(width);
    let mut text = String::new();
    for line in lines {
        let mut out = String::new();
        for (column, (cell, width)) in line.iter().zip(widths).enumerate() {
            let Some(width) = width else { continue };
            // Writing to a string cannot fail.
            let _ = if figures.contains(&column) {
                write!(out, "{cell:>width$}  ")
            } else {
                write!(out, "{cell:width$}  ")
            };
        }
        text += out.trim_end();
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::commands::compare::row::Costs;

    #[test]
    fn columns_that_say_nothing_are_left_out() {
        let line = |cells: [&str; 3]| cells.map(String::from);
        let text = layout(&[line(["id", "bytes", "what"]), line(["a", "", "x y"])], 1, 1..=1);
        assert_eq!(text, "id  what\na   x y\n");
    }

    #[test]
    fn whole_files_fit_a_terminal() {
        let original = Original { bytes: 9_123_456_789, games: 12_345_678 };
        let costs = Some(Costs { compress: 1.5, decompress: 1.5, memory: Some(2_345_678_901) });
        let row = Row {
            id: "zstd -22 --long".into(),
            name: "a text of forty-five characters, not shown".into(),
            size: Some(Size::Move { bits_per_move: 10.125 }),
            file: Some(WholeFile::new(original, 1_234_567_890, costs)),
            ..Row::default()
        };
        let text = files(&[row]);
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        assert_eq!(text.lines().count(), 3);
    }

    #[test]
    fn memory_is_in_millions_of_bytes() {
        let shown = [Some(5_912_345_678), Some(12_400_000), Some(1_240_000), None].map(megabytes);
        assert_eq!(shown, ["5912", "12", "1.2", ""]);
    }

    #[test]
    fn speeds_have_three_digits() {
        let speeds = [Some(1234.56), Some(12.34), Some(0.1234), None];
        assert_eq!(speeds.map(speed), ["1235", "12.3", "0.123", ""]);
    }
}
