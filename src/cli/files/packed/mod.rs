//! PGN in a file or on standard input, which other programs may have compressed.

mod gzip;
mod zip;

use std::io::{self, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use bzip2::bufread::MultiBzDecoder;
use lzma_rust2::XzReader;
use plyzip::{Error, Result};

use super::ending::Ending;
use super::input::Input;
use super::kind::{Format, Kind, head};
use super::named::about;

/// The memory that a dictionary of xz may take, in KiB: four times what the highest preset needs. zstd's library has a
/// limit of its own, 128 MiB.
const XZ_MEMORY: u32 = 256 << 10;

/// A file or standard input, which holds PGN as it is or compressed by another program.
#[derive(Debug)]
pub struct PgnSource {
    input: Input,
    /// The bytes that were read to know what it is.
    head: Vec<u8>,
    /// The format that it is decompressed from.
    format: Option<Format>,
    unpacking: Unpacking,
}

/// Whether a file that another program has compressed is decompressed while it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unpacking {
    /// Yes; the command has no `--as-is`.
    Always,
    /// Yes; `--as-is` was not given.
    Unasked,
    /// No: `--as-is` was given.
    Never,
}

impl Unpacking {
    /// Of a command that has `--as-is`, given or not.
    pub fn unless(as_is: bool) -> Unpacking {
        if as_is { Unpacking::Never } else { Unpacking::Unasked }
    }

    /// `advice` about `--as-is`, if the command has it.
    fn advice(self, advice: &str) -> &str {
        if self == Unpacking::Always { "" } else { advice }
    }
}

/// Advice for a file that only looks like a compressed one.
const AS_IS: &str = " (--as-is takes the file as it lies)";

impl PgnSource {
    /// Opens `path`, or standard input for `-`.
    ///
    /// # Errors
    /// Those of [`Input::open`]; [`Error::Usage`] if it is an archive of plyzip, or a zip that is no file, unless it is
    /// to be taken as it is.
    pub fn open(path: &Path, unpacking: Unpacking) -> Result<PgnSource> {
        let mut input = Input::open(path)?;
        let head = head(&mut input)?;
        PgnSource::of(input, head, unpacking)
    }

    /// The PGN of an input of which [`head`] was read.
    ///
    /// # Errors
    /// Those of [`open`](PgnSource::open) that are no [`Error::Io`].
    pub fn of(input: Input, head: Vec<u8>, unpacking: Unpacking) -> Result<PgnSource> {
        let name = input.path().unwrap_or(Path::new("standard input")).display();
        let format = match Kind::of(&head) {
            _ if unpacking == Unpacking::Never => None,
            Kind::Packed(Format::Zip) if input.length().is_none() => {
                let advice = unpacking.advice(", --as-is takes it as it lies");
                return Err(Error::Usage(format!(
                    "{name}: is a zip, which can only be read from a file (unzip -p writes what is inside{advice})"
                )));
            }
            Kind::Packed(format) => Some(format),
            Kind::Archive => {
                return Err(Error::Usage(match unpacking {
                    Unpacking::Always => format!("{name}: is an archive of plyzip, and not PGN"),
                    _ => format!(
                        "{name}: is an archive of plyzip already (`plyzip cat` puts archives together, --as-is \
                         takes the file as it lies)"
                    ),
                }));
            }
            Kind::Pgn | Kind::Other => None,
        };
        Ok(PgnSource { input, head, format, unpacking })
    }

    /// The file or stream.
    pub fn input(&self) -> &Input {
        &self.input
    }

    /// The format that it is decompressed from.
    pub fn format(&self) -> Option<Format> {
        self.format
    }

    /// Bytes of PGN, as far as they are known beforehand.
    pub fn length(&self) -> Option<u64> {
        self.input.length().filter(|_| self.format.is_none())
    }

    /// The name that the PGN has or would have as a file.
    pub fn pgn_path(&self) -> Option<PathBuf> {
        let path = self.input.path()?;
        let Some(format) = self.format.filter(|format| format.is_named_by(path)) else {
            return Some(path.to_owned());
        };
        let mut inner = path.with_extension("");
        if format == Format::Zip && inner.extension().is_none() {
            inner.set_extension("pgn");
        }
        Some(inner)
    }

    /// Has `work` read the PGN: all frames, streams and members of what it is compressed in.
    ///
    /// # Errors
    /// Those of `work`; [`Error::Usage`] if a zip has not exactly one file in it.
    pub fn read<T>(self, work: impl FnOnce(&mut PgnReader) -> Result<T>) -> Result<T> {
        let PgnSource { input, head, format, unpacking } = self;
        let name = input.path().unwrap_or(Path::new("standard input")).to_owned();
        let length = input.length();
        let taken = Taken::default();
        let reader = |source: &mut dyn Read, length| {
            let (read, ending) = (0, Ending::default());
            work(&mut PgnReader {
                source,
                format,
                unpacking,
                name: &name,
                taken: &taken,
                length,
                read,
                ending,
            })
        };
        let (Some(Format::Zip), Input::File(file)) = (format, &input) else {
            let whole = Counted { source: Cursor::new(head).chain(input), taken: &taken };
            let mut buffered = BufReader::with_capacity(1 << 16, whole);
            return match format {
                None | Some(Format::Zip) => reader(&mut buffered, length),
                Some(Format::Gzip) => reader(&mut gzip::Members::new(buffered), length),
                Some(Format::Bzip2) => reader(&mut MultiBzDecoder::new(buffered), length),
                Some(Format::Xz) => {
                    reader(&mut XzReader::new_mem_limit(buffered, true, XZ_MEMORY), length)
                }
                Some(Format::Zstd) => {
                    let decoder = zstd::stream::read::Decoder::with_buffer(&mut buffered);
                    reader(&mut decoder?, length)
                }
            };
        };
        zip::read_only_member(file.file.try_clone()?, &name, unpacking, &taken, reader)
    }
}

/// Compressed bytes that were read.
#[derive(Debug, Default)]
struct Taken {
    bytes: AtomicU64,
    /// Whether reading failed, whatever was to be made of the bytes.
    failed: AtomicBool,
}

/// A source whose bytes are counted.
struct Counted<'a, R> {
    source: R,
    taken: &'a Taken,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(bytes);
        match &read {
            Ok(count) => drop(self.taken.bytes.fetch_add(*count as u64, Ordering::Relaxed)),
            Err(_) => self.taken.failed.store(true, Ordering::Relaxed),
        }
        read
    }
}

/// The PGN of a [`PgnSource`].
pub struct PgnReader<'a> {
    source: &'a mut dyn Read,
    format: Option<Format>,
    unpacking: Unpacking,
    name: &'a Path,
    taken: &'a Taken,
    /// Compressed bytes in all, if they are known.
    length: Option<u64>,
    /// Bytes of PGN that were read.
    read: u64,
    /// The last of them.
    ending: Ending,
}

impl PgnReader<'_> {
    /// Bytes of PGN that were read.
    pub fn bytes_read(&self) -> u64 {
        self.read
    }

    /// The end of the text that was read.
    pub fn ending(&self) -> &Ending {
        &self.ending
    }

    /// Bytes of PGN in all, if they are known; of what is compressed, an estimate by what was read so far.
    pub fn estimated_length(&self) -> Option<u64> {
        let length = self.length?;
        if self.format.is_none() {
            return Some(length);
        }
        let taken = self.taken.bytes.load(Ordering::Relaxed).max(1);
        let estimate = u128::from(length) * u128::from(self.read) / u128::from(taken);
        u64::try_from(estimate).ok().filter(|&estimate| estimate > 0)
    }

    /// What is said of bytes that cannot be decompressed.
    fn explained(&self, format: Format, error: &io::Error) -> io::Error {
        let (name, unpacker) = (format.name(), format.unpacker());
        let advice = self.unpacking.advice(AS_IS);
        let what = match error.kind() {
            io::ErrorKind::UnexpectedEof => {
                format!("the {name} data end too early, or something follows them{advice}")
            }
            io::ErrorKind::OutOfMemory => format!(
                "these {name} data take more memory than allowed (`{unpacker}` may decompress them)"
            ),
            _ => format!("damaged {name} data: {error}{advice}"),
        };
        about(self.name, &io::Error::new(error.kind(), what))
    }
}

impl Read for PgnReader<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        match self.source.read(bytes) {
            Ok(count) => {
                self.read += count as u64;
                self.ending.push(&bytes[..count]);
                Ok(count)
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            Err(error) => match self.format {
                Some(format) if !self.taken.failed.load(Ordering::Relaxed) => {
                    Err(self.explained(format, &error))
                }
                _ => Err(error),
            },
        }
    }
}
