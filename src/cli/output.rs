//! The output of a command: a file that appears whole or not at all, or standard output.

use std::fs::{self, File, OpenOptions};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::input::{Input, STANDARD, about, at};
use super::{arguments, interrupt};
use crate::{Error, Result};

/// OUT, opened. Without [`commit`](Sink::commit), nothing is left of a file.
#[derive(Debug)]
pub enum Sink {
    /// A file under a temporary name beside its final one.
    Temporary {
        /// `None` once it is in place.
        file: Option<NamedTempFile>,
        /// The final name.
        path: PathBuf,
        /// Whether it may replace a file.
        replace: bool,
    },
    /// A device or a named pipe, with its path; it exists before and after.
    Special(File, PathBuf),
    /// Standard output.
    Standard,
}

impl Sink {
    /// Opens the output of a command that reads `input`: `output`, or else `default` for a file
    /// and standard output for standard input.
    ///
    /// # Errors
    /// [`Error::Usage`] if the output is the input, or if `binary` output would go to a
    /// terminal; [`Error::Io`] if it exists or cannot be created; those of `default`.
    pub fn open(
        output: &arguments::Output,
        input: &Input,
        default: impl FnOnce(&Path) -> Result<PathBuf>,
        binary: bool,
    ) -> Result<Sink> {
        let path = match (&output.path, input.path()) {
            (Some(path), _) => path.clone(),
            (None, Some(input)) => default(input)?,
            (None, None) => STANDARD.into(),
        };
        if path.as_os_str() == STANDARD {
            if binary && !output.force && io::stdout().is_terminal() {
                return Err(Error::Usage(
                    "an archive is no text for a terminal (use -o, or -f to insist)".into(),
                ));
            }
            return Ok(Sink::Standard);
        }
        match fs::metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(at(&path, &error)),
            Ok(found) if found.is_dir() => {
                return Err(at(&path, &io::ErrorKind::IsADirectory.into()));
            }
            Ok(found) if !found.is_file() => {
                let file = OpenOptions::new().write(true).open(&path);
                return match file {
                    Ok(file) => Ok(Sink::Special(file, path)),
                    Err(error) => Err(at(&path, &error)),
                };
            }
            Ok(_) => {
                if input.path().is_some_and(|input| is_same(input, &path)) {
                    return Err(Error::Usage(format!(
                        "{} is both input and output",
                        path.display()
                    )));
                }
                if !output.force {
                    return Err(exists(&path));
                }
            }
        }
        // A name without a folder has an empty one.
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        let file = interrupt::begin(|| temporary(folder, input));
        let file = file.map_err(|error| at(&path, &error))?;
        Ok(Sink::Temporary { file: Some(file), path, replace: output.force })
    }

    /// Its name in messages.
    fn name(&self) -> &Path {
        match self {
            Sink::Temporary { path, .. } | Sink::Special(_, path) => path,
            Sink::Standard => Path::new("standard output"),
        }
    }

    /// Puts a file in place, whole and on disk.
    ///
    /// # Errors
    /// [`Error::Io`] if that fails, or if a file of that name has appeared meanwhile and
    /// may not be replaced. Then nothing is left of the output.
    pub fn commit(mut self) -> Result<()> {
        self.flush()?;
        let Sink::Temporary { file, path, replace } = &mut self else { return Ok(()) };
        let Some(file) = file.take() else { return Ok(()) };
        file.as_file().sync_all().map_err(|error| at(path, &error))?;
        let placed = interrupt::end(|| {
            if *replace { file.persist(&*path) } else { file.persist_noclobber(&*path) }
        });
        match placed {
            Ok(_) => Ok(()),
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Err(exists(path)),
            Err(error) => Err(at(path, &error.error)),
        }
    }
}

impl Drop for Sink {
    fn drop(&mut self) {
        if let Sink::Temporary { file, .. } = self
            && let Some(file) = file.take()
        {
            interrupt::end(|| drop(file));
        }
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = match self {
            Sink::Temporary { file: Some(file), .. } => file.write(bytes),
            Sink::Temporary { file: None, .. } => Err(io::ErrorKind::NotFound.into()),
            Sink::Special(file, _) => file.write(bytes),
            Sink::Standard => io::stdout().lock().write(bytes),
        };
        written.map_err(|error| about(self.name(), &error))
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = match self {
            Sink::Temporary { file, .. } => file.as_mut().map_or(Ok(()), Write::flush),
            Sink::Special(file, _) => file.flush(),
            Sink::Standard => io::stdout().lock().flush(),
        };
        flushed.map_err(|error| about(self.name(), &error))
    }
}

fn exists(path: &Path) -> Error {
    let kind = io::ErrorKind::AlreadyExists;
    Error::Io(io::Error::new(kind, format!("{} exists (use -f to replace it)", path.display())))
}

/// A file in `folder` that the same people may use as the input, as far as the umask lets them.
fn temporary(folder: &Path, input: &Input) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".plyzip-").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = input.metadata().map_or(0o666, |metadata| metadata.permissions().mode() & 0o666);
        // Its owner must be able to write it, however the input is.
        builder.permissions(fs::Permissions::from_mode(mode | 0o600));
    }
    builder.tempfile_in(folder)
}

fn is_same(one: &Path, other: &Path) -> bool {
    matches!((fs::canonicalize(one), fs::canonicalize(other)), (Ok(one), Ok(other)) if one == other)
}
