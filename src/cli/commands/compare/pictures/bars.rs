//! Bytes a game, as bars.

use std::fmt::Write as _;

use super::{class, name};
use crate::cli::commands::compare::row::{Original, Row, WholeFile};
use crate::cli::svg::{self, FONT, LETTER, WIDTH, escaped};

/// Where the first bar begins, the distance from one to the next, and its height.
const TOP: f64 = 84.0;
const STEP: f64 = 30.0;
const HEIGHT: f64 = 20.0;

/// Between the picture's sides and what is in it, and between a bar and its texts.
const MARGIN: f64 = 24.0;
const GAP: f64 = 10.0;

/// Letters of a name that are shown, and those that the figures beside a bar need at most.
const NAME_LETTERS: usize = 28;
const FIGURE_LETTERS: f64 = 24.0;

/// The picture of all systems for whole files, ours first, each from the smallest to the largest, as bars as long as
/// what a game takes.
pub fn svg(rows: &[Row], original: Original) -> String {
    let mut bars: Vec<(String, &Row, WholeFile)> =
        rows.iter().filter_map(|row| Some((shown(&name(&row.id)), row, row.file?))).collect();
    // Ours come first, so that they are seen, the smallest one on top.
    bars.sort_by_key(|(_, row, file)| (class(row) != "ours", file.file_bytes));
    let letters = bars.iter().map(|(name, ..)| name.chars().count()).max().unwrap_or(0);
    let left = MARGIN + letters as f64 * LETTER + GAP;
    let right = WIDTH - MARGIN - GAP - FIGURE_LETTERS * LETTER;
    let largest = bars.iter().map(|(.., file)| file.file_bytes).max().unwrap_or(1) as f64;

    let title = "How many bytes a game of chess takes";
    let Original { bytes, games } = original;
    let mut body = String::new();
    // Writing to a string cannot fail: below, results of `writeln!` are dropped.
    let _ = writeln!(
        body,
        "<text class=\"text\" x=\"{MARGIN}\" y=\"34\" font-size=\"18\" font-weight=\"600\">{title}</text>\n\
         <text class=\"quiet\" x=\"{MARGIN}\" y=\"58\">{} games, {:.1} bytes of PGN each; moves, tags, comments \
         and layout all come back. Shorter is better.</text>",
        grouped(games),
        bytes as f64 / games as f64,
    );
    for (number, (name, row, file)) in bars.iter().enumerate() {
        let top = TOP + number as f64 * STEP;
        let baseline = top + HEIGHT / 2.0 + FONT * 0.35;
        let width = (right - left) * file.file_bytes as f64 / largest;
        let _ = writeln!(
            body,
            "<text class=\"text\" x=\"{:.1}\" y=\"{baseline:.1}\" text-anchor=\"end\">{}</text>\
             <rect class=\"{}\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{HEIGHT}\" rx=\"2\"/>\
             <text class=\"text\" x=\"{:.1}\" y=\"{baseline:.1}\"><tspan font-weight=\"600\">{:.1} bytes</tspan>\
             <tspan class=\"quiet\" dx=\"0.5em\">{:.1} : 1</tspan></text>",
            left - GAP,
            escaped(name),
            class(row),
            left + width + GAP,
            file.file_bytes_per_game,
            file.ratio,
        );
    }
    svg::document(TOP + bars.len() as f64 * STEP + MARGIN - (STEP - HEIGHT), title, &body)
}

/// A name, cut if it would leave no room for the bars.
fn shown(name: &str) -> String {
    if name.chars().count() <= NAME_LETTERS {
        return name.to_owned();
    }
    name.chars().take(NAME_LETTERS - 1).chain(['…']).collect()
}

/// A number with a comma before each three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORIGINAL: Original = Original { bytes: 7_000, games: 10 };

    fn row(id: &str, file_bytes: u64) -> Row {
        let file = Some(WholeFile::new(ORIGINAL, file_bytes, None));
        Row { id: id.into(), file, ..Row::default() }
    }

    /// The values of an attribute of all bars but the page.
    fn widths(picture: &str) -> Vec<f64> {
        let bars = picture.split("<rect class=\"").skip(2);
        bars.map(|bar| {
            bar.split("width=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap()
        })
        .collect()
    }

    #[test]
    fn bars_are_as_long_as_files_and_ours_come_first() {
        let picture = svg(&[row("plyzip-none", 250), row("xz -6", 1_000)], ORIGINAL);
        let widths = widths(&picture);
        assert_eq!(widths.len(), 2);
        assert!((widths[1] - 4.0 * widths[0]).abs() < 0.3, "{widths:?}");
        assert!(picture.find(">plyzip --fast<").unwrap() < picture.find(">xz -6<").unwrap());
        assert!(picture.contains(">100.0 bytes<") && picture.contains(">28.0 : 1<"), "{picture}");
        assert!(picture.contains(">10 games, 700.0 bytes"), "{picture}");
    }

    #[test]
    fn only_whole_files_have_bars() {
        let picture = svg(&[Row { id: "R0".into(), ..Row::default() }, row("a<b", 5)], ORIGINAL);
        assert!(picture.contains(">a&lt;b<") && !picture.contains(">R0<"));
        assert!(!picture.contains("NaN") && !picture.contains("inf"));
    }

    #[test]
    fn long_names_leave_room() {
        let picture = svg(&[row(&"name".repeat(40), 5)], ORIGINAL);
        assert!(picture.contains("…<"));
        assert!(widths(&picture)[0] > 300.0);
    }

    #[test]
    fn numbers_have_commas() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }
}
