//! What was known of the original's file: its name and its time.

use std::io::Read;

use super::source::{Source, reserved};
use crate::{Error, Result, varint};

/// Longest name, in bytes: the longest that common file systems have.
const MAX_NAME: usize = 255;

/// Name and modification time of the original, as far as the archive was told.
///
/// ```
/// use plyzip::archive::FileInfo;
/// let info = FileInfo::new(Some("games.pgn"), Some(1_700_000_000))?;
/// assert_eq!(info.name(), Some("games.pgn"));
/// assert!(FileInfo::new(Some("../games.pgn"), None).is_err()); // never a path
/// # Ok::<(), plyzip::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileInfo {
    name: Option<String>,
    modified: Option<i64>,
}

impl FileInfo {
    /// The name of a file, without any folder, and its modification time in seconds since the beginning of 1970.
    ///
    /// # Errors
    /// [`Error::Usage`] if `name` is not the name of a file on every system: empty, over 255 bytes, with `/`, `\\`, `:`
    /// or a control character, or made of dots.
    pub fn new(name: Option<&str>, modified: Option<i64>) -> Result<FileInfo> {
        match name.filter(|name| !is_file_name(name)) {
            Some(name) => Err(Error::Usage(format!("{name:?} is no name of a file"))),
            None => Ok(FileInfo { name: name.map(str::to_owned), modified }),
        }
    }

    /// The name: no path, and safe to show.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Seconds since the beginning of 1970.
    pub fn modified(&self) -> Option<i64> {
        self.modified
    }

    pub(super) fn is_empty(&self) -> bool {
        *self == FileInfo::default()
    }

    /// Appends a byte that says what is there, then this.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        out.push(u8::from(self.name.is_some()) | u8::from(self.modified.is_some()) << 1);
        if let Some(name) = &self.name {
            varint::put_length(out, name.len());
            out.extend(name.as_bytes());
        }
        if let Some(modified) = self.modified {
            out.extend(modified.to_le_bytes());
        }
    }

    /// Reads what [`write`](FileInfo::write) wrote.
    pub(super) fn read<R: Read>(source: &mut Source<R>) -> Result<FileInfo> {
        let there = source.byte()?;
        reserved(there, 3, "file fields")?;
        let mut info = FileInfo::default();
        if there & 1 != 0 {
            let length = source.varint()?;
            if length > MAX_NAME as u64 {
                return Err(Error::damaged("a file name that is too long"));
            }
            let name = String::from_utf8(source.bytes(length)?).ok();
            let name = name.filter(|name| is_file_name(name));
            info.name = Some(name.ok_or_else(|| Error::damaged("a file name that is none"))?);
        }
        if there & 2 != 0 {
            info.modified = Some(i64::from_le_bytes(source.array()?));
        }
        if info.is_empty() {
            return Err(Error::damaged("fields of a file that are empty"));
        }
        Ok(info)
    }
}

fn is_file_name(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= MAX_NAME
        && !name.contains(['/', '\\', ':'])
        && !name.contains(char::is_control)
        && !name.chars().all(|character| character == '.')
}
