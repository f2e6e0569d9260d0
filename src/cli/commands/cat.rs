//! `plyzip cat`

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use plyzip::archive::{ArchiveReader, IndexedReader, MovesIndex};
use plyzip::{Error, Result};

use crate::cli::arguments::{Coding, Output, Recovery, Verbosity, tell_fault, what_is_wrong};
use crate::cli::beside::{Beside, write_beside};
use crate::cli::counted::counted;
use crate::cli::failure::Failure;
use crate::cli::files::{Input, OpenFile, Protecting, STANDARD, Sink, Snapshot, at, is_same};
use crate::cli::progress::Progress;
use crate::cli::shown::tell;
use crate::cli::threads::with_threads;
use crate::cli::watched::Watch;

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
    /// Put one recovery record at the end, with parity of SHARE of OUT, such as 1%, in the place of those that are
    /// there; `none` leaves them out [default: they are copied]
    #[arg(long, value_name = "SHARE")]
    pub recovery: Option<Recovery>,
    /// Write an index beside OUT, as `plyzip index` does: what the indexes beside the archives have is taken over, the
    /// other pages are decoded [default: if all archives, at most 64, have one of all their games]
    #[arg(long)]
    pub index: bool,
    /// How the codec runs
    #[command(flatten)]
    pub coding: Coding,
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
pub(super) fn run(arguments: &CatArguments, verbosity: Verbosity) -> Result<(), Failure> {
    let is_file = arguments.output.as_os_str() != STANDARD;
    if arguments.index && !is_file {
        return Err(Error::Usage("--index is for an archive that is a file".into()).into());
    }
    let mut archives = vec![];
    // What the archives have of an index, as long as one is to be written.
    let mut indexes =
        (is_file && (arguments.index || arguments.inputs.len() <= KEPT_OPEN)).then(Vec::new);
    let lengths = arguments.inputs.iter().map(|path| Some(std::fs::metadata(path).ok()?.len()));
    // They are read to check them, and to copy them.
    let all = lengths.sum::<Option<u64>>().map(|length| 2 * length);
    let name = PathBuf::from(counted(arguments.inputs.len() as u64, "archive"));
    let progress = Progress::new(&name, all, verbosity);
    let watch = Watch::new(&progress);
    for path in &arguments.inputs {
        let input = Input::open(path).and_then(|mut input| {
            let length = checked(&mut input, Some(&watch))?;
            if let Some(known) = &mut indexes {
                let beside = Beside::of(path, &mut input)?.1;
                let is_whole = beside.as_ref().is_some_and(Beside::is_whole);
                known.extend(beside.and_then(|beside| beside.if_it_fits(path, verbosity)));
                if !is_whole && !arguments.index {
                    indexes = None;
                }
            }
            Ok((length, input))
        });
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
        let with_records = arguments.recovery.is_none();
        copy_of_checked(&mut input, length, &mut sink, with_records, Some(&watch))?;
    }
    sink.finish()?.0.commit()?;
    progress.finish();
    match indexes {
        Some(indexes) => index(arguments, &indexes, verbosity),
        None => Ok(()),
    }
}

/// Writes the index of the archive that was put together.
fn index(
    arguments: &CatArguments,
    known: &[MovesIndex],
    verbosity: Verbosity,
) -> Result<(), Failure> {
    let path = &arguments.output;
    let written = with_threads(arguments.coding, None, || {
        let progress = Progress::new(path, None, verbosity);
        progress.set_indexed_games(Beside::of(path, &mut Input::open(path)?)?.0.stats.games);
        write_beside(path, known, progress.work())
    });
    match written {
        Ok(written) if !verbosity.quiet => tell(&written),
        Ok(_) => {}
        // Nobody has asked for it, and the archive is there.
        Err(error) if !arguments.index => tell_fault(path, verbosity, &what_is_wrong(error)),
        Err(error) => return Err(Failure::about(&MovesIndex::path_beside(path))(error)),
    }
    Ok(())
}

/// The length of an archive that is whole, as far as its index and its checksums tell.
pub(super) fn checked(input: &mut Input, watch: Option<&Watch<'_>>) -> Result<u64> {
    if input.length().is_none() {
        let name = input.path().unwrap_or(Path::new("standard input")).display();
        return Err(Error::Usage(format!("{name} is no file, which is read twice")));
    }
    let summary = match watch {
        Some(watch) => ArchiveReader::new(watch.reader(input))?.skim()?,
        None => ArchiveReader::new(input)?.skim()?,
    };
    Ok(summary.archive_bytes)
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
    watch: Option<&Watch<'_>>,
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
        let mut part = input.by_ref().take(bytes);
        let copied = match watch {
            Some(watch) => io::copy(&mut watch.reader(part), sink)?,
            None => io::copy(&mut part, sink)?,
        };
        complete &= copied == bytes;
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
