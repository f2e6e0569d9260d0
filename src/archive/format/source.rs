//! Reading an archive's fields: the only place that touches its bytes.

use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

use crate::{Error, Result, varint};

/// Bytes of an archive in order, with the checksum of the section that is being read.
#[derive(Debug)]
pub struct Source<R> {
    inner: BufReader<R>,
    position: u64,
    delivered: u64,
    crc: crc32fast::Hasher,
}

impl<R: Read> Source<R> {
    /// A source at the start of an archive.
    pub fn new(inner: R) -> Source<R> {
        Source {
            inner: BufReader::with_capacity(1 << 16, inner),
            position: 0,
            delivered: 0,
            crc: crc32fast::Hasher::new(),
        }
    }

    /// Bytes read so far, counted from the start of the archive.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Total bytes read, re-reads included.
    pub fn delivered(&self) -> u64 {
        self.delivered
    }

    /// Begins a section and reads its kind.
    pub fn begin_section(&mut self) -> Result<u8> {
        self.crc.reset();
        self.byte()
    }

    /// Reads the checksum that ends a section and compares it with the bytes since
    /// [`begin_section`](Source::begin_section).
    pub fn end_section(&mut self) -> Result<()> {
        let computed = self.crc.clone().finalize();
        if self.u32()? == computed {
            Ok(())
        } else {
            Err(Error::damaged(format!(
                "the checksum of the section that ends at byte {} does not match",
                self.position
            )))
        }
    }

    pub fn byte(&mut self) -> Result<u8> {
        self.array().map(|[byte]| byte)
    }

    pub fn u32(&mut self) -> Result<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub fn varint(&mut self) -> Result<u64> {
        varint::get(|| self.byte())
    }

    pub fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let mut array = [0; N];
        self.inner.read_exact(&mut array).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => self.truncated(),
            _ => error.into(),
        })?;
        self.crc.update(&array);
        self.position += N as u64;
        self.delivered += N as u64;
        Ok(array)
    }

    /// `length` bytes. Memory is taken as they arrive, not as they are promised.
    pub fn bytes(&mut self, length: u64) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.inner.by_ref().take(length).read_to_end(&mut bytes)?;
        self.delivered += bytes.len() as u64;
        if (bytes.len() as u64) < length {
            return Err(self.truncated());
        }
        self.crc.update(&bytes);
        self.position += length;
        Ok(bytes)
    }

    /// Whether nothing follows.
    pub fn is_at_end(&mut self) -> Result<bool> {
        Ok(self.inner.fill_buf()?.is_empty())
    }

    fn truncated(&self) -> Error {
        Error::damaged(format!("it ends too early, in what begins at byte {}", self.position))
    }
}

impl<R: Read + Seek> Source<R> {
    /// Goes to `position`, counted from the start of the archive.
    pub fn seek(&mut self, position: u64) -> Result<()> {
        self.inner.seek(SeekFrom::Start(position))?;
        self.position = position;
        Ok(())
    }

    /// Length of the archive in bytes.
    pub fn length(&mut self) -> Result<u64> {
        let length = self.inner.seek(SeekFrom::End(0))?;
        self.position = length;
        Ok(length)
    }
}

/// Makes sure that `bits` has none set but those in `known`.
pub fn reserved(bits: u8, known: u8, what: &str) -> Result<()> {
    if bits & !known != 0 {
        return Err(Error::Unsupported(format!("{what} {bits:#04x}")));
    }
    Ok(())
}
