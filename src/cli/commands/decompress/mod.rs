//! `plyzip decompress` and `plyzip test`

use std::io::{self, Read, Seek, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::Args;
use plyzip::archive::{
    self, ArchiveReader, FileInfo, IndexedReader, Missing, MovesIndex, ReaderOptions, Salvage,
    Summary,
};
use plyzip::{Error, Result};

use super::compress::not_for_several;
use super::repair::{repaired_copy, what_it_bears};
use crate::cli::arguments::{
    Coding, IndexArguments, Inputs, Keeping, LimitArguments, Output, Verbosity, tell_fault,
};
use crate::cli::counted::counted;
use crate::cli::each::each;
use crate::cli::exit::ExitStatus;
use crate::cli::failure::{Failure, no_archive};
use crate::cli::files::{Input, OpenFile, Sink, found, is_named_archive, is_same};
use crate::cli::names::SUFFIX;
use crate::cli::progress::Progress;
use crate::cli::report;
use crate::cli::shown::tell;
use crate::cli::threads::with_threads;

/// The archives that `decompress` and `test` decode, and how.
#[derive(Debug, Clone, Args)]
pub struct Decoding {
    /// The archives; of folders, .plz
    #[command(flatten)]
    pub inputs: Inputs,
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

/// `plyzip decompress`
#[derive(Debug, Clone, Args)]
pub struct DecompressArguments {
    /// The archive
    #[command(flatten)]
    pub decoding: Decoding,
    /// Name OUT as the archive says, in the folder of IN, and give it the time that the archive says, as far as it does
    #[arg(short = 'N', long = "name")]
    pub keep_name: bool,
    /// Write all undamaged pages of a damaged archive, and report which games are missing. The exit status is 3 if any
    /// are
    #[arg(long, conflicts_with = "remove")]
    pub salvage: bool,
    /// The index beside the archive
    #[command(flatten)]
    pub index: IndexArguments,
    /// Where to: IN without .plz unless given, standard output if IN is `-`
    #[command(flatten)]
    pub output: Output,
    /// What becomes of IN
    #[command(flatten)]
    pub keeping: Keeping,
}

/// `plyzip test`
#[derive(Debug, Clone, Args)]
pub struct TestArguments {
    /// The archive
    #[command(flatten)]
    pub decoding: Decoding,
}

/// Decompresses archives from files or standard input.
pub(in crate::cli) fn run(
    arguments: &DecompressArguments,
    verbosity: Verbosity,
) -> Result<ExitStatus, Failure> {
    let inputs = archives(&arguments.decoding)?;
    match arguments.output.is_given() && inputs.len() > 1 {
        true => together(&inputs, arguments, verbosity).map(|()| ExitStatus::Success),
        false => each(&inputs, |path| alone(path, arguments, verbosity)),
    }
}

/// The archives that are named, or are below folders that are.
fn archives(arguments: &Decoding) -> Result<Vec<PathBuf>> {
    found(&arguments.inputs.paths, arguments.inputs.recursive, is_named_archive)
}

/// Decompresses several archives to one output.
fn together(
    paths: &[PathBuf],
    arguments: &DecompressArguments,
    verbosity: Verbosity,
) -> Result<(), Failure> {
    not_for_several(arguments.keeping.remove, "--rm")?;
    not_for_several(arguments.keep_name, "-N")?;
    not_for_several(arguments.salvage, "--salvage")?;
    let Some(first) = paths.first() else { return Ok(()) };
    let first = Input::open(first)?;
    for path in paths {
        if arguments.output.path.as_ref().is_some_and(|output| is_same(path, output)) {
            let message = format!("{} is both input and output", path.display());
            return Err(Error::Usage(message).into());
        }
    }
    let mut sink = Sink::open(&arguments.output, &first, |path| Ok(path.to_owned()), false)?;
    let beside = verbosity.quiet_if(sink.is_terminal());
    let mut all = vec![];
    for path in paths {
        let done = Input::open(path).and_then(|input| {
            let index = arguments.index.open(input.path(), verbosity);
            decode_or_repair(path, input, &arguments.decoding, index, beside, &mut sink)
        });
        let done = done.map_err(|error| with_what_is_whole(error, path, &arguments.decoding));
        all.push(done.map_err(Failure::about(path))?);
    }
    sink.commit()?;
    for (done, path) in all.iter().zip(paths) {
        done.tell(verbosity, path);
    }
    Ok(())
}

/// Decompresses an archive to a file of its own.
fn alone(path: &Path, arguments: &DecompressArguments, verbosity: Verbosity) -> Result<()> {
    let mut input = Input::open(path)?;
    let info = match arguments.keep_name {
        true => file_info(&mut input)?,
        false => FileInfo::default(),
    };
    let name = |path: &Path| match (info.name(), info.portable_name()) {
        (Some(_), Some(name)) => Ok(path.with_file_name(name)),
        (Some(name), None) => Err(Error::Usage(format!(
            "{}: the name that is stored, `{name}`, is not that of a file on every system: name the output with -o",
            path.display()
        ))),
        (None, _) => without_suffix(path),
    };
    let mut sink = Sink::open(&arguments.output, &input, name, false)?;
    if arguments.salvage {
        return salvage(path, input, &arguments.decoding, verbosity, sink);
    }
    let opened = input.regular().map(OpenFile::try_clone).transpose()?;
    let modified = input.modified();
    let beside = verbosity.quiet_if(sink.is_terminal());
    let index = arguments.index.open(input.path(), verbosity);
    let done = decode_or_repair(path, input, &arguments.decoding, index, beside, &mut sink);
    let done = done.map_err(|error| with_what_is_whole(error, path, &arguments.decoding))?;
    if let Some(time) = info.modified().and_then(time) {
        sink.set_modified(time)?;
    } else if let Some(time) = modified {
        // Nobody has asked for it: where the system does not let it, the original is as good.
        let _ = sink.set_modified(time);
    }
    // Before anything is told, so that what is done is kept, come what may.
    match arguments.keeping.remove {
        true => sink.commit_instead_of(opened.as_ref())?,
        false => sink.commit()?,
    }
    done.tell(verbosity, path);
    Ok(())
}

/// Decodes archives and checks everything.
pub(in crate::cli) fn test(
    arguments: &TestArguments,
    verbosity: Verbosity,
) -> Result<ExitStatus, Failure> {
    each(&archives(&arguments.decoding)?, |path| {
        let input = Input::open(path)?;
        let original_bytes = original_bytes(&input);
        let done = decode(
            path,
            input,
            original_bytes,
            &arguments.decoding,
            None,
            verbosity,
            &mut io::sink(),
        );
        let done = done.map_err(|error| match error {
            Error::Damaged(what) if repaired_copy(path).is_some() => {
                Error::Damaged(format!("{what}; plyzip repair makes it good"))
            }
            error => error,
        })?;
        done.tell(verbosity, path);
        let protected = done.summary.is_some_and(|summary| summary.recovery_bytes > 0);
        if let Some(bears) = what_it_bears(path).filter(|_| protected && !verbosity.quiet) {
            tell(&format!("{}: {bears}", path.display()));
        }
        Ok(())
    })
}

/// An archive that was decoded and found in order.
struct Decoded {
    summary: Option<Summary>,
    seconds: f64,
}

impl Decoded {
    fn tell(&self, verbosity: Verbosity, input: &Path) {
        if let Some(summary) = &self.summary {
            report::tell(verbosity, input, summary, self.seconds);
        }
    }
}

/// Writes the original of the archive in `input` to `sink`. If it is damaged, and its recovery record makes that good,
/// goes on where the damage was found.
fn decode_or_repair<W: Write + Send>(
    path: &Path,
    input: Input,
    arguments: &Decoding,
    index: Option<MovesIndex>,
    verbosity: Verbosity,
    sink: &mut W,
) -> Result<Decoded> {
    let original_bytes = original_bytes(&input);
    let mut sink = Resumed { sink, written: 0, known: 0 };
    let error = match decode(path, input, original_bytes, arguments, index, verbosity, &mut sink) {
        Err(error @ (Error::Damaged(_) | Error::Unsupported(_) | Error::Limit(_))) => error,
        done => return done,
    };
    let Some((copy, figures)) = repaired_copy(path) else { return Err(error) };
    // Each block was compared with its checksum before it was written.
    sink.known = sink.written;
    sink.written = 0;
    let done = decode(path, copy, original_bytes, arguments, None, verbosity, &mut sink)?;
    if !verbosity.quiet {
        tell(&format!(
            "{}: is damaged; it was repaired on the way, {figures} (plyzip repair makes the file good)",
            path.display()
        ));
    }
    Ok(done)
}

/// A sink that has got the first `known` bytes of what is written by now.
struct Resumed<'a, W> {
    sink: &'a mut W,
    written: u64,
    known: u64,
}

impl<W: Write> Write for Resumed<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let known = self.known.saturating_sub(self.written);
        let skipped = bytes.len().min(usize::try_from(known).unwrap_or(usize::MAX));
        self.sink.write_all(&bytes[skipped..])?;
        self.written += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }
}

/// Writes the original of the archive in `input` to `sink`.
fn decode<R: Read + Send, W: Write + Send>(
    path: &Path,
    input: R,
    original_bytes: Option<u64>,
    arguments: &Decoding,
    index: Option<MovesIndex>,
    verbosity: Verbosity,
    sink: &mut W,
) -> Result<Decoded> {
    let options = options(arguments)?;
    with_threads(arguments.coding, original_bytes, || {
        let progress = Progress::new(path, original_bytes, verbosity);
        let options = options.progress(progress.work()).index(index);
        let mut reader = ArchiveReader::with_options(input, options)?;
        while let Some(original) = reader.next_block()? {
            sink.write_all(&original)?;
        }
        sink.flush()?;
        if let Some(fault) = reader.index_fault() {
            tell_fault(path, verbosity, fault);
        }
        Ok(Decoded { summary: reader.summary().cloned(), seconds: progress.finish() })
    })
}

/// Writes what is whole of a damaged archive.
fn salvage(
    path: &Path,
    input: Input,
    arguments: &Decoding,
    verbosity: Verbosity,
    mut sink: Sink,
) -> Result<()> {
    if input.path().is_none() {
        return Err(Error::Usage("--salvage takes an archive that is a file".into()));
    }
    let options = options(arguments)?;
    let found = with_threads(arguments.coding, None, || {
        let progress = Progress::new(path, None, verbosity.quiet_if(sink.is_terminal()));
        let options = options.progress(progress.work());
        match repaired_copy(path) {
            Some((copy, _)) => archive::salvage(copy, options, &mut sink),
            None => archive::salvage(input, options, &mut sink),
        }
    })?;
    sink.commit()?;
    let Salvage { games, original_bytes, missing, .. } = found;
    if missing.is_empty() {
        return Ok(());
    }
    if !verbosity.quiet {
        for Missing { games, bytes: Range { start, end }, reason, .. } in &missing {
            tell(&match games {
                Some(games) => format!(
                    "missing: games {} to {}, bytes {start} to {end} of the original: {reason}",
                    games.start + 1,
                    games.end
                ),
                None => format!("lost: bytes {start} to {end} of the archive: {reason}"),
            });
        }
    }
    let (games, bytes) = (counted(games, "game"), counted(original_bytes, "byte"));
    let (parts, are) = match missing.len() {
        1 => ("a part".to_owned(), "is"),
        parts => (counted(parts as u64, "part"), "are"),
    };
    Err(Error::damaged(format!("{games}, {bytes} were written, {parts} {are} missing")))
}

/// Adds to an error that is the archive's how much of it could be saved.
fn with_what_is_whole(error: Error, path: &Path, arguments: &Decoding) -> Error {
    let Error::Damaged(what) = error else { return error };
    let whole = Input::open(path)
        .ok()
        .filter(|input| input.length().is_some())
        .and_then(|input| archive::assess(input, options(arguments).ok()?).ok());
    Error::Damaged(match whole {
        Some(Salvage { games, .. }) if games > 0 => {
            let games = counted(games, "game");
            format!("{what}; --salvage writes what can be decoded, at most {games}")
        }
        _ => what,
    })
}

fn options(arguments: &Decoding) -> Result<ReaderOptions> {
    arguments.limits.reader_options(arguments.model.as_deref())
}

/// What the archive says of its original's file.
fn file_info(input: &mut Input) -> Result<FileInfo> {
    if input.path().is_none() {
        return Err(Error::Usage("-N takes an archive that is a file".into()));
    }
    let info = IndexedReader::open(&mut *input)?.summary().file.clone();
    input.rewind()?;
    Ok(info)
}

/// The time so many seconds after the beginning of 1970, if the system knows it.
fn time(seconds: i64) -> Option<SystemTime> {
    let distance = Duration::from_secs(seconds.unsigned_abs());
    match seconds < 0 {
        true => UNIX_EPOCH.checked_sub(distance),
        false => UNIX_EPOCH.checked_add(distance),
    }
}

/// The original's length as the archive's index gives it; `None` if there is no readable index. Decoding reports
/// damage later.
fn original_bytes(input: &Input) -> Option<u64> {
    input.length()?;
    let reader = IndexedReader::open(Input::open(input.path()?).ok()?).ok()?;
    Some(reader.summary().original_bytes)
}

fn without_suffix(path: &Path) -> Result<PathBuf> {
    match path.extension() {
        Some(extension) if extension == SUFFIX => Ok(path.with_extension("")),
        _ => Err(Error::Usage(no_archive(path).unwrap_or_else(|| {
            format!("{} does not end with .{SUFFIX}: name the output with -o", path.display())
        }))),
    }
}
