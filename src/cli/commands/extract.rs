//! `plyzip extract`

use std::io::{BufWriter, IntoInnerError, Write};
use std::path::PathBuf;

use clap::Args;
use plyzip::archive::{ArchiveWriter, WriterOptions};
use plyzip::filters::Filters;
use plyzip::{Error, ModelStore, Result};

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
#[command(mut_group(FILTERS, |group| group.required(true)))]
pub struct ExtractArguments {
    /// What is read
    #[command(flatten)]
    pub reading: Reading,
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
    let status = each(&paths, |path| {
        if left == Some(0) {
            return Ok(());
        }
        let (taken, games) = look_through(path, reading, beside, |games| {
            let count = games.count();
            Ok((target.take(games, &filters, left, reading)?, count))
        })?;
        found += taken;
        left = left.map(|left| left - taken);
        if !arguments.count {
            report::tell_found(verbosity, path, taken, games);
        }
        Ok(())
    })?;
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
    /// Takes the first of `games` that `filters` want; how many these are.
    fn take(
        &mut self,
        games: &mut Games<'_>,
        filters: &Filters,
        first: Option<u64>,
        reading: &Reading,
    ) -> Result<u64> {
        match self {
            Target::Count => games.select(filters).first(first).count(),
            Target::Text(sink) => {
                games.select(filters).first(first).bytes(|_, game| Ok(sink.write_all(game)?))
            }
            Target::Archive(opening) => {
                let writer = opening.writer(games, reading)?;
                games.select(filters).first(first).bytes(|_, game| writer.push(game))
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
    fn writer(
        &mut self,
        games: &mut Games<'_>,
        reading: &Reading,
    ) -> Result<&mut ArchiveWriter<BufWriter<Protecting>>> {
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
        match self {
            Opening::Writer(writer) => Ok(writer),
            Opening::Sink(_) => Err(Error::Internal("an output was not opened".into())),
        }
    }
}
