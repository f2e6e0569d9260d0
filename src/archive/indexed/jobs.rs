//! What decoding a page takes, read from the archive before another thread decodes it.

use std::io::{Read, Seek};

use super::candidates::Page;
use super::member::with_model;
use super::opened::{Opened, PagePlace};
use super::page_job::PageJob;
use super::{IndexedReader, mismatch};
use crate::Result;
use crate::archive::block::read_page;

impl<R: Read + Seek> IndexedReader<R> {
    /// What decoding a page takes.
    pub(super) fn job<'a>(&mut self, page: &Page<'a>) -> Result<PageJob<'a>> {
        let offset = page.block.offset;
        let mut run = |needed| with_model(&mut self.members, offset, needed, |run| Ok(run.clone()));
        match &page.block.opened {
            Opened::Single(block) => Ok(PageJob::Single(block, run(block.needs_model())?)),
            Opened::Paged { header, columns, pages } => {
                let run = run(true)?;
                let place = header.pages.get(page.number).ok_or_else(mismatch)?;
                let found = pages.get(page.number).cloned().ok_or_else(mismatch)?;
                let PagePlace { offset, items } = found;
                self.source.seek(offset)?;
                let payload = read_page(place, &mut self.source)?;
                Ok(PageJob::Paged { place, columns, items, payload, run })
            }
        }
    }
}
