//! `plyzip compress`

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;

use crate::archive::{ArchiveWriter, FileInfo, WriterOptions};
use crate::cli::arguments::{Coding, Keeping, Output, Verbosity};
use crate::cli::files::{Input, Sink};
use crate::cli::progress::Progress;
use crate::cli::threads::with_threads;
use crate::cli::{DEFAULT_MODEL, SUFFIX, report};
use crate::{Error, ModelStore, Result};

/// `plyzip compress`
#[derive(Debug, Clone, Args)]
pub struct CompressArguments {
    /// The file to compress; `-` for standard input
    #[arg(value_name = "IN")]
    pub input: PathBuf,
    /// Where to: IN.plz unless given, standard output if IN is `-`
    #[command(flatten)]
    pub output: Output,
    /// What becomes of IN
    #[command(flatten)]
    pub keeping: Keeping,
    /// What predicts the moves: a model by its name or its file, or `none`. `standard` is in the program; `max`
    /// is denser, many times slower, and a file of its own (see `plyzip models --help`); `none` is the fastest
    #[arg(long, value_name = "NAME|PATH|none", default_value = DEFAULT_MODEL)]
    pub model: String,
    /// How the codec runs
    #[command(flatten)]
    pub coding: Coding,
    /// Put at most N games into a block. Large blocks are denser; a single game is reached sooner in small ones
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub block_games: u64,
    /// Put at most N games into a page, which is what is decoded to reach a single game [default: 256, with `none` 512]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub page_games: Option<u64>,
    /// Write the model's file into the archive, so that no other program or folder has to have it
    #[arg(long)]
    pub embed_model: bool,
    /// Store the name and the modification time of IN, if it is a file. `decompress -N` gives OUT both
    #[arg(short = 'N', long = "name")]
    pub keep_name: bool,
    /// Skip decoding each block again to compare it with the input. Twice as fast
    #[arg(long)]
    pub no_verify: bool,
}

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
    // One byte more than there is, so that the end is found without another read.
    let room = input.length().map_or(CHUNK, |length| CHUNK.min(length.saturating_add(1)));
    let mut chunk = Vec::with_capacity(room as usize);
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
    let mut sink = sink.into_inner().map_err(io::IntoInnerError::into_error)?;
    if let Some(time) = input.modified() {
        // Where the system does not let it, the archive is as good.
        let _ = sink.set_modified(time);
    }
    match arguments.keeping.remove {
        true => sink.commit_instead_of(&arguments.input)?,
        false => sink.commit()?,
    }
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
