//! Errors of files, with the path in their messages.

use std::io;
use std::path::Path;

use plyzip::Error;

/// `error` with the path that it is about in its message.
pub fn at(path: &Path, error: &io::Error) -> Error {
    Error::Io(about(path, error))
}

/// Like [`at`], for implementations of [`Read`](io::Read) and [`Write`](io::Write).
pub fn about(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
