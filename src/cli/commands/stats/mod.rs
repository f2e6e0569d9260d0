//! `plyzip stats`

mod charts;
mod openings;
mod picture;
mod report;
mod results;
mod tally;
mod text;

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use plyzip::archive::IndexedReader;
use plyzip::pgn::Game;
use plyzip::{Error, Result};

pub(in crate::cli::commands) use self::results::Results;
use self::tally::Tally;
pub(in crate::cli::commands) use self::tally::mean_elo;
use crate::cli::arguments::{
    Coding, FilterArguments, IndexArguments, LimitArguments, Output, Verbosity, tell_index,
};
use crate::cli::files::{Input, Sink, standard};
use crate::cli::progress::Progress;
use crate::cli::threads::with_threads;

/// `plyzip stats`
#[derive(Debug, Clone, Args)]
pub struct StatsArguments {
    /// The archive; a file
    #[arg(value_name = "ARCHIVE")]
    pub input: PathBuf,
    /// Which games
    #[command(flatten)]
    pub filter: FilterArguments,
    /// Plies of the tree of openings; 0 for no tree
    #[arg(long, value_name = "PLIES", default_value_t = 4, help_heading = "Options",
        value_parser = clap::value_parser!(u8).range(..=40))]
    pub depth: u8,
    /// Leave out openings of fewer games [default: 1 of 100 games, and at least 2 games]
    #[arg(long, value_name = "GAMES", help_heading = "Options")]
    pub min_games: Option<u64>,
    /// Leave out the lengths of games: no move behind the openings is decoded, and with --depth 0 no page, which takes
    /// a small part of the time
    #[arg(long, help_heading = "Options")]
    pub no_lengths: bool,
    /// Print it as one line of JSON
    #[arg(long, help_heading = "Options")]
    pub json: bool,
    /// Draw it, too, into FILE
    #[arg(long, value_name = "FILE", help_heading = "Options")]
    pub svg: Option<PathBuf>,
    /// Replace FILE if it exists
    #[arg(short, long, requires = "svg", help_heading = "Options")]
    pub force: bool,
    /// The archive's model, if it is not among those that `plyzip models` lists
    #[arg(long, value_name = "NAME|PATH", help_heading = "Options")]
    pub model: Option<String>,
    /// The index beside the archive
    #[command(flatten)]
    pub index: IndexArguments,
    /// How the codec runs
    #[command(flatten, next_help_heading = "Options")]
    pub coding: Coding,
    /// What the archive may ask for
    #[command(flatten)]
    pub limits: LimitArguments,
}

/// Prints what the games of an archive have in common.
pub fn run(arguments: &StatsArguments, verbosity: Verbosity) -> Result<()> {
    let input = Input::open(&arguments.input)?;
    if input.path().is_none() {
        return Err(Error::Usage("statistics take a file, not standard input".into()));
    }
    let picture = arguments.svg.as_ref().map(|path| {
        let output = Output::at(path.clone(), arguments.force);
        Sink::open(&output, &input, |path| Ok(path.to_owned()), false)
    });
    let picture = picture.transpose()?;
    let index = arguments.index.open(input.path(), verbosity);
    let options = arguments.limits.reader_options(arguments.model.as_deref())?;
    let options = options.index(index);
    let tally = with_threads(arguments.coding, None, || {
        let mut reader = IndexedReader::with_options(input, options)?;
        let tally = count(&mut reader, arguments, verbosity)?;
        tell_index(&reader, &arguments.input, verbosity);
        Ok(tally)
    })?;
    let openings =
        tally.openings.lines(arguments.min_games.unwrap_or((tally.games() / 100).max(2)));
    if let Some(mut picture) = picture {
        let svg = picture::svg(&tally, &openings);
        picture.write_all(svg.as_bytes())?;
        picture.commit()?;
    }
    standard::print(&match arguments.json {
        true => report::json(&tally, &openings)?,
        false => text::text(&tally, &openings),
    })
}

/// Counts the games that are asked for.
fn count(
    reader: &mut IndexedReader<Input>,
    arguments: &StatsArguments,
    verbosity: Verbosity,
) -> Result<Tally> {
    let filters = arguments.filter.filters();
    let first = arguments.filter.first;
    let depth = usize::from(arguments.depth);
    let (games, bytes) = (reader.summary().stats.games, reader.summary().original_bytes);
    let mut tally = Tally::new(depth, !arguments.no_lengths);
    if depth == 0 && arguments.no_lengths {
        reader.select(&filters).first(first).tags(|number, tags| {
            tally.add(number + 1, tags, None);
            Ok(())
        })?;
        return Ok(tally);
    }
    let progress = Progress::new(&arguments.input, Some(bytes), verbosity);
    let mut add = |number, game: &Game, plies| {
        tally.add(number + 1, &game.tags, Some((game, plies)));
        let share = u128::from(bytes) * u128::from(number) / u128::from(games.max(1));
        progress.set(share as u64, number);
        Ok(())
    };
    let wanted = reader.select(&filters).first(first);
    match arguments.no_lengths {
        true => wanted.moves(depth, |number, game| add(number, game, 0))?,
        false => wanted.openings(depth, add)?,
    };
    progress.finish();
    Ok(tally)
}
