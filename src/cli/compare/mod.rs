//! `plyzip compare`

mod games;
mod plot;
mod positions;
mod row;
mod whole;

use std::fs;
use std::io::{self, Read, Write};

use super::arguments::CompareArguments;
use super::input::{Input, at};
use super::with_threads;
use crate::pgn::{self, Item};
use crate::predict::Model;
use crate::{Error, ModelStore, Result, ordinal};
use games::Game;
use row::Row;

/// Compares every system on the games of a file, and refuses to stay silent about one that did not give
/// every game back.
pub fn run(arguments: &CompareArguments) -> Result<()> {
    let mut input = Input::open(&arguments.input)?;
    let mut bytes = vec![];
    input.read_to_end(&mut bytes)?;
    if let Some(games) = arguments.games {
        let end = pgn::game_starts(&bytes).nth(games.get());
        bytes.truncate(end.unwrap_or(bytes.len()));
    }
    let rows = with_threads(arguments.coding, || measure(arguments, &bytes))?;

    let text = if arguments.json { row::json(&rows) } else { row::table(&rows) };
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()?;
    if let Some(path) = &arguments.plot {
        fs::write(path, plot::svg(&rows)).map_err(|error| at(path, &error))?;
    }
    match rows.iter().find(|row| !row.round_trip) {
        None => Ok(()),
        Some(row) => Err(Error::Verification(format!("{} did not give every game back", row.id))),
    }
}

fn measure(arguments: &CompareArguments, bytes: &[u8]) -> Result<Vec<Row>> {
    let games = read(bytes);
    if games.iter().all(|game| game.moves.is_empty()) {
        let input = arguments.input.display();
        return Err(Error::Usage(format!("{input}: there are no moves to compare with")));
    }
    let mut codes = ordinal::all()?;
    if arguments.network {
        codes.extend(ordinal::with_network(&Model::embedded()?));
    }
    let mut rows: Vec<Row> =
        codes.iter().map(|code| games::measure(&**code, &games)).collect::<Result<_>>()?;
    let store = ModelStore::of_system();
    for model in &arguments.models {
        rows.push(whole::measure(store.open(model)?, bytes)?);
    }
    if arguments.positions {
        rows.extend(positions::measure(&games, arguments.network)?);
    }
    Ok(rows)
}

/// The main lines of all games whose start is known.
fn read(bytes: &[u8]) -> Vec<Game> {
    let items = pgn::parse(bytes).items.into_iter();
    items
        .filter_map(|item| match item {
            Item::Game(mut game) => {
                let moves = game.lines.first_mut().map(|line| std::mem::take(&mut line.moves));
                Some(Game { start: game.start()?, moves: moves.unwrap_or_default() })
            }
            Item::Text(_) => None,
        })
        .collect()
}
