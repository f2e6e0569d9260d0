//! Bits a move against speed, as SVG.

use std::fmt::Write as _;

use super::class;
use super::labels::{self, GAP, Label, Place, RADIUS, Rectangle};
use crate::cli::commands::compare::row::{Row, Size};
use crate::cli::svg::{self, FONT, escaped};

/// Where the axes are.
const FRAME: Rectangle = Rectangle { left: 64.0, top: 84.0, right: 924.0, bottom: 640.0 };

/// The list of systems under the axes: columns, where it begins, height of a line, and how far
/// into a column the names are. And where its first column begins.
const COLUMNS: usize = 2;
const LIST_TOP: f64 = FRAME.bottom + 78.0;
const LINE: f64 = 19.0;
const INDENT: f64 = 148.0;
const LIST_LEFT: f64 = 24.0;

/// The picture's title.
const TITLE: &str = "Storing the moves of a game of chess: how small, how fast";

/// Below the list.
const MARGIN: f64 = 16.0;

/// A system as a point.
struct Point<'a> {
    row: &'a Row,
    x: f64,
    y: f64,
}

/// A logarithmic axis.
#[derive(Debug, Clone, Copy)]
struct Axis {
    /// The values at its two ends.
    range: (f64, f64),
    /// Where it begins and ends in the picture.
    pixels: (f64, f64),
}

impl Axis {
    /// From the last of `ticks` below all values to the first above.
    fn new(values: impl Iterator<Item = f64> + Clone, ticks: &[f64], pixels: (f64, f64)) -> Axis {
        let (low, high) = (values.clone().fold(f64::MAX, f64::min), values.fold(0.0, f64::max));
        let below = ticks.iter().rfind(|&&tick| tick < low).or(ticks.first());
        let above = ticks.iter().find(|&&tick| tick > high).or(ticks.last());
        Axis { range: (below.copied().unwrap_or(1.0), above.copied().unwrap_or(10.0)), pixels }
    }

    fn at(&self, value: f64) -> f64 {
        let (low, high) = self.range;
        let share = (value.clamp(low, high) / low).ln() / (high / low).ln();
        self.pixels.0 + (self.pixels.1 - self.pixels.0) * share
    }

    fn ticks(self, ticks: &[f64]) -> impl Iterator<Item = (f64, f64)> {
        let (low, high) = self.range;
        let inside = ticks.iter().copied().filter(move |tick| (low..=high).contains(tick));
        inside.map(move |tick| (tick, self.at(tick)))
    }
}

/// Bits a move that have a line.
const BITS: [f64; 16] =
    [0.1, 0.2, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 12.0, 16.0, 32.0, 64.0];

/// The picture of all systems for games: to the right is faster (encoding and decoding together), down is
/// smaller, both logarithmic. The line joins the systems that none beats in both; a list under it says
/// what each id stands for.
pub fn svg(rows: &[Row]) -> String {
    let measured: Vec<(&Row, f64, f64)> = rows
        .iter()
        .filter_map(|row| {
            let Some(Size::Move { bits_per_move }) = row.size else { return None };
            let both = 1.0 / (1.0 / row.encode_plies_per_s? + 1.0 / row.decode_plies_per_s?);
            Some((row, both, bits_per_move))
        })
        .filter(|(_, speed, bits)| [speed, bits].iter().all(|figure| figure.is_normal()))
        .collect();
    // 1, 2 and 5 of each power of ten
    let speeds: Vec<f64> =
        (0..10).flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * 10_f64.powi(power))).collect();
    let x =
        Axis::new(measured.iter().map(|&(_, speed, _)| speed), &speeds, (FRAME.left, FRAME.right));
    let y = Axis::new(measured.iter().map(|&(.., bits)| bits), &BITS, (FRAME.bottom, FRAME.top));
    let points: Vec<Point> = measured
        .iter()
        .map(|&(row, speed, bits)| Point { row, x: x.at(speed), y: y.at(bits) })
        .collect();

    let mut body = String::new();
    axes(&mut body, (x, &speeds), (y, &BITS));
    let frontier = frontier(&points);
    line(&mut body, &frontier);
    draw(&mut body, &points, &frontier);
    list(&mut body, &points);
    let lines = points.len().div_ceil(COLUMNS) as f64;
    svg::document(LIST_TOP + LINE * (lines - 1.0).max(0.0) + MARGIN, TITLE, &body)
}

// Writing to a string cannot fail: below, results of `writeln!` are dropped.

fn axes(body: &mut String, (x, speeds): (Axis, &[f64]), (y, bits): (Axis, &[f64])) {
    let Rectangle { left, top, right, bottom } = FRAME;
    for (speed, at) in x.ticks(speeds) {
        let label = match speed {
            1e6.. => format!("{} M", speed / 1e6),
            1e3.. => format!("{} k", speed / 1e3),
            _ => format!("{speed}"),
        };
        let _ = writeln!(
            body,
            "<path class=\"grid\" d=\"M{at:.1} {top}V{bottom}\"/>\
             <text class=\"quiet\" x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{label}</text>",
            bottom + 20.0
        );
    }
    for (bits, at) in y.ticks(bits) {
        let _ = writeln!(
            body,
            "<path class=\"grid\" d=\"M{left} {at:.1}H{right}\"/>\
             <text class=\"quiet\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{bits}</text>",
            left - 8.0,
            at + 4.0
        );
    }
    let middle = (left + right) / 2.0;
    let _ = writeln!(
        body,
        "<path class=\"axis\" d=\"M{left} {top}V{bottom}H{right}\" fill=\"none\"/>\n\
         <text class=\"text\" x=\"24\" y=\"34\" font-size=\"18\" font-weight=\"600\">{TITLE}</text>\n\
         <text class=\"quiet\" x=\"24\" y=\"58\">Right is faster, down is smaller. \
         <tspan class=\"ours\">plyzip</tspan>, <tspan class=\"theirs\">systems of others</tspan>; \
         the broken line joins those that none beats in both.</text>\n\
         <text class=\"text\" x=\"{middle}\" y=\"{:.1}\" text-anchor=\"middle\">\
         plies a second, encoded and decoded (logarithmic)</text>\n\
         <text class=\"text\" transform=\"translate(22 {:.1}) rotate(-90)\" text-anchor=\"middle\">\
         bits a move (logarithmic)</text>",
        bottom + 44.0,
        (top + bottom) / 2.0
    );
}

/// The points that none beats in both, from left to right.
fn frontier(points: &[Point]) -> Vec<Place> {
    let best = points.iter().filter(|one| !points.iter().any(|other| beats(other, one)));
    let mut best: Vec<Place> = best.map(|point| (point.x, point.y)).collect();
    best.sort_by(|one, other| one.0.total_cmp(&other.0));
    best
}

/// Joins them.
fn line(body: &mut String, frontier: &[Place]) {
    let path: Vec<String> = frontier.iter().map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
    if !path.is_empty() {
        let _ = writeln!(
            body,
            "<path class=\"ours-line\" d=\"M{}\" stroke-width=\"1.5\" stroke-dasharray=\"5 4\" fill=\"none\"/>",
            path.join("L")
        );
    }
}

/// Whether `one` is at least as fast and as small as `other`, and better in one of the two.
fn beats(one: &Point, other: &Point) -> bool {
    one.x >= other.x && one.y >= other.y && (one.x > other.x || one.y > other.y)
}

/// Draws the points and their labels off the frontier, each with a line to its point if it is not beside it.
fn draw(body: &mut String, points: &[Point], frontier: &[Place]) {
    let labels: Vec<Label> = points
        .iter()
        .map(|point| Label { text: &point.row.id, point: (point.x, point.y) })
        .collect();
    let places = labels::places(&labels, FRAME, frontier);
    for (point, place) in points.iter().zip(&places) {
        let Some(place) = place else { continue };
        let (x, y) = place.nearest((point.x, point.y));
        if (x - point.x).hypot(y - point.y) > 3.0 * RADIUS {
            let _ = writeln!(
                body,
                "<path class=\"{}-line\" d=\"M{:.1} {:.1}L{x:.1} {y:.1}\" stroke-width=\"0.7\"/>",
                class(point.row),
                point.x,
                point.y,
            );
        }
    }
    for (point, place) in points.iter().zip(&places) {
        let class = class(point.row);
        let _ = writeln!(
            body,
            "<circle class=\"{class}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"{RADIUS}\"/>",
            point.x, point.y
        );
        let Some(place) = place else { continue };
        let (middle, y) = place.middle();
        // Letters may be narrower than the label has room for: it begins or ends at its point.
        let (x, anchor) = if place.left > point.x {
            (place.left + GAP, "start")
        } else if place.right < point.x {
            (place.right - GAP, "end")
        } else {
            (middle, "middle")
        };
        let (width, height) = (place.right - place.left, place.bottom - place.top);
        let _ = writeln!(
            body,
            "<rect class=\"page\" x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" \
             fill-opacity=\"0.8\"/>\
             <text class=\"{class}\" x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{}</text>",
            place.left,
            place.top,
            y + FONT * 0.35,
            escaped(&point.row.id)
        );
    }
}

/// The names of all ids, column by column.
fn list(body: &mut String, points: &[Point]) {
    let lines = points.len().div_ceil(COLUMNS).max(1);
    let width = (svg::WIDTH - 2.0 * LIST_LEFT) / COLUMNS as f64;
    for (number, point) in points.iter().enumerate() {
        let left = LIST_LEFT + (number / lines) as f64 * width;
        let y = LIST_TOP + (number % lines) as f64 * LINE;
        let _ = writeln!(
            body,
            "<text class=\"{}\" x=\"{left}\" y=\"{y}\">{}</text>\
             <text class=\"quiet\" x=\"{}\" y=\"{y}\" font-size=\"12\">{}</text>",
            class(point.row),
            escaped(&point.row.id),
            left + INDENT,
            escaped(&point.row.name)
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(id: &str, bits_per_move: f64, speed: f64) -> Row {
        Row {
            id: id.into(),
            name: format!("what {id} is"),
            size: Some(Size::Move { bits_per_move }),
            encode_plies_per_s: Some(speed),
            decode_plies_per_s: Some(speed),
            ..Row::default()
        }
    }

    #[test]
    fn each_system_has_a_point_a_label_and_an_explanation() {
        let picture = svg(&[row("R0", 8.0, 2e6), row("a<b", 2.1, 1e4), row("P&", 2.1, 1e4)]);
        assert_eq!(picture.matches("<circle").count(), 3);
        for id in ["R0", "a&lt;b", "P&amp;"] {
            assert_eq!(picture.matches(&format!(">{id}<")).count(), 2, "{id}");
            assert!(picture.contains(&format!(">what {id} is<")), "{id}");
        }
    }

    #[test]
    fn what_was_not_measured_is_not_drawn() {
        let mut untimed = row("RT", 6.0, 1.0);
        untimed.encode_plies_per_s = None;
        let whole = Row { id: "xz -6".into(), ..Row::default() };
        let rows = [untimed, whole, row("none", f64::NAN, 1.0), row("zero", 0.0, 1.0)];
        let picture = svg(&rows);
        assert!(picture.ends_with("</svg>\n") && !picture.contains("<circle"));
        assert!(!picture.contains("NaN") && !picture.contains("inf"), "{picture}");
    }

    #[test]
    fn figures_beyond_the_axes_stay_in_the_frame() {
        let picture = svg(&[row("slow", 500.0, 1e-3), row("fast", 1e-3, 1e15)]);
        assert!(!picture.contains("NaN") && !picture.contains("inf"), "{picture}");
        assert_eq!(picture.matches("<circle").count(), 2);
    }
}
