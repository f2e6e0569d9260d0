//! One block: bytes to a checked section and back.

use std::io::{Read, Write};

use super::format::limits::Limits;
use super::format::section::{BlockHeader, Kind, close};
use super::format::source::Source;
use crate::predict::Model;
use crate::streams::{decode_block, encode_block};
use crate::{Error, Result};

/// A block as it stands in an archive.
#[derive(Debug)]
pub struct Block {
    pub header: BlockHeader,
    payload: Vec<u8>,
}

impl Block {
    /// Encodes `original`, or stores it if that takes less of the archive: `naming` is how many
    /// bytes the archive grows by if this block is the first that needs the model. If `verify` says
    /// so, what was encoded is decoded again and compared.
    pub fn encode(
        original: &[u8],
        model: &Model,
        naming: u64,
        verify: bool,
        limits: &Limits,
    ) -> Result<Block> {
        let (payload, stats) = encode_block(original, model)?;
        let encoded = Block { header: BlockHeader::new(original, &payload, stats), payload };
        let stored = BlockHeader::new(original, original, stats);
        let naming = if encoded.needs_model() { naming } else { 0 };
        // A payload as long as the original would be taken for a stored one.
        if encoded.payload.len() >= original.len()
            || encoded.header.cost() + naming >= stored.cost()
        {
            stored.check(limits)?;
            return Ok(Block { header: stored, payload: original.to_vec() });
        }
        encoded.header.check(limits)?;
        if verify {
            let decoded = encoded
                .decode(|| Ok(model))
                .map_err(|error| Error::Verification(error.to_string()))?;
            if decoded != original {
                return Err(Error::Verification("a block does not decode to its original".into()));
            }
        }
        Ok(encoded)
    }

    /// Writes the section.
    pub fn write<W: Write>(&self, sink: &mut W) -> Result<()> {
        let header = self.header.to_bytes();
        sink.write_all(&header)?;
        sink.write_all(&self.payload)?;
        sink.write_all(&close(&header, &self.payload))?;
        Ok(())
    }

    /// Reads a block of the given kind from its second byte on.
    pub fn read<R: Read>(kind: Kind, source: &mut Source<R>, limits: &Limits) -> Result<Block> {
        let header = BlockHeader::read(kind, source, limits)?;
        let payload = source.bytes(header.payload_bytes)?;
        source.end_section()?;
        Ok(Block { header, payload })
    }

    /// Whether decoding takes the model of the archive.
    pub fn needs_model(&self) -> bool {
        self.header.games.is_some() && !self.header.is_stored()
    }

    /// The original bytes. `model` gives the archive's model and is only asked if it is needed.
    pub fn decode<'m>(&self, model: impl FnOnce() -> Result<&'m Model>) -> Result<Vec<u8>> {
        let none = Model::none();
        let model = if self.needs_model() { model()? } else { &none };
        let length = usize::try_from(self.header.original_bytes)
            .map_err(|_| Error::Limit("a block is larger than memory".into()))?;
        let original = if self.header.is_stored() {
            self.payload.clone()
        } else {
            decode_block(&self.payload, length, model)?
        };
        if original.len() != length || crc32fast::hash(&original) != self.header.original_crc {
            return Err(Error::damaged(
                "a block is sound, but decodes to other bytes than it was made from",
            ));
        }
        Ok(original)
    }
}
