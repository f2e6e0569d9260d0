//! The end of an archive.

use std::io::Read;

use super::{Kind, close};
use crate::archive::format::contents::Contents;
use crate::archive::format::digest::Digest;
use crate::archive::format::file_info::FileInfo;
use crate::archive::format::limits::Limits;
use crate::archive::format::source::Source;
use crate::{Error, Result};

/// The last section and the tail: the index, the totals and the hash of the original.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct End {
    pub contents: Contents,
    pub original_hash: Digest,
    /// What was known of the original's file.
    pub file: FileInfo,
}

impl End {
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let kind = if self.file.is_empty() { Kind::End } else { Kind::EndWithFile };
        let mut bytes = vec![kind as u8];
        self.contents.write(&mut bytes);
        bytes.extend(self.original_hash.0);
        if kind == Kind::EndWithFile {
            self.file.write(&mut bytes);
        }
        bytes.extend(close(&bytes, &[]));
        let length = u32::try_from(bytes.len()).map_err(|_| {
            Error::Limit("the index is over 4 GiB; larger blocks make it smaller".into())
        })?;
        bytes.extend(length.to_le_bytes());
        Ok(bytes)
    }

    /// Reads the section, which has this kind, from its second byte on, and the tail.
    pub fn read<R: Read>(kind: Kind, source: &mut Source<R>, limits: &Limits) -> Result<End> {
        let begin = source.position() - 1;
        let contents = Contents::read(source, limits)?;
        let original_hash = Digest(source.array()?);
        let file = match kind {
            Kind::EndWithFile => FileInfo::read(source)?,
            _ => FileInfo::default(),
        };
        source.end_section()?;
        let length = source.position() - begin;
        if u64::from(source.u32()?) != length {
            return Err(Error::damaged("its last four bytes do not lead to the index"));
        }
        Ok(End { contents, original_hash, file })
    }
}
