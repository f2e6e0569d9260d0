//! `plyzip compress`

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::arguments::{CompressArguments, Verbosity};
use super::input::Input;
use super::output::Sink;
use super::progress::Progress;
use super::{SUFFIX, report, with_threads};
use crate::archive::{ArchiveWriter, WriterOptions};
use crate::{ModelStore, Result};

/// Bytes read at a time.
const CHUNK: u64 = 1 << 20;

/// Compresses a file or standard input.
pub fn run(arguments: &CompressArguments, verbosity: Verbosity) -> Result<()> {
    let input = Input::open(&arguments.input)?;
    let sink = Sink::open(&arguments.output, &input, |path| Ok(with_suffix(path)), true)?;
    with_threads(arguments.coding, || compress(input, sink, arguments, verbosity))
}

fn compress(
    mut input: Input,
    sink: Sink,
    arguments: &CompressArguments,
    verbosity: Verbosity,
) -> Result<()> {
    let options = WriterOptions {
        block_games: arguments.block_games,
        page_games: arguments.page_games,
        verify: !arguments.no_verify,
        ..WriterOptions::default()
    };
    let progress = Progress::new(input.length(), verbosity);
    let model = ModelStore::of_system().open(&arguments.model)?;
    let mut writer = ArchiveWriter::with_options(io::BufWriter::new(sink), model, options)?;
    let mut chunk = Vec::new();
    loop {
        chunk.clear();
        input.by_ref().take(CHUNK).read_to_end(&mut chunk)?;
        if chunk.is_empty() {
            break;
        }
        writer.push(&chunk)?;
        progress.set(writer.original_bytes(), writer.stats().games);
    }
    let (sink, summary) = writer.finish()?;
    sink.into_inner().map_err(io::IntoInnerError::into_error)?.commit()?;
    report::tell(verbosity, &arguments.input, &summary, progress.finish());
    Ok(())
}

fn with_suffix(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(SUFFIX);
    name.into()
}
