//! Writing an index.

use std::fmt;
use std::io::Write;

use super::chunk::{ChunkWriter, PackedChunk, SECTIONS};
use super::record::PageRecord;
use super::{MAGIC, MemberId, VERSION};
use crate::{Error, Result, varint};

/// Writes an index, page by page.
pub struct IndexWriter<W> {
    sink: W,
    chunks: ChunkWriter,
    /// For each block of the member at hand, its chunks.
    blocks: Vec<Vec<Entry>>,
    members: u64,
    /// The fields of the members before.
    directory: Vec<u8>,
}

/// A chunk, as the directory has it.
type Entry = [u64; 2 + SECTIONS];

impl<W> fmt::Debug for IndexWriter<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IndexWriter").field("members", &self.members).finish_non_exhaustive()
    }
}

impl<W: Write> IndexWriter<W> {
    /// Begins an index.
    pub fn new(mut sink: W) -> Result<IndexWriter<W>> {
        sink.write_all(&MAGIC)?;
        sink.write_all(&[VERSION])?;
        Ok(IndexWriter {
            sink,
            chunks: ChunkWriter::default(),
            blocks: vec![],
            members: 0,
            directory: vec![],
        })
    }

    /// Begins the next block.
    pub fn begin_block(&mut self) {
        self.blocks.push(vec![]);
    }

    /// Adds the next page of the block.
    pub fn push(&mut self, page: PageRecord) -> Result<()> {
        let chunk = self.chunks.push(page)?;
        chunk.map_or(Ok(()), |chunk| self.write(&chunk))
    }

    /// Ends the block.
    pub fn end_block(&mut self) -> Result<()> {
        let chunk = self.chunks.finish()?;
        chunk.map_or(Ok(()), |chunk| self.write(&chunk))
    }

    /// Adds a chunk of the block as it is in another index.
    pub fn write(&mut self, chunk: &PackedChunk) -> Result<()> {
        for section in &chunk.sections {
            self.sink.write_all(section)?;
        }
        let [head, ranks, extra, late] =
            chunk.sections.each_ref().map(|section| section.len() as u64);
        let block = self.blocks.last_mut();
        let block = block.ok_or_else(|| Error::Internal("a chunk of no block".into()))?;
        block.push([chunk.pages, chunk.games, head, ranks, extra, late]);
        Ok(())
    }

    /// Adds a block with these pages.
    pub fn push_block(&mut self, pages: Vec<PageRecord>) -> Result<()> {
        self.begin_block();
        pages.into_iter().try_for_each(|page| self.push(page))?;
        self.end_block()
    }

    /// Ends an archive.
    pub fn end_member(&mut self, member: &MemberId) {
        self.members += 1;
        self.directory.extend(member.end.0);
        varint::put(&mut self.directory, member.bytes);
        varint::put(&mut self.directory, member.blocks);
        for block in std::mem::take(&mut self.blocks) {
            varint::put_length(&mut self.directory, block.len());
            block.iter().flatten().for_each(|&field| varint::put(&mut self.directory, field));
        }
    }

    /// Writes the directory. Gives back the sink, flushed.
    pub fn finish(mut self) -> Result<W> {
        let mut directory = vec![];
        varint::put(&mut directory, self.members);
        directory.extend(self.directory);
        directory.extend(crc32fast::hash(&directory).to_le_bytes());
        let bytes = u32::try_from(directory.len());
        let bytes = bytes.map_err(|_| Error::Limit("an index of more than 4 GiB".into()))?;
        self.sink.write_all(&directory)?;
        self.sink.write_all(&bytes.to_le_bytes())?;
        self.sink.flush()?;
        Ok(self.sink)
    }
}
