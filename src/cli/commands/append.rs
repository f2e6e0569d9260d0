//! `plyzip append`

use std::fs::{self, Metadata};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use super::cat::checked;
use crate::archive::{ArchiveWriter, IndexedReader, ReaderOptions, WriterOptions};
use crate::cli::arguments::{Coding, Verbosity};
use crate::cli::files::{Input, Sink, at};
use crate::cli::progress::Progress;
use crate::cli::threads::with_threads;
use crate::cli::{DEFAULT_MODEL, report};
use crate::{Error, Model, ModelStore, Result};

/// `plyzip append`
#[derive(Debug, Clone, Args)]
pub struct AppendArguments {
    /// The archive; a file
    #[arg(value_name = "ARCHIVE")]
    pub input: PathBuf,
    /// The files to append, in this order; `-` for standard input
    #[arg(value_name = "NEW", required = true)]
    pub new: Vec<PathBuf>,
    /// What predicts the moves: a model by its name or its file, or `none` [default: the model that the last games of
    /// ARCHIVE were compressed with; `standard` if it has none]
    #[arg(long, value_name = "NAME|PATH|none")]
    pub model: Option<String>,
    /// How the codec runs
    #[command(flatten)]
    pub coding: Coding,
    /// Skip decoding each new block again to compare it with the input. Twice as fast
    #[arg(long)]
    pub no_verify: bool,
}

/// Bytes read at a time.
const CHUNK: u64 = 1 << 20;

/// What an archive begins with, and no PGN.
const MAGIC: &[u8] = b"\xC1PLZ";

/// Appends games to an archive.
pub fn run(arguments: &AppendArguments, verbosity: Verbosity) -> Result<()> {
    let path = &arguments.input;
    let mut input = Input::open(path)?;
    let before = input.metadata();
    let new = arguments.new.iter().map(|path| Input::open(path)).collect::<Result<Vec<_>>>()?;
    let mut sink = Sink::in_place_of(&input)?;
    let length = new.iter().map(Input::length).sum::<Option<u64>>();
    with_threads(arguments.coding, length, || {
        let progress = Progress::new(length, verbosity);
        checked(path)?;
        let model = model(arguments)?;
        io::copy(&mut input, &mut sink)?;
        let options = WriterOptions { verify: !arguments.no_verify, ..WriterOptions::default() };
        let mut writer = ArchiveWriter::with_options(BufWriter::new(sink), model, options)?;
        for input in new {
            push(&mut writer, input, &progress)?;
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
    if let Some(model) = &arguments.model {
        return store.open(model);
    }
    let options = ReaderOptions { store: store.clone(), ..ReaderOptions::default() };
    match IndexedReader::with_options(Input::open(&arguments.input)?, options)?.last_model()? {
        Some(model) => Ok(model),
        None => store.open(DEFAULT_MODEL),
    }
}

/// Appends all of `input`.
fn push<W: Write>(
    writer: &mut ArchiveWriter<W>,
    mut input: Input,
    progress: &Progress,
) -> Result<()> {
    let mut chunk = vec![];
    let mut is_first = true;
    loop {
        chunk.clear();
        input.by_ref().take(CHUNK).read_to_end(&mut chunk)?;
        if chunk.is_empty() {
            return Ok(());
        }
        if is_first && chunk.starts_with(MAGIC) {
            let name = input.path().unwrap_or(Path::new("standard input"));
            return Err(Error::Usage(format!(
                "{} is an archive and no PGN: `plyzip cat` puts archives together",
                name.display()
            )));
        }
        is_first = false;
        writer.push(&chunk)?;
        progress.set(writer.original_bytes(), writer.stats().games);
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
