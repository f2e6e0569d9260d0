//! The source of an archive's bytes: a file, or memory.

use std::ffi::CStr;
use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::Path;

use plyzip::{Error, Result};

use crate::error::of_file;

/// The source of an archive's bytes.
#[derive(Debug)]
pub(crate) enum Source {
    File(File),
    Memory(Cursor<Vec<u8>>),
}

impl Source {
    /// The file of this path.
    pub fn file(path: &CStr) -> Result<Source> {
        let path = path_of(path)?;
        Ok(Source::File(File::open(path).map_err(|error| of_file(error, path))?))
    }

    /// A copy of these bytes.
    pub fn copy_of(bytes: &[u8]) -> Result<Source> {
        let mut copy = vec![];
        copy.try_reserve_exact(bytes.len()).map_err(|_| crate::boundary::no_memory())?;
        copy.extend_from_slice(bytes);
        Ok(Source::Memory(Cursor::new(copy)))
    }
}

impl Read for Source {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Source::File(file) => file.read(buffer),
            Source::Memory(memory) => memory.read(buffer),
        }
    }
}

impl Seek for Source {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match self {
            Source::File(file) => file.seek(to),
            Source::Memory(memory) => memory.seek(to),
        }
    }
}

/// The path that a text of C is: the bytes of Unix, elsewhere UTF-8.
#[cfg(unix)]
pub(crate) fn path_of(text: &CStr) -> Result<&Path> {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    match text.is_empty() {
        true => Err(Error::Usage("the path is empty".into())),
        false => Ok(Path::new(OsStr::from_bytes(text.to_bytes()))),
    }
}

/// The path that a text of C is: the bytes of Unix, elsewhere UTF-8.
#[cfg(not(unix))]
pub(crate) fn path_of(text: &CStr) -> Result<&Path> {
    match text.to_str() {
        Ok("") => Err(Error::Usage("the path is empty".into())),
        Ok(path) => Ok(Path::new(path)),
        Err(_) => Err(Error::Usage("the path is no UTF-8".into())),
    }
}
