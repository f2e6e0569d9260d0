//! Standard input and output, which may be closed.
//!
//! The standard library hides that: it opens `/dev/null` in the place of a closed descriptor, and takes a descriptor
//! that cannot be read or written for one at its end. An archive of nothing, or output that is lost without an error,
//! is nothing that anybody asked for.

use std::io::{self, Write};
use std::path::Path;

use super::named::at;

/// Prints `text`, for people or for programs.
///
/// # Errors
/// [`Error::Io`] if standard output cannot be written to.
pub fn print(text: &str) -> Result<()> {
    let printed = imp::output().and_then(|mut output| {
        output.write_all(text.as_bytes())?;
        output.flush()
    });
    printed.map_err(|error| at(Path::new("standard output"), &error))
}

/// Standard input, for data.
///
/// # Errors
/// [`Error::Io`] if it is closed.
pub fn input() -> Result<imp::Input> {
    match imp::is_closed(&io::stdin()) {
        false => Ok(imp::input()?),
        true => Err(closed("standard input is closed")),
    }
}

/// Standard output, for data.
///
/// # Errors
/// [`Error::Io`] if it is closed.
pub fn output() -> Result<imp::Output> {
    match imp::is_closed(&io::stdout()) {
        false => Ok(imp::output()?),
        true => Err(closed("standard output is closed (-o /dev/null discards the output)")),
    }
}

fn closed(message: &str) -> Error {
    Error::Io(io::Error::new(io::ErrorKind::NotConnected, message))
}

pub use imp::{Input, Output};
use plyzip::{Error, Result};

#[cfg(unix)]
mod imp {
    use std::fs::{self, File};
    use std::io;
    use std::os::fd::AsFd;
    use std::os::unix::fs::MetadataExt;

    use rustix::fs::{OFlags, fcntl_getfl};

    pub type Input = File;
    pub type Output = File;

    /// A descriptor of its own, of which no error is hidden.
    pub fn input() -> io::Result<Input> {
        Ok(io::stdin().as_fd().try_clone_to_owned()?.into())
    }

    /// Likewise.
    pub fn output() -> io::Result<Output> {
        Ok(io::stdout().as_fd().try_clone_to_owned()?.into())
    }

    /// Whether `stream` is what the standard library puts in the place of a closed descriptor: `/dev/null`, opened for
    /// reading and writing. A shell's `>/dev/null` and `</dev/null` open it for one of the two; a program that hands
    /// over such a descriptor of its own is told to name the file.
    pub fn is_closed(stream: &impl AsFd) -> bool {
        let both = fcntl_getfl(stream).is_ok_and(|flags| flags.contains(OFlags::RDWR));
        let device = |metadata: fs::Metadata| (metadata.mode(), metadata.rdev());
        let own =
            || Some(device(File::from(stream.as_fd().try_clone_to_owned().ok()?).metadata().ok()?));
        both && own()
            .is_some_and(|own| fs::metadata("/dev/null").is_ok_and(|null| device(null) == own))
    }
}

#[cfg(not(unix))]
mod imp {
    use std::io::{self, IsTerminal, Write};

    use super::super::console::Console;

    pub type Input = io::Stdin;

    /// Standard output, which on Windows may be a console.
    #[derive(Debug)]
    pub enum Output {
        Console(Console<io::Stdout>),
        Other(io::Stdout),
    }

    pub fn input() -> io::Result<Input> {
        Ok(io::stdin())
    }

    pub fn output() -> io::Result<Output> {
        let output = io::stdout();
        Ok(match cfg!(windows) && output.is_terminal() {
            true => Output::Console(Console::new(output)),
            false => Output::Other(output),
        })
    }

    impl Write for Output {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            match self {
                Output::Console(console) => console.write(bytes),
                Output::Other(output) => output.write(bytes),
            }
        }

        fn flush(&mut self) -> io::Result<()> {
            match self {
                Output::Console(console) => console.flush(),
                Output::Other(output) => output.flush(),
            }
        }
    }

    /// Elsewhere nobody can tell.
    pub fn is_closed<T>(_: &T) -> bool {
        false
    }
}
