//! The input of a command: a file or standard input.

use std::fs;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::time::SystemTime;

use plyzip::Result;

use super::named::about;
use super::open_file::OpenFile;
use super::standard;

/// The word for standard input and output.
pub const STANDARD: &str = "-";

/// IN, opened.
#[derive(Debug)]
pub enum Input {
    /// A file.
    File(OpenFile),
    /// Standard input.
    Standard(standard::Input),
}

impl Input {
    /// Opens `path`, or standard input for `-`.
    ///
    /// # Errors
    /// [`Error::Io`](plyzip::Error::Io) with the path in its message; also if standard input is closed.
    pub fn open(path: &Path) -> Result<Input> {
        if path.as_os_str() == STANDARD {
            return Ok(Input::Standard(standard::input()?));
        }
        Ok(Input::File(OpenFile::open(path)?))
    }

    /// The path of a file; `None` for standard input.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Input::File(file) => Some(&file.path),
            Input::Standard(_) => None,
        }
    }

    /// The metadata of a file; `None` for standard input, or if they cannot be read.
    pub fn metadata(&self) -> Option<fs::Metadata> {
        match self {
            Input::File(file) => file.file.metadata().ok(),
            Input::Standard(_) => None,
        }
    }

    /// A regular file; `None` for pipes, devices and standard input.
    pub fn regular(&self) -> Option<&OpenFile> {
        match self {
            Input::File(file) => self.length().map(|_| file),
            Input::Standard(_) => None,
        }
    }

    /// When a regular file was last changed, if that is known.
    pub fn modified(&self) -> Option<SystemTime> {
        self.metadata().filter(fs::Metadata::is_file)?.modified().ok()
    }

    /// Bytes of a regular file; `None` for pipes, devices and standard input.
    pub fn length(&self) -> Option<u64> {
        self.metadata().filter(fs::Metadata::is_file).map(|metadata| metadata.len())
    }
}

impl Read for Input {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        match self {
            Input::File(OpenFile { file, path, .. }) => {
                file.read(bytes).map_err(|error| about(path, &error))
            }
            Input::Standard(input) => {
                input.read(bytes).map_err(|error| about(Path::new("standard input"), &error))
            }
        }
    }
}

impl Seek for Input {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        match self {
            Input::File(OpenFile { file, path, .. }) => {
                file.seek(position).map_err(|error| about(path, &error))
            }
            Input::Standard(_) => {
                Err(about(Path::new("standard input"), &io::ErrorKind::NotSeekable.into()))
            }
        }
    }
}
