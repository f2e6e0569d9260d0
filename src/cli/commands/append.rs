//! `plyzip append`

use std::fs::{self, Metadata};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use clap::Args;

use super::cat::checked;
use super::compress::push;
use crate::archive::{ArchiveWriter, IndexedReader, ReaderOptions, WriterOptions};
use crate::cli::arguments::{Coding, ModelChoice, Verbosity};
use crate::cli::files::{Input, PgnSource, Sink, at};
use crate::cli::progress::Progress;
use crate::cli::threads::with_threads;
use crate::cli::{DEFAULT_MODEL, report};
use crate::{Model, ModelStore, Result};

/// `plyzip append`
#[derive(Debug, Clone, Args)]
pub struct AppendArguments {
    /// The archive; a file
    #[arg(value_name = "ARCHIVE")]
    pub input: PathBuf,
    /// The files to append, in this order; `-` for standard input. What gzip, bzip2, xz, zstd or zip have compressed is
    /// read through
    #[arg(value_name = "NEW", required = true)]
    pub new: Vec<PathBuf>,
    /// What predicts the moves; by default, the model that the last games of ARCHIVE were compressed with, and
    /// `standard` if it has none
    #[command(flatten)]
    pub model: ModelChoice,
    /// Append what another program has compressed as it lies, instead of the PGN inside
    #[arg(long)]
    pub as_is: bool,
    /// How the codec runs
    #[command(flatten)]
    pub coding: Coding,
    /// Skip decoding each new block again to compare it with the input. Twice as fast
    #[arg(long)]
    pub no_verify: bool,
}

/// Appends games to an archive.
pub fn run(arguments: &AppendArguments, verbosity: Verbosity) -> Result<()> {
    let path = &arguments.input;
    let mut input = Input::open(path)?;
    let before = input.metadata();
    let open = |path: &PathBuf| PgnSource::open(path, arguments.as_is);
    let new = arguments.new.iter().map(open).collect::<Result<Vec<_>>>()?;
    let mut sink = Sink::in_place_of(&input)?;
    let length = new.iter().map(PgnSource::length).sum::<Option<u64>>();
    with_threads(arguments.coding, length, || {
        let progress = Progress::new(path, length, verbosity);
        checked(path)?;
        let model = model(arguments)?;
        io::copy(&mut input, &mut sink)?;
        let options = WriterOptions { verify: !arguments.no_verify, ..WriterOptions::default() };
        let mut writer = ArchiveWriter::with_options(BufWriter::new(sink), model, options)?;
        writer.set_progress(progress.work());
        let only = new.len() == 1;
        for (source, path) in new.into_iter().zip(&arguments.new) {
            let format = source.format();
            source.read(|pgn| {
                report::tell_format(verbosity, path, format);
                push(&mut writer, pgn, |length| {
                    if only {
                        progress.set_length(length);
                    }
                })
            })?;
        }
        let (sink, summary) = writer.finish()?;
        let sink = sink.into_inner().map_err(io::IntoInnerError::into_error)?;
        if summary.original_bytes == 0 {
            // Nothing is new: the archive stays as it is.
            return Ok(());
        }
        if !is_as(before.as_ref(), path) {
            let changed = io::Error::other("something else has changed it meanwhile");
            return Err(at(path, &changed));
        }
        sink.commit()?;
        let names: Vec<String> =
            arguments.new.iter().map(|path| path.display().to_string()).collect();
        report::tell(verbosity, Path::new(&names.join(", ")), &summary, progress.finish());
        Ok(())
    })
}

/// The model that is asked for, or that of the archive.
fn model(arguments: &AppendArguments) -> Result<Model> {
    let store = ModelStore::of_system();
    if let Some(model) = arguments.model.name() {
        return store.open(model);
    }
    let options = ReaderOptions { store: store.clone(), ..ReaderOptions::default() };
    match IndexedReader::with_options(Input::open(&arguments.input)?, options)?.last_model()? {
        Some(model) => Ok(model),
        None => store.open(DEFAULT_MODEL),
    }
}

/// Whether the file at `path` is the one that had this metadata, and unchanged.
fn is_as(before: Option<&Metadata>, path: &Path) -> bool {
    let (Some(before), Ok(now)) = (before, fs::metadata(path)) else { return false };
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        if (before.dev(), before.ino()) != (now.dev(), now.ino()) {
            return false;
        }
    }
    before.len() == now.len() && before.modified().ok() == now.modified().ok()
}
