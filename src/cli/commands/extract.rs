//! `plyzip extract`

use std::io::{BufWriter, IntoInnerError, Write};
use std::path::PathBuf;

use clap::Args;
use plyzip::archive::{ArchiveWriter, IndexedReader, WriterOptions};
use plyzip::{Error, ModelStore, Result};

use super::compress::finish;
use super::repack::model;
use crate::cli::arguments::{
    Coding, FILTERS, FilterArguments, IndexArguments, LimitArguments, Output, Recovery, Verbosity,
    tell_index,
};
use crate::cli::files::{Input, Protecting, Sink, is_named_archive, standard};
use crate::cli::progress::Progress;
use crate::cli::threads::with_threads;
use crate::cli::{ExitStatus, report};

/// `plyzip extract`
#[derive(Debug, Clone, Args)]
#[command(mut_group(FILTERS, |group| group.required(true)))]
pub struct ExtractArguments {
    /// The archive; a file
    #[arg(value_name = "ARCHIVE")]
    pub input: PathBuf,
    /// Which games
    #[command(flatten)]
    pub filter: FilterArguments,
    /// Print the number of these games instead of the games
    #[arg(long, conflicts_with = "output", help_heading = "Options")]
    pub count: bool,
    /// Write to OUT; a file must not exist. If its name ends with .plz, it becomes an archive of these games, with the
    /// model of ARCHIVE
    #[arg(short, long, value_name = "OUT", default_value = "-", help_heading = "Options")]
    pub output: PathBuf,
    /// Replace OUT if it exists
    #[arg(short, long, help_heading = "Options")]
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

/// Prints games of an archive, or their number. As with grep, it is a failure if there is none, but not an error.
pub fn run(arguments: &ExtractArguments, verbosity: Verbosity) -> Result<ExitStatus> {
    let input = Input::open(&arguments.input)?;
    let output = Output::at(arguments.output.clone(), arguments.force);
    let to_archive = is_named_archive(&arguments.output);
    let sink = match arguments.count {
        true => None,
        false => Some(Sink::open(&output, &input, |path| Ok(path.to_owned()), to_archive)?),
    };
    if input.path().is_none() {
        return Err(Error::Usage("single games take a file, not standard input".into()));
    }
    let index = arguments.index.open(input.path(), verbosity);
    let options = arguments.limits.reader_options(arguments.model.as_deref())?;
    let filters = arguments.filter.filters();
    let first = arguments.filter.first;
    with_threads(arguments.coding, None, || {
        let beside = verbosity.quiet_if(sink.as_ref().is_some_and(Sink::is_terminal));
        let shown = Progress::new(&arguments.input, None, beside);
        let options = options.progress(shown.work()).index(index);
        let mut reader = IndexedReader::with_options(input, options)?;
        let Some(sink) = sink else {
            let found = reader.select(&filters).first(first).count()?;
            standard::print(&format!("{found}\n"))?;
            tell_index(&reader, &arguments.input, verbosity);
            return Ok(status(found));
        };
        if to_archive {
            let store = ModelStore::of_system();
            let model = model(arguments.model.as_deref(), &mut reader, &store)?;
            let sink = BufWriter::new(Protecting::new(sink, Recovery::None));
            let mut writer = ArchiveWriter::with_options(sink, model, WriterOptions::default())?;
            let found = reader.select(&filters).first(first).bytes(|_, game| writer.push(game))?;
            finish(writer)?.0.commit()?;
            shown.finish();
            report::tell_found(verbosity, &arguments.input, found, reader.summary().stats.games);
            return Ok(status(found));
        }
        let mut sink = BufWriter::new(sink);
        let found =
            reader.select(&filters).first(first).bytes(|_, game| Ok(sink.write_all(game)?))?;
        sink.into_inner().map_err(IntoInnerError::into_error)?.commit()?;
        shown.finish();
        tell_index(&reader, &arguments.input, verbosity);
        report::tell_found(verbosity, &arguments.input, found, reader.summary().stats.games);
        Ok(status(found))
    })
}

fn status(found: u64) -> ExitStatus {
    match found {
        0 => ExitStatus::Failure,
        _ => ExitStatus::Success,
    }
}
