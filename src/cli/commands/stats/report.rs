//! Statistics for programs.

use std::io;

use plyzip::Result;
use serde::Serialize;

use super::openings::Opening;
use super::tally::{BAND, CLASS, Tally};
use plyzip::openings::GameResults;

/// The output of `plyzip stats --json`. Fields may be added, none goes.
#[derive(Debug, Serialize)]
struct Report {
    games: u64,
    results: GameResults,
    /// In percent; `null` without results.
    white_score: Option<f64>,
    years: Vec<YearReport>,
    ratings: Vec<RangeReport>,
    /// `null` if nobody asked for them.
    lengths: Option<LengthsReport>,
    openings: Vec<OpeningReport>,
    /// Games that `openings` do not count.
    other_starts: u64,
    /// Whether `openings` count all others.
    openings_complete: bool,
}

#[derive(Debug, Serialize)]
struct YearReport {
    /// `null` if it is unknown.
    year: Option<u16>,
    #[serde(flatten)]
    results: GameResults,
}

#[derive(Debug, Serialize)]
struct RangeReport {
    /// `null` if it is unknown.
    from: Option<u64>,
    /// `null` if there is no end.
    to: Option<u64>,
    #[serde(flatten)]
    results: GameResults,
}

#[derive(Debug, Serialize)]
struct LengthsReport {
    plies: u64,
    /// Of several files, the one that has the longest game.
    #[serde(skip_serializing_if = "Option::is_none")]
    longest_file: Option<String>,
    longest_game: Option<u64>,
    longest_plies: Option<usize>,
    classes: Vec<RangeReport>,
}

#[derive(Debug, Serialize)]
struct OpeningReport {
    /// From the initial position.
    moves: String,
    white_score: Option<f64>,
    #[serde(flatten)]
    results: GameResults,
}

/// All that was counted, as one line of JSON.
pub(super) fn json(tally: &Tally, openings: &[Opening]) -> Result<String> {
    let years = tally.years.iter().map(|(&year, &results)| YearReport { year, results });
    let ratings = tally.ratings.iter().map(|(&from, &results)| RangeReport {
        from: from.map(u64::from),
        to: from.map(|from| u64::from(from + BAND - 1)),
        results,
    });
    let lengths = tally.lengths.as_ref().map(|lengths| {
        let last = lengths.classes.len() - 1;
        let classes = lengths.classes.iter().enumerate().map(|(class, &results)| {
            let from = (class * CLASS) as u64;
            let to = (class < last).then_some(from + CLASS as u64 - 1);
            RangeReport { from: Some(from), to, results }
        });
        LengthsReport {
            plies: lengths.plies,
            longest_file: lengths.longest.as_ref().and_then(|longest| longest.file.clone()),
            longest_game: lengths.longest.as_ref().map(|longest| longest.number),
            longest_plies: lengths.longest.as_ref().map(|longest| longest.plies),
            classes: classes.collect(),
        }
    });
    let mut line: Vec<&str> = vec![];
    let openings = openings.iter().map(|Opening { ply, san, results }| {
        line.truncate(*ply);
        line.push(san);
        OpeningReport { moves: line.join(" "), white_score: results.score(), results: *results }
    });
    let report = Report {
        games: tally.games(),
        results: tally.all,
        white_score: tally.all.score(),
        years: years.collect(),
        ratings: ratings.collect(),
        lengths,
        openings: openings.collect(),
        other_starts: tally.openings.other_starts,
        openings_complete: !tally.openings.is_cut,
    };
    Ok(serde_json::to_string(&report).map_err(io::Error::from)? + "\n")
}
