//! Bits a move against speed, as SVG.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::labels::{self, GAP, Label, Place, RADIUS, Rectangle};
use super::{class, name};
use crate::cli::commands::compare::row::{Row, Size};
use crate::cli::svg::{self, FONT, escaped};

/// Where the axes are.
const FRAME: Rectangle = Rectangle { left: 64.0, top: 84.0, right: 924.0, bottom: 640.0 };

/// The picture's title.
const TITLE: &str = "Storing the moves of a game of chess: how small, how fast";

/// The height of the picture.
const HEIGHT: f64 = FRAME.bottom + 62.0;

/// What is told in the picture of systems that readers know, or that stand for others; of the rest no more than a point
/// is drawn, which tells its name to a pointer.
const NAMES: [(&str, &str); 9] = [
    ("SAN", "SAN text"),
    ("2B", "two bytes a ply"),
    ("Scid", "Scid"),
    ("B6", "two squares"),
    ("R0", "the number of the legal move, in a byte"),
    ("R1", "the same, in whole bits"),
    ("R2", "the same, without a bit wasted"),
    ("R4", "likeliest moves first, by rules"),
    ("R4-network", "likeliest first, by the network"),
];

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
/// smaller, both logarithmic. A line joins the models of plyzip.
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
    let models = models(&points);
    line(&mut body, &models);
    draw(&mut body, &points, &models);
    svg::document(HEIGHT, TITLE, &body)
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
         points without a name are described in docs/history.md.</text>\n\
         <text class=\"text\" x=\"{middle}\" y=\"{:.1}\" text-anchor=\"middle\">\
         plies a second, encoded and decoded (logarithmic)</text>\n\
         <text class=\"text\" transform=\"translate(22 {:.1}) rotate(-90)\" text-anchor=\"middle\">\
         bits a move (logarithmic)</text>",
        bottom + 44.0,
        (top + bottom) / 2.0
    );
}

/// The models of plyzip on a whole archive, from left to right.
fn models(points: &[Point]) -> Vec<Place> {
    let is_model = |id: &str| id.starts_with("plyzip") && !id.ends_with("-alone");
    let models = points.iter().filter(|point| is_model(&point.row.id));
    let mut models: Vec<Place> = models.map(|point| (point.x, point.y)).collect();
    models.sort_by(|one, other| one.0.total_cmp(&other.0));
    models
}

/// Joins them.
fn line(body: &mut String, models: &[Place]) {
    let path: Vec<String> = models.iter().map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
    if !path.is_empty() {
        let _ = writeln!(
            body,
            "<path class=\"ours-line\" d=\"M{}\" stroke-width=\"2\" fill=\"none\"/>",
            path.join("L")
        );
    }
}

/// The name of a system in the picture, if it has one there.
fn label(row: &Row) -> Option<Cow<'_, str>> {
    let known = NAMES.iter().find(|(id, _)| *id == row.id).map(|(_, name)| (*name).into());
    let own = row.id.starts_with("plyzip") && !row.id.ends_with("-alone");
    known.or_else(|| own.then(|| name(&row.id)))
}

/// Draws the points and the labels of those that have a name, off the line of models, each with a line to its point if
/// it is not beside it.
fn draw(body: &mut String, points: &[Point], models: &[Place]) {
    let (named, others): (Vec<&Point>, Vec<&Point>) =
        points.iter().partition(|point| label(point.row).is_some());
    for point in others {
        let _ = writeln!(
            body,
            "<circle class=\"{}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"{}\" fill-opacity=\"0.45\">\
             <title>{}: {}</title></circle>",
            class(point.row),
            point.x,
            point.y,
            0.7 * RADIUS,
            escaped(&point.row.id),
            escaped(&point.row.name),
        );
    }
    let texts: Vec<Cow<str>> = named.iter().filter_map(|point| label(point.row)).collect();
    let labels: Vec<Label> = named
        .iter()
        .zip(&texts)
        .map(|(point, text)| Label { text, point: (point.x, point.y) })
        .collect();
    let places = labels::places(&labels, FRAME, models);
    let points = named;
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
    for ((point, text), place) in points.iter().zip(&texts).zip(&places) {
        let class = class(point.row);
        let circle = format!(
            "<circle class=\"{class}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"{RADIUS}\"",
            point.x, point.y
        );
        // Where there is no room for the name, a pointer is told it.
        let Some(place) = place else {
            let _ = writeln!(body, "{circle}><title>{}</title></circle>", escaped(text));
            continue;
        };
        let _ = writeln!(body, "{circle}/>");
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
            escaped(text)
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
    fn each_system_has_a_point_and_what_is_known_a_name() {
        let rows = [
            row("R0", 8.0, 2e6),
            row("plyzip-a<b", 2.1, 1e4),
            row("P&", 2.1, 1e4),
            row("SAN", 30.0, 1e5),
        ];
        let picture = svg(&rows);
        assert_eq!(picture.matches("<circle").count(), 4);
        for name in ["the number of the legal move, in a byte", "plyzip-a&lt;b", "SAN text"] {
            assert_eq!(picture.matches(&format!(">{name}<")).count(), 1, "{name}");
        }
        assert!(
            picture.contains("<title>P&amp;: what P&amp; is</title>")
                && !picture.contains(">P&amp;<")
        );
    }

    /// Rows of the same place: there is no room for all of their names.
    #[test]
    fn names_without_room_are_told_to_a_pointer() {
        let rows: Vec<Row> = (0..60).map(|i| row(&format!("plyzip-{i:030}"), 2.0, 1e4)).collect();
        let picture = svg(&rows);
        let titles = picture.matches("<title>plyzip-0").count();
        let labels = picture.matches("end\">plyzip-0").count()
            + picture.matches("start\">plyzip-0").count()
            + picture.matches("middle\">plyzip-0").count();
        assert!(titles > 0 && titles + labels == rows.len(), "{titles} {labels}");
    }

    #[test]
    fn a_line_joins_the_models_on_whole_archives() {
        let rows = [
            row("plyzip-none", 2.5, 1e5),
            row("plyzip-none-alone", 2.8, 7e4),
            row("plyzip-standard", 2.0, 5e3),
        ];
        let picture = svg(&rows);
        let line = picture.split("ours-line\" d=\"M").nth(1).unwrap().split('"').next().unwrap();
        assert_eq!(line.split('L').count(), 2);
        assert_eq!(picture.matches("fill-opacity=\"0.45\"").count(), 1);
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
