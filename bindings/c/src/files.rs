//! Whole archives as files.

use std::ffi::c_char;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::mem::MaybeUninit;
use std::path::{Path, PathBuf};

use plyzip::Result;
use plyzip::archive::ArchiveReader;
use tempfile::{Builder, NamedTempFile};

use crate::boundary::text;
use crate::buffer::{compress, with};
use crate::error::{call, of_file};
use crate::source::path_of;
use crate::{plyzip_error, plyzip_options, plyzip_status};

/// What the system calls a file that exists already.
const EXISTS: i32 = if cfg!(windows) { 80 } else { 17 };

/// Compresses a file into another one, which has its name only when it is complete, and which must not exist unless
/// plyzip_options_set_overwrite allows it. Memory does not grow with the file.
#[unsafe(no_mangle)]
pub extern "C" fn plyzip_compress_file(
    pgn_path: *const c_char,
    archive_path: *const c_char,
    options: Option<&plyzip_options>,
    error: Option<&mut MaybeUninit<Option<Box<plyzip_error>>>>,
) -> plyzip_status {
    call(error, || {
        let source = path_of(text(pgn_path, "pgn_path")?)?;
        let target = path_of(text(archive_path, "archive_path")?)?;
        with(options, |options| {
            let file = open(source)?;
            let unfinished = BufWriter::new(Unfinished::new(target, options.overwrite)?);
            finish(compress(file, unfinished, options)?)
        })
    })
}

/// Decompresses a file into another one, as plyzip_compress_file does.
#[unsafe(no_mangle)]
pub extern "C" fn plyzip_decompress_file(
    archive_path: *const c_char,
    pgn_path: *const c_char,
    options: Option<&plyzip_options>,
    error: Option<&mut MaybeUninit<Option<Box<plyzip_error>>>>,
) -> plyzip_status {
    call(error, || {
        let source = path_of(text(archive_path, "archive_path")?)?;
        let target = path_of(text(pgn_path, "pgn_path")?)?;
        with(options, |options| {
            let (file, reader) = (open(source)?, options.reader());
            let mut unfinished = BufWriter::new(Unfinished::new(target, options.overwrite)?);
            options.work.run(|| {
                options.work.interrupt.check()?;
                ArchiveReader::with_options(file, reader)?.copy_to(&mut unfinished)
            })?;
            finish(unfinished)
        })
    })
}

fn open(path: &Path) -> Result<File> {
    File::open(path).map_err(|error| of_file(error, path))
}

fn finish(written: BufWriter<Unfinished>) -> Result<()> {
    written.into_inner().map_err(io::IntoInnerError::into_error)?.finish()
}

/// A file that has its name only when it is complete.
#[derive(Debug)]
struct Unfinished {
    file: NamedTempFile,
    path: PathBuf,
    overwrite: bool,
}

impl Unfinished {
    fn new(path: &Path, overwrite: bool) -> Result<Unfinished> {
        if !overwrite && fs::symlink_metadata(path).is_ok() {
            return Err(of_file(io::Error::from_raw_os_error(EXISTS), path));
        }
        // Written through a link, as by fopen.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let mut builder = Builder::new();
        builder.prefix(".plyzip-").suffix(".tmp");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let file = builder.tempfile_in(folder.unwrap_or(Path::new(".")));
        let file = file.map_err(|error| of_file(error, &path))?;
        Ok(Unfinished { file, path, overwrite })
    }

    fn finish(self) -> Result<()> {
        let Unfinished { file, path, overwrite } = self;
        let placed = match overwrite {
            true => file.persist(&path),
            false => file.persist_noclobber(&path),
        };
        placed.map(drop).map_err(|error| of_file(error.error, &path))
    }
}

impl Write for Unfinished {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
