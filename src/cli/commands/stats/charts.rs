//! The charts of text and picture: rows of results under titles.

use std::collections::BTreeMap;

use super::openings::Opening;
use super::tally::{BAND, CLASS, Lengths, Longest, Tally};
use plyzip::openings::GameResults;

/// Most rows of years.
const MAX_ROWS: usize = 30;

/// Rows of results under a title.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Chart {
    pub title: String,
    /// The column of the picture that it stands in: 0 is on the left.
    pub column: usize,
    /// Each with its label.
    pub rows: Vec<(String, GameResults)>,
    /// A remark below the rows.
    pub note: Option<String>,
}

/// Years, ratings and lengths; then openings.
pub(super) fn charts(tally: &Tally, openings: &[Opening]) -> Vec<Chart> {
    let mut charts = vec![years(&tally.years), ratings(&tally.ratings)];
    charts.extend(tally.lengths.as_ref().map(|found| lengths(found, tally.games())));
    charts.extend((!openings.is_empty()).then(|| tree(tally, openings)));
    charts
}

/// The sentence above all charts.
pub(super) fn heading(tally: &Tally) -> String {
    let GameResults { white, draws, black, unknown } = tally.all;
    let games = tally.games();
    let share = |part: u64| if games > 0 { 100.0 * part as f64 / games as f64 } else { 0.0 };
    let mut text = format!(
        "{games} games: White won {:.1} %, {:.1} % drawn, Black won {:.1} %",
        share(white),
        share(draws),
        share(black),
    );
    if unknown > 0 {
        text += &format!(", {:.1} % without a result", share(unknown));
    }
    if let Some(score) = tally.all.score() {
        text += &format!("; White scored {score:.1} %");
    }
    text
}

/// By year, or by decade or century where that would be too many rows.
fn years(years: &BTreeMap<Option<u16>, GameResults>) -> Chart {
    let grouped = |step: u16| {
        let mut groups: BTreeMap<Option<u16>, GameResults> = BTreeMap::new();
        for (year, results) in years {
            let group = groups.entry(year.map(|year| year / step * step)).or_default();
            *group = group.and(results);
        }
        (step, groups)
    };
    let fits = |groups: &(u16, BTreeMap<_, _>)| groups.1.len() <= MAX_ROWS;
    let (step, groups) =
        [1, 10].map(grouped).into_iter().find(fits).unwrap_or_else(|| grouped(100));
    let label = |year: Option<u16>| match year {
        None => "unknown".to_owned(),
        Some(year) if step == 1 => year.to_string(),
        Some(year) => format!("{year}-{}", year + step - 1),
    };
    rows("Year", groups, label)
}

fn ratings(ratings: &BTreeMap<Option<u16>, GameResults>) -> Chart {
    let label = |band: Option<u16>| match band {
        None => "unknown".to_owned(),
        Some(band) => format!("{band}-{}", band + BAND - 1),
    };
    rows("Mean rating of both players", ratings.clone(), label)
}

/// Rows in the order of their keys; what is unknown comes last.
fn rows(
    title: &str,
    mut groups: BTreeMap<Option<u16>, GameResults>,
    label: impl Fn(Option<u16>) -> String,
) -> Chart {
    let unknown = groups.remove(&None).map(|results| (None, results));
    let rows = groups.into_iter().chain(unknown).map(|(key, results)| (label(key), results));
    Chart { title: title.into(), column: 0, rows: rows.collect(), note: None }
}

fn lengths(lengths: &Lengths, games: u64) -> Chart {
    let last = lengths.classes.len() - 1;
    let label = |class: usize| match class * CLASS {
        from if class == last => format!("{from} and more"),
        from => format!("{from}-{}", from + CLASS - 1),
    };
    let classes = lengths.classes.iter().enumerate();
    let mut rows: Vec<_> = classes.map(|(class, results)| (label(class), *results)).collect();
    while rows.pop_if(|(_, results)| results.games() == 0).is_some() {}
    let note = lengths.longest.as_ref().map(|Longest { file, number, plies }| {
        let mean = lengths.plies as f64 / games.max(1) as f64;
        let file = file.as_ref().map(|file| format!(" of {file}")).unwrap_or_default();
        format!("{mean:.1} plies on average; game {number}{file} is the longest, {plies} plies")
    });
    Chart { title: "Plies".into(), column: 0, rows, note }
}

fn tree(tally: &Tally, openings: &[Opening]) -> Chart {
    let label = |Opening { ply, san, .. }: &Opening| {
        let dots = if ply % 2 == 0 { "." } else { "..." };
        format!("{}{}{dots} {san}", "  ".repeat(*ply), ply / 2 + 1)
    };
    let rows = openings.iter().map(|opening| (label(opening), opening.results)).collect();
    let mut notes = vec![];
    let others = tally.openings.other_starts;
    if others > 0 {
        notes.push(format!("{others} games from other positions or of other variants"));
    }
    if tally.openings.is_cut {
        notes.push("rare lines were too many to count: games of some are missing".to_owned());
    }
    let note = (!notes.is_empty()).then(|| notes.join("; "));
    Chart { title: "Opening".into(), column: 1, rows, note }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_years_are_grouped() {
        let labels = |years: &[u16]| {
            let mut map = BTreeMap::from([(None, GameResults::default())]);
            map.extend(
                years
                    .iter()
                    .map(|&year| (Some(year), GameResults { white: 1, ..GameResults::default() })),
            );
            let chart = super::years(&map);
            assert_eq!(
                chart.rows.iter().map(|(_, results)| results.white).sum::<u64>(),
                years.len() as u64
            );
            chart.rows.into_iter().map(|(label, _)| label).collect::<Vec<_>>()
        };
        assert_eq!(labels(&[1999, 2001]), ["1999", "2001", "unknown"]);
        let decades: Vec<u16> = (1951..=1995).collect();
        assert_eq!(labels(&decades)[..2], ["1950-1959", "1960-1969"]);
        let all: Vec<u16> = (0..=9999).collect();
        let labels = labels(&all);
        assert_eq!((labels.len(), &labels[99][..]), (101, "9900-9999"));
    }
}
