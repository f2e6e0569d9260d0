//! What the moves of a game cost, as a picture: a bar for each move, White's upward and Black's downward.

use std::fmt::Write as _;

use super::annotated::{Annotated, AnnotatedPly, percent};
use super::table::{self, CAUTION};
use crate::cli::commands::compare::pictures::svg::{self, FONT, LETTER, WIDTH, escaped};

/// Between the picture's sides and what is in it.
const MARGIN: f64 = 24.0;
/// Where bars begin, from the left, and where they have no place any more.
const LEFT: f64 = 64.0;
const RIGHT: f64 = WIDTH - MARGIN;
/// Above the bars: title, figures, and the names of surprises.
const TOP: f64 = 130.0;
/// Most height of a bar, and the fewest bits that take it.
const TALLEST: f64 = 110.0;
const FULL: f64 = 8.0;
/// Between the axis and White's bars, and below it Black's: the numbers of moves stand there.
const AXIS: f64 = 11.0;
/// Surprises that are named, and the height of a line of names.
const SURPRISES: usize = 6;
const LINE: f64 = 17.0;
/// The widest bar, and the part of a move's place that is filled.
const WIDEST: f64 = 22.0;
const FILLED: f64 = 0.8;
/// Letters of the title that have room.
const TITLE_LETTERS: usize = 95;

/// A name beside a bar.
struct Label {
    x: f64,
    text: String,
    bits: f64,
}

/// The picture.
pub fn svg(game: &Annotated) -> String {
    let full = game.plies.iter().map(|ply| ply.cost.bits()).fold(FULL, f64::max);
    let scale = TALLEST / full;
    let axis = TOP + TALLEST;
    let bottom = axis + 2.0 * AXIS + TALLEST + 70.0;
    let title = shortened(&game.title());
    let mut body = String::new();
    // Writing to a string cannot fail: below, results are dropped.
    let _ = writeln!(
        body,
        "<text class=\"text\" x=\"{MARGIN}\" y=\"34\" font-size=\"16\" font-weight=\"600\">{}</text>\n\
         <text class=\"quiet\" x=\"{MARGIN}\" y=\"57\">{}</text>",
        escaped(&title),
        escaped(&table::figures(game)),
    );
    grid(&mut body, full, scale, axis);
    let first = game.plies.first().map_or(0, |ply| usize::from(ply.color.is_black()));
    let columns = (game.plies.len() + first).div_ceil(2).max(1);
    let step = ((RIGHT - LEFT) / columns as f64).min(WIDEST / FILLED);
    let surprises = game.surprises(SURPRISES);
    let mut labels: [Vec<Label>; 2] = [vec![], vec![]];
    let mut numbered = f64::NEG_INFINITY;
    for (number, ply) in game.plies.iter().enumerate() {
        let x = LEFT + ((number + first) / 2) as f64 * step;
        let (bits, height) = (ply.cost.bits(), ply.cost.bits() * scale);
        let surprising = surprises.contains(&number);
        let top = if ply.color.is_white() { axis - height } else { axis + 2.0 * AXIS };
        let class = if surprising { "ours" } else { "theirs" };
        let _ = writeln!(
            body,
            "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\">\
             <title>{}</title></rect>",
            (step * FILLED).max(0.5),
            height.max(0.5),
            escaped(&hint(ply)),
        );
        let middle = x + step * FILLED / 2.0;
        if surprising {
            let text = format!("{} {bits:.1}", ply.name());
            labels[usize::from(ply.color.is_black())].push(Label { x: middle, text, bits });
        }
        // Numbers of moves, as far as they have room.
        let count = ply.number.trim_end_matches('.');
        if middle - numbered >= (count.len() as f64 + 1.5) * LETTER {
            let y = axis + AXIS + FONT * 0.35;
            let _ = writeln!(
                body,
                "<text class=\"quiet\" x=\"{middle:.1}\" y=\"{y:.1}\" text-anchor=\"middle\" \
                 font-size=\"11\">{count}</text>"
            );
            numbered = middle;
        }
    }
    for (side, labels) in labels.iter().enumerate() {
        name(
            &mut body,
            labels,
            |bits| match side {
                0 => axis - bits * scale - 6.0,
                _ => axis + 2.0 * AXIS + bits * scale + 14.0,
            },
            side == 0,
        );
    }
    let _ = writeln!(
        body,
        "<text class=\"quiet\" x=\"{MARGIN}\" y=\"{:.1}\" font-size=\"12\">{}</text>",
        bottom - 16.0,
        escaped(CAUTION),
    );
    svg::document(bottom, &title, &body)
}

/// Lines at round numbers of bits, and what is up and down.
fn grid(body: &mut String, full: f64, scale: f64, axis: f64) {
    let step = if full > 12.0 { 8 } else { 4 };
    for bits in (0..).step_by(step).take_while(|&bits| f64::from(bits) <= full) {
        for (y, shown) in [
            (axis - f64::from(bits) * scale, true),
            (axis + 2.0 * AXIS + f64::from(bits) * scale, bits > 0),
        ] {
            let _ = writeln!(
                body,
                "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{RIGHT}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>"
            );
            if shown && bits > 0 {
                let _ = writeln!(
                    body,
                    "<text class=\"quiet\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" font-size=\"11\">{bits}</text>",
                    LEFT - 6.0,
                    y + 4.0
                );
            }
        }
    }
    for (text, y) in [("White", axis - 4.0), ("Black", axis + 2.0 * AXIS + 12.0)] {
        let _ = writeln!(
            body,
            "<text class=\"quiet\" x=\"{MARGIN}\" y=\"{y:.1}\" font-size=\"12\">{text}</text>"
        );
    }
    let _ = writeln!(
        body,
        "<text class=\"quiet\" x=\"{MARGIN}\" y=\"{:.1}\" font-size=\"12\">bits</text>",
        axis - full * scale - 6.0
    );
}

/// Names beside their bars, none over another: they move away from the axis.
fn name(body: &mut String, labels: &[Label], beside: impl Fn(f64) -> f64, upward: bool) {
    let mut placed: Vec<(f64, f64, f64)> = vec![];
    for Label { x, text, bits } in labels {
        let half = text.chars().count() as f64 * LETTER / 2.0;
        let x = x.clamp(MARGIN + half, WIDTH - MARGIN - half);
        let mut y = beside(*bits);
        while let Some(&(.., other)) = placed.iter().find(|(left, right, other)| {
            x - half < *right && x + half > *left && (y - other).abs() < LINE
        }) {
            y = if upward { other - LINE } else { other + LINE };
        }
        placed.push((x - half, x + half, y));
        let _ = writeln!(
            body,
            "<text class=\"text\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\" font-weight=\"600\">{}</text>",
            escaped(text)
        );
    }
}

/// What is shown when the mouse is over a bar.
fn hint(ply: &AnnotatedPly) -> String {
    let mut text = format!(
        "{}: {:.1} bits, chance {}",
        ply.name(),
        ply.cost.bits(),
        percent(ply.played.probability)
    );
    for other in &ply.others {
        let _ = write!(text, "; {} {}", other.san, percent(other.probability));
    }
    text
}

/// A title, cut if it has no room.
fn shortened(title: &str) -> String {
    if title.chars().count() <= TITLE_LETTERS {
        return title.to_owned();
    }
    title.chars().take(TITLE_LETTERS - 1).chain(['…']).collect()
}
