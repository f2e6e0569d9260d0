//! Sources and destinations: bytes, files by their paths, Python's file objects.

use std::fs::{self, File};
use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use plyzip::archive::MovesIndex;
use pyo3::exceptions::{PyFileExistsError, PyTypeError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use tempfile::{Builder, NamedTempFile};

use crate::errors::{DamagedError, of_file};

/// Most bytes that a file object is asked for at a time.
const CHUNK: usize = 1 << 20;
/// Bytes that tell whether a file is a PGN.
const HEAD: u64 = 1 << 10;

/// A source of bytes.
#[derive(Debug)]
pub enum Source {
    Bytes(Cursor<PyBackedBytes>),
    File(File),
    /// A file with a place of its own: a process that was forked shares the other one.
    Placed(PlacedFile),
    Object(Py<PyAny>),
}

/// A file, and where it is read next.
#[derive(Debug)]
pub struct PlacedFile {
    file: File,
    place: u64,
}

impl Read for PlacedFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        #[cfg(unix)]
        let read = std::os::unix::fs::FileExt::read_at(&self.file, buffer, self.place)?;
        #[cfg(windows)]
        let read = std::os::windows::fs::FileExt::seek_read(&self.file, buffer, self.place)?;
        self.place += read as u64;
        Ok(read)
    }
}

impl Seek for PlacedFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let (from, offset) = match to {
            SeekFrom::Start(place) => (place, 0),
            SeekFrom::Current(offset) => (self.place, offset),
            SeekFrom::End(offset) => (self.file.metadata()?.len(), offset),
        };
        let place = from.checked_add_signed(offset);
        self.place = place.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        Ok(self.place)
    }
}

impl Source {
    /// A path, what holds bytes, or an object that has `read`.
    pub fn of(object: &Bound<'_, PyAny>) -> PyResult<Source> {
        if let Ok(bytes) = object.extract::<PyBackedBytes>() {
            return Ok(Source::Bytes(Cursor::new(bytes)));
        }
        if let Ok(path) = object.extract::<PathBuf>() {
            let file = File::open(&path).map_err(|error| of_file(&error, &path))?;
            if file.metadata().is_ok_and(|metadata| metadata.is_dir()) {
                let error = io::Error::from_raw_os_error(21);
                return Err(of_file(&error, &path));
            }
            return Ok(Source::File(file));
        }
        if object.hasattr("read")? {
            return Ok(Source::Object(object.clone().unbind()));
        }
        let view = object.py().import("builtins")?.call_method1("memoryview", (object,));
        let view = view.map_err(|_| {
            PyTypeError::new_err("a path, bytes or a file object is wanted to read from")
        })?;
        let bytes = view.call_method0("tobytes")?.extract::<PyBackedBytes>()?;
        Ok(Source::Bytes(Cursor::new(bytes)))
    }

    /// The same, with a place of its own if it is a file that can seek.
    pub fn own_place(self) -> PyResult<Source> {
        Ok(match self {
            Source::File(file) if file.metadata()?.is_file() => {
                Source::Placed(PlacedFile { file, place: 0 })
            }
            other => other,
        })
    }
}

/// The index beside an archive that is a file; one that cannot be used is as good as none.
pub fn index_beside(object: &Bound<'_, PyAny>) -> Option<MovesIndex> {
    if object.extract::<PyBackedBytes>().is_ok() {
        return None;
    }
    let path = object.extract::<PathBuf>().ok()?;
    MovesIndex::beside(&path).ok().flatten()
}

/// The error of reading an archive from `object`, with what it is instead, if it is a PGN.
pub fn hint(error: PyErr, object: &Bound<'_, PyAny>) -> PyErr {
    let py = object.py();
    if !error.is_instance_of::<DamagedError>(py) {
        return error;
    }
    let path = object.extract::<PathBuf>();
    let is_bytes = object.extract::<PyBackedBytes>().is_ok();
    if !is_bytes && !path.is_ok_and(|path| fs::metadata(path).is_ok_and(|file| file.is_file())) {
        // What was read of it is gone; to open a named pipe again would wait for its writer.
        return error;
    }
    let Ok(source) = Source::of(object) else { return error };
    let mut head = vec![];
    let read = source.take(HEAD).read_to_end(&mut head);
    match read.is_ok_and(|_| is_pgn(&head)) {
        true => DamagedError::new_err(
            "this is no archive of plyzip, but looks like a PGN: plyzip.compress makes an archive of it",
        ),
        false => error,
    }
}

/// Whether a file that begins like this looks like a PGN.
fn is_pgn(head: &[u8]) -> bool {
    let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head).trim_ascii_start();
    let is_tag = matches!(text, [b'[', letter, ..] if letter.is_ascii_alphabetic());
    is_tag || text.starts_with(b"1. ") || text.starts_with(b"1.e4")
}

impl Read for Source {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Source::Bytes(bytes) => bytes.read(buffer),
            Source::File(file) => file.read(buffer),
            Source::Placed(file) => file.read(buffer),
            Source::Object(object) => Python::attach(|py| {
                let most = buffer.len().min(CHUNK);
                let read = object.bind(py).call_method1("read", (most,))?;
                let bytes = read.cast::<PyBytes>().map_err(|_| {
                    PyTypeError::new_err("read() gave no bytes: open the file in binary mode")
                })?;
                let bytes = bytes.as_bytes();
                let place = buffer.get_mut(..bytes.len());
                let more = || io::Error::other("read() gave more bytes than it was asked for");
                place.ok_or_else(more)?.copy_from_slice(bytes);
                Ok(bytes.len())
            }),
        }
    }
}

impl Seek for Source {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match self {
            Source::Bytes(bytes) => bytes.seek(to),
            Source::File(file) => file.seek(to),
            Source::Placed(file) => file.seek(to),
            Source::Object(object) => Python::attach(|py| {
                let (offset, whence) = match to {
                    SeekFrom::Start(offset) => (i128::from(offset), 0),
                    SeekFrom::Current(offset) => (i128::from(offset), 1),
                    SeekFrom::End(offset) => (i128::from(offset), 2),
                };
                let offset = i64::try_from(offset)
                    .map_err(|_| io::Error::from(io::ErrorKind::InvalidInput))?;
                Ok(object.bind(py).call_method1("seek", (offset, whence))?.extract()?)
            }),
        }
    }
}

/// A destination of bytes.
#[derive(Debug)]
pub enum Sink {
    Memory(Vec<u8>),
    /// Has its name only when it is complete.
    File {
        unfinished: NamedTempFile,
        path: PathBuf,
        overwrite: bool,
    },
    Object(Py<PyAny>),
}

impl Sink {
    /// Memory for `None`, else a path, or an object that has `write`.
    pub fn of(object: Option<&Bound<'_, PyAny>>, overwrite: bool) -> PyResult<Sink> {
        let Some(object) = object else { return Ok(Sink::Memory(vec![])) };
        if let Ok(path) = object.extract::<PathBuf>() {
            return Sink::file(path, overwrite);
        }
        match object.hasattr("write")? {
            true => Ok(Sink::Object(object.clone().unbind())),
            false => Err(PyTypeError::new_err("a path or a file object is wanted to write to")),
        }
    }

    fn file(path: PathBuf, overwrite: bool) -> PyResult<Sink> {
        if !overwrite && fs::symlink_metadata(&path).is_ok() {
            return Err(exists(&path));
        }
        // Written through a link, as by `open`.
        let path = fs::canonicalize(&path).unwrap_or(path);
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let mut builder = Builder::new();
        builder.prefix(".plyzip-").suffix(".tmp");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let unfinished = builder.tempfile_in(folder.unwrap_or(Path::new(".")));
        let unfinished = unfinished.map_err(|error| of_file(&error, &path))?;
        Ok(Sink::File { unfinished, path, overwrite })
    }

    /// Puts a file in place; the bytes that were written to memory.
    pub fn finish(self) -> PyResult<Option<Vec<u8>>> {
        match self {
            Sink::Memory(bytes) => Ok(Some(bytes)),
            Sink::Object(_) => Ok(None),
            Sink::File { unfinished, path, overwrite } => {
                let placed = match overwrite {
                    true => unfinished.persist(&path),
                    false => unfinished.persist_noclobber(&path),
                };
                match placed {
                    Ok(_) => Ok(None),
                    Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => {
                        Err(exists(&path))
                    }
                    Err(error) => Err(of_file(&error.error, &path)),
                }
            }
        }
    }
}

fn exists(path: &Path) -> PyErr {
    let text = "it exists; overwrite=True replaces it";
    PyFileExistsError::new_err((17, text, path.as_os_str().to_owned()))
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Sink::Memory(memory) => memory.write(bytes),
            Sink::File { unfinished, .. } => unfinished.write(bytes),
            Sink::Object(object) => Python::attach(|py| {
                let part = &bytes[..bytes.len().min(CHUNK)];
                let written = object.bind(py).call_method1("write", (PyBytes::new(py, part),))?;
                // Not all file objects say how many bytes they took.
                let written: Option<usize> = written.extract()?;
                Ok(written.unwrap_or(part.len()).min(part.len()))
            }),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Sink::Memory(_) => Ok(()),
            Sink::File { unfinished, .. } => unfinished.flush(),
            Sink::Object(object) => Python::attach(|py| {
                let object = object.bind(py);
                if object.hasattr("flush")? {
                    object.call_method0("flush")?;
                }
                Ok(())
            }),
        }
    }
}
