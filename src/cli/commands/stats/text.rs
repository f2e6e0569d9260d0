//! Statistics as text, with bars.

use std::fmt::Write as _;

use super::charts::{Chart, charts, heading};
use super::openings::Opening;
use super::tally::Tally;
use crate::cli::bars::bar;
use plyzip::openings::GameResults;

/// Letters of the longest bar, and of a label.
const BAR: usize = 30;
const LABEL: usize = 22;

/// All that was counted, in lines.
pub(super) fn text(tally: &Tally, openings: &[Opening]) -> String {
    let mut text = heading(tally) + "\n";
    for chart in charts(tally, openings) {
        show(&mut text, &chart);
    }
    text
}

/// Appends a chart. Writing to a string cannot fail.
fn show(text: &mut String, chart: &Chart) {
    let longest = chart.rows.iter().map(|(_, results)| results.games()).max().unwrap_or(0).max(1);
    let labels = chart.rows.iter().map(|(label, _)| label.len());
    let label = labels.chain([LABEL, chart.title.len()]).max().unwrap_or(LABEL);
    let _ = writeln!(
        text,
        "\n{:label$} {:>9}   {:BAR$} {:>5} {:>5} {:>5} {:>6}",
        chart.title, "games", "", "White", "drawn", "Black", "score",
    );
    for (name, results) in &chart.rows {
        let games = results.games();
        let bar = bar(games as f64, longest as f64, BAR);
        let _ = write!(text, "{name:label$} {games:>9}   {bar}");
        for part in [results.white, results.draws, results.black] {
            let share = if games > 0 { 100.0 * part as f64 / games as f64 } else { 0.0 };
            let _ = write!(text, " {share:>4.0}%");
        }
        let _ = match score(results) {
            Some(score) => writeln!(text, " {score}"),
            None => writeln!(text),
        };
    }
    if let Some(note) = &chart.note {
        let _ = writeln!(text, "({note})");
    }
}

fn score(results: &GameResults) -> Option<String> {
    results.score().map(|score| format!("{score:>5.1}%"))
}
