//! An index of moves: a file beside an archive that answers without a model.
//!
//! It holds the moves of all games in a form that needs no predictions, and what is left on the board when they end. It is
//! a cache: whoever reads an archive with it gets what the archive says, and without it, too. `docs/format/index-file.md`
//! gives every field.

mod chunk;
mod openings;
mod page_moves;
mod rank;
mod record;
mod section;
mod summary;
mod writer;

use std::collections::HashMap;
use std::fmt;
use std::fs::File;
use std::io::{Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

pub use self::chunk::{Chunk, Wanted};
use self::chunk::{PackedChunk, SECTIONS};
pub use self::openings::Openings;
pub use self::page_moves::PageMoves;
pub use self::record::{PageRecord, Start};
pub use self::summary::GameSummary;
pub use self::writer::IndexWriter;
use super::format::digest::Digest;
use super::format::source::Source;
use crate::{Error, Result, varint};

/// 0xC1 is in no UTF-8 text.
const MAGIC: [u8; 4] = *b"\xC1PLI";
/// Of the form, the order of moves included.
const VERSION: u8 = 1;
/// Bytes of magic and version.
const HEADER_BYTES: u64 = 5;
/// Bytes of the directory's length at the end.
const TAIL_BYTES: u64 = 4;
/// A longer directory is not read: that of a billion games is shorter.
const MOST_DIRECTORY: u64 = 64 << 20;
/// What an index is called: the name of its archive with this behind it.
const SUFFIX: &str = ".idx";

/// What tells an archive from all others, of those that follow each other in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemberId {
    /// BLAKE3 of its end section and tail.
    pub end: Digest,
    /// Bytes of the archive.
    pub bytes: u64,
    /// Number of its blocks.
    pub blocks: u64,
}

/// A chunk of some block: where it is in the index.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ChunkPlace {
    offset: u64,
    /// Bytes of its sections.
    sections: [u64; SECTIONS],
    /// Pages of the chunks before it in its block.
    first_page: u64,
    pub pages: u64,
    pub games: u64,
}

/// An index of the moves of an archive, opened: what tells which archive it belongs to, and where everything is.
///
/// ```
/// use std::io::Cursor;
/// use plyzip::archive::{ArchiveWriter, IndexedReader, MovesIndex, ReaderOptions};
/// use plyzip::Model;
///
/// let mut writer = ArchiveWriter::new(Vec::new(), Model::none())?;
/// writer.push(&b"[Event \"A\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n".repeat(20))?;
/// let archive = writer.finish()?.0;
///
/// let mut index = Vec::new();
/// IndexedReader::open(Cursor::new(&archive))?.write_index(&mut index, None)?;
///
/// let index = Some(MovesIndex::open(Cursor::new(index))?);
/// let options = ReaderOptions::new().index(index);
/// let mut reader = IndexedReader::with_options(Cursor::new(&archive), options)?;
/// assert_eq!(reader.indexed_games(), 20);
/// assert_eq!(reader.game(0)?, b"[Event \"A\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n");
/// # Ok::<(), plyzip::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct MovesIndex(Arc<Opened>);

struct Opened {
    source: Mutex<Source<Box<dyn ReadSeek>>>,
    members: Vec<MemberId>,
    /// For each block of all members, where its chunks are; none if the index knows nothing of it.
    blocks: Vec<Vec<ChunkPlace>>,
    /// Trees of first moves that nobody uses at the moment.
    openings: Mutex<Vec<Openings>>,
}

/// What an index is read from.
trait ReadSeek: Read + Seek + Send {}

impl<R: Read + Seek + Send> ReadSeek for R {}

impl fmt::Debug for Opened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Opened").field("members", &self.members).finish_non_exhaustive()
    }
}

impl MovesIndex {
    /// Opens an index: its directory is read and checked, the rest when it is needed.
    ///
    /// # Errors
    /// [`Error::Damaged`] if it is none, [`Error::Unsupported`] if it is of another version, [`Error::Io`] if it cannot
    /// be read.
    pub fn open<R: Read + Seek + Send + 'static>(source: R) -> Result<MovesIndex> {
        let mut source: Source<Box<dyn ReadSeek>> = Source::new(Box::new(source));
        let length = source.length()?;
        source.seek(0)?;
        if source.array()? != MAGIC {
            return Err(Error::damaged("it does not begin like an index"));
        }
        match source.byte()? {
            VERSION => {}
            version => return Err(Error::Unsupported(format!("version {version} of indexes"))),
        }
        let too_short = || Error::damaged("an index that breaks off");
        source.seek(length.checked_sub(TAIL_BYTES).ok_or_else(too_short)?)?;
        let bytes = u64::from(source.u32()?);
        if bytes > MOST_DIRECTORY {
            return Err(Error::Limit(format!("the directory of an index has {bytes} bytes")));
        }
        let begin = (length - TAIL_BYTES).checked_sub(bytes).ok_or_else(too_short)?;
        source.seek(begin)?;
        let directory = source.bytes(bytes)?;
        let (members, blocks) = read_directory(&directory, begin)?;
        let (source, openings) = (Mutex::new(source), Mutex::default());
        Ok(MovesIndex(Arc::new(Opened { source, members, blocks, openings })))
    }

    /// Where the index of the archive at `path` is looked for: `games.plz.idx` beside `games.plz`.
    pub fn path_beside(path: impl AsRef<Path>) -> PathBuf {
        let mut name = path.as_ref().as_os_str().to_owned();
        name.push(SUFFIX);
        name.into()
    }

    /// Opens the index beside the archive at `path`; `None` if there is none.
    ///
    /// # Errors
    /// Those of [`open`](MovesIndex::open).
    pub fn beside(path: impl AsRef<Path>) -> Result<Option<MovesIndex>> {
        match File::open(MovesIndex::path_beside(path)) {
            Ok(file) => MovesIndex::open(file).map(Some),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// How many of these archives, which follow each other, the index knows, from the first on.
    pub(in crate::archive) fn known(&self, members: &[MemberId]) -> usize {
        self.0.members.iter().zip(members).take_while(|(known, member)| known == member).count()
    }

    /// The archives that it has, and the number of the first block of each among those of all.
    pub(in crate::archive) fn members(&self) -> impl Iterator<Item = (&MemberId, usize)> {
        self.0.members.iter().scan(0usize, |next, member| {
            let first = *next;
            *next = first.saturating_add(usize::try_from(member.blocks).unwrap_or(usize::MAX));
            Some((member, first))
        })
    }

    /// The chunks of a block, counted over all members.
    pub(in crate::archive) fn chunks(&self, block: usize) -> &[ChunkPlace] {
        self.0.blocks.get(block).map_or(&[], |chunks| chunks)
    }

    /// Those sections of a chunk that are wanted, as they lie.
    fn sections(&self, place: &ChunkPlace, wanted: Wanted) -> Result<[Vec<u8>; SECTIONS]> {
        let mut sections = [const { Vec::new() }; SECTIONS];
        let mut source = self.0.source.lock().unwrap_or_else(PoisonError::into_inner);
        let mut offset = place.offset;
        for ((section, &bytes), wanted) in
            sections.iter_mut().zip(&place.sections).zip(wanted.sections())
        {
            if wanted && bytes > 0 {
                source.seek(offset)?;
                *section = source.bytes(bytes)?;
            }
            offset += bytes;
        }
        Ok(sections)
    }

    /// A chunk as it lies, after its sections were checked.
    pub(in crate::archive) fn packed(&self, place: &ChunkPlace) -> Result<PackedChunk> {
        let sections = self.sections(place, Wanted { moves: true, extra: true, late: true })?;
        for section in &sections {
            section::check(section)?;
        }
        Ok(PackedChunk { pages: place.pages, games: place.games, sections })
    }

    /// A chunk of a block of so many `original` bytes.
    pub(in crate::archive) fn chunk(
        &self,
        place: &ChunkPlace,
        original: u64,
        wanted: Wanted,
    ) -> Result<Chunk> {
        let sections = self.sections(place, wanted)?;
        Chunk::unpack(&sections, place.pages, place.games, original, wanted)
    }

    /// The result of `work` with a tree of first moves.
    pub(in crate::archive) fn with_openings<T>(&self, work: impl FnOnce(&mut Openings) -> T) -> T {
        let lock = || self.0.openings.lock().unwrap_or_else(PoisonError::into_inner);
        let idle = lock().pop();
        let mut openings = idle.unwrap_or_default();
        let result = work(&mut openings);
        lock().push(openings);
        result
    }
}

/// Reads the directory: the archives, and where the chunks of each block are, the first behind the header and the last
/// before `end`.
fn read_directory(directory: &[u8], end: u64) -> Result<(Vec<MemberId>, Vec<Vec<ChunkPlace>>)> {
    let broken = || Error::damaged("an index whose directory is damaged");
    let (mut rest, crc) = directory.split_last_chunk::<4>().ok_or_else(broken)?;
    if crc32fast::hash(rest) != u32::from_le_bytes(*crc) {
        return Err(broken());
    }
    let (mut members, mut blocks, mut offset) = (vec![], vec![], HEADER_BYTES);
    for _ in 0..number(&mut rest)? {
        let (digest, behind) = rest.split_first_chunk::<16>().ok_or_else(broken)?;
        rest = behind;
        let (bytes, count) = (number(&mut rest)?, number(&mut rest)?);
        members.push(MemberId { end: Digest(*digest), bytes, blocks: count });
        for _ in 0..count {
            let (mut chunks, mut first_page) = (vec![], 0u64);
            for _ in 0..number(&mut rest)? {
                let mut field = || number(&mut rest);
                let (pages, games) = (field()?, field()?);
                if pages == 0 {
                    return Err(broken());
                }
                let sections = [field()?, field()?, field()?, field()?];
                chunks.push(ChunkPlace { offset, sections, first_page, pages, games });
                first_page = first_page.checked_add(pages).ok_or_else(broken)?;
                offset = sections
                    .iter()
                    .try_fold(offset, |sum, &bytes| sum.checked_add(bytes))
                    .ok_or_else(broken)?;
            }
            blocks.push(chunks);
        }
    }
    match rest.is_empty() && offset == end {
        true => Ok((members, blocks)),
        false => Err(broken()),
    }
}

/// Takes a number off the start of `bytes`.
fn number(bytes: &mut &[u8]) -> Result<u64> {
    varint::get(|| {
        let breaks_off = || Error::damaged("an index whose directory breaks off");
        let (&byte, rest) = bytes.split_first().ok_or_else(breaks_off)?;
        *bytes = rest;
        Ok(byte)
    })
}

/// The moves of a block's pages.
#[derive(Debug)]
pub struct BlockMoves {
    pub index: MovesIndex,
    block: usize,
    /// Bytes of the block's original.
    original: u64,
    /// What decoding a page takes; the rest, too, to check all of the index.
    for_page: Wanted,
    chunks: Mutex<Unpacked>,
}

/// The chunks of a block that were unpacked, and their bytes.
#[derive(Debug, Default)]
struct Unpacked {
    chunks: HashMap<usize, Arc<Chunk>>,
    bytes: u64,
}

impl BlockMoves {
    /// Those of a block of so many `original` bytes; `None` if the index has none.
    pub fn new(index: &MovesIndex, block: usize, original: u64) -> Option<BlockMoves> {
        if index.chunks(block).is_empty() {
            return None;
        }
        let (index, for_page, chunks) = (index.clone(), Wanted::PAGE, Mutex::default());
        Some(BlockMoves { index, block, original, for_page, chunks })
    }

    /// The same, but everything that the index says of a page is compared when it is decoded.
    pub fn checked_in_full(mut self) -> BlockMoves {
        self.for_page.late = true;
        self
    }

    /// What decoding a page takes.
    pub fn whole_page(&self, number: usize) -> Result<PageMoves> {
        self.page(number, self.for_page)
    }

    /// Unpacks what decoding the page of a game of the block takes, so that it is there when it is wanted. What is wrong
    /// with it shows then.
    pub fn prepare(&self, game: u64) {
        let mut before = 0u64;
        for (number, place) in self.index.chunks(self.block).iter().enumerate() {
            before = before.saturating_add(place.games);
            if game < before {
                let _ = self.chunk(number, place, self.for_page);
                return;
            }
        }
    }

    /// Those of a page.
    pub fn page(&self, number: usize, wanted: Wanted) -> Result<PageMoves> {
        let none = || Error::damaged("an index without a page");
        let places = self.index.chunks(self.block);
        let behind = places.partition_point(|place| place.first_page <= number as u64);
        let chunk = behind.checked_sub(1).ok_or_else(none)?;
        let place = &places[chunk];
        let unpacked = self.chunk(chunk, place, wanted)?;
        let page = unpacked.pages.get(number - place.first_page as usize).copied();
        Ok(PageMoves { page: page.ok_or_else(none)?, chunk: unpacked })
    }

    fn chunk(&self, number: usize, place: &ChunkPlace, wanted: Wanted) -> Result<Arc<Chunk>> {
        // One thread at a time: others are likely to want the same chunk.
        let mut guard = self.chunks.lock().unwrap_or_else(PoisonError::into_inner);
        let Unpacked { chunks, bytes } = &mut *guard;
        if let Some(chunk) = chunks.get(&number).filter(|chunk| chunk.has.includes(wanted)) {
            return Ok(chunk.clone());
        }
        if let Some(before) = chunks.remove(&number) {
            *bytes -= before.bytes();
        }
        let chunk = Arc::new(self.index.chunk(place, self.original, wanted)?);
        // Moves and late tags take no more than they do in the original, surprisals two bytes a move.
        if *bytes + chunk.bytes() > self.original.saturating_mul(4) {
            return Err(Error::Limit("an index that is larger than its block".into()));
        }
        *bytes += chunk.bytes();
        chunks.insert(number, chunk.clone());
        Ok(chunk)
    }
}

/// What is wrong with an index, by this error, without the word that an archive is.
pub fn fault(error: Error) -> String {
    match error {
        Error::Damaged(what) | Error::Unsupported(what) | Error::Limit(what) => what,
        error => error.to_string(),
    }
}
