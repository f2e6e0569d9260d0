//! `plyzip compress`

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use super::arguments::{CompressArguments, Verbosity};
use super::input::Input;
use super::output::Sink;
use super::progress::Progress;
use super::{SUFFIX, report, with_threads};
use crate::archive::{ArchiveWriter, FileInfo, WriterOptions};
use crate::{Error, ModelStore, Result};

/// Bytes read at a time.
const CHUNK: u64 = 1 << 20;

/// Compresses a file or standard input.
pub fn run(arguments: &CompressArguments, verbosity: Verbosity) -> Result<()> {
    let input = Input::open(&arguments.input)?;
    let sink = Sink::open(&arguments.output, &input, |path| Ok(with_suffix(path)), true)?;
    let length = input.length();
    with_threads(arguments.coding, length, || compress(input, sink, arguments, verbosity))
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
    let store = ModelStore::of_system();
    let model = store.open(&arguments.model)?;
    let needs_file = arguments.embed_model && model.hash().is_some();
    let mut writer = ArchiveWriter::with_options(io::BufWriter::new(sink), model, options)?;
    if needs_file {
        writer.embed_model(&store.read(&arguments.model)?)?;
    }
    if arguments.keep_name {
        writer.set_file_info(file_info(&input)?);
    }
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

/// Name and modification time of a file; nothing for standard input.
fn file_info(input: &Input) -> Result<FileInfo> {
    let name = input.path().and_then(Path::file_name).map(|name| {
        let wrong = || Error::Usage(format!("{} is no UTF-8 and cannot be stored", name.display()));
        name.to_str().ok_or_else(wrong)
    });
    let modified = input.metadata().and_then(|metadata| metadata.modified().ok());
    FileInfo::new(name.transpose()?, modified.map(seconds))
}

/// Seconds from the beginning of 1970 on, rounded down.
fn seconds(time: SystemTime) -> i64 {
    let whole = |seconds: u64| i64::try_from(seconds).unwrap_or(i64::MAX);
    match time.duration_since(UNIX_EPOCH) {
        Ok(after) => whole(after.as_secs()),
        Err(before) => {
            let before = before.duration();
            -whole(before.as_secs()) - i64::from(before.subsec_nanos() > 0)
        }
    }
}

fn with_suffix(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(SUFFIX);
    name.into()
}
