//! `plyzip index`

use std::io::BufWriter;
use std::path::Path;

use clap::Args;

use crate::cli::arguments::{
    Coding, Inputs, LimitArguments, Output, Verbosity, tell_fault, what_is_wrong,
};
use crate::cli::counted::counted;
use crate::cli::each::each;
use crate::cli::exit::ExitStatus;
use crate::cli::failure::Failure;
use crate::cli::files::{Input, Sink, found, is_named_archive};
use crate::cli::progress::Progress;
use crate::cli::shown::tell;
use crate::cli::threads::with_threads;
use plyzip::archive::{IndexedReader, MovesIndex};
use plyzip::{Error, Result};

/// `plyzip index`
#[derive(Debug, Clone, Args)]
pub struct IndexArchivesArguments {
    /// The archives, which are files; of folders, .plz
    #[command(flatten)]
    pub inputs: Inputs,
    /// Make the index anew even if there is one that is up to date, and replace a file of its name that is none
    #[arg(short, long)]
    pub force: bool,
    /// Write nothing: decode each page with the index that is there, and compare the checksums
    #[arg(long, conflicts_with_all = ["force", "model"])]
    pub check: bool,
    /// The archive's model, if it is not among those that `plyzip models` lists
    #[arg(long, value_name = "NAME|PATH")]
    pub model: Option<String>,
    /// How the codec runs
    #[command(flatten)]
    pub coding: Coding,
    /// What the archive may ask for
    #[command(flatten)]
    pub limits: LimitArguments,
}

/// Writes an index beside each archive, or checks the one that is there.
pub(super) fn run(
    arguments: &IndexArchivesArguments,
    verbosity: Verbosity,
) -> Result<ExitStatus, Failure> {
    let inputs = &arguments.inputs;
    let paths = found(&inputs.paths, inputs.recursive, is_named_archive)?;
    each(&paths, |path| match arguments.check {
        true => check(path, arguments, verbosity),
        false => index(path, arguments, verbosity),
    })
}

/// Makes the index of an archive.
fn index(path: &Path, arguments: &IndexArchivesArguments, verbosity: Verbosity) -> Result<()> {
    let input = opened(path)?;
    let there = MovesIndex::beside(path);
    let (before, is_index) = match there {
        Ok(before) => (before, true),
        // What begins like an index is one, however it goes on.
        Err(error @ Error::Io(_)) => return Err(error),
        Err(_) => (None, false),
    };
    let beside = MovesIndex::path_beside(path);
    let output = Output::at(beside.clone(), arguments.force || is_index);
    let options = arguments.limits.reader_options(arguments.model.as_deref())?;
    with_threads(arguments.coding, None, || {
        let progress = Progress::new(path, None, verbosity);
        let index = before.clone().filter(|_| !arguments.force);
        let options = options.progress(progress.work()).index(index.clone());
        let mut sink = Some(Sink::open(&output, &input, |path| Ok(path.to_owned()), true)?);
        let mut reader = IndexedReader::with_options(input, options)?;
        let games = reader.summary().stats.games;
        progress.set_indexed_games(games);
        if index.is_some() && reader.index_fault().is_none() && reader.indexed_games() == games {
            if !verbosity.quiet {
                tell(&format!("{}: up to date", beside.display()));
            }
            return Ok(());
        }
        let Some(sink) = sink.take() else { return Ok(()) };
        let taken_over = reader.indexed_games();
        let mut sink = BufWriter::new(sink);
        let indexed = match reader.write_index(&mut sink, index.as_ref()) {
            Ok(indexed) => indexed,
            // What was there is damaged.
            Err(Error::Damaged(what)) if index.is_some() => {
                tell_fault(path, verbosity, &what);
                return Err(Error::Usage("the index that is there is damaged: use -f".into()));
            }
            Err(error) => return Err(error),
        };
        let sink = sink.into_inner().map_err(std::io::IntoInnerError::into_error)?;
        sink.commit()?;
        let seconds = progress.finish();
        if !verbosity.quiet {
            let bytes = std::fs::metadata(&beside).map_or(0, |found| found.len());
            let before = match taken_over {
                0 => String::new(),
                games => format!(", {} of them from the index before", counted(games, "game")),
            };
            tell(&format!(
                "{}: {}{before}, {bytes} bytes ({:.1} a game), {seconds:.1} s",
                beside.display(),
                counted(indexed, "game"),
                bytes as f64 / indexed.max(1) as f64,
            ));
        }
        Ok(())
    })
}

/// Checks the index of an archive against it.
fn check(path: &Path, arguments: &IndexArchivesArguments, verbosity: Verbosity) -> Result<()> {
    let input = opened(path)?;
    let beside = MovesIndex::path_beside(path);
    let wrong = |error: Error| match error {
        error @ Error::Io(_) => error,
        error => Error::Damaged(format!("{}: {}", beside.display(), what_is_wrong(error))),
    };
    let index = MovesIndex::beside(path).map_err(wrong)?;
    let index = index.ok_or_else(|| Error::Usage(format!("there is no {}", beside.display())))?;
    let options = arguments.limits.reader_options(None)?;
    with_threads(arguments.coding, None, || {
        let options = options.index(index);
        let mut reader = IndexedReader::with_options(input, options)?;
        let games = reader.check_index().map_err(wrong)?;
        let all = reader.summary().stats.games;
        if !verbosity.quiet {
            let of = if games == all { String::new() } else { format!(" of {all}") };
            tell(&format!(
                "{}: {}{of}, all as in the archive",
                beside.display(),
                counted(games, "game")
            ));
        }
        Ok(())
    })
}

/// An archive that is a file.
fn opened(path: &Path) -> Result<Input> {
    let input = Input::open(path)?;
    match input.path() {
        Some(_) => Ok(input),
        None => Err(Error::Usage("an index belongs to a file, not to standard input".into())),
    }
}
