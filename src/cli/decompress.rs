//! `plyzip decompress` and `plyzip test`

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::arguments::{Decoding, DecompressArguments, TestArguments, Verbosity};
use super::input::{Input, at};
use super::output::Sink;
use super::progress::Progress;
use super::{SUFFIX, report, with_threads};
use crate::archive::{ArchiveReader, FileInfo, IndexedReader, ReaderOptions, Summary};
use crate::{Error, ModelStore, Result};

/// Decompresses an archive from a file or standard input.
pub fn run(arguments: &DecompressArguments, verbosity: Verbosity) -> Result<()> {
    let input = Input::open(&arguments.decoding.input)?;
    let info = match arguments.keep_name {
        true => file_info(&input)?,
        false => FileInfo::default(),
    };
    let name = |path: &Path| match info.name() {
        Some(name) => Ok(path.with_file_name(name)),
        None => without_suffix(path),
    };
    let mut sink = Sink::open(&arguments.output, &input, name, false)?;
    let done = decode(input, &arguments.decoding, verbosity, &mut sink)?;
    if let Some(time) = info.modified().and_then(time) {
        sink.set_modified(time)?;
    }
    // Before anything is told, so that what is done is kept, come what may.
    sink.commit()?;
    done.tell(verbosity, &arguments.decoding.input);
    Ok(())
}

/// Decodes an archive and checks everything.
pub fn test(arguments: &TestArguments, verbosity: Verbosity) -> Result<()> {
    let input = Input::open(&arguments.decoding.input)?;
    let done = decode(input, &arguments.decoding, verbosity, &mut io::sink())?;
    done.tell(verbosity, &arguments.decoding.input);
    Ok(())
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

/// Writes the original of the archive in `input` to `sink`.
fn decode<W: Write + Send>(
    input: Input,
    arguments: &Decoding,
    verbosity: Verbosity,
    sink: &mut W,
) -> Result<Decoded> {
    let store = ModelStore::of_system();
    let model = arguments.model.as_deref().map(|model| store.open(model)).transpose()?;
    let options = ReaderOptions { model, store, ..ReaderOptions::default() };
    let original_bytes = original_bytes(&input);
    with_threads(arguments.coding, original_bytes, || {
        let progress = Progress::new(original_bytes, verbosity);
        let mut reader = ArchiveReader::with_options(input, options)?;
        let mut written = 0;
        while let Some(original) = reader.next_block()? {
            sink.write_all(&original)?;
            written += original.len() as u64;
            progress.set(written, reader.stats().games);
        }
        sink.flush()?;
        Ok(Decoded { summary: reader.summary().cloned(), seconds: progress.finish() })
    })
}

/// What the archive says of its original's file.
fn file_info(input: &Input) -> Result<FileInfo> {
    let Input::File(_, path) = input else {
        return Err(Error::Usage("-N takes an archive that is a file".into()));
    };
    let file = File::open(path).map_err(|error| at(path, &error))?;
    Ok(IndexedReader::open(file)?.summary().file.clone())
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
    let reader = IndexedReader::open(File::open(input.path()?).ok()?).ok()?;
    Some(reader.summary().original_bytes)
}

fn without_suffix(path: &Path) -> Result<std::path::PathBuf> {
    match path.extension() {
        Some(extension) if extension == SUFFIX => Ok(path.with_extension("")),
        _ => Err(Error::Usage(format!(
            "{} does not end with .{SUFFIX}: name the output with -o",
            path.display()
        ))),
    }
}
