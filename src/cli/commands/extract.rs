//! `plyzip extract`

use std::io::{BufWriter, Write};
use std::path::PathBuf;

use clap::{ArgGroup, Args};

use crate::archive::{IndexedReader, ReaderOptions};
use crate::cli::ExitStatus;
use crate::cli::arguments::{Coding, GameNumbers, Output, game_numbers};
use crate::cli::files::{Input, Sink, at};
use crate::cli::threads::with_threads;
use crate::{Error, ModelStore, Result};

/// `plyzip extract`
#[derive(Debug, Clone, Args)]
#[command(group(ArgGroup::new("which").args(["game", "games"]).required(true)))]
pub struct ExtractArguments {
    /// The archive; a file
    #[arg(value_name = "ARCHIVE")]
    pub input: PathBuf,
    /// The game of this number; the first game has the number 1
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..))]
    pub game: Option<u64>,
    /// The games of these numbers and ranges of numbers, such as `10-20,40-`. They come in the archive's order
    #[arg(long, value_name = "RANGES", value_parser = game_numbers)]
    pub games: Option<GameNumbers>,
    /// Write to OUT; a file must not exist
    #[arg(short, long, value_name = "OUT", default_value = "-")]
    pub output: PathBuf,
    /// Replace OUT if it exists
    #[arg(short, long)]
    pub force: bool,
    /// The archive's model, if it is not among those that `plyzip models` lists
    #[arg(long, value_name = "NAME|PATH")]
    pub model: Option<String>,
    /// How the codec runs
    #[command(flatten)]
    pub coding: Coding,
}

/// Prints single games of an archive. As with grep, it is a failure if there is none of them, but not an error.
pub fn run(arguments: &ExtractArguments) -> Result<ExitStatus> {
    let input = Input::open(&arguments.input)?;
    let output = Output { path: Some(arguments.output.clone()), force: arguments.force };
    let sink = Sink::open(&output, &input, |path| Ok(path.to_owned()), false)?;
    let Input::File(file, path) = input else {
        return Err(Error::Usage("single games take a file, not standard input".into()));
    };
    let store = ModelStore::of_system();
    let model = arguments.model.as_deref().map(|model| store.open(model)).transpose()?;
    let options = ReaderOptions { model, store, ..ReaderOptions::default() };
    let numbers = match (&arguments.games, arguments.game) {
        (Some(numbers), _) => numbers.clone(),
        (None, number) => GameNumbers::one(number.unwrap_or(1)),
    };
    with_threads(arguments.coding, None, || {
        let named = |error| match error {
            Error::Io(error) => at(&path, &error),
            other => other,
        };
        let mut reader = IndexedReader::with_options(file, options).map_err(named)?;
        let mut sink = BufWriter::new(sink);
        let mut status = ExitStatus::Failure;
        for number in numbers.up_to(reader.summary().stats.games) {
            sink.write_all(&reader.game(number - 1).map_err(named)?)?;
            status = ExitStatus::Success;
        }
        sink.into_inner().map_err(std::io::IntoInnerError::into_error)?.commit()?;
        Ok(status)
    })
}
