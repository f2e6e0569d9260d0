//! `plyzip compare`

mod ends;
mod games;
mod labels;
mod plot;
mod positions;
mod row;
mod whole;

use std::io::{self, Read, Write};
use std::path::Path;

use super::arguments::{CompareArguments, Output};
use super::input::Input;
use super::output::Sink;
use super::with_threads;
use crate::pgn::{self, Item, Outcome, Token};
use crate::predict::Model;
use crate::{Error, ModelStore, Result, ordinal};
use games::Game;
use row::{Report, Row};

/// Compares every system on the games of a file, and refuses to stay silent about one that did not
/// give every game back.
pub fn run(arguments: &CompareArguments) -> Result<()> {
    let mut input = Input::open(&arguments.input)?;
    // What cannot be drawn is refused before hours of measuring.
    let picture = arguments.plot.as_deref().map(|path| open(path, arguments.force, &input));
    let picture = picture.transpose()?;
    let mut bytes = vec![];
    input.read_to_end(&mut bytes)?;
    if let Some(games) = arguments.games {
        let end = pgn::game_starts(&bytes).nth(games.get());
        bytes.truncate(end.unwrap_or(bytes.len()));
    }
    let report = with_threads(arguments.coding, || measure(arguments, &bytes))?;

    let text = if arguments.json { row::json(&report) } else { row::table(&report) };
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()?;
    if let Some(mut picture) = picture {
        picture.write_all(plot::svg(&report.rows).as_bytes())?;
        picture.commit()?;
    }
    match report.rows.iter().find(|row| row.round_trip == Some(false)) {
        None => Ok(()),
        Some(row) => Err(Error::Verification(format!("{} did not give every game back", row.id))),
    }
}

/// Opens the picture's file.
fn open(path: &Path, force: bool, input: &Input) -> Result<Sink> {
    if !path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("svg")) {
        let path = path.display();
        return Err(Error::Usage(format!(
            "{path}: a picture is drawn into a file named .svg only"
        )));
    }
    let output = Output { path: Some(path.to_owned()), force };
    Sink::open(&output, input, |path| Ok(path.to_owned()), false)
}

fn measure(arguments: &CompareArguments, bytes: &[u8]) -> Result<Report> {
    let (games, unknown_starts) = read(bytes);
    if games.iter().all(|game| game.moves.is_empty()) {
        let input = arguments.input.display();
        return Err(Error::Usage(format!("{input}: there are no moves to compare with")));
    }
    let mut codes = ordinal::all()?;
    if arguments.network {
        codes.extend(ordinal::with_network(&Model::embedded()?));
    }
    let mut rows: Vec<Row> = codes
        .iter()
        .map(|code| games::measure(&**code, &games, games::bits_per_move))
        .collect::<Result<_>>()?;
    rows.extend(ends::measure(&games)?);
    let store = ModelStore::of_system();
    for model in &arguments.models {
        rows.push(whole::measure(store.open(model)?, bytes)?);
    }
    if arguments.positions {
        rows.extend(positions::measure(&games, arguments.network)?);
    }
    Ok(Report { rows, unknown_starts })
}

/// The main lines of all games whose start is known, and the number of the others.
fn read(bytes: &[u8]) -> (Vec<Game>, u64) {
    let (mut games, mut unknown_starts) = (vec![], 0);
    for item in pgn::parse(bytes).items {
        let Item::Game(mut game) = item else { continue };
        let Some(start) = game.start() else {
            unknown_starts += 1;
            continue;
        };
        let moves = game.lines.first_mut().map(|line| std::mem::take(&mut line.moves));
        let outcome = game.tokens.iter().rev().find_map(|token| match token {
            Token::Outcome(outcome) => Some(*outcome),
            _ => None,
        });
        let outcome = outcome.unwrap_or(Outcome::Unknown);
        games.push(Game { start, moves: moves.unwrap_or_default(), outcome });
    }
    (games, unknown_starts)
}
