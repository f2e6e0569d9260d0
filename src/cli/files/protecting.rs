//! The output of an archive that gets a recovery record.

use std::io::{self, BufReader, Seek, Write};

use tempfile::{SpooledTempFile, spooled_tempfile};

use super::output::Sink;
use crate::cli::arguments::Recovery;
use plyzip::Result;
use plyzip::archive::recovery;

/// Bytes that are kept in memory of what cannot be read back.
const IN_MEMORY: usize = 8 << 20;

/// Takes an archive, and writes a record behind it at the end.
#[derive(Debug)]
pub struct Protecting {
    sink: Sink,
    recovery: Recovery,
    /// What was written, if the sink cannot be read back.
    copy: Option<SpooledTempFile>,
    written: u64,
}

impl Protecting {
    /// An output for an archive that gets such a record.
    pub fn new(sink: Sink, recovery: Recovery) -> Protecting {
        let is_file = matches!(sink, Sink::Temporary { .. });
        let copy = (!is_file && recovery != Recovery::None).then(|| spooled_tempfile(IN_MEMORY));
        Protecting { sink, recovery, copy, written: 0 }
    }

    /// An output that holds the first `written` bytes of the archive, and is a file.
    pub fn begun(sink: Sink, written: u64, recovery: Recovery) -> Protecting {
        Protecting { sink, recovery, copy: None, written }
    }

    /// Writes the record, and returns the output with the record's bytes.
    ///
    /// # Errors
    /// [`Error::Io`](plyzip::Error::Io) if that fails, [`Error::Limit`](plyzip::Error::Limit) if a record is asked for that
    /// would be too large.
    pub fn finish(mut self) -> Result<(Sink, u64)> {
        let Some(share) = self.recovery.of(self.written) else { return Ok((self.sink, 0)) };
        self.sink.flush()?;
        let record = match (&mut self.copy, self.sink.read_back()?) {
            (Some(copy), _) => {
                copy.rewind()?;
                recovery(copy, self.written, share)?
            }
            (None, Some(file)) => recovery(BufReader::new(file), self.written, share)?,
            (None, None) => return Ok((self.sink, 0)),
        };
        // What was read back ends where the record begins.
        if let Some(file) = self.sink.read_back()? {
            file.seek(io::SeekFrom::Start(self.written))?;
        }
        self.sink.write_all(&record)?;
        Ok((self.sink, record.len() as u64))
    }
}

impl Write for Protecting {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.sink.write(bytes)?;
        if let Some(copy) = &mut self.copy {
            copy.write_all(&bytes[..written])?;
        }
        self.written += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }
}
