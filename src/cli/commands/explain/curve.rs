//! The costs of a game's moves as a picture: a bar for each move, White's upward and Black's downward.

use std::fmt::Write as _;

use super::annotated::{Annotated, AnnotatedPly, percent};
use super::table::{self, CAUTION};
use crate::cli::svg::{self, FONT, LETTER, WIDTH, escaped};

/// Between the picture's sides and what is in it.
const MARGIN: f64 = 24.0;
/// Where bars begin, from the left, and where they have no place any more.
const LEFT: f64 = 64.0;
const RIGHT: f64 = WIDTH - MARGIN;
/// The lines of the title and of the figures, and where what is below them begins.
const TITLE: f64 = 34.0;
const FIGURES: f64 = 57.0;
const HEAD: f64 = 72.0;
/// Most height of a bar, and the fewest bits that take it.
const TALLEST: f64 = 110.0;
const FULL: f64 = 8.0;
/// Between White's bars and Black's: the numbers of moves stand there.
const BETWEEN: f64 = 22.0;
/// Surprises that are named, and the height of a line of names.
const SURPRISES: usize = 6;
const LINE: f64 = 17.0;
/// The widest bar, and the part of a move's place that is filled.
const WIDEST: f64 = 32.0;
const FILLED: f64 = 0.8;
/// Letters of the title that have room.
const TITLE_LETTERS: usize = 95;

/// A bar: its middle, how far it goes from the axis, and the name beside it, if it is a surprise.
struct Bar<'a> {
    ply: &'a AnnotatedPly,
    x: f64,
    height: f64,
    name: Option<String>,
}

/// The picture.
pub fn svg(game: &Annotated) -> String {
    let full = game.plies.iter().map(|ply| ply.cost.bits()).fold(FULL, f64::max);
    let scale = TALLEST / full;
    let first = game.plies.first().map_or(0, |ply| usize::from(ply.named.color().is_black()));
    let columns = (game.plies.len() + first).div_ceil(2).max(1);
    let step = ((RIGHT - LEFT) / columns as f64).min(WIDEST / FILLED);
    let surprises = game.surprises(SURPRISES);
    let bars = game.plies.iter().enumerate().map(|(number, ply)| {
        let x = LEFT + (((number + first) / 2) as f64 + FILLED / 2.0) * step;
        let bits = ply.cost.bits();
        let name = surprises.contains(&number).then(|| format!("{} {bits:.1}", ply.name()));
        Bar { ply, x, height: bits * scale, name }
    });
    let (white, black): (Vec<Bar>, Vec<Bar>) =
        bars.partition(|bar| bar.ply.named.color().is_white());
    let width = (step * FILLED).max(0.5);
    let names = [&white, &black].map(|bars| names(bars, width));
    let room = names.each_ref().map(|names| {
        names.iter().map(|(_, height, _)| height + LINE).fold(TALLEST + LINE, f64::max)
    });
    let [axis, under] = [HEAD + room[0], HEAD + room[0] + BETWEEN];
    let bottom = under + room[1] + 42.0;

    let title = shortened(&game.title());
    let mut body = String::new();
    // Writing to a string cannot fail: below, results are dropped.
    let _ = writeln!(
        body,
        "<text class=\"text\" x=\"{MARGIN}\" y=\"{TITLE}\" font-size=\"16\" font-weight=\"600\">{}</text>\n\
         <text class=\"quiet\" x=\"{MARGIN}\" y=\"{FIGURES}\">{}</text>",
        escaped(&title),
        escaped(&table::figures(game)),
    );
    grid(&mut body, full, scale, [axis, under]);
    for bar in white.iter().chain(&black) {
        let top = if bar.ply.named.color().is_white() { axis - bar.height } else { under };
        let class = if bar.name.is_some() { "ours" } else { "theirs" };
        let opacity = if bar.name.is_some() { "1" } else { "0.6" };
        let _ = writeln!(
            body,
            "<rect class=\"{class}\" opacity=\"{opacity}\" x=\"{:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" \
             height=\"{:.1}\"><title>{}</title></rect>",
            bar.x - width / 2.0,
            bar.height.max(0.5),
            escaped(&hint(bar.ply)),
        );
    }
    numbers(&mut body, [&white, &black], step, axis + BETWEEN / 2.0 + FONT * 0.35);
    for (side, names) in names.iter().enumerate() {
        for (x, height, name) in names {
            let y = if side == 0 { axis - height } else { under + height + FONT * 0.6 };
            let _ = writeln!(
                body,
                "<text class=\"text\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\" font-weight=\"600\">{}</text>",
                escaped(name)
            );
        }
    }
    let _ = writeln!(
        body,
        "<text class=\"quiet\" x=\"{MARGIN}\" y=\"{:.1}\" font-size=\"12\">{}</text>",
        bottom - 16.0,
        escaped(CAUTION),
    );
    svg::document(bottom, &title, &body)
}

/// The names of the bars of one side: the middle of each, how far it is from the axis, and what it says. None is over a
/// bar or over another name: they move away from the axis.
fn names<'a>(bars: &'a [Bar<'_>], width: f64) -> Vec<(f64, f64, &'a str)> {
    let mut placed: Vec<(f64, f64, &str)> = vec![];
    let half = |name: &str| name.chars().count() as f64 * LETTER / 2.0;
    for (bar, name) in bars.iter().filter_map(|bar| Some((bar, bar.name.as_deref()?))) {
        let x = bar.x.clamp(MARGIN + half(name), WIDTH - MARGIN - half(name));
        let under = bars.iter().filter(|other| (other.x - x).abs() < half(name) + width / 2.0);
        let mut height = under.map(|other| other.height).fold(bar.height, f64::max) + 6.0;
        // Each step leads further away, by a little more than a line: sums are rounded.
        while let Some((_, other, _)) = placed.iter().find(|(known, other, text)| {
            (x - known).abs() < half(name) + half(text) && (height - other).abs() < LINE
        }) {
            height = other + LINE + 0.5;
        }
        placed.push((x, height, name));
    }
    placed
}

/// The numbers of moves, as many as have room: every one, or every second, and so on.
fn numbers(body: &mut String, sides: [&[Bar<'_>]; 2], step: f64, y: f64) {
    // The side that moves first has all numbers.
    let [white, black] = sides;
    let bars = if white.len() >= black.len() { white } else { black };
    let digits = bars.last().map_or(0, |bar| bar.ply.named.move_number().to_string().len());
    let wide = (digits as f64 + 1.0) * LETTER;
    let every = (wide / step).ceil().max(1.0) as usize;
    for Bar { ply, x, .. } in bars.iter().step_by(every) {
        let count = ply.named.move_number();
        let _ = writeln!(
            body,
            "<text class=\"quiet\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\" \
             font-size=\"11\">{count}</text>"
        );
    }
}

/// Lines at round numbers of bits above and below the axes, and what is up and down.
fn grid(body: &mut String, full: f64, scale: f64, axes: [f64; 2]) {
    let [axis, under] = axes;
    let step = if full > 12.0 { 8 } else { 4 };
    for bits in (0..).step_by(step).take_while(|&bits| f64::from(bits) <= full) {
        let height = f64::from(bits) * scale;
        for y in [axis - height, under + height] {
            let _ = writeln!(
                body,
                "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{RIGHT}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>"
            );
            if bits > 0 {
                let _ = writeln!(
                    body,
                    "<text class=\"quiet\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" \
                     font-size=\"11\">{bits}</text>",
                    LEFT - 6.0,
                    y + 4.0
                );
            }
        }
    }
    for (text, y) in
        [("White", axis - 4.0), ("Black", under + 12.0), ("bits", axis - TALLEST - 6.0)]
    {
        let _ = writeln!(
            body,
            "<text class=\"quiet\" x=\"{MARGIN}\" y=\"{y:.1}\" font-size=\"12\">{text}</text>"
        );
    }
}

/// What is shown when the mouse is over a bar.
fn hint(ply: &AnnotatedPly) -> String {
    let mut text = format!(
        "{}: {:.1} bits, chance {}",
        ply.name(),
        ply.cost.bits(),
        percent(ply.probability())
    );
    for other in &ply.others {
        let _ = write!(text, "; {} {}", other.named.san, percent(other.probability));
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

#[cfg(test)]
mod tests {
    use super::super::annotated::Explained;
    use super::*;
    use plyzip::{GameHeader, Model};

    #[test]
    fn no_name_is_over_another_or_over_a_bar() {
        // All of White's and Black's moves are surprises, and so their names stand close together.
        let text = "1. Na3 Nh6 2. Nb1 Ng8 3. Na3 Nh6 4. Nb1 Ng8 5. f3 f6 6. Kf2 Kf7 7. Kg3 Kg6 *";
        let game = plyzip::pgn::parse(text.as_bytes()).into_games().next().unwrap();
        let costs = Model::none().costs(&GameHeader::default(), &game.lines[0].moves).unwrap();
        let bytes = text.as_bytes().to_vec();
        let (costs, model) = (Some(costs), "none".into());
        let game = Annotated::new(Explained { number: 0, bytes, game, costs, model }, true);
        for (width, step) in [(3.0, 4.0), (0.5, 0.6), (30.0, 38.0)] {
            let bars: Vec<Bar> = (0..60)
                .map(|number| {
                    let ply = &game.plies[number % game.plies.len()];
                    let height = (number * 37 % 110) as f64 / 3.0;
                    let name = (number % 3 == 0).then(|| ply.name());
                    Bar { ply, x: LEFT + number as f64 * step, height, name }
                })
                .collect();
            let placed = names(&bars, width);
            assert_eq!(placed.len(), 20);
            let half = |name: &str| name.chars().count() as f64 * LETTER / 2.0;
            for (number, (x, height, name)) in placed.iter().enumerate() {
                for (other_x, other_height, other) in &placed[..number] {
                    let apart = (x - other_x).abs() >= half(name) + half(other);
                    assert!(apart || (height - other_height).abs() >= LINE);
                }
                for bar in bars.iter().filter(|bar| (bar.x - x).abs() < half(name)) {
                    assert!(*height > bar.height);
                }
            }
        }
        let picture = svg(&game);
        assert_eq!(picture.matches("font-weight=\"600\"").count(), 1 + SURPRISES);
    }
}
