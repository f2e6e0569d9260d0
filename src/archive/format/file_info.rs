//! Facts about the original's file: its name and its time.

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
        match name.filter(|name| !is_file_name(name) || !is_name_everywhere(name)) {
            Some(name) => {
                Err(Error::Usage(format!("{name:?} is not the name of a file on every system")))
            }
            None => Ok(FileInfo { name: name.map(str::to_owned), modified }),
        }
    }

    /// The name: no path, and safe to show.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The name, if it is that of a file on every system, and does not look like something else to a shell. Archives may
    /// hold others, which [`new`](FileInfo::new) refuses: `CON`, `-rf`, `~`, `a?b`.
    pub fn portable_name(&self) -> Option<&str> {
        self.name().filter(|name| is_name_everywhere(name))
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

/// Names of devices on Windows, with any extension; COM and LPT are followed by a digit.
const DEVICES: [&str; 6] = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"];
const NUMBERED_DEVICES: [&str; 2] = ["COM", "LPT"];

/// Whether a name that archives may hold is one that can be given to a file on every system, and that no shell takes
/// for an option, a folder or a pattern.
fn is_name_everywhere(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_ascii_uppercase();
    let is_numbered = |device: &&str| {
        let number = stem.strip_prefix(*device).map(|rest| rest.chars().collect::<Vec<_>>());
        matches!(number.as_deref(), Some(['0'..='9' | '¹' | '²' | '³']))
    };
    !name.starts_with(['-', '~', ' '])
        && !name.ends_with([' ', '.'])
        && !name.contains(['<', '>', '"', '|', '?', '*'])
        && !name.contains(turns_writing)
        && !DEVICES.contains(&&*stem)
        && !NUMBERED_DEVICES.iter().any(is_numbered)
}

/// Whether a character changes the direction of writing or ends a line, so that `x\u{202e}gnp.exe` would look like a
/// picture.
fn turns_writing(character: char) -> bool {
    matches!(
        character,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    )
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    #[test]
    fn archives_may_hold_names_that_no_writer_writes() {
        for name in ["CON", "-rf", "~", "a?b", "x\u{202e}gnp.exe"] {
            assert!(FileInfo::new(Some(name), None).is_err());
            let info = FileInfo { name: Some(name.into()), modified: None };
            let mut bytes = vec![];
            info.write(&mut bytes);
            let read = FileInfo::read(&mut Source::new(Cursor::new(bytes))).unwrap();
            assert_eq!((read.name(), read.portable_name()), (Some(name), None));
        }
        let usual = FileInfo::new(Some("games.pgn"), None).unwrap();
        assert_eq!(usual.portable_name(), Some("games.pgn"));
    }
}
