//! Writing the index of an archive.

use std::collections::HashMap;
use std::io::{Read, Seek, Write};

use super::IndexedReader;
use super::candidates::Candidates;
use super::selection::AllGames;
use crate::archive::format::contents::BlockEntry;
use crate::archive::moves_index::{IndexWriter, MovesIndex, PageRecord};
use crate::{Error, Result};
use plyzip_codec::block::{PageWatch, in_parallel};

impl<R: Read + Seek> IndexedReader<R> {
    /// Writes an index of the archive, and gives back the number of games in it. What the indexes of `known` archives
    /// have of those that follow each other in this one is taken over: the index of this archive before games were
    /// appended, or those of archives that were put together. All other pages are decoded with the model.
    ///
    /// ```
    /// use std::io::Cursor;
    /// # use plyzip::archive::{ArchiveWriter, IndexedReader, MovesIndex};
    /// # use plyzip::Model;
    /// # let archive = |game: &[u8]| -> Result<Vec<u8>, plyzip::Error> {
    /// #     let mut writer = ArchiveWriter::new(Vec::new(), Model::none())?;
    /// #     writer.push(&game.repeat(20))?;
    /// #     Ok(writer.finish()?.0)
    /// # };
    /// # let (one, other) = (archive(b"1. e4 e5 *\n\n")?, archive(b"1. d4 d5 *\n\n")?);
    /// let index = |archive: &[u8], known: &[MovesIndex]| -> Result<Vec<u8>, plyzip::Error> {
    ///     let mut index = Vec::new();
    ///     IndexedReader::open(Cursor::new(archive))?.write_index(&mut index, known)?;
    ///     Ok(index)
    /// };
    /// let known = [index(&one, &[])?, index(&other, &[])?];
    /// let known = known.map(|index| MovesIndex::open(Cursor::new(index)).unwrap());
    /// let both = [&one[..], &other[..]].concat();
    /// assert_eq!(index(&both, &known)?, index(&both, &[])?); // the first without decoding anything
    /// # Ok::<(), plyzip::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`block`](IndexedReader::block), [`Error::Damaged`] if what is taken over is, and [`Error::Io`] if
    /// `sink` cannot be written to.
    pub fn write_index<'i, W: Write>(
        &mut self,
        sink: W,
        known: impl IntoIterator<Item = &'i MovesIndex>,
    ) -> Result<u64> {
        let ids = self.member_ids();
        if ids.len() != self.members.len() {
            return Err(Error::damaged("an archive without an end has no index"));
        }
        let mut places = HashMap::new();
        for index in known {
            for (member, first_block) in index.members() {
                places.entry(member.end.0).or_insert((index, member, first_block));
            }
        }
        let mut writer = IndexWriter::new(sink)?;
        let mut number = 0;
        for id in &ids {
            let known = places.get(&id.end.0).filter(|(_, member, _)| *member == id);
            for block in 0..usize::try_from(id.blocks).unwrap_or(usize::MAX) {
                let BlockEntry { first_game, games, .. } = *self.entry(number)?;
                self.progress.look_into(first_game, games);
                writer.begin_block();
                match known {
                    Some((index, _, first_block)) => {
                        for place in index.chunks(first_block + block) {
                            writer.write(&index.packed(place)?)?;
                        }
                    }
                    None => self.index_block(number, &mut writer)?,
                }
                writer.end_block()?;
                self.progress.pass(first_game + games, 0);
                number += 1;
            }
            writer.end_member(id);
        }
        writer.finish()?;
        Ok(self.summary.stats.games)
    }

    /// Decodes the pages of a block, and keeps what an index has of them: nothing if it is stored, or has no games.
    fn index_block<W: Write>(&mut self, number: usize, writer: &mut IndexWriter<W>) -> Result<()> {
        let entry = *self.entry(number)?;
        if entry.games == 0 {
            return Ok(());
        }
        let block = self.read_block(number)?;
        let candidates =
            Candidates::of(block, entry.offset, entry.first_game, &AllGames, None, false)?;
        if !candidates.opened.needs_model() {
            return Ok(());
        }
        let pages: Vec<_> = candidates.pages().collect();
        self.progress.want(pages.len());
        for pages in pages.chunks(2 * rayon::current_num_threads()) {
            let jobs = pages.iter().map(|page| self.job(page)).collect::<Result<_>>()?;
            let progress = &self.progress;
            let records = in_parallel(jobs, |job| {
                let mut surprisals = vec![];
                let (_, items) = job.decode(PageWatch::Surprisals(&mut surprisals))?;
                progress.page_done(true);
                PageRecord::of_page(job.streams()?, &items, job.repeats(), &surprisals)
            })?;
            records.into_iter().try_for_each(|record| writer.push(record))?;
        }
        Ok(())
    }
}
