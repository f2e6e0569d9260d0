//! Bytes that C gets.

use std::io::{self, Write};
use std::mem::MaybeUninit;

use plyzip::Result;

use crate::boundary::{give, null, take_back};

/// Bytes that belong to the caller, who frees them with plyzip_bytes_free and changes neither field.
#[repr(C)]
#[derive(Debug)]
pub struct plyzip_bytes {
    /// The first of them. Behind the last stands a NUL that does not count. NULL if there is nothing, as after a
    /// failure; not NULL for something that is empty.
    pub data: *mut u8,
    /// How many there are.
    pub size: usize,
}

/// Frees bytes, and leaves none: NULL and 0. Does nothing for NULL, and for bytes that are freed.
#[unsafe(no_mangle)]
pub extern "C" fn plyzip_bytes_free(bytes: Option<&mut plyzip_bytes>) {
    if let Some(bytes) = bytes {
        let plyzip_bytes { data, size } = std::mem::replace(bytes, plyzip_bytes::NONE);
        take_back(data, size);
    }
}

impl plyzip_bytes {
    const NONE: plyzip_bytes = plyzip_bytes { data: std::ptr::null_mut(), size: 0 };
}

/// The place where a call leaves bytes.
#[derive(Debug)]
pub(crate) struct BytesSlot<'a>(&'a mut plyzip_bytes);

impl<'a> BytesSlot<'a> {
    /// The argument `name`, with no bytes yet.
    pub fn new(
        slot: Option<&'a mut MaybeUninit<plyzip_bytes>>,
        name: &str,
    ) -> Result<BytesSlot<'a>> {
        Ok(BytesSlot(slot.ok_or_else(|| null(name))?.write(plyzip_bytes::NONE)))
    }

    /// Leaves these.
    pub fn fill(self, bytes: Vec<u8>) -> Result<()> {
        let (data, size) = give(bytes)?;
        *self.0 = plyzip_bytes { data, size };
        Ok(())
    }
}

/// Memory that is written to. Where there is no more of it, that is an error.
#[derive(Debug, Default)]
pub(crate) struct Memory(pub Vec<u8>);

impl Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let more = self.0.try_reserve(bytes.len());
        more.map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
