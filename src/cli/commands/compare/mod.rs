//! `plyzip compare`

mod apart;
mod arguments;
mod comparison;
mod compressors;
mod ends;
mod games;
mod memory;
pub(in crate::cli) mod pictures;
#[cfg(feature = "policy")]
mod policy;
mod positions;
mod row;
mod table;
mod whole;

use std::io::{Read, Write};
use std::path::{Path, PathBuf};

pub use arguments::{CompareArguments, Figure};
use plyzip::pgn::{self, Item, Outcome, Token};
use plyzip::{Error, Model, ModelStore, Result};
use plyzip_history::ordinal;

use crate::cli::arguments::{Output, Verbosity};
use crate::cli::files::{Input, PgnSource, Sink, Unpacking, standard};
use crate::cli::shown::shown_lines;
use crate::cli::threads::with_threads;
use compressors::{COMPRESSORS, Compressor};
use games::Game;
use memory::Memory;
use pictures::{bars, plot};
use row::{Original, Report, Row, WholeFile};

/// Compares every system on the games of a file, and refuses to stay silent about one that did not
/// give every game back.
pub fn run(arguments: &CompareArguments, verbosity: Verbosity) -> Result<()> {
    let source = PgnSource::open(&arguments.input, Unpacking::Always)?;
    let input = source.input();
    // What cannot be drawn is refused before hours of measuring.
    let picture = |path: &Option<PathBuf>| {
        path.as_deref().map(|path| open(path, arguments.force, input)).transpose()
    };
    if arguments.plot.is_some() && arguments.plot == arguments.plot_sizes {
        return Err(Error::Usage("--plot and --plot-sizes need a file each".into()));
    }
    let (plot, bars) = (picture(&arguments.plot)?, picture(&arguments.plot_sizes)?);
    let mut bytes = vec![];
    source.read(|pgn| Ok(pgn.read_to_end(&mut bytes)?))?;
    if let Some(games) = arguments.games {
        let end = pgn::game_starts(&bytes).nth(games.get());
        bytes.truncate(end.unwrap_or(bytes.len()));
    }
    let report = with_threads(arguments.coding, None, || measure(arguments, &bytes, verbosity))?;

    let text =
        if arguments.json { row::json(&report) } else { shown_lines(&table::tables(&report)) };
    let printed = standard::print(&text);
    if let Some(mut plot) = plot {
        plot.write_all(plot::svg(&report.rows).as_bytes())?;
        plot.commit()?;
    }
    if let Some(mut bars) = bars {
        bars.write_all(bars::svg(&report.rows, report.original).as_bytes())?;
        bars.commit()?;
    }
    printed?;
    match report.rows.iter().find(|row| row.round_trip == Some(false)) {
        None => Ok(()),
        Some(row) => Err(Error::Verification(format!("{} did not give every game back", row.id))),
    }?;
    let known = |id: &&String| report.rows.iter().any(|row| row.id == **id);
    match arguments.only.iter().find(|id| !known(id)) {
        None => Ok(()),
        Some(id) => Err(Error::Usage(format!("--only: there is no row {id}"))),
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
    let output = Output::at(path.to_owned(), force);
    Sink::open(&output, input, |path| Ok(path.to_owned()), false)
}

fn measure(arguments: &CompareArguments, bytes: &[u8], verbosity: Verbosity) -> Result<Report> {
    let (games, unknown_starts) = read(bytes);
    if games.iter().all(|game| game.moves.is_empty()) {
        let input = arguments.input.display();
        return Err(Error::Usage(format!("{input}: there are no moves to compare with")));
    }
    let original =
        Original { bytes: bytes.len() as u64, games: games.len() as u64 + unknown_starts };
    let wanted =
        |id: &str| arguments.only.is_empty() || arguments.only.iter().any(|only| only == id);
    // What is held from here on belongs to a row of a whole file.
    let memory = Memory::before();
    let compressors: Vec<Compressor> =
        COMPRESSORS.into_iter().filter(|compressor| wanted(compressor.id)).collect();
    // Whoever names other rows only needs no model.
    let others = arguments.only.is_empty() || compressors.len() < arguments.only.len();
    let models = if others { models(arguments)? } else { vec![] };
    #[cfg(feature = "policy")]
    let of_policies = match &arguments.policy {
        Some(path) => policy::measure(path, models.iter().map(|(_, model)| model), bytes)?,
        None => vec![],
    };
    let models: Vec<_> =
        models.into_iter().filter(|(_, model)| wanted(&whole::id(model))).collect();

    // A row alone has this process for itself; of several, each gets another one.
    let alone = models.len() + compressors.len() == 1;
    let memory = if alone { memory } else { Memory::unknown() };
    let apart = |id: &str, model| match alone {
        true => Ok(None),
        false => apart::measure(id, model, bytes, arguments.coding, verbosity),
    };
    let mut of_files = vec![];
    for (argument, model) in models {
        of_files.push(match apart(&whole::id(&model), Some(argument))? {
            Some(row) => row,
            None => whole::measure(model, bytes, original, memory, verbosity)?,
        });
    }
    for compressor in compressors {
        of_files.push(match apart(compressor.id, None)? {
            Some(row) => row,
            None => compressors::measure(compressor, bytes, original, memory)?,
        });
    }

    let mut codes = ordinal::all()?;
    if arguments.network {
        codes.extend(ordinal::with_network(&Model::embedded()?));
    }
    let mut rows: Vec<Row> = codes
        .iter()
        .filter(|code| wanted(code.id()))
        .map(|code| games::measure(&**code, &games, games::bits_per_move))
        .collect::<Result<_>>()?;
    rows.extend(ends::measure(&games)?);
    #[cfg(feature = "policy")]
    rows.extend(of_policies);
    rows.extend(of_files);
    rows.extend(arguments.also.iter().map(|figure| given(figure, original)));
    if arguments.positions {
        rows.extend(positions::measure(&games, arguments.network)?);
    }
    rows.retain(|row| wanted(&row.id));
    Ok(Report { rows, original, unknown_starts })
}

/// The models of plyzip's own rows, each with the argument that names it. What is not at hand is refused before hours of
/// measuring.
fn models(arguments: &CompareArguments) -> Result<Vec<(&str, Model)>> {
    let store = ModelStore::of_system();
    let models = arguments.models.iter();
    models.map(|argument| Ok((argument.as_str(), store.open(argument)?))).collect()
}

/// A row for another program's figure, which nobody has checked.
fn given(Figure { name, bytes }: &Figure, original: Original) -> Row {
    Row {
        id: name.clone(),
        name: "as given with --also".into(),
        file: Some(WholeFile::new(original, *bytes, None)),
        games: original.games,
        ..Row::default()
    }
}

/// The main lines of all games whose start is known, and the number of the others.
fn read(bytes: &[u8]) -> (Vec<Game>, u64) {
    let (mut games, mut unknown_starts) = (vec![], 0);
    // One game after the other, since what was read of all would take many times the memory of the file.
    let mut rest = 0;
    for end in pgn::game_starts(bytes).skip(1).chain([bytes.len()]) {
        for item in pgn::parse(&bytes[rest..end]).items {
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
        rest = end;
    }
    (games, unknown_starts)
}
