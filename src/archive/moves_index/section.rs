//! A part of an index: compressed bytes with their length and a checksum.

use std::io::{Read, Write};

use lzma_rust2::{LzmaOptions, LzmaReader, LzmaWriter};

use crate::{Error, Result, varint};

/// The longest dictionary.
const MOST_DICTIONARY: usize = 1 << 26;

/// The form of `bytes` in an index; nothing of nothing.
pub fn pack(bytes: &[u8]) -> Result<Vec<u8>> {
    if bytes.is_empty() {
        return Ok(vec![]);
    }
    let mut section = vec![];
    varint::put_length(&mut section, bytes.len());
    let mut writer = LzmaWriter::new_no_header(section, &options(bytes.len()), false)?;
    writer.write_all(bytes)?;
    let mut section = writer.finish()?;
    let crc = crc32fast::hash(&section);
    section.extend(crc.to_le_bytes());
    Ok(section)
}

/// The bytes that [`pack`] was given, at most `limit` of them.
///
/// # Errors
/// [`Error::Damaged`] if `section` is none, [`Error::Limit`] if it holds more. No more than `limit` and the memory of
/// LZMA for so many bytes is taken.
pub fn unpack(section: &[u8], limit: u64) -> Result<Vec<u8>> {
    if section.is_empty() {
        return Ok(vec![]);
    }
    let mut packed = check(section)?;
    let length = varint::take_length(&mut packed)?;
    if length as u64 > limit {
        return Err(Error::Limit(format!("a part of an index of {length} bytes, over {limit}")));
    }
    let options = options(length);
    let (props, dictionary) = (options.get_props(), options.dict_size);
    let invalid = |_| damaged("is no valid LZMA");
    let reader = LzmaReader::new_with_props(packed, length as u64, props, dictionary, None);
    let mut unpacked = Vec::new();
    let read = reader.map_err(invalid)?.take(length as u64).read_to_end(&mut unpacked);
    read.map_err(invalid)?;
    match unpacked.len() == length {
        true => Ok(unpacked),
        false => Err(damaged("breaks off")),
    }
}

/// What stands before the checksum of a section, which is compared.
pub fn check(section: &[u8]) -> Result<&[u8]> {
    if section.is_empty() {
        return Ok(section);
    }
    let (bytes, crc) = section.split_last_chunk::<4>().ok_or_else(|| damaged("is too short"))?;
    match crc32fast::hash(bytes) == u32::from_le_bytes(*crc) {
        true => Ok(bytes),
        false => Err(damaged("has a checksum that does not match")),
    }
}

/// The parameters, which follow from the length.
fn options(length: usize) -> LzmaOptions {
    let mut options = LzmaOptions::with_preset(6);
    options.dict_size = length.clamp(1 << 12, MOST_DICTIONARY) as u32;
    (options.lc, options.lp, options.pb) = (0, 0, 0);
    options
}

fn damaged(what: &str) -> Error {
    Error::damaged(format!("a part of an index {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_are_checked() {
        for bytes in [vec![], vec![7], b"some bytes, some bytes".repeat(50)] {
            let section = pack(&bytes).unwrap();
            assert_eq!(unpack(&section, bytes.len() as u64).unwrap(), bytes);
            if bytes.is_empty() {
                continue;
            }
            assert!(matches!(unpack(&section, bytes.len() as u64 - 1), Err(Error::Limit(_))));
            for place in 0..section.len() {
                let mut wrong = section.clone();
                wrong[place] ^= 1;
                assert!(unpack(&wrong, u64::MAX).is_err());
                assert!(place == 0 || unpack(&section[..place], u64::MAX).is_err());
            }
        }
    }

    #[test]
    fn a_length_is_not_believed() {
        let mut section = vec![];
        varint::put(&mut section, 1 << 40);
        section.extend([0; 20]);
        section.extend(crc32fast::hash(&section).to_le_bytes());
        assert!(matches!(unpack(&section, 1 << 20), Err(Error::Limit(_))));
        assert!(unpack(&section, u64::MAX).is_err());
    }
}
