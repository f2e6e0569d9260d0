//! The output of a command: a file that appears whole or not at all, or standard output.

use std::fs::{self, File, OpenOptions};
use std::io::{self, IsTerminal, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use plyzip::{Error, Result};

use super::input::{Input, STANDARD};
use super::named::{about, at};
use super::open_file::OpenFile;
use super::unfinished::{Unfinished, folder};
use super::{interrupt, standard};
use crate::cli::arguments;

/// OUT, opened. Without [`commit`](Sink::commit), nothing is left of a file.
#[derive(Debug)]
pub enum Sink {
    /// A file that gets its name at the end.
    Temporary {
        /// `None` once it is in place.
        file: Option<Unfinished>,
        /// The final name, or a symbolic link to it.
        path: PathBuf,
        /// The final name.
        target: PathBuf,
        /// Whether it may replace a file.
        replace: bool,
    },
    /// A device or a named pipe, with its path; it exists before and after.
    Special(File, PathBuf),
    /// Standard output.
    Standard(standard::Output),
}

impl Sink {
    /// Opens the output of a command that reads `input`: `output`, or else `default` for a file
    /// and standard output for standard input. A symbolic link stands for what it leads to.
    ///
    /// # Errors
    /// [`Error::Usage`] if the output is the input, or if `binary` output would go to a
    /// terminal; [`Error::Io`] if it exists, cannot be created or is a closed standard output; those of `default`.
    pub fn open(
        output: &arguments::Output,
        input: &Input,
        default: impl FnOnce(&Path) -> Result<PathBuf>,
        binary: bool,
    ) -> Result<Sink> {
        interrupt::survive_limits()?;
        let path = match (&output.path, input.path()) {
            _ if output.standard => STANDARD.into(),
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
            return Ok(Sink::Standard(standard::output()?));
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
        Sink::temporary(path, input, output.force)
    }

    /// Opens the output of a command that reads `inputs` one after the other.
    ///
    /// # Errors
    /// Those of [`open`](Sink::open); those of [`Input::open`] if no input can be opened.
    pub fn of_several(path: &Path, force: bool, inputs: &[PathBuf], binary: bool) -> Result<Sink> {
        let output = arguments::Output::at(path.to_owned(), force);
        if let Some(input) = inputs.iter().find(|input| is_same(input, path)) {
            let message = format!("{} is both input and output", input.display());
            return Err(Error::Usage(message));
        }
        let mut opened = inputs.iter().map(|input| Input::open(input));
        let first = opened.next().unwrap_or_else(|| Input::open(Path::new(STANDARD)));
        let input = match first {
            Ok(input) => input,
            Err(error) => opened.find_map(Result::ok).ok_or(error)?,
        };
        Sink::open(&output, &input, |path| Ok(path.to_owned()), binary)
    }

    /// An output that takes the place of `input`, a file, when it is complete. A symbolic link stands for what it leads
    /// to.
    ///
    /// # Errors
    /// [`Error::Usage`] if `input` is no file that can be replaced, [`Error::Io`] if no file can be created beside it.
    pub fn in_place_of(input: &Input) -> Result<Sink> {
        interrupt::survive_limits()?;
        let no_file = || Error::Usage("only an archive that is a file can be changed".into());
        let path = input.path().filter(|_| input.length().is_some()).ok_or_else(no_file)?;
        Sink::temporary(path.to_owned(), input, true)
    }

    /// A file that will be at `path`, and may `replace` one that is there.
    fn temporary(path: PathBuf, input: &Input, replace: bool) -> Result<Sink> {
        let target = followed(&path).map_err(|error| at(&path, &error))?;
        let file = interrupt::begin(|| Unfinished::create(folder(&target), mode(input)));
        let file = file.map_err(|error| at(&path, &error))?;
        Ok(Sink::Temporary { file: Some(file), path, target, replace })
    }

    /// The name of a file that appears when it is complete.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Sink::Temporary { path, .. } => Some(path),
            Sink::Special(..) | Sink::Standard(_) => None,
        }
    }

    /// Whether what is written appears on a terminal, where nothing else should.
    pub fn is_terminal(&self) -> bool {
        matches!(self, Sink::Standard(_)) && io::stdout().is_terminal()
    }

    /// Gives a file this modification time, once all is written. Devices and standard output have none.
    ///
    /// # Errors
    /// [`Error::Io`] if that fails.
    pub fn set_modified(&mut self, time: SystemTime) -> Result<()> {
        let Sink::Temporary { file: Some(file), path, .. } = self else { return Ok(()) };
        file.file().set_modified(time).map_err(|error| at(path, &error))
    }

    /// Puts a file in place as [`commit`](Sink::commit) does, and then deletes `input`, if both are files.
    ///
    /// # Errors
    /// Those of [`commit`](Sink::commit); [`Error::Io`] if `input` cannot be deleted, or is not what was read any more:
    /// then it is kept.
    pub fn commit_instead_of(self, input: Option<&OpenFile>) -> Result<()> {
        let place = match &self {
            Sink::Temporary { target, .. } => Some(folder(target).to_owned()),
            Sink::Special(..) | Sink::Standard(_) => None,
        };
        self.commit()?;
        let Some((input, place)) = input.zip(place) else { return Ok(()) };
        let path = &input.path;
        let Some(_claim) = input.claim_at_once() else {
            return Err(at(path, &io::Error::other("changed while it was read, and is kept")));
        };
        // The output's name has to be on disk before that of the input is gone; not each system syncs folders.
        let _ = File::open(place).and_then(|folder| folder.sync_all());
        fs::remove_file(path).map_err(|error| at(path, &error))
    }

    /// A file that was written so far, to be read from its beginning; `None` for devices and standard output.
    ///
    /// # Errors
    /// [`Error::Io`] if that fails.
    pub fn read_back(&mut self) -> Result<Option<&mut File>> {
        let Sink::Temporary { file: Some(file), path, .. } = self else { return Ok(None) };
        let file = file.file();
        file.rewind().map_err(|error| at(path, &error))?;
        Ok(Some(file))
    }

    /// Appends what `other`, a file, holds at these bytes.
    ///
    /// # Errors
    /// [`Error::Io`] if that fails.
    pub fn append_from(&mut self, other: &mut Sink, bytes: Range<u64>) -> Result<()> {
        let Sink::Temporary { file: Some(file), path, .. } = other else {
            return Err(Error::Internal("an output that cannot be read again".into()));
        };
        let file = file.file();
        file.seek(SeekFrom::Start(bytes.start)).map_err(|error| at(path, &error))?;
        io::copy(&mut file.take(bytes.end - bytes.start), self)?;
        Ok(())
    }

    /// Has all that was written on disk, so that [`commit`](Sink::commit) takes no time.
    ///
    /// # Errors
    /// [`Error::Io`] if that fails.
    pub fn sync(&mut self) -> Result<()> {
        self.flush()?;
        let Sink::Temporary { file: Some(file), path, .. } = self else { return Ok(()) };
        file.file().sync_all().map_err(|error| at(path, &error))
    }

    /// Its name in messages.
    fn name(&self) -> &Path {
        match self {
            Sink::Temporary { path, .. } | Sink::Special(_, path) => path,
            Sink::Standard(_) => Path::new("standard output"),
        }
    }

    /// Puts a file in place, whole and on disk.
    ///
    /// # Errors
    /// [`Error::Io`] if that fails, or if a file of that name has appeared meanwhile and
    /// may not be replaced. Then nothing is left of the output.
    pub fn commit(mut self) -> Result<()> {
        self.sync()?;
        let Sink::Temporary { file, path, target, replace } = &mut self else { return Ok(()) };
        let Some(file) = file.take() else { return Ok(()) };
        match interrupt::end(file, |file| file.place(target, *replace)) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(exists(path)),
            Err(error) => Err(at(path, &error)),
        }
    }
}

impl Drop for Sink {
    fn drop(&mut self) {
        if let Sink::Temporary { file, .. } = self
            && let Some(file) = file.take()
        {
            interrupt::end(file, drop);
        }
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = match self {
            Sink::Temporary { file: Some(file), .. } => file.file().write(bytes),
            Sink::Temporary { file: None, .. } => Err(io::ErrorKind::NotFound.into()),
            Sink::Special(file, _) => file.write(bytes),
            Sink::Standard(output) => output.write(bytes),
        };
        written.map_err(|error| about(self.name(), &error))
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = match self {
            Sink::Temporary { file, .. } => {
                file.as_mut().map_or(Ok(()), |file| file.file().flush())
            }
            Sink::Special(file, _) => file.flush(),
            Sink::Standard(output) => output.flush(),
        };
        flushed.map_err(|error| about(self.name(), &error))
    }
}

fn exists(path: &Path) -> Error {
    let kind = io::ErrorKind::AlreadyExists;
    Error::Io(io::Error::new(kind, format!("{} exists (use -f to replace it)", path.display())))
}

/// Who may use the output: those who may use the input (on Unix).
#[cfg_attr(not(unix), expect(unused_variables, reason = "modes are Unix"))]
fn mode(input: &Input) -> u32 {
    #[cfg(unix)]
    if let Some(metadata) = input.metadata() {
        use std::os::unix::fs::PermissionsExt;
        return metadata.permissions().mode();
    }
    0o666
}

/// More symbolic links than this lead nowhere; the limit of Linux.
const MAX_LINKS: usize = 40;

/// What `path` leads to over symbolic links, whether that exists or not.
fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::symlink_metadata(&path) {
            Ok(found) if found.is_symlink() => path = folder(&path).join(fs::read_link(&path)?),
            Ok(_) => return Ok(path),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(path),
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("too many levels of symbolic links"))
}

/// Whether both paths lead to one file.
pub fn is_same(one: &Path, other: &Path) -> bool {
    matches!((fs::canonicalize(one), fs::canonicalize(other)), (Ok(one), Ok(other)) if one == other)
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    #[test]
    fn an_input_is_deleted_only_if_it_is_what_was_read() {
        let folder = TempDir::new().unwrap();
        let [path, other, out] = ["in", "other", "out"].map(|name| folder.path().join(name));
        let meanwhile: [(&dyn Fn(), bool); 4] = [
            (&|| {}, false),
            (&|| fs::write(&path, b"longer").unwrap(), true),
            (
                &|| {
                    fs::write(&other, b"new").unwrap();
                    fs::rename(&other, &path).unwrap();
                },
                true,
            ),
            (&|| fs::remove_file(&path).unwrap(), false),
        ];
        for (number, (meanwhile, is_kept)) in meanwhile.into_iter().enumerate() {
            fs::write(&path, b"old").unwrap();
            let input = Input::open(&path).unwrap();
            let output = arguments::Output::at(out.clone(), true);
            let mut sink = Sink::open(&output, &input, |path| Ok(path.to_owned()), false).unwrap();
            sink.write_all(b"output").unwrap();
            meanwhile();
            let committed = sink.commit_instead_of(input.regular());
            assert_eq!(committed.is_ok(), number == 0, "{number}");
            assert_eq!(path.exists(), is_kept, "{number}");
            assert_eq!(fs::read(&out).unwrap(), b"output");
        }
    }
}
