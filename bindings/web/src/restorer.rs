//! An archive to its original.

use std::io::Cursor;

use plyzip::archive::{ArchiveReader, IndexedReader, ReaderOptions};
use wasm_bindgen::prelude::*;

use crate::figures::Figures;
use crate::models::Models;

/// Decodes a whole archive, block after block, and checks everything.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Restorer {
    reader: ArchiveReader<Cursor<Vec<u8>>>,
}

#[wasm_bindgen]
impl Restorer {
    /// Begins to read an archive.
    ///
    /// # Errors
    /// If it is none, or is damaged where its index is.
    #[wasm_bindgen(constructor)]
    pub fn new(archive: Vec<u8>, models: &Models) -> Result<Restorer, JsError> {
        let model = models.of(IndexedReader::open(Cursor::new(&archive))?.summary());
        let options = ReaderOptions::new().model(model).progress(&crate::progress());
        let reader = ArchiveReader::with_options(Cursor::new(archive), options)?;
        Ok(Restorer { reader })
    }

    /// The original bytes of the next block; nothing after the last, when all of the archive was found in order.
    ///
    /// # Errors
    /// Those of [`ArchiveReader::next_block`].
    #[wasm_bindgen(js_name = nextBlock)]
    pub fn next_block(&mut self) -> Result<Option<Vec<u8>>, JsError> {
        Ok(self.reader.next_block()?)
    }

    /// The archive's [`Figures`] as JSON, once all blocks were read; else nothing.
    ///
    /// # Errors
    /// None.
    pub fn figures(&self) -> Result<Option<String>, JsError> {
        self.reader.summary().map(|summary| crate::json(&Figures::of(summary))).transpose()
    }
}
