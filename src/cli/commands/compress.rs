//! `plyzip compress`

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;
use plyzip::archive::{ArchiveWriter, FileInfo, MovesIndex, Summary, WriterOptions};
use plyzip::{Error, Model, ModelStore, Result};

use crate::cli::arguments::{Coding, Inputs, Keeping, ModelChoice, Output, Recovery, Verbosity};
use crate::cli::each::each;
use crate::cli::exit::ExitStatus;
use crate::cli::failure::Failure;
use crate::cli::files::{
    Estimate, Input, OpenFile, PgnSource, Protecting, Sink, Unpacking, found, is_named_pgn,
    is_same, push,
};
use crate::cli::names::{DEFAULT_MODEL, SUFFIX};
use crate::cli::progress::Progress;
use crate::cli::report;
use crate::cli::threads::with_threads;

/// `plyzip compress`
#[derive(Debug, Clone, Args)]
pub struct CompressArguments {
    /// What to compress; of folders .pgn, .pgn.gz, .pgn.bz2, .pgn.xz, .pgn.zst and .pgn.zip
    #[command(flatten)]
    pub inputs: Inputs,
    /// Keep what another program has compressed as it is, instead of the PGN inside
    #[arg(long)]
    pub as_is: bool,
    /// Where to: IN.plz unless given, standard output if IN is `-`
    #[command(flatten)]
    pub output: Output,
    /// What becomes of IN
    #[command(flatten)]
    pub keeping: Keeping,
    /// What predicts the moves
    #[command(flatten)]
    pub model: ModelChoice,
    /// How the codec runs
    #[command(flatten)]
    pub coding: Coding,
    /// Put at most N games into a block. Large blocks are denser; a single game is reached sooner in small ones
    #[arg(long, value_name = "N", default_value_t = WriterOptions::default().block_games)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    pub block_games: u64,
    /// Put at most N games into a page, which is what is decoded to reach a single game [default: 128, with `none` 384]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub page_games: Option<u64>,
    /// Write the model's file into the archive, so that no other program or folder has to have it
    #[arg(long)]
    pub embed_model: bool,
    /// Store the name and the modification time of IN, if it is a file. `decompress -N` gives OUT both
    #[arg(short = 'N', long = "name")]
    pub keep_name: bool,
    /// Add parity of SHARE of the archive, such as 3%, from which `plyzip repair` makes damage good [default: none]
    #[arg(long, value_name = "SHARE")]
    pub recovery: Option<Recovery>,
    /// Skip decoding each block again to compare it with the input
    #[arg(long)]
    pub no_verify: bool,
    /// Write an index beside the archive, as `plyzip index` does, on the way: it takes no time, unless --no-verify is
    /// given, and replaces the index that is there
    #[arg(long)]
    pub index: bool,
}

/// Of games with clocks most bytes are clocks and names: by `standard` 303 blitz games take 24,286 bytes, by `none`
/// 24,735; 135 others 74.1 and 77.5 bytes a game.
const CLOCKS_HINT: &str =
    "games with clocks: -1 takes a small part of the time, for 2 to 5 % more bytes";

/// Compresses files or standard input.
pub(super) fn run(
    arguments: &CompressArguments,
    verbosity: Verbosity,
) -> Result<ExitStatus, Failure> {
    let inputs = found(&arguments.inputs.paths, arguments.inputs.recursive, is_named_pgn)?;
    let store = ModelStore::of_system();
    let name = arguments.model.name().unwrap_or(DEFAULT_MODEL);
    let model = store.open(name)?;
    let file = match arguments.embed_model && model.hash().is_some() {
        true => Some(store.read(name)?),
        false => None,
    };
    let compression = Compression { arguments, verbosity, model, file };
    match arguments.output.is_given() && inputs.len() > 1 {
        true => compression.together(&inputs).map(|()| ExitStatus::Success),
        false => each(&inputs, |input| compression.alone(input)),
    }
}

/// How files are to be compressed.
struct Compression<'a> {
    arguments: &'a CompressArguments,
    verbosity: Verbosity,
    model: Model,
    /// The model's file, if it shall be in the archive.
    file: Option<Vec<u8>>,
}

impl Compression<'_> {
    /// Makes an archive of one file.
    fn alone(&self, path: &Path) -> Result<()> {
        let arguments = self.arguments;
        let source = PgnSource::open(path, Unpacking::unless(arguments.as_is))?;
        let pgn_path = source.pgn_path();
        let archive = |path: &Path| Ok(with_suffix(pgn_path.as_deref().unwrap_or(path)));
        let sink = Sink::open(&arguments.output, source.input(), archive, true)?;
        let index = self.index(&sink, source.input())?;
        let length = source.length();
        with_threads(arguments.coding, length, || {
            let progress = Progress::new(path, length, self.verbosity);
            let mut writer = self.writer(sink, &progress)?;
            if let Some(index) = &index {
                writer.write_index_to(Box::new(index.clone()))?;
            }
            if arguments.keep_name {
                writer.set_file_info(file_info(&source)?);
            }
            let input = source.input().regular().map(OpenFile::try_clone).transpose()?;
            let modified = source.input().modified();
            let format = source.format();
            source.read(|pgn| {
                report::tell_format(self.verbosity, path, format);
                push(&mut writer, pgn, |estimate| {
                    progress.set_length(estimate.length);
                    self.hint(estimate, &progress);
                })
            })?;
            let (mut sink, summary) = finish(writer)?;
            if let Some(time) = modified {
                // Where the system does not let it, the archive is as good.
                let _ = sink.set_modified(time);
            }
            match arguments.keeping.remove {
                true => sink.commit_instead_of(input.as_ref())?,
                false => sink.commit()?,
            }
            index.map_or(Ok(()), SharedSink::commit)?;
            report::tell(self.verbosity, path, &summary, progress.finish());
            Ok(())
        })
    }

    /// Makes one archive of several files.
    fn together(&self, paths: &[PathBuf]) -> Result<(), Failure> {
        let arguments = self.arguments;
        not_for_several(arguments.keeping.remove, "--rm")?;
        not_for_several(arguments.keep_name, "-N")?;
        let Some(first) = paths.first() else { return Ok(()) };
        let opened = Input::open(first).map_err(Failure::about(first))?;
        let sink = Sink::open(&arguments.output, &opened, |path| Ok(path.to_owned()), true)?;
        let index = self.index(&sink, &opened)?;
        // What cannot be read is told before hours of work.
        let mut length = 0;
        for path in paths {
            length += Input::open(path)?.length().unwrap_or(0);
            if arguments.output.path.as_ref().is_some_and(|output| is_same(path, output)) {
                let message = format!("{} is both input and output", path.display());
                return Err(Error::Usage(message).into());
            }
        }
        let name = PathBuf::from(format!("{} files", paths.len()));
        let mut at = first;
        let done = with_threads(arguments.coding, Some(length), || {
            let progress = Progress::new(&name, Some(length), self.verbosity);
            let mut writer = self.writer(sink, &progress)?;
            if let Some(index) = &index {
                writer.write_index_to(Box::new(index.clone()))?;
            }
            // Bytes of PGN before the present file, and of the files behind it as they lie.
            let (mut before, mut behind) = (0, length);
            for path in paths {
                at = path;
                let source = PgnSource::open(path, Unpacking::unless(arguments.as_is))?;
                let format = source.format();
                behind -= source.input().length().unwrap_or(0).min(behind);
                before += source.read(|pgn| {
                    report::tell_format(self.verbosity, path, format);
                    push(&mut writer, pgn, |estimate| {
                        let length = estimate.length.unwrap_or(0);
                        progress.set_length(Some(before + length + behind));
                        self.hint(estimate, &progress);
                    })
                })?;
            }
            let (sink, summary) = finish(writer)?;
            sink.commit()?;
            index.map_or(Ok(()), SharedSink::commit)?;
            report::tell(self.verbosity, &name, &summary, progress.finish());
            Ok(())
        });
        done.map_err(Failure::about(at))
    }

    /// Has it told, if the work takes long, that it need not.
    fn hint(&self, estimate: &Estimate, progress: &Progress) {
        if estimate.clocks && self.model.hash().is_some() {
            progress.set_hint(CLOCKS_HINT);
        }
    }

    /// What takes the index of the archive in `sink`, if one is asked for.
    fn index(&self, sink: &Sink, input: &Input) -> Result<Option<SharedSink>> {
        if !self.arguments.index {
            return Ok(None);
        }
        let no_file = || Error::Usage("--index is for an archive that is a file".into());
        let path = MovesIndex::path_beside(sink.path().ok_or_else(no_file)?);
        // An index is one of its name: there is nothing in it that is not in the archive.
        let output = Output::at(path, true);
        let sink = Sink::open(&output, input, |path| Ok(path.to_owned()), true)?;
        Ok(Some(SharedSink(Arc::new(Mutex::new(BufWriter::new(sink))))))
    }

    /// A writer of an archive into `sink`.
    fn writer(
        &self,
        sink: Sink,
        progress: &Progress,
    ) -> Result<ArchiveWriter<BufWriter<Protecting>>> {
        let recovery = self.arguments.recovery.unwrap_or(Recovery::None);
        let sink = Protecting::new(sink, recovery);
        let options = WriterOptions::new()
            .block_games(self.arguments.block_games)
            .page_games(self.arguments.page_games)
            .verify(!self.arguments.no_verify);
        let model = self.model.clone();
        let mut writer = ArchiveWriter::with_options(BufWriter::new(sink), model, options)?;
        writer.set_progress(progress.work());
        if let Some(file) = &self.file {
            writer.embed_model(file)?;
        }
        Ok(writer)
    }
}

/// Ends an archive, with its recovery record.
pub(super) fn finish(writer: ArchiveWriter<BufWriter<Protecting>>) -> Result<(Sink, Summary)> {
    let (sink, mut summary) = writer.finish()?;
    let sink = sink.into_inner().map_err(io::IntoInnerError::into_error)?;
    let (sink, bytes) = sink.finish()?;
    summary.archive_bytes += bytes;
    summary.recovery_bytes = bytes;
    Ok((sink, summary))
}

/// An output that somebody else writes to, until it is complete.
#[derive(Clone)]
struct SharedSink(Arc<Mutex<BufWriter<Sink>>>);

impl SharedSink {
    /// Puts the file in place, when nobody else has it any more.
    fn commit(self) -> Result<()> {
        let lost = || Error::Internal("an output is still written to".into());
        let sink = Arc::into_inner(self.0).ok_or_else(lost)?;
        let sink = sink.into_inner().unwrap_or_else(PoisonError::into_inner);
        sink.into_inner().map_err(io::IntoInnerError::into_error)?.commit()
    }
}

impl Write for SharedSink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).flush()
    }
}

/// Refuses an option that has no meaning where several files go to one output.
pub(super) fn not_for_several(given: bool, option: &str) -> Result<()> {
    match given {
        true => {
            Err(Error::Usage(format!("{option} is for files with an OUT each, without -o and -c")))
        }
        false => Ok(()),
    }
}

/// Name and modification time of a file, as it is without what it is compressed in; nothing for standard input.
fn file_info(source: &PgnSource) -> Result<FileInfo> {
    let path = source.pgn_path();
    let name = path.as_deref().and_then(Path::file_name).map(|name| {
        let wrong = || Error::Usage(format!("{} is no UTF-8 and cannot be stored", name.display()));
        name.to_str().ok_or_else(wrong)
    });
    let modified = source.input().metadata().and_then(|metadata| metadata.modified().ok());
    let name = name.transpose()?;
    FileInfo::new(name, modified.map(seconds)).map_err(|error| match (error, path.as_deref()) {
        (Error::Usage(what), Some(path)) => {
            Error::Usage(format!("{}: {what}, and cannot be stored with -N", path.display()))
        }
        (error, _) => error,
    })
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
