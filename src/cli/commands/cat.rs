//! `plyzip cat`

use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};

use clap::Args;
use plyzip::archive::ArchiveReader;
use plyzip::{Error, Result};

use crate::cli::arguments::Output;
use crate::cli::failure::Failure;
use crate::cli::files::{Input, OpenFile, Sink, Snapshot, at, is_same};

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

/// So many archives stay open from their check to their copy; systems do not let a program open all that a shell can
/// name. The others are opened again, and have to be what was checked.
const KEPT_OPEN: usize = 64;

/// An archive that was checked.
struct Checked {
    length: u64,
    snapshot: Option<Snapshot>,
    /// The archive, if it stays open.
    input: Option<Input>,
}

/// Puts archives together.
pub(super) fn run(arguments: &CatArguments) -> Result<(), Failure> {
    let mut archives = vec![];
    for path in &arguments.inputs {
        let input = Input::open(path).and_then(|mut input| Ok((checked(&mut input)?, input)));
        let (length, input) = input.map_err(Failure::about(path))?;
        if is_same(path, &arguments.output) {
            let message = format!("{} is both input and output", path.display());
            return Err(Error::Usage(message).into());
        }
        let snapshot = input.regular().map(OpenFile::snapshot);
        let input = Some(input).filter(|_| archives.len() < KEPT_OPEN);
        archives.push(Checked { length, snapshot, input });
    }
    let Some(first) = archives.first().and_then(|archive| archive.input.as_ref()) else {
        return Ok(());
    };
    let output = Output::at(arguments.output.clone(), arguments.force);
    let mut sink = Sink::open(&output, first, |path| Ok(path.to_owned()), true)?;
    for (path, Checked { length, snapshot, input }) in arguments.inputs.iter().zip(archives) {
        let mut input = input.map_or_else(|| Input::open(path), Ok)?;
        if input.regular().map(OpenFile::snapshot) != snapshot {
            return Err(changed(path).into());
        }
        input.rewind().map_err(Error::Io)?;
        copy_of_checked(&mut input, length, &mut sink)?;
    }
    Ok(sink.commit()?)
}

/// The length of an archive that is whole, as far as its index and its checksums tell.
pub(super) fn checked(input: &mut Input) -> Result<u64> {
    if input.length().is_none() {
        let name = input.path().unwrap_or(Path::new("standard input")).display();
        return Err(Error::Usage(format!("{name} is no file, which is read twice")));
    }
    Ok(ArchiveReader::new(input)?.skim()?.archive_bytes)
}

/// Copies the `length` bytes that were checked of an archive.
///
/// # Errors
/// [`Error::Io`] if there are fewer, or if something has changed the file since it was opened.
pub(super) fn copy_of_checked(input: &mut Input, length: u64, sink: &mut Sink) -> Result<()> {
    let copied = io::copy(&mut input.by_ref().take(length), sink)?;
    let is_unchanged = input.regular().is_some_and(OpenFile::is_unchanged);
    match copied == length && is_unchanged {
        true => Ok(()),
        false => Err(changed(input.path().unwrap_or(Path::new("standard input")))),
    }
}

fn changed(path: &Path) -> Error {
    at(path, &io::Error::other("changed while it was read"))
}
