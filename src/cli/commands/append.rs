//! `plyzip append`

use std::io::{self, BufWriter, Cursor, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use clap::Args;
use plyzip::archive::{
    AllGames, ArchiveWriter, IndexedReader, MovesIndex, PgnGames, ReaderOptions, WriterOptions,
};
use plyzip::filters::Duplicates;
use plyzip::pgn::Game;
use plyzip::{Error, Model, ModelStore, Result};

use super::cat::{checked, copy_of_checked};
use crate::cli::arguments::{Coding, ModelChoice, Recovery, Verbosity};
use crate::cli::beside::{Beside, go_on};
use crate::cli::counted::counted;
use crate::cli::files::{
    Ending, Input, OpenFile, PgnSource, Protecting, Sink, Unpacking, at, push,
};
use crate::cli::names::DEFAULT_MODEL;
use crate::cli::progress::Progress;
use crate::cli::report;
use crate::cli::shown::tell;
use crate::cli::threads::with_threads;

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
    /// Append what another program has compressed as it is, instead of the PGN inside
    #[arg(long)]
    pub as_is: bool,
    /// Put an empty line between the games that are there and the new ones, and between the files of these, where there
    /// is none. Without it, all bytes are those of the files, and what may go wrong with them is told
    #[arg(long)]
    pub separate: bool,
    /// Leave out duplicates of games that are in the archive or were appended before: the same moves, players, result
    /// and date. What is no game is left out, too. The moves of all games of the archive are decoded, or read from its
    /// index
    #[arg(long)]
    pub skip_duplicates: bool,
    /// With --skip-duplicates, take players for the same whose names differ only in spelling, and ignore the date
    #[arg(long, requires = "skip_duplicates")]
    pub near: bool,
    /// Put one recovery record at the end, with parity of SHARE of the archive, such as 1%, in the place of those that
    /// are there; `none` leaves them out [default: the share that the archive has by now]
    #[arg(long, value_name = "SHARE")]
    pub recovery: Option<Recovery>,
    /// How the codec runs
    #[command(flatten)]
    pub coding: Coding,
    /// Skip decoding each new block again to compare it with the input
    #[arg(long)]
    pub no_verify: bool,
}

/// So many bytes are looked at where a file begins.
const BEGIN: u64 = 1 << 10;
/// In UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// How often what is there is read again, if something else goes on changing it.
const ATTEMPTS: u32 = 1000;

/// Appends games to an archive.
pub fn run(arguments: &AppendArguments, verbosity: Verbosity) -> Result<()> {
    let path = &arguments.input;
    let mut archive = Input::open(path)?;
    let open = |path: &PathBuf| PgnSource::open(path, Unpacking::unless(arguments.as_is));
    let new = arguments.new.iter().map(open).collect::<Result<Vec<_>>>()?;
    let mut sink = Sink::in_place_of(&archive)?;
    let length = new.iter().map(PgnSource::length).sum::<Option<u64>>();
    with_threads(arguments.coding, length, || {
        let progress = Progress::new(path, length, verbosity);
        let old_length = copy_checked(&mut archive, &mut sink)?;
        let recovery = recovery(arguments, &mut archive)?;
        let model = model(arguments, &mut archive)?;
        let mut ending = ending(arguments, verbosity, &mut archive, &model)?;
        let index = Beside::of(path, &mut archive)?.1;
        let index = index.and_then(|index| index.if_it_fits(path, verbosity));
        let mut known = known(arguments, &mut archive, &model, index.as_ref())?;
        let (mut skipped, mut games) = (0, 0);
        let options = WriterOptions::new().verify(!arguments.no_verify);
        let mut writer = ArchiveWriter::with_options(BufWriter::new(sink), model, options)?;
        writer.set_progress(progress.work());
        // An index goes on with the new games, and neither they nor the old ones are decoded for it.
        let new_index = index.is_some().then(tempfile::tempfile).transpose()?;
        if let Some(file) = &new_index {
            writer.write_index_to(Box::new(BufWriter::new(file.try_clone()?)))?;
        }
        let only = new.len() == 1;
        for (source, path) in new.into_iter().zip(&arguments.new) {
            let format = source.format();
            source.read(|pgn| {
                report::tell_format(verbosity, path, format);
                let mut begin = vec![];
                pgn.by_ref().take(BEGIN).read_to_end(&mut begin)?;
                if let Some(known) = &mut known {
                    let mut all = PgnGames::new(Cursor::new(&begin).chain(&mut *pgn));
                    let mut is_first = true;
                    let mut take = |_, game: &Game, bytes: &[u8]| {
                        if known.see((), game).is_some() {
                            skipped += 1;
                            return Ok(());
                        }
                        // A file without new games adds nothing, and no empty line either.
                        if std::mem::take(&mut is_first) {
                            part(arguments, verbosity, &ending, path, bytes, &mut writer)?;
                        }
                        ending.push(bytes);
                        writer.push(bytes)
                    };
                    games += all.select(&AllGames).games_and_bytes(&mut take)?;
                    return Ok(());
                }
                part(arguments, verbosity, &ending, path, &begin, &mut writer)?;
                writer.push(&begin)?;
                push(&mut writer, pgn, |estimate| {
                    if only {
                        progress.set_length(estimate.length);
                    }
                })?;
                ending.push(pgn.ending().bytes());
                Ok(())
            })?;
        }
        if known.is_some() && !verbosity.quiet {
            tell(&format!("{skipped} of {} stood before", counted(games, "new game")));
        }
        let (sink, summary) = writer.finish()?;
        let sink = sink.into_inner().map_err(io::IntoInnerError::into_error)?;
        if summary.original_bytes == 0 {
            // Nothing is new: the archive stays as it is.
            return Ok(());
        }
        let new = old_length..old_length + summary.archive_bytes;
        put_in_place(sink, &archive, new, path, recovery)?;
        // The games are there, whatever becomes of the index.
        if let Some(new) = new_index {
            go_on(path, index, new, &progress, verbosity);
        }
        let names: Vec<String> =
            arguments.new.iter().map(|path| path.display().to_string()).collect();
        report::tell(verbosity, Path::new(&names.join(", ")), &summary, progress.finish());
        Ok(())
    })
}

/// Writes what has to stand before `begin`, the first bytes that are appended of a file, or says what may go wrong.
fn part<W: Write>(
    arguments: &AppendArguments,
    verbosity: Verbosity,
    ending: &Ending,
    path: &Path,
    begin: &[u8],
    writer: &mut ArchiveWriter<W>,
) -> Result<()> {
    if arguments.separate {
        writer.push(&ending.missing_before(begin))?;
    } else if ending.is_glued_to(begin) && !verbosity.quiet {
        tell(&format!(
            "{}: begins in the line that the games before it end in (--separate puts an empty line between)",
            path.display()
        ));
    }
    if begin.starts_with(BYTE_ORDER_MARK) && !ending.is_empty() && !verbosity.quiet {
        tell(&format!(
            "{}: begins with a byte order mark, which stands among games now: others may not see its first",
            path.display()
        ));
    }
    Ok(())
}

/// The games that are there, if they are not to be appended again.
fn known(
    arguments: &AppendArguments,
    archive: &mut Input,
    model: &Model,
    index: Option<&MovesIndex>,
) -> Result<Option<Duplicates<()>>> {
    if !arguments.skip_duplicates {
        return Ok(None);
    }
    let mut known = if arguments.near { Duplicates::near() } else { Duplicates::new() };
    let (model, store) = (Some(model.clone()), ModelStore::of_system());
    let options = ReaderOptions::new().model(model).store(store).index(index.cloned());
    let mut reader = IndexedReader::with_options(archive, options)?;
    reader.select(&AllGames).moves(usize::MAX, |_, game| {
        known.see((), game);
        Ok(())
    })?;
    Ok(Some(known))
}

/// How the games that are there end, if somebody wants to know. It takes no longer than to append a page of games.
fn ending(
    arguments: &AppendArguments,
    verbosity: Verbosity,
    archive: &mut Input,
    model: &Model,
) -> Result<Ending> {
    let mut ending = Ending::default();
    if verbosity.quiet && !arguments.separate {
        return Ok(ending);
    }
    let (model, store) = (Some(model.clone()), ModelStore::of_system());
    let options = ReaderOptions::new().model(model).store(store);
    match IndexedReader::with_options(archive, options)?.last_text() {
        Ok(text) => ending.push(&text),
        // It may need a model that is not at hand, as it may be to append.
        Err(error) if arguments.separate => return Err(error),
        Err(_) => {}
    }
    Ok(ending)
}

/// Copies an archive that is whole, but for its recovery records, and returns how many bytes that are.
fn copy_checked(archive: &mut Input, sink: &mut Sink) -> Result<u64> {
    let length = checked(archive, None)?;
    copy_of_checked(archive, length, sink, false, None)?;
    let file =
        sink.read_back()?.ok_or_else(|| Error::Internal("an output that is no file".into()))?;
    Ok(file.seek(SeekFrom::End(0))?)
}

/// The record that is asked for, or one like that of the archive.
fn recovery(arguments: &AppendArguments, archive: &mut Input) -> Result<Recovery> {
    if let Some(recovery) = arguments.recovery {
        return Ok(recovery);
    }
    let share = IndexedReader::open(archive)?.summary().recovery_share();
    Ok(share.map_or(Recovery::None, Recovery::Share))
}

/// Puts `sink`, which holds the bytes of `archive` and behind them, as its `new` bytes, the new games, in the place of
/// `archive`. If something else was quicker, the new games go behind what is there by now.
fn put_in_place(
    sink: Sink,
    archive: &Input,
    new: Range<u64>,
    path: &Path,
    recovery: Recovery,
) -> Result<()> {
    let (mut sink, _) = Protecting::begun(sink, new.end, recovery).finish()?;
    // Before others have to wait for it.
    sink.sync()?;
    if let Some(_claim) = archive.regular().and_then(OpenFile::claim) {
        return sink.commit();
    }
    for _ in 0..ATTEMPTS {
        let mut now = Input::open(path)?;
        // From here on, all others that append wait.
        let Some(_claim) = now.regular().and_then(OpenFile::claim) else { continue };
        let mut whole = Sink::in_place_of(&now)?;
        let old = copy_checked(&mut now, &mut whole)?;
        whole.append_from(&mut sink, new.clone())?;
        let written = old + (new.end - new.start);
        let (mut whole, _) = Protecting::begun(whole, written, recovery).finish()?;
        whole.sync()?;
        if now.regular().is_some_and(OpenFile::is_in_place) {
            return whole.commit();
        }
    }
    Err(at(
        path,
        &io::Error::other("something else changes it again and again; nothing was appended"),
    ))
}

/// The model that is asked for, or that of the archive.
fn model(arguments: &AppendArguments, archive: &mut Input) -> Result<Model> {
    let store = ModelStore::of_system();
    if let Some(model) = arguments.model.name() {
        return store.open(model);
    }
    let options = ReaderOptions::new().store(store.clone());
    match IndexedReader::with_options(archive, options)?.last_model()? {
        Some(model) => Ok(model),
        None => store.open(DEFAULT_MODEL),
    }
}
