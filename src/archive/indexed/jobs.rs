//! What decoding a page takes, read from the archive before another thread decodes it.

use std::io::{Read, Seek};

use super::IndexedReader;
use super::candidates::Page;
use super::member::with_model;
use super::page_job::PageJob;
use crate::Result;

impl<R: Read + Seek> IndexedReader<R> {
    /// What decoding a page takes.
    pub(super) fn job<'a>(&mut self, page: &Page<'a>) -> Result<PageJob<'a>> {
        let (offset, block) = (page.block.offset, &page.block.opened);
        let number = page.number;
        let needed = block.page(number)?.needs_model();
        let run = with_model(&mut self.members, offset, needed, |run| Ok(run.clone()))?;
        Ok(PageJob { block, number, payload: block.payload(number, &mut self.source)?, run })
    }
}
