//! An archive that is open.

use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::sync::{Arc, Mutex};

use plyzip::archive::{IndexedReader, MovesIndex, Summary};
use plyzip::pgn::{Tag, tag_text};
use plyzip::{Error, Result};

use crate::boundary::{bytes, null, text};
use crate::buffer::with;
use crate::bytes::BytesSlot;
use crate::error::call;
use crate::source::{Source, path_of};
use crate::work::Work;
use crate::{plyzip_bytes, plyzip_error, plyzip_options, plyzip_status};

/// An archive that is open. Any number of threads may use it; they take turns.
#[derive(Debug)]
pub struct plyzip_archive {
    work: Arc<Work>,
    summary: Summary,
    opened: Mutex<Opened>,
}

#[derive(Debug)]
struct Opened {
    reader: IndexedReader<Source>,
    /// The tags of the games of the block that was last asked for, by its number.
    tags: Option<(usize, Vec<Vec<Tag>>)>,
}

/// Opens the archive in a file. Its index is read, and no game. The file must stay as it is until the archive is freed
/// with plyzip_archive_free.
#[unsafe(no_mangle)]
pub extern "C" fn plyzip_archive_open(
    path: *const c_char,
    options: Option<&plyzip_options>,
    archive: Option<&mut MaybeUninit<Option<Box<plyzip_archive>>>>,
    error: Option<&mut MaybeUninit<Option<Box<plyzip_error>>>>,
) -> plyzip_status {
    call(error, || {
        open(archive, options, || {
            let path = text(path, "path")?;
            // One that cannot be used is as good as none.
            let index = MovesIndex::beside(path_of(path)?).ok().flatten();
            Ok((Source::file(path)?, index))
        })
    })
}

/// Opens an archive in memory, of which it takes a copy. Freed with plyzip_archive_free.
#[unsafe(no_mangle)]
pub extern "C" fn plyzip_archive_open_memory(
    data: *const u8,
    size: usize,
    options: Option<&plyzip_options>,
    archive: Option<&mut MaybeUninit<Option<Box<plyzip_archive>>>>,
    error: Option<&mut MaybeUninit<Option<Box<plyzip_error>>>>,
) -> plyzip_status {
    call(error, || {
        open(archive, options, || Ok((Source::copy_of(bytes(data, size, "data")?)?, None)))
    })
}

/// Closes and frees an archive, or nothing for NULL. No other call may use it then.
#[unsafe(no_mangle)]
pub extern "C" fn plyzip_archive_free(archive: Option<Box<plyzip_archive>>) {
    drop(archive);
}

/// How many games there are; 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn plyzip_archive_games(archive: Option<&plyzip_archive>) -> u64 {
    archive.map_or(0, |archive| archive.summary.stats.games)
}

/// How many moves all games have together, each side's counted; 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn plyzip_archive_moves(archive: Option<&plyzip_archive>) -> u64 {
    archive.map_or(0, |archive| archive.summary.stats.moves)
}

/// How many bytes the original has; 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn plyzip_archive_original_size(archive: Option<&plyzip_archive>) -> u64 {
    archive.map_or(0, |archive| archive.summary.original_bytes)
}

/// A game as it stands in the original, from its tags to the next game. Games are counted from 0.
///
/// Its page is decoded for it, 128 games by default, which takes up to seconds; games of the page that was last decoded
/// come at once.
#[unsafe(no_mangle)]
pub extern "C" fn plyzip_archive_game(
    archive: Option<&plyzip_archive>,
    index: u64,
    pgn: Option<&mut MaybeUninit<plyzip_bytes>>,
    error: Option<&mut MaybeUninit<Option<Box<plyzip_error>>>>,
) -> plyzip_status {
    call(error, || {
        let pgn = BytesSlot::new(pgn, "pgn")?;
        let archive = archive.ok_or_else(|| null("archive"))?;
        pgn.fill(archive.read(index, |opened| opened.reader.game(index))?)
    })
}

/// A tag of a game, "White" for example, as UTF-8 without the escapes of PGN. The bytes' `data` is NULL if the game has
/// no such tag.
///
/// No move is decoded for it, and the tags of a block are at hand once one of them was asked for. ECO, Opening and
/// others that the moves foretell are stored with the moves, and are not found here if the moves foretell them:
/// plyzip_game_tag finds them in what plyzip_archive_game gives.
#[unsafe(no_mangle)]
pub extern "C" fn plyzip_archive_tag(
    archive: Option<&plyzip_archive>,
    index: u64,
    name: *const c_char,
    value: Option<&mut MaybeUninit<plyzip_bytes>>,
    error: Option<&mut MaybeUninit<Option<Box<plyzip_error>>>>,
) -> plyzip_status {
    call(error, || {
        let value = BytesSlot::new(value, "value")?;
        let archive = archive.ok_or_else(|| null("archive"))?;
        let name = text(name, "name")?.to_bytes();
        let found = archive.read(index, |opened| opened.tag(index, name))?;
        found.map_or(Ok(()), |text| value.fill(text.into_bytes()))
    })
}

fn open(
    slot: Option<&mut MaybeUninit<Option<Box<plyzip_archive>>>>,
    options: Option<&plyzip_options>,
    source: impl FnOnce() -> Result<(Source, Option<MovesIndex>)>,
) -> Result<()> {
    let slot = slot.ok_or_else(|| null("archive"))?.write(None);
    let (source, index) = source()?;
    *slot = Some(with(options, |options| {
        let reader = options.reader().index(index);
        let reader = options.work.run(|| IndexedReader::with_options(source, reader))?;
        Ok(Box::new(plyzip_archive {
            work: options.work.clone(),
            summary: reader.summary().clone(),
            opened: Mutex::new(Opened { reader, tags: None }),
        }))
    })?);
    Ok(())
}

impl plyzip_archive {
    /// Does `work` for game `index`, when nobody else reads.
    fn read<T: Send>(
        &self,
        index: u64,
        work: impl FnOnce(&mut Opened) -> Result<T> + Send,
    ) -> Result<T> {
        let games = self.summary.stats.games;
        if index >= games {
            return Err(Error::Usage(format!(
                "there is no game {index}: the archive has {games}, counted from 0"
            )));
        }
        // Locked here, and not by a thread of the pool, which takes up others' work when it waits.
        let left = |_| Error::Internal("a panic has left the archive".into());
        let mut opened = self.opened.lock().map_err(left)?;
        let opened = &mut *opened;
        self.work.run(|| {
            self.work.interrupt.check()?;
            work(opened)
        })
    }
}

impl Opened {
    /// The value of a tag that no page is needed for.
    fn tag(&mut self, index: u64, name: &[u8]) -> Result<Option<String>> {
        let lost = || Error::damaged(format!("no block has game {index}"));
        let block = self.reader.block_of_game(index).ok_or_else(lost)?;
        let first = self.reader.blocks().get(block).ok_or_else(lost)?.first_game;
        let tags = match self.tags.take() {
            Some((known, tags)) if known == block => tags,
            _ => self.reader.tags(block)?,
        };
        let (_, games) = self.tags.insert((block, tags));
        let place = usize::try_from(index - first).ok();
        let tags = place.and_then(|place| games.get(place)).ok_or_else(lost)?;
        let tag = tags.iter().find(|tag| tag.name == name);
        Ok(tag.map(|tag| tag_text(&tag.value).into_owned()))
    }
}
