//! Whole archives in memory.

use std::io::{self, BufReader, Read, Write};
use std::mem::MaybeUninit;

use plyzip::Result;
use plyzip::archive::{ArchiveReader, ArchiveWriter};

use crate::boundary::bytes;
use crate::bytes::{BytesSlot, Memory};
use crate::error::call;
use crate::{plyzip_bytes, plyzip_error, plyzip_options, plyzip_status};

/// Bytes of the original that are read at a time.
const CHUNK: usize = 1 << 20;

/// Most bytes that plyzip_decompress gives out unless it is told.
const MOST_IN_MEMORY: u64 = 1 << 30;

/// Compresses PGN, or anything else. Any bytes come back from plyzip_decompress as they are; none will do, too. The
/// archive is byte for byte that of the program `plyzip compress`.
#[unsafe(no_mangle)]
pub extern "C" fn plyzip_compress(
    pgn: *const u8,
    pgn_size: usize,
    options: Option<&plyzip_options>,
    archive: Option<&mut MaybeUninit<plyzip_bytes>>,
    error: Option<&mut MaybeUninit<Option<Box<plyzip_error>>>>,
) -> plyzip_status {
    call(error, || {
        let archive = BytesSlot::new(archive, "archive")?;
        let pgn = bytes(pgn, pgn_size, "pgn")?;
        let made = with(options, |options| compress(pgn, Memory::default(), options))?;
        archive.fill(made.0)
    })
}

/// Decompresses an archive, and checks everything on the way.
///
/// What comes out may be thousands of times as large as the archive. It is PLYZIP_ERROR_LIMIT if it has more bytes than
/// PLYZIP_LIMIT_ORIGINAL, which is 2^30 here unless it is set.
#[unsafe(no_mangle)]
pub extern "C" fn plyzip_decompress(
    archive: *const u8,
    archive_size: usize,
    options: Option<&plyzip_options>,
    pgn: Option<&mut MaybeUninit<plyzip_bytes>>,
    error: Option<&mut MaybeUninit<Option<Box<plyzip_error>>>>,
) -> plyzip_status {
    call(error, || {
        let pgn = BytesSlot::new(pgn, "pgn")?;
        let archive = bytes(archive, archive_size, "archive")?;
        let mut original = Memory::default();
        with(options, |options| {
            let mut reader = options.reader();
            if !options.original_is_limited {
                reader.limits.original = MOST_IN_MEMORY;
            }
            options.work.run(|| {
                options.work.interrupt.check()?;
                ArchiveReader::with_options(archive, reader)?.copy_to(&mut original)
            })
        })?;
        pgn.fill(original.0)
    })
}

/// Does `work` with these options, or with the defaults.
pub(crate) fn with<T>(
    options: Option<&plyzip_options>,
    work: impl FnOnce(&plyzip_options) -> Result<T>,
) -> Result<T> {
    match options {
        Some(options) => work(options),
        None => work(&plyzip_options::default()),
    }
}

/// Writes the archive of `source` to `sink`.
pub(crate) fn compress<W: Write + Send>(
    source: impl Read + Send,
    sink: W,
    options: &plyzip_options,
) -> Result<W> {
    options.work.run(|| {
        let model = options.coding_model()?;
        let mut writer = ArchiveWriter::with_options(sink, model, options.writer)?;
        writer.set_interrupt(&options.work.interrupt);
        if let Some(file) = options.model_file()? {
            writer.embed_model(&file)?;
        }
        io::copy(&mut BufReader::with_capacity(CHUNK, source), &mut writer)?;
        Ok(writer.finish()?.0)
    })
}
