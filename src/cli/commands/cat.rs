//! `plyzip cat`

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::Args;

use crate::archive::ArchiveReader;
use crate::cli::arguments::Output;
use crate::cli::failure::Failure;
use crate::cli::files::{Input, Sink, at, is_same};
use crate::{Error, Result};

/// `plyzip cat`
#[derive(Debug, Clone, Args)]
pub struct CatArguments {
    /// The archives, which are files, in the order in which their games shall come
    #[arg(value_name = "ARCHIVE", required = true)]
    pub inputs: Vec<PathBuf>,
    /// Write to OUT; a file must not exist
    #[arg(short, long, value_name = "OUT", default_value = "-")]
    pub output: PathBuf,
    /// Replace OUT if it exists; write an archive even to a terminal
    #[arg(short, long)]
    pub force: bool,
}

/// Puts archives together.
pub(super) fn run(arguments: &CatArguments) -> Result<(), Failure> {
    let mut lengths = vec![];
    for path in &arguments.inputs {
        lengths.push(checked(path).map_err(Failure::about(path))?);
        if is_same(path, &arguments.output) {
            let message = format!("{} is both input and output", path.display());
            return Err(Error::Usage(message).into());
        }
    }
    let Some(first) = arguments.inputs.first() else { return Ok(()) };
    let output = Output::at(arguments.output.clone(), arguments.force);
    let mut sink = Sink::open(&output, &Input::open(first)?, |path| Ok(path.to_owned()), true)?;
    for (path, length) in arguments.inputs.iter().zip(lengths) {
        let copied = io::copy(&mut Input::open(path)?.take(length), &mut sink);
        if copied.map_err(Error::Io)? < length {
            return Err(at(path, &io::Error::other("became shorter while it was read")).into());
        }
    }
    Ok(sink.commit()?)
}

/// The length of an archive that is whole, as far as its index and its checksums tell.
pub(super) fn checked(path: &Path) -> Result<u64> {
    let input = Input::open(path)?;
    if input.length().is_none() {
        return Err(Error::Usage(format!("{} is no file, which is read twice", path.display())));
    }
    Ok(ArchiveReader::new(input)?.skim()?.archive_bytes)
}
