//! Whole archives: compress and decompress.

use std::io::{self, BufReader, BufWriter};

use plyzip::ModelStore;
use plyzip::archive::{ArchiveReader, ArchiveWriter, ReaderOptions, WriterOptions};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::files::{Sink, Source, hint};
use crate::model::AnyModel;
use crate::summary::Summary;
use crate::work::Work;

/// Bytes read at a time.
const CHUNK: usize = 1 << 20;

/// The bytes that were written to memory, or figures.
fn result(
    py: Python<'_>,
    sink: Sink,
    summary: plyzip::archive::Summary,
) -> PyResult<Bound<'_, PyAny>> {
    match sink.finish()? {
        Some(bytes) => Ok(PyBytes::new(py, &bytes).into_any()),
        None => Ok(Bound::new(py, Summary(summary))?.into_any()),
    }
}

/// Compresses PGN, or anything else: the path of a file, bytes, or a file object.
///
/// The archive goes to `target`, the path of a new file or a file object, and the figures come back. Without a target
/// the archive comes back as bytes. A file has its name only when it is complete, and replaces another one only with
/// `overwrite`. `level` is a number from 1, the fastest, to 9, the densest, instead of a model. The other arguments are
/// those of `plyzip compress`.
///
/// >>> pgn = b'[White "Morphy, Paul"]\n\n1. e4 e5 2. Nf3 d6 3. d4 Bg4 *\n'
/// >>> archive = plyzip.compress(pgn)
/// >>> plyzip.decompress(archive) == pgn
/// True
#[pyfunction]
#[pyo3(signature = (source, target=None, *, level=None, model=None, threads=None, verify=true, block_games=20_000,
                    page_games=None, embed_model=false, overwrite=false))]
#[allow(clippy::too_many_arguments)]
pub fn compress<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    target: Option<&Bound<'py, PyAny>>,
    level: Option<u8>,
    model: Option<AnyModel>,
    threads: Option<usize>,
    verify: bool,
    block_games: u64,
    page_games: Option<u64>,
    embed_model: bool,
    overwrite: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let work = Work::new(threads)?;
    let model = AnyModel::of_level(level, model)?;
    let (model, asked) = AnyModel::or_standard(model).open(py)?;
    let options =
        WriterOptions::new().block_games(block_games).page_games(page_games).verify(verify);
    let source = Source::of(source)?;
    let sink = Sink::of(target, overwrite)?;
    let needs_file = embed_model && model.hash().is_some();
    let interrupt = work.interrupt();
    let (sink, summary) = work.run(py, move || {
        let mut writer = ArchiveWriter::with_options(BufWriter::new(sink), model, options)?;
        writer.set_interrupt(interrupt);
        if needs_file {
            writer.embed_model(&ModelStore::of_system().read(&asked)?)?;
        }
        io::copy(&mut BufReader::with_capacity(CHUNK, source), &mut writer)?;
        let (sink, summary) = writer.finish()?;
        Ok((sink.into_inner().map_err(io::IntoInnerError::into_error)?, summary))
    })?;
    result(py, sink, summary)
}

/// Decompresses an archive: the path of a file, bytes, or a file object, which need not seek.
///
/// The original goes to `target`, the path of a new file or a file object, and the figures come back. Without a target
/// the original comes back as bytes. Everything is checked on the way; what a file object got before an exception is
/// not to be trusted. `model` is needed only if the archive's model is not among those at hand.
///
/// >>> plyzip.decompress(plyzip.compress(b"1. e4 e5 *\n", model="none"))
/// b'1. e4 e5 *\n'
#[pyfunction]
#[pyo3(signature = (source, target=None, *, model=None, threads=None, overwrite=false))]
pub fn decompress<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    target: Option<&Bound<'py, PyAny>>,
    model: Option<AnyModel>,
    threads: Option<usize>,
    overwrite: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let work = Work::new(threads)?;
    let options = reader_options(py, model, &work)?;
    let opened = Source::of(source)?;
    let mut sink = Sink::of(target, overwrite)?;
    let done = work.run(py, move || {
        let summary = ArchiveReader::with_options(opened, options)?.copy_to(&mut sink)?;
        Ok((sink, summary))
    });
    let (sink, summary) = done.map_err(|error| hint(error, source))?;
    result(py, sink, summary)
}

/// The options of a reader that `work` has.
pub fn reader_options(
    py: Python<'_>,
    model: Option<AnyModel>,
    work: &Work,
) -> PyResult<ReaderOptions> {
    let model = model.map(|model| model.open(py)).transpose()?;
    Ok(ReaderOptions::new()
        .model(model.map(|(model, _)| model))
        .store(ModelStore::of_system())
        .interrupt(work.interrupt()))
}
