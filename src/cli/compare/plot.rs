//! Bits a move against speed, as SVG.

use std::fmt::Write as _;

use super::row::{Row, Size};

/// Size of the picture, in pixels.
const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 620.0;

/// Where the axes are: left, top, right, bottom.
const FRAME: [f64; 4] = [70.0, 50.0, 930.0, 560.0];

/// Size of the labels, and what a letter of theirs takes.
const FONT: f64 = 12.0;
const LETTER: f64 = 6.8;

/// Radius of a point.
const RADIUS: f64 = 4.0;

/// A system as a point.
struct Point<'a> {
    id: &'a str,
    x: f64,
    y: f64,
    ours: bool,
}

/// A rectangle: left, top, right, bottom.
type Rectangle = [f64; 4];

/// The picture of all systems for games: to the right is faster (encoding and decoding together, on a logarithmic axis), down is
/// smaller. The line joins the systems that none beats in both.
pub fn svg(rows: &[Row]) -> String {
    let measured: Vec<(&Row, f64, f64)> = rows
        .iter()
        .filter_map(|row| {
            let Size::Move { bits_per_move } = row.size else { return None };
            let both = 1.0 / (1.0 / row.encode_plies_per_s? + 1.0 / row.decode_plies_per_s?);
            Some((row, both.max(1.0).log10(), bits_per_move))
        })
        .filter(|(_, speed, bits)| speed.is_finite() && bits.is_finite())
        .collect();
    let extent = |values: &mut dyn Iterator<Item = f64>| {
        values.fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)))
    };
    let (slowest, fastest) = extent(&mut measured.iter().map(|&(_, speed, _)| speed));
    let (_, largest) = extent(&mut measured.iter().map(|&(_, _, bits)| bits));
    if measured.is_empty() {
        return canvas("");
    }
    let (slowest, fastest) = (slowest.floor(), fastest.ceil().max(slowest.floor() + 1.0));
    let top = largest.ceil().max(1.0) + 1.0;
    let [left, upper, right, lower] = FRAME;
    let x = |speed: f64| left + (right - left) * (speed - slowest) / (fastest - slowest);
    let y = |bits: f64| lower - (lower - upper) * bits / top;

    let mut body = String::new();
    axes(&mut body, (slowest as i32, fastest as i32), top as i32, &x, &y);
    let points: Vec<Point> = measured
        .iter()
        .map(|&(row, speed, bits)| Point {
            id: &row.id,
            x: x(speed),
            y: y(bits),
            ours: row.id.starts_with("plyzip"),
        })
        .collect();
    frontier(&mut body, &points);
    draw(&mut body, &points);
    canvas(&body)
}

fn canvas(body: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
         viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"{FONT}\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{body}</svg>\n"
    )
}

// Writing to a string cannot fail: below, results of `writeln!` are dropped.

fn axes(
    body: &mut String,
    powers: (i32, i32),
    top: i32,
    x: &dyn Fn(f64) -> f64,
    y: &dyn Fn(f64) -> f64,
) {
    let [left, upper, right, lower] = FRAME;
    for power in powers.0..=powers.1 {
        let at = x(f64::from(power));
        let label = match power {
            0..3 => format!("{}", 10_i64.pow(power as u32)),
            3..6 => format!("{} k", 10_i64.pow(power as u32 - 3)),
            _ => format!("{} M", 10_f64.powi(power - 6)),
        };
        let _ = writeln!(
            body,
            "<path d=\"M{at:.1} {upper}V{lower}\" stroke=\"#ddd\"/>\
             <text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{label}</text>",
            lower + 18.0
        );
    }
    for bits in (0..=top).step_by(if top > 8 { 2 } else { 1 }) {
        let at = y(f64::from(bits));
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
        "<path d=\"M{left} {upper}V{lower}H{right}\" stroke=\"black\" fill=\"none\"/>\n\
         <text x=\"{middle}\" y=\"26\" text-anchor=\"middle\" font-size=\"16\">\
         Storing games: how small, how fast</text>\n\
         <text x=\"{middle}\" y=\"{:.1}\" text-anchor=\"middle\">\
         plies a second, encoded and decoded (logarithmic)</text>\n\
         <text transform=\"translate(24 {:.1}) rotate(-90)\" text-anchor=\"middle\">\
         bits a move</text>",
        lower + 42.0,
        (upper + lower) / 2.0
    );
}

/// Joins the points that none beats in both.
fn frontier(body: &mut String, points: &[Point]) {
    let mut best: Vec<&Point> =
        points.iter().filter(|one| !points.iter().any(|other| beats(other, one))).collect();
    best.sort_by(|one, other| one.x.total_cmp(&other.x));
    let path: Vec<String> =
        best.iter().map(|point| format!("{:.1} {:.1}", point.x, point.y)).collect();
    let _ = writeln!(
        body,
        "<path d=\"M{}\" stroke=\"#c60\" stroke-width=\"1.5\" stroke-dasharray=\"5 4\" fill=\"none\"/>",
        path.join("L")
    );
}

/// Whether `one` is at least as fast and as small as `other`, and better in one of the two.
fn beats(one: &Point, other: &Point) -> bool {
    one.x >= other.x && one.y >= other.y && (one.x > other.x || one.y > other.y)
}

/// Draws the points and their labels, each label where it covers nothing, as near to its point as can
/// be.
fn draw(body: &mut String, points: &[Point]) {
    let mut taken: Vec<Rectangle> = points
        .iter()
        .map(|point| [point.x - RADIUS, point.y - RADIUS, point.x + RADIUS, point.y + RADIUS])
        .collect();
    for point in points {
        let color = if point.ours { "#c60" } else { "#036" };
        let _ = writeln!(
            body,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"{RADIUS}\" fill=\"{color}\"/>",
            point.x, point.y
        );
        let place = place(point, &taken);
        taken.push(place);
        // A label far from its point gets a line.
        let (middle, baseline) = ((place[0] + place[2]) / 2.0, place[3] - 3.0);
        let near = [place[0].max(point.x.min(place[2])), place[1].max(point.y.min(place[3]))];
        if (near[0] - point.x).hypot(near[1] - point.y) > 3.0 * RADIUS {
            let _ = writeln!(
                body,
                "<path d=\"M{:.1} {:.1}L{:.1} {:.1}\" stroke=\"{color}\" stroke-width=\"0.6\"/>",
                point.x, point.y, near[0], near[1]
            );
        }
        let _ = writeln!(
            body,
            "<text x=\"{middle:.1}\" y=\"{baseline:.1}\" text-anchor=\"middle\" fill=\"{color}\" \
             stroke=\"white\" stroke-width=\"3\" paint-order=\"stroke\">{}</text>",
            point.id
        );
    }
}

/// The nearest place for a point's label that covers nothing, or the one to the right if there is none.
fn place(point: &Point, taken: &[Rectangle]) -> Rectangle {
    let (width, height) = (point.id.chars().count() as f64 * LETTER, FONT + 2.0);
    let around = |distance: f64, direction: u32| {
        let angle = f64::from(direction) * std::f64::consts::TAU / 16.0;
        let (x, y) = (
            point.x + angle.cos() * (distance + width / 2.0),
            point.y + angle.sin() * (distance + height / 2.0),
        );
        [x - width / 2.0, y - height / 2.0, x + width / 2.0, y + height / 2.0]
    };
    let [left, upper, right, lower] = FRAME;
    let free = |place: &Rectangle| {
        let inside =
            place[0] > left && place[1] > upper && place[2] < right + 25.0 && place[3] < lower;
        inside && !taken.iter().any(|other| overlap(place, other))
    };
    (0..12)
        .flat_map(|ring| (0..16).map(move |direction| (f64::from(ring) * 8.0 + 6.0, direction)))
        .map(|(distance, direction)| around(distance, direction))
        .find(free)
        .unwrap_or_else(|| around(6.0, 0))
}

fn overlap(one: &Rectangle, other: &Rectangle) -> bool {
    one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3]
}
