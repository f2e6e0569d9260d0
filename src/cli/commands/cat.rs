//! `plyzip cat`

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use plyzip::archive::{ArchiveReader, IndexedReader};
use plyzip::{Error, Result};

use crate::cli::arguments::{Output, Recovery};
use crate::cli::failure::Failure;
use crate::cli::files::{Input, OpenFile, Protecting, Sink, Snapshot, at, is_same};

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
    /// Put one recovery record behind all, with parity of SHARE of OUT, such as 1%, in the place of those that are there;
    /// `none` leaves them out [default: they are copied]
    #[arg(long, value_name = "SHARE")]
    pub recovery: Option<Recovery>,
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
    let sink = Sink::open(&output, first, |path| Ok(path.to_owned()), true)?;
    let mut sink = Protecting::new(sink, arguments.recovery.unwrap_or(Recovery::None));
    for (path, Checked { length, snapshot, input }) in arguments.inputs.iter().zip(archives) {
        let mut input = input.map_or_else(|| Input::open(path), Ok)?;
        if input.regular().map(OpenFile::snapshot) != snapshot {
            return Err(changed(path).into());
        }
        copy_of_checked(&mut input, length, &mut sink, arguments.recovery.is_none())?;
    }
    Ok(sink.finish()?.0.commit()?)
}

/// The length of an archive that is whole, as far as its index and its checksums tell.
pub(super) fn checked(input: &mut Input) -> Result<u64> {
    if input.length().is_none() {
        let name = input.path().unwrap_or(Path::new("standard input")).display();
        return Err(Error::Usage(format!("{name} is no file, which is read twice")));
    }
    Ok(ArchiveReader::new(input)?.skim()?.archive_bytes)
}

/// Copies the `length` bytes that were checked of an archive, with or without its recovery records.
///
/// # Errors
/// [`Error::Io`] if there are fewer, or if something has changed the file since it was opened.
pub(super) fn copy_of_checked<W: Write>(
    input: &mut Input,
    length: u64,
    sink: &mut W,
    with_records: bool,
) -> Result<()> {
    let all = 0..length;
    let ranges = match with_records {
        true => vec![all],
        false => IndexedReader::open(&mut *input)?.members_with_games().collect(),
    };
    let mut complete = true;
    for range in ranges {
        input.seek(SeekFrom::Start(range.start))?;
        let bytes = range.end - range.start;
        complete &= io::copy(&mut input.by_ref().take(bytes), sink)? == bytes;
    }
    let is_unchanged = input.regular().is_some_and(OpenFile::is_unchanged);
    match complete && is_unchanged {
        true => Ok(()),
        false => Err(changed(input.path().unwrap_or(Path::new("standard input")))),
    }
}

fn changed(path: &Path) -> Error {
    at(path, &io::Error::other("changed while it was read"))
}
