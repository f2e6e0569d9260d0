//! The recovery record, field by field, and the archive without games that carries it.
//!
//! ```text
//! protected bytes | archive header | model section: ( header | parity | header ) | end section | tail
//! ```
//!
//! Its two headers are alike, so that one is left if the other is damaged, or the end of the file is gone.

use super::geometry::{Geometry, RECORD_HEADER};
use crate::archive::format::contents::{Contents, HEADER_BYTES};
use crate::archive::format::digest::Digest;
use crate::archive::format::file_info::FileInfo;
use crate::archive::format::limits::Limits;
use crate::archive::format::model_id::ModelId;
use crate::archive::format::section::{self, End};
use crate::{Result, varint};

/// What stands where an archive has the name of its model. A model's name is that of its file, which has no slash.
pub const NAME: &str = "plyzip/recovery";
/// What each header begins with; the first byte is in no UTF-8 text.
pub const MAGIC: [u8; 4] = *b"\xC1PLR";

/// Which of the two headers it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The parity follows.
    Front = 0,
    /// The parity stands before it.
    Back = 1,
}

/// What a header says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record {
    pub geometry: Geometry,
    /// The hash of the protected bytes.
    pub hash: Digest,
}

impl Record {
    /// The header.
    pub fn header(&self, place: Place) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend([place as u8, self.geometry.parity() as u8]);
        bytes.extend((self.geometry.depth() as u32).to_le_bytes());
        bytes.extend(self.geometry.length().to_le_bytes());
        bytes.extend(self.hash.0);
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// The header that `bytes` begin with; `None` if there is none, or one that makes no sense.
    pub fn read(bytes: &[u8]) -> Option<(Record, Place)> {
        let (bytes, _) = bytes.split_first_chunk::<{ RECORD_HEADER as usize }>()?;
        let (fields, crc) = bytes.split_last_chunk::<4>()?;
        let fields = fields.strip_prefix(&MAGIC)?;
        if crc32fast::hash(&bytes[..bytes.len() - 4]) != u32::from_le_bytes(*crc) {
            return None;
        }
        let (&[place, parity], fields) = fields.split_first_chunk()?;
        let (depth, fields) = fields.split_first_chunk()?;
        let (length, fields) = fields.split_first_chunk()?;
        let place = match place {
            0 => Place::Front,
            1 => Place::Back,
            _ => return None,
        };
        let (depth, length) = (u32::from_le_bytes(*depth), u64::from_le_bytes(*length));
        let geometry = Geometry::checked(length, depth, parity).ok()?;
        Some((Record { geometry, hash: Digest(fields.try_into().ok()?) }, place))
    }

    /// The archive that carries the record, with parity column after column as `remainders` have it codeword by codeword.
    pub fn carrier(&self, remainders: &[u16]) -> Result<Vec<u8>> {
        let parity = self.geometry.parity();
        let mut file = Vec::with_capacity(self.file_bytes() as usize);
        file.extend(self.header(Place::Front));
        for column in 0..parity {
            let symbols = remainders.chunks_exact(parity).map(|symbols| symbols[column]);
            file.extend(symbols.flat_map(u16::to_le_bytes));
        }
        file.extend(self.header(Place::Back));
        let id = ModelId { name: NAME.into(), hash: Digest::of(&blake3::hash(&file)) };
        let section = section::model(&id, Some(&file), &Limits::default())?;
        let mut contents = Contents::new();
        contents.push_model(section.len() as u64)?;
        let original_hash = Digest::of(&blake3::hash(&[]));
        let end = End { contents, original_hash, file: FileInfo::default() };
        let mut bytes = section::header();
        bytes.extend(section);
        bytes.extend(end.to_bytes()?);
        Ok(bytes)
    }

    /// Bytes of both headers and of the parity.
    fn file_bytes(&self) -> u64 {
        2 * RECORD_HEADER + self.geometry.parity_bytes()
    }

    /// Bytes of the carrier before the parity.
    pub fn bytes_before(&self) -> u64 {
        let name = NAME.len() as u64;
        HEADER_BYTES + 1 + 1 + name + 16 + varint_bytes(self.file_bytes()) + RECORD_HEADER
    }

    /// Bytes of the carrier behind the parity.
    pub fn bytes_behind(&self) -> u64 {
        let section =
            self.bytes_before() - HEADER_BYTES + self.geometry.parity_bytes() + RECORD_HEADER + 4;
        // Checksum; kind, blocks, model's position and bytes, hash, checksum; tail.
        RECORD_HEADER + 4 + (1 + 1 + 1 + varint_bytes(section) + 16 + 4) + 4
    }

    /// Bytes of the carrier.
    #[cfg(test)]
    pub fn carrier_bytes(&self) -> u64 {
        self.bytes_before() + self.geometry.parity_bytes() + self.bytes_behind()
    }
}

fn varint_bytes(number: u64) -> u64 {
    let mut bytes = vec![];
    varint::put(&mut bytes, number);
    bytes.len() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_carrier_has_its_parts_where_they_are_expected() {
        for (length, depth, parity) in
            [(0, 1, 2), (500, 1, 32), (16_000, 1, 64), (163_000, 13, 64), (9_000_000, 1000, 64)]
        {
            let geometry = Geometry::checked(length, depth, parity).unwrap();
            let record = Record { geometry, hash: Digest([7; 16]) };
            let remainders: Vec<u16> = (0..geometry.depth() * geometry.parity())
                .map(|place| (place / geometry.parity()) as u16)
                .collect();
            let carrier = record.carrier(&remainders).unwrap();
            assert_eq!(carrier.len() as u64, record.carrier_bytes());
            let begin = record.bytes_before() as usize;
            let front = &carrier[begin - RECORD_HEADER as usize..];
            assert_eq!(Record::read(front), Some((record, Place::Front)));
            let end = begin + geometry.parity_bytes() as usize;
            assert_eq!(Record::read(&carrier[end..]), Some((record, Place::Back)));
            // A column is a symbol of each codeword.
            let column: Vec<u8> = (0..geometry.depth() as u16).flat_map(u16::to_le_bytes).collect();
            assert_eq!(carrier[begin..end], column.repeat(geometry.parity()));
        }
    }

    #[test]
    fn each_bit_of_a_header_counts() {
        let geometry = Geometry::checked(4711, 9, 20).unwrap();
        let record = Record { geometry, hash: Digest([5; 16]) };
        let header = record.header(Place::Back);
        assert_eq!(header.len() as u64, RECORD_HEADER);
        for bit in 0..8 * header.len() {
            let mut changed = header.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(Record::read(&changed), None, "{bit}");
        }
        assert_eq!(Record::read(&header[1..]), None);
    }
}
