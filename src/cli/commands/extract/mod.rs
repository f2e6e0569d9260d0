//! `plyzip extract`

mod order;

use std::io::{BufWriter, IntoInnerError, Write};
use std::path::PathBuf;

use clap::Args;
use plyzip::archive::{ArchiveWriter, WriterOptions};
use plyzip::filters::{Duplicates, Filters};
use plyzip::pgn::Game;
use plyzip::{Error, ModelStore, Result};

pub use self::order::Order;
use self::order::Sorting;
use super::compress::finish;
use super::repack::model;
use crate::cli::arguments::{FILTERS, Reading, Recovery, Verbosity};
use crate::cli::each::each;
use crate::cli::exit::ExitStatus;
use crate::cli::failure::Failure;
use crate::cli::files::{Protecting, Sink, is_named_archive, standard};
use crate::cli::games::{Games, look_through};
use crate::cli::names::DEFAULT_MODEL;
use crate::cli::report;

/// `plyzip extract`
#[derive(Debug, Clone, Args)]
#[command(mut_group(FILTERS, |group| group.required(true).args(["unique", "sort"])))]
pub struct ExtractArguments {
    /// What is read
    #[command(flatten)]
    pub reading: Reading,
    /// Leave out duplicates of earlier games: the same moves, players, result and date, whatever else is in them
    #[arg(long, help_heading = "Options")]
    pub unique: bool,
    /// With --unique, take players for the same whose names differ only in spelling, and ignore the date
    #[arg(long, requires = "unique", help_heading = "Options")]
    pub near: bool,
    /// Sort the games by these tags: `date,white`, or `-elo` from the highest to the lowest. `elo` is the mean of both
    /// ratings; games without a value are the last. What is sorted waits in a temporary file
    #[arg(
        long,
        value_name = "TAG,...",
        conflicts_with = "count",
        help_heading = "Options",
        allow_hyphen_values = true
    )]
    pub sort: Option<Order>,
    /// Print the number of these games instead of the games
    #[arg(long, conflicts_with = "output", help_heading = "Options")]
    pub count: bool,
    /// Write to OUT; a file must not exist. If its name ends with .plz, it becomes an archive of these games, with the
    /// model of the first IN
    #[arg(short, long, value_name = "OUT", default_value = "-", help_heading = "Options")]
    pub output: PathBuf,
    /// Replace OUT if it exists
    #[arg(short, long, help_heading = "Options")]
    pub force: bool,
}

/// Prints games, or their number. As with grep, it is a failure if there is none, but not an error.
pub fn run(arguments: &ExtractArguments, verbosity: Verbosity) -> Result<ExitStatus, Failure> {
    let reading = &arguments.reading;
    let paths = reading.paths()?;
    let to_archive = is_named_archive(&arguments.output);
    let sink = match arguments.count {
        true => None,
        false => Some(Sink::of_several(&arguments.output, arguments.force, &paths, to_archive)?),
    };
    let beside = verbosity.quiet_if(sink.as_ref().is_some_and(Sink::is_terminal));
    let mut target = match sink {
        None => Target::Count,
        Some(sink) if to_archive => Target::Archive(Opening::Sink(Some(sink))),
        Some(sink) => Target::Text(BufWriter::new(sink)),
    };
    let filters = reading.filter.filters();
    let (mut left, mut found) = (reading.filter.first, 0);
    let mut choice = Choice::new(arguments)?;
    let status = each(&paths, |path| {
        if left == Some(0) {
            return Ok(());
        }
        let (unique, games) = look_through(path, reading, beside, |games| {
            let count = games.count();
            let unique = target.take(games, &filters, &mut left, reading, &mut choice)?;
            Ok((unique, count))
        })?;
        found += unique;
        if !arguments.count {
            report::tell_found(verbosity, path, unique, games);
        }
        Ok(())
    })?;
    if let Some(sorting) = choice.sorting {
        sorting.finish(|game| target.put(game))?;
    }
    target.finish(found)?;
    Ok(match (status, found) {
        (ExitStatus::Success, 0) => ExitStatus::Failure,
        (status, _) => status,
    })
}

/// What takes the games.
enum Target {
    /// Their number alone is asked for.
    Count,
    Text(BufWriter<Sink>),
    Archive(Opening),
}

/// An archive, which is opened when its model is known.
enum Opening {
    Sink(Option<Sink>),
    Writer(Box<ArchiveWriter<BufWriter<Protecting>>>),
}

impl Target {
    /// Takes the first of `games` that `filters` want, as many as are `left` to be taken; how many of these are new.
    fn take(
        &mut self,
        games: &mut Games<'_>,
        filters: &Filters,
        left: &mut Option<u64>,
        reading: &Reading,
        choice: &mut Choice,
    ) -> Result<u64> {
        self.open(games, reading)?;
        let wanted = games.select(filters).first(*left);
        if matches!(self, Target::Count) && !choice.reads_games() {
            let found = wanted.count()?;
            *left = left.map(|left| left - found);
            return Ok(found);
        }
        // One by one: a file that breaks off has given some, too.
        let mut less = || *left = left.map(|left| left - 1);
        if !choice.reads_games() {
            return wanted.bytes(|_, game| {
                less();
                self.put(game)
            });
        }
        let mut unique = 0;
        wanted.games_and_bytes(|_, game, bytes| {
            less();
            if !choice.is_new(game) {
                return Ok(());
            }
            unique += 1;
            match &mut choice.sorting {
                Some(sorting) => sorting.push(game, bytes),
                None => self.put(bytes),
            }
        })?;
        Ok(unique)
    }

    /// Opens an archive, with the model of the first games.
    fn open(&mut self, games: &mut Games<'_>, reading: &Reading) -> Result<()> {
        match self {
            Target::Archive(opening) => opening.writer(games, reading),
            Target::Count | Target::Text(_) => Ok(()),
        }
    }

    /// Takes a game.
    fn put(&mut self, game: &[u8]) -> Result<()> {
        match self {
            Target::Count => Ok(()),
            Target::Text(sink) => Ok(sink.write_all(game)?),
            Target::Archive(Opening::Writer(writer)) => writer.push(game),
            Target::Archive(Opening::Sink(_)) => {
                Err(Error::Internal("an output was not opened".into()))
            }
        }
    }

    /// Puts in place what is complete.
    fn finish(self, found: u64) -> Result<()> {
        match self {
            Target::Count => standard::print(&format!("{found}\n")),
            Target::Text(sink) => sink.into_inner().map_err(IntoInnerError::into_error)?.commit(),
            Target::Archive(Opening::Writer(writer)) => finish(*writer)?.0.commit(),
            // Nothing could be read.
            Target::Archive(Opening::Sink(_)) => Ok(()),
        }
    }
}

impl Opening {
    fn writer(&mut self, games: &mut Games<'_>, reading: &Reading) -> Result<()> {
        if let Opening::Sink(sink) = self {
            let store = ModelStore::of_system();
            let name = reading.model.as_deref();
            let model = match games {
                Games::Archive(reader) => model(name, reader, &store)?,
                Games::Pgn(_) => store.open(name.unwrap_or(DEFAULT_MODEL))?,
            };
            let taken = || Error::Internal("an output was opened twice".into());
            let sink = sink.take().ok_or_else(taken)?;
            let sink = BufWriter::new(Protecting::new(sink, Recovery::None));
            let options = WriterOptions::default();
            let writer = ArchiveWriter::with_options(sink, model, options)?;
            *self = Opening::Writer(Box::new(writer));
        }
        Ok(())
    }
}

/// Which of the games that are found are taken, and in which order.
struct Choice {
    /// `()` is what all games are called.
    duplicates: Option<Duplicates<()>>,
    sorting: Option<Sorting>,
}

impl Choice {
    fn new(arguments: &ExtractArguments) -> Result<Choice> {
        let duplicates = arguments.unique.then(|| match arguments.near {
            true => Duplicates::near(),
            false => Duplicates::new(),
        });
        let sorting = arguments.sort.clone().map(Sorting::new).transpose()?;
        Ok(Choice { duplicates, sorting })
    }

    /// Whether it takes what games say.
    fn reads_games(&self) -> bool {
        self.duplicates.is_some() || self.sorting.is_some()
    }

    /// Whether a game did not stand before.
    fn is_new(&mut self, game: &Game) -> bool {
        self.duplicates.as_mut().is_none_or(|duplicates| duplicates.see((), game).is_none())
    }
}
