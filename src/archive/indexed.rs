//! Reading any block of an archive alone.

use std::io::{Read, Seek};

use super::block::Block;
use super::format::contents::{BlockEntry, Contents};
use super::format::limits::Limits;
use super::format::section::{self, End, Kind, TAIL_BYTES};
use super::format::source::Source;
use super::model_slot::ModelSlot;
use super::reader::ReaderOptions;
use super::summary::Summary;
use crate::{Error, Result};

/// Reads an archive through its index, from a source that can seek: the figures at
/// once, and any block without those before it.
///
/// ```
/// use std::io::Cursor;
/// # use plyzip::archive::{ArchiveWriter, IndexedReader, WriterOptions};
/// # use plyzip::Model;
/// # let options = WriterOptions { block_games: 1, ..WriterOptions::default() };
/// # let mut writer = ArchiveWriter::with_options(Vec::new(), Model::none(), options)?;
/// # writer.push(b"[Event \"A\"]\n\n1. e4 *\n\n[Event \"B\"]\n\n1. d4 *\n")?;
/// # let archive = Cursor::new(writer.finish()?.0);
/// let mut reader = IndexedReader::open(archive)?;
/// assert_eq!(reader.summary().blocks, 2);
/// assert_eq!(reader.block(1)?, b"[Event \"B\"]\n\n1. d4 *\n");
/// # Ok::<(), plyzip::Error>(())
/// ```
#[derive(Debug)]
pub struct IndexedReader<R> {
    source: Source<R>,
    limits: Limits,
    model: ModelSlot,
    contents: Contents,
    summary: Summary,
}

impl<R: Read + Seek> IndexedReader<R> {
    /// Reads the header, the index and the name of the model.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::Damaged`], [`Error::Unsupported`] and [`Error::Limit`] for
    /// what can be wrong with them.
    pub fn open(source: R) -> Result<IndexedReader<R>> {
        IndexedReader::with_options(source, ReaderOptions::default())
    }

    /// Opens an archive with other limits or another model than by default.
    ///
    /// # Errors
    /// Those of [`open`](IndexedReader::open).
    pub fn with_options(source: R, options: ReaderOptions) -> Result<IndexedReader<R>> {
        let ReaderOptions { limits, model, store } = options;
        let mut source = Source::new(source);
        let mut model = ModelSlot::new(model, store);
        let length = source.length()?;
        source.seek(0)?;
        section::read_header(&mut source)?;

        let lost = || Error::damaged("the index is not where its last four bytes say");
        source.seek(length.checked_sub(TAIL_BYTES).ok_or_else(lost)?)?;
        let end_bytes = u64::from(source.u32()?) + TAIL_BYTES;
        let end_offset = length.checked_sub(end_bytes).ok_or_else(lost)?;
        source.seek(end_offset)?;
        if Kind::read(&mut source)? != Kind::End {
            return Err(lost());
        }
        let end = End::read(&mut source, &limits)?;
        if end.contents.next != end_offset {
            return Err(Error::damaged("the index does not match the length of the archive"));
        }

        if let Some(entry) = &end.contents.model {
            source.seek(entry.offset)?;
            let id = match Kind::read(&mut source)? {
                Kind::Model => section::read_model(&mut source, &limits)?,
                _ => return Err(mismatch()),
            };
            if source.position() - entry.offset != entry.bytes {
                return Err(mismatch());
            }
            model.name(id)?;
        }
        let summary = Summary::new(&end, model.id().cloned(), length);
        Ok(IndexedReader { source, limits, model, contents: end.contents, summary })
    }

    /// What the archive holds, as its index says.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// Where each block is.
    pub fn blocks(&self) -> &[BlockEntry] {
        &self.contents.blocks
    }

    /// The number of the block that holds game `game`, counted from 0; `None` if there is no such
    /// game.
    pub fn block_of_game(&self, game: u64) -> Option<usize> {
        let after = self.contents.blocks.partition_point(|block| block.first_game <= game);
        // Blocks without games share their `first_game` with the next one.
        let number = self.contents.blocks[..after].iter().rposition(|block| block.games > 0)?;
        let block = &self.contents.blocks[number];
        (game - block.first_game < block.games).then_some(number)
    }

    /// The original bytes of block `number`, counted from 0.
    ///
    /// # Errors
    /// [`Error::Usage`] if there is no such block, and those of
    /// [`ArchiveReader::next_block`](super::ArchiveReader::next_block).
    pub fn block(&mut self, number: usize) -> Result<Vec<u8>> {
        let Some(&entry) = self.contents.blocks.get(number) else {
            return Err(Error::Usage(format!("the archive has no block {number}")));
        };
        self.source.seek(entry.offset)?;
        let block = match Kind::read(&mut self.source)? {
            kind @ (Kind::Games | Kind::Text) => Block::read(kind, &mut self.source, &self.limits)?,
            Kind::Model | Kind::End => return Err(mismatch()),
        };
        let found = (
            self.source.position() - entry.offset,
            block.header.original_bytes,
            block.header.figures().games,
        );
        if found != (entry.bytes, entry.original_bytes, entry.games) {
            return Err(mismatch());
        }
        block.decode(|| self.model.get())
    }
}

fn mismatch() -> Error {
    Error::damaged("a section is not what the index says")
}
