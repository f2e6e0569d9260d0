//! The placement of labels of points, so that none covers another or a point.

use crate::cli::svg::LETTER;

/// Height of a label. Generous: fonts differ.
const HEIGHT: f64 = 15.0;

/// Radius of a point.
pub const RADIUS: f64 = 4.0;

/// The gap between a label and anything else, in pixels.
pub const GAP: f64 = 1.5;

/// How much farther away a label may be to keep its line off another label or point.
const CROSSING: f64 = 24.0;

/// Directions in which a place is looked for, and steps between distances.
const DIRECTIONS: u32 = 32;
const STEP: f64 = 3.0;

/// A place in the picture.
pub type Place = (f64, f64);

/// A rectangle along the axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rectangle {
    /// Its left side.
    pub left: f64,
    /// Its upper side.
    pub top: f64,
    /// Its right side.
    pub right: f64,
    /// Its lower side.
    pub bottom: f64,
}

impl Rectangle {
    fn around((x, y): Place, half_width: f64, half_height: f64) -> Rectangle {
        let (left, right) = (x - half_width, x + half_width);
        Rectangle { left, top: y - half_height, right, bottom: y + half_height }
    }

    /// Its middle.
    pub fn middle(&self) -> Place {
        ((self.left + self.right) / 2.0, (self.top + self.bottom) / 2.0)
    }

    /// The place in the rectangle that is nearest to a point.
    pub fn nearest(&self, (x, y): Place) -> Place {
        (x.clamp(self.left, self.right), y.clamp(self.top, self.bottom))
    }

    fn contains(&self, (x, y): Place) -> bool {
        (self.left..=self.right).contains(&x) && (self.top..=self.bottom).contains(&y)
    }

    fn overlaps(&self, other: &Rectangle) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    fn is_inside(&self, outer: &Rectangle) -> bool {
        self.left >= outer.left
            && self.right <= outer.right
            && self.top >= outer.top
            && self.bottom <= outer.bottom
    }

    /// Whether the line between two places meets it, by looking every other pixel.
    fn meets(&self, from: Place, to: Place) -> bool {
        let steps = ((to.0 - from.0).hypot(to.1 - from.1) / 2.0).ceil().max(1.0);
        (0..=steps as u32).any(|step| {
            let share = f64::from(step) / steps;
            self.contains((from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share))
        })
    }
}

/// A label and its point.
#[derive(Debug, Clone, Copy)]
pub struct Label<'a> {
    /// Its text.
    pub text: &'a str,
    /// The point that it names.
    pub point: Place,
}

/// A rectangle for each label within `frame`, near its point, where it covers no other label, no point
/// and no line: neither `path`, whose corners are given, nor one from a point to its label. Its own line
/// crosses no other label or point if there is room elsewhere. `None` where nothing is free.
pub fn places(labels: &[Label], frame: Rectangle, path: &[Place]) -> Vec<Option<Rectangle>> {
    let points: Vec<Rectangle> = labels
        .iter()
        .map(|label| Rectangle::around(label.point, RADIUS + GAP, RADIUS + GAP))
        .collect();
    let mut taken: Vec<Rectangle> = vec![];
    let mut lines: Vec<(Place, Place)> = path.windows(2).map(|ends| (ends[0], ends[1])).collect();
    labels
        .iter()
        .map(|label| {
            let half_width = label.text.chars().count() as f64 * LETTER / 2.0 + GAP;
            let half_height = HEIGHT / 2.0 + GAP;
            let free = |place: &Rectangle| {
                place.is_inside(&frame)
                    && !points.iter().chain(&taken).any(|other| place.overlaps(other))
                    && !lines.iter().any(|&(from, to)| place.meets(from, to))
            };
            let cost = |place: &Rectangle, distance: f64| {
                let near = place.nearest(label.point);
                let own = |other: &&Rectangle| !other.contains(label.point);
                let crossed = |other: &&Rectangle| other.meets(label.point, near);
                let crossings = points.iter().filter(own).chain(&taken).filter(crossed).count();
                distance + CROSSING * crossings as f64
            };
            let farthest = (frame.right - frame.left).hypot(frame.bottom - frame.top);
            let mut best: Option<(f64, Rectangle)> = None;
            for ring in 0..(farthest / STEP) as u32 {
                let distance = RADIUS + 2.0 * GAP + f64::from(ring) * STEP;
                if best.is_some_and(|(cost, _)| cost <= distance) {
                    break;
                }
                for direction in 0..DIRECTIONS {
                    let angle =
                        f64::from(direction) * std::f64::consts::TAU / f64::from(DIRECTIONS);
                    let middle = (
                        label.point.0 + angle.cos() * (distance + half_width),
                        label.point.1 + angle.sin() * (distance + half_height),
                    );
                    let place = Rectangle::around(middle, half_width, half_height);
                    if free(&place) {
                        let cost = cost(&place, distance);
                        if best.is_none_or(|(lowest, _)| cost < lowest) {
                            best = Some((cost, place));
                        }
                    }
                }
            }
            let (_, place) = best?;
            taken.push(place);
            lines.push((label.point, place.nearest(label.point)));
            Some(place)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: Rectangle = Rectangle { left: 0.0, top: 0.0, right: 900.0, bottom: 500.0 };

    fn check(labels: &[Label]) -> Vec<Rectangle> {
        let places: Vec<Rectangle> = places(labels, FRAME, &[]).into_iter().flatten().collect();
        for (number, place) in places.iter().enumerate() {
            assert!(place.is_inside(&FRAME));
            assert!(!places[..number].iter().any(|other| other.overlaps(place)), "{number}");
            assert!(!labels.iter().any(|label| place.contains(label.point)), "{number}");
        }
        places
    }

    #[test]
    fn labels_of_points_that_coincide_do_not() {
        let names: Vec<String> = (0..40).map(|number| format!("a system {number}")).collect();
        let labels: Vec<Label> =
            names.iter().map(|text| Label { text, point: (450.0, 250.0) }).collect();
        assert_eq!(check(&labels).len(), 40);
    }

    #[test]
    fn a_label_alone_is_beside_its_point() {
        for point in [(450.0, 250.0), (0.0, 0.0), (900.0, 500.0)] {
            let places = check(&[Label { text: "R0", point }]);
            let near = places[0].nearest(point);
            assert!((near.0 - point.0).hypot(near.1 - point.1) < 2.0 * RADIUS + 2.0 * STEP);
        }
    }

    #[test]
    fn a_label_stays_off_a_path() {
        let point = (450.0, 250.0);
        // To the right of the point, where its label would be.
        let path = [point, (900.0, 250.0)];
        let label = [Label { text: "R0", point }];
        let near = |path| places(&label, FRAME, path)[0].unwrap();
        assert!(near(&[]).meets(path[0], path[1]));
        assert!(!near(&path).meets(path[0], path[1]));
    }

    #[test]
    fn what_has_no_room_has_no_label() {
        let text = "x".repeat(200);
        assert_eq!(places(&[Label { text: &text, point: (1.0, 1.0) }], FRAME, &[]), [None]);
    }
}
