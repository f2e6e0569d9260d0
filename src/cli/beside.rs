//! The index beside an archive, and whether it fits.

use std::fs::{self, File};
use std::io::BufWriter;
use std::path::Path;

use plyzip::archive::{IndexedReader, MovesIndex, Progress, ReaderOptions, Summary};
use plyzip::{ModelStore, Result};

use super::arguments::Output;
use super::arguments::{Verbosity, tell_fault, what_is_wrong};
use super::counted::counted;
use super::files::{Input, Sink};
use super::progress::Progress as Shown;
use super::shown::tell;

/// An index that lies beside an archive.
#[derive(Debug)]
pub struct Beside {
    /// Bytes of its file.
    pub bytes: u64,
    /// Games of the archive that it has, from the first on, and all.
    pub games: u64,
    pub all: u64,
    /// Why it does not fit; then it has no games.
    pub fault: Option<String>,
    /// It, if it can be opened.
    index: Option<MovesIndex>,
}

impl Beside {
    /// The figures of the archive at `path`, which is `archive`, and the index beside it, if there is one.
    ///
    /// # Errors
    /// Those of the archive; what is wrong with the index is no error.
    pub fn of(path: &Path, archive: &mut Input) -> Result<(Summary, Option<Beside>)> {
        let (index, fault) = match MovesIndex::beside(path) {
            Ok(index) => (index, None),
            Err(error) => (None, Some(what_is_wrong(error))),
        };
        let reader =
            IndexedReader::with_options(archive, ReaderOptions::new().index(index.clone()))?;
        let summary = reader.summary().clone();
        let fault = fault.or_else(|| reader.index_fault().map(str::to_owned));
        if index.is_none() && fault.is_none() {
            return Ok((summary, None));
        }
        let bytes = fs::metadata(MovesIndex::path_beside(path)).map_or(0, |found| found.len());
        let games = if fault.is_none() { reader.indexed_games() } else { 0 };
        let all = summary.stats.games;
        Ok((summary, Some(Beside { bytes, games, all, fault, index })))
    }

    /// Whether it fits, and has all games.
    pub fn is_whole(&self) -> bool {
        self.fault.is_none() && self.games == self.all
    }

    /// In words.
    pub fn describe(&self) -> String {
        let Beside { bytes, games, all, fault, .. } = self;
        match fault {
            Some(fault) => {
                format!("{bytes} bytes, does not fit: {fault} (plyzip index -f makes it anew)")
            }
            None if games < all => {
                format!("{bytes} bytes, {games} of {all} games (plyzip index adds the others)")
            }
            None => format!("{bytes} bytes, of all games"),
        }
    }

    /// The index, if it fits; if it does not, that is told.
    pub fn if_it_fits(self, path: &Path, verbosity: Verbosity) -> Option<MovesIndex> {
        match self.fault {
            None => self.index,
            Some(fault) => {
                tell_fault(path, verbosity, &fault);
                None
            }
        }
    }
}

/// Writes an index beside the archive at `path`. What those in `known` have is taken over, the rest is decoded with the
/// models of the system. Gives back what there is to tell.
///
/// # Errors
/// Those of [`IndexedReader::write_index`].
pub fn write_beside(path: &Path, known: &[MovesIndex], progress: &Progress) -> Result<String> {
    let beside = MovesIndex::path_beside(path);
    let input = Input::open(path)?;
    let sink =
        Sink::open(&Output::at(beside.clone(), true), &input, |path| Ok(path.to_owned()), true)?;
    let options = ReaderOptions::new().store(ModelStore::of_system()).progress(progress);
    let mut sink = BufWriter::new(sink);
    let games = IndexedReader::with_options(input, options)?.write_index(&mut sink, known)?;
    sink.into_inner().map_err(std::io::IntoInnerError::into_error)?.commit()?;
    let bytes = fs::metadata(&beside).map_or(0, |found| found.len());
    Ok(format!("{}: {}, {bytes} bytes", beside.display(), counted(games, "game")))
}

/// Writes the index of an archive that has changed: `new` has the games that were written, and the index that was there
/// `before` the others, if there are any. If that fails, that is told, and the index serves for the games that it has.
pub fn go_on(
    path: &Path,
    before: Option<MovesIndex>,
    new: File,
    progress: &Shown,
    verbosity: Verbosity,
) {
    let added = MovesIndex::open(new).and_then(|new| {
        // Something else may have appended meanwhile.
        let now = MovesIndex::beside(path).ok().flatten();
        let known: Vec<MovesIndex> = before.into_iter().chain(now).chain([new]).collect();
        write_beside(path, &known, progress.work())
    });
    if let Err(error) = added
        && !verbosity.quiet
    {
        let index = MovesIndex::path_beside(path);
        tell(&format!("{}: not brought up to date: {}", index.display(), what_is_wrong(error)));
    }
}
