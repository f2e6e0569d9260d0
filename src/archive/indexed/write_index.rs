//! Writing the index of an archive.

use std::io::{Read, Seek, Write};

use super::candidates::Candidates;
use super::opened::Opened;
use super::selection::AllGames;
use super::{IndexedReader, mismatch};
use crate::archive::block::read_page;
use crate::archive::moves_index::{IndexWriter, MovesIndex, PageRecord};
use crate::{Error, Result};
use plyzip_codec::block::{PageWatch, in_parallel};

impl<R: Read + Seek> IndexedReader<R> {
    /// Writes an index of the archive, for which all of its pages are decoded with the model, and gives back the number of
    /// games in it. What an index of an earlier state of the archive, `before`, has of it is taken over.
    ///
    /// # Errors
    /// Those of [`block`](IndexedReader::block), and [`Error::Io`] if `sink` cannot be written to.
    pub fn write_index<W: Write>(&mut self, sink: W, before: Option<&MovesIndex>) -> Result<u64> {
        let ids = self.member_ids();
        if ids.len() != self.members.len() {
            return Err(Error::damaged("an archive without an end has no index"));
        }
        let known = before.map_or(0, |before| before.known(&ids));
        let mut writer = IndexWriter::new(sink)?;
        let mut number = 0;
        for (member, id) in ids.iter().enumerate() {
            for _ in 0..id.blocks {
                writer.begin_block();
                match before.filter(|_| member < known) {
                    Some(before) => {
                        for place in before.chunks(number) {
                            writer.write(&before.packed(place)?)?;
                        }
                    }
                    None => self.index_block(number, &mut writer)?,
                }
                writer.end_block()?;
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
        let candidates = Candidates::of(block, entry.offset, entry.first_game, &AllGames, None)?;
        if matches!(&candidates.opened, Opened::Single(block) if !block.needs_model()) {
            return Ok(());
        }
        let pages: Vec<_> = candidates.pages().collect();
        for pages in pages.chunks(2 * rayon::current_num_threads()) {
            let mut jobs = vec![];
            for page in pages {
                let payload = match &page.block.opened {
                    Opened::Single(block) => block.page()?.unwrap_or_default().to_vec(),
                    Opened::Paged { header, pages, .. } => {
                        let place = pages.get(page.number).ok_or_else(mismatch)?;
                        self.source.seek(place.offset)?;
                        let header = header.pages.get(page.number).ok_or_else(mismatch)?;
                        read_page(header, &mut self.source)?
                    }
                };
                jobs.push((self.job(page)?, payload));
            }
            let records = in_parallel(jobs, |(job, payload)| {
                let mut surprisals = vec![];
                let (_, items) = job.decode(PageWatch::Surprisals(&mut surprisals))?;
                PageRecord::of_page(&payload, &items, &surprisals)
            })?;
            records.into_iter().try_for_each(|record| writer.push(record))?;
        }
        Ok(())
    }
}
