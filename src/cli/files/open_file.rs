//! Files that something else may change, replace or delete while a command works on them.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use plyzip::Result;

use super::named::at;

/// The identity, the length and the age of a file, which tell whether it is still as it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Snapshot {
    /// Its device and its number on it; the standard library knows them on Unix alone.
    #[cfg(unix)]
    inode: (u64, u64),
    length: u64,
    modified: Option<SystemTime>,
}

impl Snapshot {
    fn of(metadata: &Metadata) -> Snapshot {
        #[cfg(unix)]
        use std::os::unix::fs::MetadataExt;
        Snapshot {
            #[cfg(unix)]
            inode: (metadata.dev(), metadata.ino()),
            length: metadata.len(),
            modified: metadata.modified().ok(),
        }
    }
}

/// A file that was opened to be read, with its path and what it was then.
#[derive(Debug)]
pub struct OpenFile {
    /// The file.
    pub file: File,
    /// The path at which it was opened.
    pub path: PathBuf,
    snapshot: Snapshot,
}

impl OpenFile {
    /// Opens the file, the device or the pipe at `path`.
    ///
    /// # Errors
    /// [`Error::Io`](plyzip::Error::Io) with the path in its message; also if it is a folder.
    pub fn open(path: &Path) -> Result<OpenFile> {
        let failed = |error: io::Error| at(path, &error);
        let file = File::open(path).map_err(failed)?;
        let metadata = file.metadata().map_err(failed)?;
        if metadata.is_dir() {
            return Err(failed(io::ErrorKind::IsADirectory.into()));
        }
        Ok(OpenFile { file, path: path.to_owned(), snapshot: Snapshot::of(&metadata) })
    }

    /// The same open file once more.
    ///
    /// # Errors
    /// [`Error::Io`](plyzip::Error::Io) if the system has no descriptor left.
    pub fn try_clone(&self) -> Result<OpenFile> {
        let file = self.file.try_clone().map_err(|error| at(&self.path, &error))?;
        Ok(OpenFile { file, path: self.path.clone(), snapshot: self.snapshot })
    }

    /// The snapshot of when it was opened.
    pub fn snapshot(&self) -> Snapshot {
        self.snapshot
    }

    /// Whether its bytes are those of the beginning, whatever its path leads to by now. Changes within the resolution of
    /// the file system's clock that leave the length as it is are not seen.
    pub fn is_unchanged(&self) -> bool {
        self.file.metadata().is_ok_and(|now| Snapshot::of(&now) == self.snapshot)
    }

    /// Whether it is unchanged, and still what its path leads to.
    pub fn is_in_place(&self) -> bool {
        let there = fs::metadata(&self.path);
        self.is_unchanged() && there.is_ok_and(|there| Snapshot::of(&there) == self.snapshot)
    }

    /// Waits until no other run of the program has a claim to this file, and claims it; `None` if it is not in place any
    /// more. Whoever replaces or deletes a file that it has read does so under a claim. So of two runs that read the
    /// same file, the second finds out that it is gone.
    ///
    /// The claim is a lock of the system's on the file itself: it ends with the program, and binds nobody who does not
    /// ask for it. Where a file system has no locks, there is only the comparison.
    pub fn claim(&self) -> Option<Claim> {
        let claim = Claim { locked: self.locked(File::lock).ok() };
        self.is_in_place().then_some(claim)
    }

    /// Like [`claim`](OpenFile::claim), but does not wait: `None` as well if someone else has a lock on the file.
    pub fn claim_at_once(&self) -> Option<Claim> {
        let try_lock = |file: &File| file.try_lock().map_err(io::Error::from);
        let claim = match self.locked(try_lock) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return None,
            locked => Claim { locked: locked.ok() },
        };
        self.is_in_place().then_some(claim)
    }

    /// A descriptor of the file that has the lock.
    fn locked(&self, lock: impl Fn(&File) -> io::Result<()>) -> io::Result<File> {
        let lock = |file: &File| loop {
            match lock(file) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                done => return done,
            }
        };
        match lock(&self.file) {
            Ok(()) => self.file.try_clone(),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Err(error),
            Err(_) => {
                // Network file systems lock what is open for writing.
                let file = File::options().read(true).write(true).open(&self.path)?;
                lock(&file).map(|()| file)
            }
        }
    }
}

/// A file that no other run of the program replaces or deletes until this is dropped.
#[derive(Debug)]
pub struct Claim {
    locked: Option<File>,
}

impl Drop for Claim {
    fn drop(&mut self) {
        // It has a descriptor that others are copies of, so closing it would not do.
        let _ = self.locked.as_ref().map(File::unlock);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tempfile::TempDir;

    use super::*;

    #[test]
    fn changes_are_seen() {
        let folder = TempDir::new().unwrap();
        let (path, other) = (folder.path().join("file"), folder.path().join("other"));
        let rewrites: [&dyn Fn(); 4] = [
            &|| fs::write(&path, b"longer").unwrap(),
            &|| {
                let file = File::options().write(true).open(&path).unwrap();
                file.set_modified(SystemTime::now() - Duration::from_secs(9)).unwrap();
            },
            &|| {
                fs::write(&other, b"more").unwrap();
                fs::rename(&other, &path).unwrap();
            },
            &|| fs::remove_file(&path).unwrap(),
        ];
        for (number, rewrite) in rewrites.into_iter().enumerate() {
            fs::write(&path, b"old").unwrap();
            let file = OpenFile::open(&path).unwrap();
            assert!(file.is_in_place() && file.claim().is_some() && file.claim_at_once().is_some());
            rewrite();
            assert_eq!(file.is_unchanged(), number > 1, "{number}");
            assert!(!file.is_in_place(), "{number}");
            assert!(file.claim().is_none() && file.claim_at_once().is_none());
        }
    }

    #[test]
    fn a_claim_excludes_others_until_it_is_dropped() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, b"old").unwrap();
        let (one, other) = (OpenFile::open(&path).unwrap(), OpenFile::open(&path).unwrap());
        let claim = one.claim().unwrap();
        assert!(other.claim_at_once().is_none());
        drop(claim);
        assert!(other.claim_at_once().is_some());
        // A copy of the descriptor is no other claimant.
        let copy = one.try_clone().unwrap();
        drop(copy.claim().unwrap());
        assert!(other.claim_at_once().is_some());
    }
}
