//! What archives and their indexes are read from: memory, or an address.

use std::fmt;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::ops::Range;
use std::sync::Arc;

use plyzip::archive::RangeReader;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// Bytes `begin` to before `end` of the file that the worker knows by this number. A string that it throws says
    /// what went wrong.
    #[wasm_bindgen(js_name = plyzipFetch, catch)]
    fn fetch_range(file: u32, begin: f64, end: f64) -> Result<Vec<u8>, JsValue>;
}

/// Fetches ranges of a file.
type Fetch = Box<dyn FnMut(Range<u64>) -> io::Result<Vec<u8>> + Send>;

/// Bytes that can be read from several places at a time: clones have places of their own.
#[derive(Clone)]
pub enum Source {
    /// All of them.
    Memory(Cursor<Arc<[u8]>>),
    /// Those of a file on a server, as far as they were needed.
    Address(RangeReader<Fetch>),
}

impl Source {
    /// Those of a file of `length` bytes, of which the first are `head`.
    pub fn at_address(file: u32, length: f64, head: &[u8]) -> Source {
        let fetch = move |range: Range<u64>| {
            let bytes = fetch_range(file, range.start as f64, range.end as f64);
            bytes.map_err(|error| io::Error::other(error.as_string().unwrap_or_default()))
        };
        Source::Address(RangeReader::new(length as u64, Box::new(fetch) as Fetch).with_head(head))
    }

    /// All bytes.
    pub fn bytes(&self) -> io::Result<Vec<u8>> {
        let mut source = self.clone();
        source.rewind()?;
        let mut bytes = vec![];
        source.read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

impl From<Vec<u8>> for Source {
    fn from(bytes: Vec<u8>) -> Source {
        Source::Memory(Cursor::new(bytes.into()))
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Source::Memory(_) => "Memory",
            Source::Address(_) => "Address",
        })
    }
}

impl Read for Source {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Source::Memory(bytes) => bytes.read(buffer),
            Source::Address(bytes) => bytes.read(buffer),
        }
    }
}

impl Seek for Source {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match self {
            Source::Memory(bytes) => bytes.seek(to),
            Source::Address(bytes) => bytes.seek(to),
        }
    }
}
