//! Statistics as a picture: years, ratings and lengths on the left, openings on the right.

use std::fmt::Write as _;

use super::charts::{Chart, charts, heading};
use super::openings::Opening;
use super::tally::Tally;
use crate::cli::svg::{self, FONT, LETTER, WIDTH, escaped};
use plyzip::openings::GameResults;

/// Between the picture's sides, the two columns, and a bar and its texts.
const MARGIN: f64 = 24.0;
const GAP: f64 = 8.0;

/// Width of a column, of its labels, and of the figures behind its bars.
const COLUMN: f64 = (WIDTH - 3.0 * MARGIN) / 2.0;
const LABEL: f64 = 17.0 * LETTER;
const FIGURES: f64 = 13.0 * LETTER;

/// The distance from one row to the next, the height of a bar, and the room of a title.
const STEP: f64 = 20.0;
const BAR: f64 = 13.0;
const TITLE: f64 = 25.0;

/// Where the columns begin.
const TOP: f64 = 92.0;

/// Most rows of a chart in the picture.
const MAX_ROWS: usize = 120;

/// The colours of results, and how they are called.
const STYLE: &str = "\
.white{fill:#d8dee4}.draws{fill:#8c959f}.black{fill:#24292f}.unknown{fill:#eac54f}.edge{fill:none;stroke:#8c959f}\
@media (prefers-color-scheme:dark){.white{fill:#f0f6fc}.draws{fill:#848d97}.black{fill:#30363d}\
.unknown{fill:#9e6a03}.edge{stroke:#848d97}}";
const PARTS: [(&str, &str); 4] =
    [("white", "White won"), ("draws", "drawn"), ("black", "Black won"), ("unknown", "no result")];

/// The picture. Below, results of `writeln!` are dropped: writing to a string cannot fail.
pub(super) fn svg(tally: &Tally, openings: &[Opening]) -> String {
    let title = "Games of an archive";
    let mut body = format!("<style>{STYLE}</style>\n");
    let _ = writeln!(
        body,
        "<text class=\"text\" x=\"{MARGIN}\" y=\"34\" font-size=\"15\" font-weight=\"600\">{}</text>",
        escaped(&heading(tally)),
    );
    let mut x = MARGIN;
    for (class, name) in PARTS {
        if class == "unknown" && tally.all.unknown == 0 {
            continue;
        }
        let _ = writeln!(
            body,
            "<rect class=\"{class}\" x=\"{x}\" y=\"50\" width=\"{BAR}\" height=\"{BAR}\"/>\
             <rect class=\"edge\" x=\"{x}\" y=\"50\" width=\"{BAR}\" height=\"{BAR}\"/>\
             <text class=\"quiet\" x=\"{:.1}\" y=\"61\">{name}</text>",
            x + BAR + GAP,
        );
        x += BAR + 3.0 * GAP + name.len() as f64 * LETTER;
    }
    let _ = writeln!(
        body,
        "<text class=\"quiet\" x=\"{:.1}\" y=\"61\" text-anchor=\"end\">beside the bars: games, White's score</text>",
        WIDTH - MARGIN,
    );
    let mut bottoms = [TOP; 2];
    for chart in charts(tally, openings) {
        let left = MARGIN + chart.column as f64 * (COLUMN + MARGIN);
        let bottom = &mut bottoms[chart.column];
        *bottom = draw(&mut body, &chart, left, *bottom);
    }
    svg::document(bottoms[0].max(bottoms[1]) + MARGIN - GAP, title, &body)
}

/// Draws a chart below `top`; where it ends.
fn draw(body: &mut String, chart: &Chart, left: f64, top: f64) -> f64 {
    let mut y = top + FONT;
    let _ = writeln!(
        body,
        "<text class=\"text\" x=\"{left:.1}\" y=\"{y:.1}\" font-weight=\"600\">{}</text>",
        escaped(&chart.title)
    );
    y = top + TITLE;
    let longest = chart.rows.iter().map(|(_, results)| results.games()).max().unwrap_or(0).max(1);
    for (label, results) in chart.rows.iter().take(MAX_ROWS) {
        row(body, (label, results), longest, left, y);
        y += STEP;
    }
    let hidden = chart.rows.len().saturating_sub(MAX_ROWS);
    let more = (hidden > 0).then(|| format!("{hidden} rows more"));
    for note in more.iter().chain(&chart.note) {
        y += STEP;
        let _ = writeln!(
            body,
            "<text class=\"quiet\" x=\"{left:.1}\" y=\"{:.1}\">{}</text>",
            y - GAP / 2.0,
            escaped(note)
        );
    }
    y + TITLE / 2.0
}

/// Draws a label, a bar with its parts, and the figures behind it.
fn row(body: &mut String, (label, results): (&str, &GameResults), longest: u64, left: f64, y: f64) {
    let baseline = y + BAR / 2.0 + FONT * 0.35;
    let text = label.trim_start();
    // Deep lines stand one below the other where there is no more room.
    let room = (LABEL - GAP - text.len() as f64 * LETTER).max(0.0);
    let indent = ((label.len() - text.len()) as f64 * LETTER * 0.5).min(room);
    let begin = left + LABEL;
    let width = |games: u64| (COLUMN - LABEL - FIGURES) * games as f64 / longest as f64;
    let _ = write!(
        body,
        "<text class=\"text\" x=\"{:.1}\" y=\"{baseline:.1}\">{}</text>",
        left + indent,
        escaped(text),
    );
    let GameResults { white, draws, black, unknown } = *results;
    let mut x = begin;
    for ((class, _), games) in PARTS.iter().zip([white, draws, black, unknown]) {
        if games > 0 {
            let width = width(games);
            let _ = write!(
                body,
                "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{BAR}\"/>"
            );
            x += width;
        }
    }
    let games = results.games();
    if games > 0 {
        let _ = write!(
            body,
            "<rect class=\"edge\" x=\"{begin:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{BAR}\"/>",
            width(games)
        );
    }
    let score = results.score().map_or(String::new(), |score| format!(", {score:.0} %"));
    let _ = writeln!(
        body,
        "<text class=\"text\" x=\"{:.1}\" y=\"{baseline:.1}\">{games}<tspan class=\"quiet\">{score}</tspan></text>",
        x + GAP,
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use plyzip::pgn::Tag;

    #[test]
    fn pictures_are_whole_whatever_was_counted() {
        let empty = svg(&Tally::new(4, true), &[]);
        let mut tally = Tally::new(4, true);
        for number in 0..500 {
            let value = |name: &str, value: String| Tag { name: name.into(), value: value.into() };
            let tags = [
                value("Date", (number * 20).to_string()),
                value("WhiteElo", number.to_string()),
                value("BlackElo", (number * 15).to_string()),
                value("Result", ["1-0", "0-1", "*"][number % 3].into()),
            ];
            tally.add(number as u64, &tags, None);
        }
        let opening = |ply| Opening { ply, san: "Nf3".into(), results: tally.all };
        let openings: Vec<Opening> = (0..40).chain(0..40).chain(0..90).map(opening).collect();
        for picture in [empty, svg(&tally, &openings)] {
            assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
            assert!(!picture.contains("NaN") && !picture.contains("inf"));
        }
    }
}
