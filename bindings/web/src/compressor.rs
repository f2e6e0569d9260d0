//! PGN to an archive.

use plyzip::archive::{ArchiveWriter, Summary};
use wasm_bindgen::prelude::*;

use crate::figures::Figures;
use crate::models::Models;

/// Makes the archive that `plyzip compress` makes, from bytes that come piece by piece.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Compressor {
    writer: ArchiveWriter<Vec<u8>>,
}

#[wasm_bindgen]
impl Compressor {
    /// Begins an archive whose moves the model of this name predicts.
    ///
    /// # Errors
    /// If there is no such model.
    #[wasm_bindgen(constructor)]
    pub fn new(models: &Models, model: &str) -> Result<Compressor, JsError> {
        let mut writer = ArchiveWriter::new(vec![], models.named(model)?)?;
        writer.set_progress(&crate::progress());
        Ok(Compressor { writer })
    }

    /// Appends bytes of the original, cut anywhere.
    ///
    /// # Errors
    /// Those of [`ArchiveWriter::push`].
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), JsError> {
        Ok(self.writer.push(bytes)?)
    }

    /// Codes what is left, and ends the archive.
    ///
    /// # Errors
    /// Those of [`ArchiveWriter::push`].
    pub fn finish(self) -> Result<Compressed, JsError> {
        let (archive, summary) = self.writer.finish()?;
        Ok(Compressed { archive, summary })
    }
}

/// An archive that is complete.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Compressed {
    archive: Vec<u8>,
    summary: Summary,
}

#[wasm_bindgen]
impl Compressed {
    /// Its [`Figures`] as JSON.
    ///
    /// # Errors
    /// None.
    pub fn figures(&self) -> Result<String, JsError> {
        crate::json(&Figures::of(&self.summary))
    }

    /// Its bytes.
    pub fn bytes(self) -> Vec<u8> {
        self.archive
    }
}
