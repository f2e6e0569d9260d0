//! The files of the output folder.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file that takes its name when it is complete, so that no reader takes half of one for all.
pub struct Output {
    file: BufWriter<File>,
    path: PathBuf,
    partial: PathBuf,
}

impl Output {
    /// Begins `name` in `folder`, as `name`.new.
    pub fn create(folder: &Path, name: &str) -> io::Result<Output> {
        let partial = folder.join(format!("{name}.new"));
        let file = BufWriter::with_capacity(1 << 20, File::create(&partial)?);
        Ok(Output { file, path: folder.join(name), partial })
    }

    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)
    }

    /// Ends the file and gives it its name.
    pub fn finish(mut self) -> io::Result<()> {
        self.file.flush()?;
        fs::rename(&self.partial, &self.path)
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        // A finished file is no longer there under this name. Of one that failed nothing is of use,
        // and the error that is worth a word is the one before.
        let _ = fs::remove_file(&self.partial);
    }
}
