//! `plyzip extract`

use std::io::{BufWriter, Write};

use super::arguments::{ExtractArguments, GameNumbers, Output};
use super::input::{Input, at};
use super::output::Sink;
use super::{ExitStatus, with_threads};
use crate::archive::{IndexedReader, ReaderOptions};
use crate::{Error, ModelStore, Result};

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
