//! Bits a move against speed, as SVG.

use std::fmt::Write as _;

use super::labels::{self, Label, RADIUS, Rectangle};
use super::row::{Row, Size};

/// Width of the picture, in pixels; its height is the frame's and the list's.
const WIDTH: f64 = 960.0;

/// Where the axes are.
const FRAME: Rectangle = Rectangle { left: 60.0, top: 70.0, right: 940.0, bottom: 590.0 };

/// Size of the letters.
const FONT: f64 = 12.0;

/// The list of systems under the axes: columns, where it begins, height of a line, and how far
/// into a column the names are.
const COLUMNS: usize = 2;
const LIST_TOP: f64 = FRAME.bottom + 74.0;
const LINE: f64 = 18.0;
const INDENT: f64 = 152.0;

/// Colours of our systems and of those of the texts.
const OURS: &str = "#c60";
const THEIRS: &str = "#036";

/// A system as a point.
struct Point<'a> {
    row: &'a Row,
    x: f64,
    y: f64,
}

impl Point<'_> {
    fn color(&self) -> &'static str {
        if self.row.id.starts_with("plyzip") { OURS } else { THEIRS }
    }
}

/// A logarithmic axis.
#[derive(Debug, Clone, Copy)]
struct Axis {
    /// What it begins and ends with.
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
            let Size::Move { bits_per_move } = row.size else { return None };
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
    frontier(&mut body, &points);
    draw(&mut body, &points);
    list(&mut body, &points);
    let height = LIST_TOP + LINE * points.len().div_ceil(COLUMNS) as f64;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
         viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" font-size=\"{FONT}\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{body}</svg>\n"
    )
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
            "<path d=\"M{at:.1} {top}V{bottom}\" stroke=\"#ddd\"/>\
             <text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{label}</text>",
            bottom + 18.0
        );
    }
    for (bits, at) in y.ticks(bits) {
        let _ = writeln!(
            body,
            "<path d=\"M{left} {at:.1}H{right}\" stroke=\"#ddd\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{bits}</text>",
            left - 8.0,
            at + 4.0
        );
    }
    let middle = (left + right) / 2.0;
    let _ = writeln!(
        body,
        "<path d=\"M{left} {top}V{bottom}H{right}\" stroke=\"black\" fill=\"none\"/>\n\
         <text x=\"{middle}\" y=\"26\" text-anchor=\"middle\" font-size=\"16\">\
         Storing chess games: how small, how fast</text>\n\
         <text x=\"{middle}\" y=\"48\" text-anchor=\"middle\">Right is faster, down is smaller. \
         Orange: plyzip; blue: the systems of the texts. The broken line joins those that none beats \
         in both.</text>\n\
         <text x=\"{middle}\" y=\"{:.1}\" text-anchor=\"middle\">\
         plies a second, encoded and decoded (logarithmic)</text>\n\
         <text transform=\"translate(22 {:.1}) rotate(-90)\" text-anchor=\"middle\">\
         bits a move (logarithmic)</text>",
        bottom + 40.0,
        (top + bottom) / 2.0
    );
}

/// Joins the points that none beats in both.
fn frontier(body: &mut String, points: &[Point]) {
    let mut best: Vec<&Point> =
        points.iter().filter(|one| !points.iter().any(|other| beats(other, one))).collect();
    best.sort_by(|one, other| one.x.total_cmp(&other.x));
    let path: Vec<String> =
        best.iter().map(|point| format!("{:.1} {:.1}", point.x, point.y)).collect();
    if !path.is_empty() {
        let _ = writeln!(
            body,
            "<path d=\"M{}\" stroke=\"{OURS}\" stroke-width=\"1.5\" stroke-dasharray=\"5 4\" fill=\"none\"/>",
            path.join("L")
        );
    }
}

/// Whether `one` is at least as fast and as small as `other`, and better in one of the two.
fn beats(one: &Point, other: &Point) -> bool {
    one.x >= other.x && one.y >= other.y && (one.x > other.x || one.y > other.y)
}

/// Draws the points and their labels, each with a line to its point if it is not beside it.
fn draw(body: &mut String, points: &[Point]) {
    let labels: Vec<Label> = points
        .iter()
        .map(|point| Label { text: &point.row.id, point: (point.x, point.y) })
        .collect();
    let places = labels::places(&labels, FRAME);
    for (point, place) in points.iter().zip(&places) {
        let Some(place) = place else { continue };
        let (x, y) = place.nearest((point.x, point.y));
        if (x - point.x).hypot(y - point.y) > 3.0 * RADIUS {
            let _ = writeln!(
                body,
                "<path d=\"M{:.1} {:.1}L{x:.1} {y:.1}\" stroke=\"{}\" stroke-width=\"0.6\"/>",
                point.x,
                point.y,
                point.color()
            );
        }
    }
    for (point, place) in points.iter().zip(&places) {
        let color = point.color();
        let _ = writeln!(
            body,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"{RADIUS}\" fill=\"{color}\" stroke=\"white\" \
             stroke-width=\"0.6\"/>",
            point.x, point.y
        );
        let Some(place) = place else { continue };
        let (x, y) = place.middle();
        let (width, height) = (place.right - place.left, place.bottom - place.top);
        let _ = writeln!(
            body,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" \
             fill=\"white\" fill-opacity=\"0.8\"/>\
             <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"{color}\">{}</text>",
            place.left,
            place.top,
            y + FONT / 3.0,
            escaped(&point.row.id)
        );
    }
}

/// What each id stands for, column by column.
fn list(body: &mut String, points: &[Point]) {
    let lines = points.len().div_ceil(COLUMNS).max(1);
    let width = (FRAME.right - FRAME.left) / COLUMNS as f64;
    for (number, point) in points.iter().enumerate() {
        let left = FRAME.left + (number / lines) as f64 * width;
        let y = LIST_TOP + (number % lines) as f64 * LINE;
        let _ = writeln!(
            body,
            "<text x=\"{left}\" y=\"{y}\" fill=\"{}\">{}</text>\
             <text x=\"{}\" y=\"{y}\" font-size=\"11\">{}</text>",
            point.color(),
            escaped(&point.row.id),
            left + INDENT,
            escaped(&point.row.name)
        );
    }
}

/// Text as XML has it: a model's name may be anything.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(id: &str, bits_per_move: f64, speed: f64) -> Row {
        Row {
            id: id.into(),
            name: format!("what {id} is"),
            estimate: None,
            size: Size::Move { bits_per_move },
            bytes_per_game: None,
            payload_bits_per_game: None,
            encode_plies_per_s: Some(speed),
            decode_plies_per_s: Some(speed),
            games: 1,
            unsupported: 0,
            round_trip: Some(true),
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
        let rows = [untimed, row("none", f64::NAN, 1.0), row("zero", 0.0, 1.0)];
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
