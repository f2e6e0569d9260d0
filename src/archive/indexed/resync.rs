//! The search for the next whole section behind damage.

use std::io::{Read, Seek};

use super::section_at::section_at;
use crate::Result;
use crate::archive::format::limits::Limits;
use crate::archive::format::section::{self, BlockHeader, ColumnsHeader, Kind, MAGIC};
use crate::archive::format::source::Source;

/// Bytes that are searched at a time.
const WINDOW: u64 = 1 << 20;
/// No header of a block that is sought is longer.
const LONGEST_HEADER: u64 = 1 << 18;

/// No page, and no columns, have more bytes that tell how long their streams are.
const LENGTHS: u64 = 64;

/// A search for sections that are whole.
///
/// Hostile bytes can look like the header of a large block wherever one looks, so that all of the archive would be read
/// again and again. So only so many bytes are read and parsed in all.
#[derive(Debug)]
pub(super) struct Resync {
    length: u64,
    /// Bytes of the archive from `begin` on.
    window: Vec<u8>,
    begin: u64,
    /// Bytes of headers that were parsed in the window.
    parsed: u64,
}

impl Resync {
    /// A search in an archive of so many bytes.
    pub fn new(length: u64) -> Resync {
        Resync { length, window: vec![], begin: 0, parsed: 0 }
    }

    /// Where the next block with games, or the next archive, begins from byte `from` on; else where the archive ends.
    pub fn next_block<R: Read + Seek>(
        &mut self,
        source: &mut Source<R>,
        from: u64,
        limits: &Limits,
    ) -> Result<u64> {
        for place in from..self.length {
            if self.is_exhausted(source) {
                break;
            }
            let rest = self.bytes_at(source, place)?;
            let kind = [Kind::Games, Kind::Columns].into_iter().find(|&kind| kind as u8 == rest[0]);
            let (promising, parsed) = match kind {
                Some(kind) => is_block(kind, &rest[1..], limits),
                None if rest[0] == MAGIC[0] => {
                    (section::read_header(&mut Source::new(rest)).is_ok(), 0)
                }
                None => (false, 0),
            };
            self.parsed += parsed;
            if promising && section_at(source, place, self.length, limits).is_ok() {
                return Ok(place);
            }
        }
        Ok(self.length)
    }

    /// Whether as much was read as damage that nobody made on purpose gives reason for.
    fn is_exhausted<R: Read>(&self, source: &Source<R>) -> bool {
        source.delivered().saturating_add(self.parsed) / 8 > self.length.saturating_add(1 << 23)
    }

    /// The bytes from `place` on, enough of them for a header.
    fn bytes_at<R: Read + Seek>(&mut self, source: &mut Source<R>, place: u64) -> Result<&[u8]> {
        let end = self.begin + self.window.len() as u64;
        let enough = end.min(self.length) >= (place + LONGEST_HEADER).min(self.length);
        if place < self.begin || !enough {
            source.seek(place)?;
            self.window = source.bytes((self.length - place).min(WINDOW + LONGEST_HEADER))?;
            self.begin = place;
        }
        Ok(&self.window[(place - self.begin) as usize..])
    }
}

/// Whether the header of a block follows: one whose streams are as long as all of it. With it, how much was parsed.
fn is_block(kind: Kind, bytes: &[u8], limits: &Limits) -> (bool, u64) {
    let bytes = &bytes[..bytes.len().min(LONGEST_HEADER as usize)];
    let mut source = Source::new(bytes);
    let (stats, payload, parts) = match kind {
        Kind::Columns => match ColumnsHeader::read(&mut source, limits) {
            Ok(header) => {
                let pages = header.pages.iter().map(|page| page.payload_bytes);
                let payload = pages.chain([header.columns_bytes]).fold(0, u64::saturating_add);
                (header.stats, payload, header.pages.len() as u64 + 1)
            }
            Err(_) => return (false, source.delivered()),
        },
        _ => match BlockHeader::read(kind, &mut source, limits) {
            Ok(BlockHeader { games: Some(stats), payload_bytes, .. }) => (stats, payload_bytes, 2),
            Ok(_) | Err(_) => return (false, source.delivered()),
        },
    };
    let streams = stats.streams.fields().into_iter().fold(0, u64::saturating_add);
    let fits = payload.checked_sub(streams).is_some_and(|other| other <= parts * LENGTHS);
    (fits, source.delivered())
}
