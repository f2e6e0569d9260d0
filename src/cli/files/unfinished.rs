//! An output file that is not in place yet.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use tempfile::NamedTempFile;

/// A file that is being written, in the folder that it will be in. Dropped, it is gone.
#[derive(Debug)]
pub enum Unfinished {
    /// A file without a name, of which nothing is left however the program ends.
    Nameless(File),
    /// A file under a temporary name, where the system or the file system knows no others.
    Named(NamedTempFile),
}

impl Unfinished {
    /// Creates a file in `folder` that those may use whom `mode` and the umask let, and its owner.
    pub fn create(folder: &Path, mode: u32) -> io::Result<Unfinished> {
        // Its owner must be able to write it.
        let mode = mode & 0o666 | 0o600;
        // An error that does not name a file that nobody has heard of.
        fs::metadata(folder)?;
        match nameless::create(folder, mode)? {
            Some(file) => Ok(Unfinished::Nameless(file)),
            None => Ok(Unfinished::Named(named(mode).tempfile_in(folder)?)),
        }
    }

    /// Its temporary name, if it has one.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Unfinished::Nameless(_) => None,
            Unfinished::Named(file) => Some(file.path()),
        }
    }

    /// The file, to be written.
    pub fn file(&mut self) -> &mut File {
        match self {
            Unfinished::Nameless(file) => file,
            Unfinished::Named(file) => file.as_file_mut(),
        }
    }

    /// Gives the file its final name, `path`, in the folder that it is in. If `replace`, it takes the place of a file
    /// of that name.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`] if there is such a file and it must not be replaced, and those of the system.
    /// Nothing is left of the file then.
    pub fn place(self, path: &Path, replace: bool) -> io::Result<()> {
        let named = match self {
            Unfinished::Named(file) => file,
            Unfinished::Nameless(mut file) => match nameless::place(&file, path, replace) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                    // Not each file system and each set of rules that knows such files lets them be linked.
                    copy(&mut file, folder(path))?
                }
                placed => return placed,
            },
        };
        match replace {
            true => take_place(named, path),
            false => Ok(named.persist_noclobber(path).map(drop)?),
        }
    }
}

/// Gives `file` the name `path`, whatever has it.
#[cfg(not(windows))]
fn take_place(file: NamedTempFile, path: &Path) -> io::Result<()> {
    Ok(file.persist(path).map(drop)?)
}

/// Gives `file` the name `path`, whatever has it. The archive that games are appended to is still open and locked then;
/// such a file the standard library can replace, on Windows 10 and newer, and tempfile cannot.
#[cfg(windows)]
fn take_place(file: NamedTempFile, path: &Path) -> io::Result<()> {
    let (file, temporary) = file.keep().map_err(|kept| kept.error)?;
    drop(file);
    fs::rename(&temporary, path).inspect_err(|_| drop(fs::remove_file(&temporary)))
}

/// The folder of a file; that of a bare name is the current one.
pub fn folder(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// Temporary names, and what files of such a name are open for (on Unix).
#[cfg_attr(not(unix), expect(unused_variables, reason = "modes are Unix"))]
fn named(mode: u32) -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".plyzip-").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(mode));
    }
    builder
}

/// A file in `folder`, under a temporary name, with the bytes and the permissions of `file`.
fn copy(file: &mut File, folder: &Path) -> io::Result<NamedTempFile> {
    use std::io::Seek;
    file.rewind()?;
    let mut named = named(0o600).tempfile_in(folder)?;
    io::copy(file, named.as_file_mut())?;
    named.as_file().set_permissions(file.metadata()?.permissions())?;
    named.as_file().sync_all()?;
    Ok(named)
}

/// `O_TMPFILE` and `linkat`.
#[cfg(target_os = "linux")]
mod nameless {
    use std::fs::{self, File};
    use std::io;
    use std::os::fd::AsRawFd;
    use std::path::{Path, PathBuf};

    use rustix::fs::{AtFlags, CWD, Mode, OFlags, linkat, openat};
    use rustix::io::Errno;

    use super::named;

    /// A file without a name in `folder`; `None` if there are no such files, or none that can be named later.
    pub fn create(folder: &Path, mode: u32) -> io::Result<Option<File>> {
        let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
        match openat(CWD, folder, flags, Mode::from_raw_mode(mode)) {
            Ok(descriptor) => {
                let file = File::from(descriptor);
                Ok(fs::symlink_metadata(descriptor_path(&file)).is_ok().then_some(file))
            }
            // What file systems and old kernels without such files say; the folder may also be missing.
            Err(Errno::OPNOTSUPP | Errno::ISDIR | Errno::NOENT | Errno::INVAL) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    pub fn place(file: &File, path: &Path, replace: bool) -> io::Result<()> {
        match link(file, path) {
            Err(error) if replace && error.kind() == io::ErrorKind::AlreadyExists => {
                // There is no linking over a file: it takes a name for a moment.
                let folder = super::folder(path);
                named(0).make_in(folder, |name| link(file, name))?.persist(path)?;
                Ok(())
            }
            linked => linked,
        }
    }

    fn link(file: &File, path: &Path) -> io::Result<()> {
        Ok(linkat(CWD, descriptor_path(file), CWD, path, AtFlags::SYMLINK_FOLLOW)?)
    }

    fn descriptor_path(file: &File) -> PathBuf {
        format!("/proc/self/fd/{}", file.as_raw_fd()).into()
    }
}

#[cfg(not(target_os = "linux"))]
mod nameless {
    use std::fs::File;
    use std::io;
    use std::path::Path;

    pub fn create(_: &Path, _: u32) -> io::Result<Option<File>> {
        Ok(None)
    }

    pub fn place(_: &File, _: &Path, _: bool) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;

    use tempfile::TempDir;

    use super::*;

    /// A file without a name, if there are such files, and one with a temporary name.
    const KINDS: [fn(&Path) -> Unfinished; 2] = [
        |folder| Unfinished::create(folder, 0o666).unwrap(),
        |folder| Unfinished::Named(named(0o600).tempfile_in(folder).unwrap()),
    ];

    fn written(kind: fn(&Path) -> Unfinished, folder: &Path) -> Unfinished {
        let mut file = kind(folder);
        file.file().write_all(b"new").unwrap();
        file
    }

    fn names(folder: &Path) -> usize {
        fs::read_dir(folder).unwrap().count()
    }

    #[test]
    fn a_file_is_replaced_only_on_demand() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("file");
        for replace in [false, true] {
            for kind in KINDS {
                fs::write(&path, b"old").unwrap();
                let file = written(kind, folder.path());
                let placed = file.place(&path, replace).map_err(|error| error.kind());
                let (wanted, content) = match replace {
                    true => (Ok(()), b"new"),
                    false => (Err(io::ErrorKind::AlreadyExists), b"old"),
                };
                assert_eq!(placed, wanted);
                assert_eq!(fs::read(&path).unwrap(), content);
                assert_eq!(names(folder.path()), 1);
                fs::remove_file(&path).unwrap();
            }
        }
    }

    #[test]
    fn nothing_is_left_of_a_dropped_file() {
        let folder = TempDir::new().unwrap();
        drop(KINDS.map(|kind| written(kind, folder.path())));
        assert_eq!(names(folder.path()), 0);
    }

    #[test]
    fn what_cannot_be_linked_is_copied() {
        let folder = TempDir::new().unwrap();
        let mut file = written(KINDS[0], folder.path());
        let path = folder.path().join("copy");
        copy(file.file(), folder.path()).unwrap().persist(&path).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(
            fs::metadata(&path).unwrap().permissions(),
            file.file().metadata().unwrap().permissions()
        );
    }
}
