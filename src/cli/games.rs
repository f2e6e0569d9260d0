//! The games that a command looks through: those of an archive, or of PGN as it lies.

use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use plyzip::archive::{IndexedReader, PgnGames, Select, Selection};
use plyzip::{Error, Result};

use super::arguments::{Reading, Verbosity, tell_index};
use super::files::{Input, Kind, PgnReader, PgnSource, Unpacking, head, is_named_pgn};
use super::progress::Progress;
use super::threads::with_threads;

/// The games of a file.
pub enum Games<'a> {
    /// Of an archive.
    Archive(&'a mut IndexedReader<Input>),
    /// Of PGN, which is read once.
    Pgn(PgnGames<&'a mut dyn Read>),
}

impl Games<'_> {
    /// Those that are wanted.
    pub fn select<'a, S: Selection>(&'a mut self, selection: &'a S) -> Select<'a, S> {
        match self {
            Games::Archive(reader) => reader.select(selection),
            Games::Pgn(games) => games.select(selection),
        }
    }

    /// How many there are, if that is known before they are read.
    pub fn count(&self) -> Option<u64> {
        match self {
            Games::Archive(reader) => Some(reader.summary().stats.games),
            Games::Pgn(_) => None,
        }
    }
}

/// Has `work` look through the games of the file at `path`, and shows how far it has come.
///
/// # Errors
/// Those of `work`, of opening and of reading the file; [`Error::Usage`] if it is an archive that cannot be sought in.
pub fn look_through<T: Send>(
    path: &Path,
    reading: &Reading,
    verbosity: Verbosity,
    work: impl FnOnce(&mut Games<'_>) -> Result<T> + Send,
) -> Result<T> {
    let mut input = Input::open(path)?;
    let head = head(&mut input)?;
    let is_file = input.path().is_some();
    // What looks like neither is told so, as an archive that it is not.
    let is_pgn = match Kind::of(&head) {
        Kind::Archive => false,
        Kind::Pgn | Kind::Packed(_) => true,
        Kind::Other => !is_file || is_named_pgn(path),
    };
    if is_pgn {
        let source = PgnSource::of(input, head, Unpacking::Always)?;
        return with_threads(reading.coding, source.length(), || {
            let progress = Progress::new(path, source.length(), verbosity);
            let found = source.read(|pgn| {
                let mut counted = Counted { pgn, read: 0, progress: &progress };
                let games = PgnGames::new(&mut counted as &mut dyn Read);
                work(&mut Games::Pgn(games.progress(progress.work())))
            })?;
            progress.finish();
            Ok(found)
        });
    }
    if !is_file {
        let what = "an archive has to be a file, not standard input, to look for games in it";
        return Err(Error::Usage(what.into()));
    }
    input.seek(SeekFrom::Start(0))?;
    let index = reading.index.open(Some(path), verbosity);
    let options = reading.limits.reader_options(reading.model.as_deref())?;
    with_threads(reading.coding, None, || {
        let progress = Progress::new(path, None, verbosity);
        let options = options.progress(progress.work()).index(index);
        let mut reader = IndexedReader::with_options(input, options)?;
        progress.set_games(reader.summary().stats.games);
        let found = work(&mut Games::Archive(&mut reader))?;
        progress.finish();
        tell_index(&reader, path, verbosity);
        Ok(found)
    })
}

/// PGN whose bytes are progress.
struct Counted<'a, 'p> {
    pgn: &'a mut PgnReader<'p>,
    read: u64,
    progress: &'a Progress,
}

impl Read for Counted<'_, '_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let count = self.pgn.read(bytes)?;
        self.read += count as u64;
        self.progress.set_length(self.pgn.estimated_length());
        self.progress.set(self.read, 0);
        Ok(count)
    }
}
