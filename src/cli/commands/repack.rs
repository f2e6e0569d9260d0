//! `plyzip repack`

use std::io::{self, BufWriter};
use std::path::PathBuf;

use clap::Args;
use plyzip::archive::{
    ArchiveReader, ArchiveWriter, IndexedReader, ModelId, ReaderOptions, Summary, WriterOptions,
};
use plyzip::{Error, Model, ModelStore, Result};

use super::compress::finish;
use crate::cli::arguments::{Coding, ModelChoice, Recovery, Verbosity};
use crate::cli::beside::{Beside, go_on};
use crate::cli::files::{Input, OpenFile, Protecting, Sink, at};
use crate::cli::names::DEFAULT_MODEL;
use crate::cli::progress::Progress;
use crate::cli::report;
use crate::cli::shown::tell;
use crate::cli::threads::with_threads;

/// `plyzip repack`
#[derive(Debug, Clone, Args)]
pub struct RepackArguments {
    /// The archive; a file
    #[arg(value_name = "ARCHIVE")]
    pub input: PathBuf,
    /// What predicts the moves; by default, the model that the last games of ARCHIVE were compressed with
    #[command(flatten)]
    pub model: ModelChoice,
    /// Add a recovery record with parity of SHARE of the archive, such as 1%; `none` for none [default: the share that
    /// the archive has by now]
    #[arg(long, value_name = "SHARE")]
    pub recovery: Option<Recovery>,
    /// How the codec runs
    #[command(flatten)]
    pub coding: Coding,
}

/// Codes an archive that was put together from several as one.
pub(super) fn run(arguments: &RepackArguments, verbosity: Verbosity) -> Result<()> {
    let path = &arguments.input;
    let archive = Input::open(path)?;
    let sink = Sink::in_place_of(&archive)?;
    let store = ModelStore::of_system();
    let options = ReaderOptions::new().store(store.clone());
    let mut reader = IndexedReader::with_options(Input::open(path)?, options.clone())?;
    let model = model(arguments.model.name(), &mut reader, &store)?;
    let before = reader.summary().clone();
    drop(reader);
    // An index goes on with the archive.
    let index = Beside::of(path, &mut Input::open(path)?)?.1.filter(Beside::is_whole);
    let recovery = arguments
        .recovery
        .unwrap_or_else(|| before.recovery_share().map_or(Recovery::None, Recovery::Share));
    let length = Some(before.original_bytes);
    with_threads(arguments.coding, length, || {
        let progress = Progress::new(path, length, verbosity);
        let sink = BufWriter::new(Protecting::new(sink, recovery));
        let mut writer = ArchiveWriter::with_options(sink, model, WriterOptions::default())?;
        writer.set_progress(progress.work());
        writer.set_file_info(before.file.clone());
        let new_index = index.is_some().then(tempfile::tempfile).transpose()?;
        if let Some(file) = &new_index {
            writer.write_index_to(Box::new(BufWriter::new(file.try_clone()?)))?;
        }
        let old = ArchiveReader::with_options(Input::open(path)?, options)?;
        // Each block of the new archive is decoded again and compared with this before it is written.
        old.copy_to(&mut writer)?;
        let (mut sink, after) = finish(writer)?;
        sink.sync()?;
        if let Some(file) = sink.read_back()? {
            let found = ArchiveReader::new(file)?.skim()?;
            if (found.original_bytes, found.stats.games)
                != (before.original_bytes, before.stats.games)
            {
                return Err(Error::Verification("other games were written than were read".into()));
            }
        }
        let without_record = |summary: &Summary| summary.archive_bytes - summary.recovery_bytes;
        if without_record(&after) >= without_record(&before) {
            if !verbosity.quiet {
                tell(&format!("{}: would not become smaller, and stays as it is", path.display()));
            }
            return Ok(());
        }
        let Some(_claim) = archive.regular().and_then(OpenFile::claim) else {
            return Err(at(path, &io::Error::other("changed while it was read")));
        };
        sink.commit()?;
        if let Some(new) = new_index {
            go_on(path, None, new, &progress, verbosity);
        }
        report::tell(verbosity, path, &after, progress.finish());
        if !verbosity.quiet {
            let (old, new) = (before.archive_bytes, after.archive_bytes);
            let saved = 100.0 - 100.0 * new as f64 / old as f64;
            tell(&format!("{}: {old} bytes became {new} ({saved:.1} % less)", path.display()));
        }
        Ok(())
    })
}

/// The model of this name, or the one that the archive's last games were coded with, which has to be where a later reader
/// finds it.
pub(super) fn model(
    name: Option<&str>,
    reader: &mut IndexedReader<Input>,
    store: &ModelStore,
) -> Result<Model> {
    if let Some(name) = name {
        return store.open(name);
    }
    let Some(model) = reader.last_model()? else { return store.open(DEFAULT_MODEL) };
    if let Some(id) = ModelId::of(&model) {
        store.find(&id)?;
    }
    Ok(model)
}
