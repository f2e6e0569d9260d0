//! `plyzip decompress` and `plyzip test`

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use super::arguments::{Decoding, DecompressArguments, TestArguments, Verbosity};
use super::input::Input;
use super::output::Sink;
use super::progress::Progress;
use super::{SUFFIX, report, with_threads};
use crate::archive::{ArchiveReader, IndexedReader, ReaderOptions, Summary};
use crate::{Error, ModelStore, Result};

/// Decompresses an archive from a file or standard input.
pub fn run(arguments: &DecompressArguments, verbosity: Verbosity) -> Result<()> {
    let input = Input::open(&arguments.decoding.input)?;
    let mut sink = Sink::open(&arguments.output, &input, without_suffix, false)?;
    let done = decode(input, &arguments.decoding, verbosity, &mut sink)?;
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
    with_threads(arguments.coding, || {
        let progress = Progress::new(original_bytes(&input), verbosity);
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
