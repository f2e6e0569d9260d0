//! The boundary to C, where the caller's word is taken for addresses of bytes and texts. All `unsafe` is in this file.
//!
//! What it relies on is what the header asks of every caller: a pointer is NULL, or points at what its type says, which
//! nobody changes or frees during the call.

use std::ffi::{CStr, c_char};
use std::slice;

use plyzip::{Error, Result};

/// The `size` bytes at `data`, for a call that is under way; `name` is the argument's. NULL will do for no bytes.
pub(crate) fn bytes<'a>(data: *const u8, size: usize, name: &str) -> Result<&'a [u8]> {
    if size == 0 {
        return Ok(&[]);
    }
    if data.is_null() {
        return Err(null(name));
    }
    if isize::try_from(size).is_err() {
        return Err(Error::Usage(format!("`{name}` is larger than memory can be")));
    }
    // SAFETY: it is not NULL, so the caller has `size` bytes there that stay as they are during the call; they are of
    // one allocation, and no more than a slice may have.
    Ok(unsafe { slice::from_raw_parts(data, size) })
}

/// The text at `text`, for a call that is under way; `name` is the argument's.
pub(crate) fn text<'a>(text: *const c_char, name: &str) -> Result<&'a CStr> {
    if text.is_null() {
        return Err(null(name));
    }
    // SAFETY: it is not NULL, so the caller has a text there that ends with NUL and stays as it is during the call.
    Ok(unsafe { CStr::from_ptr(text) })
}

/// Gives the bytes away, with a NUL behind them; [`take_back`] frees them.
pub(crate) fn give(mut bytes: Vec<u8>) -> Result<(*mut u8, usize)> {
    bytes.try_reserve_exact(1).map_err(|_| no_memory())?;
    let size = bytes.len();
    bytes.push(0);
    Ok((Box::into_raw(bytes.into_boxed_slice()).cast(), size))
}

/// Frees what [`give`] gave, or nothing for NULL.
pub(crate) fn take_back(data: *mut u8, size: usize) {
    if data.is_null() {
        return;
    }
    let whole = std::ptr::slice_from_raw_parts_mut(data, size.wrapping_add(1));
    // SAFETY: it is not NULL, so it is what `give` made of a box of `size` bytes and one: the caller changes neither
    // field, and frees it once.
    drop(unsafe { Box::from_raw(whole) });
}

/// An argument is NULL that must not be.
pub(crate) fn null(name: &str) -> Error {
    Error::Usage(format!("the argument `{name}` is NULL"))
}

/// The system has no memory for a result.
pub(crate) fn no_memory() -> Error {
    Error::Io(std::io::ErrorKind::OutOfMemory.into())
}
