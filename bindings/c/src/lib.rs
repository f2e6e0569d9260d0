//! libplyzip: plyzip for C, and for languages that call C. A thin layer over the library; `docs/c.md` is the manual,
//! and cbindgen makes the header from what is here.
//!
//! What C may pass as NULL is an `Option` here, so that the compiler has it looked at. What only C's word stands for,
//! bytes and texts by their addresses, is read in `boundary`, where all of the `unsafe` blocks are.

// The names are those of C.
#![allow(non_camel_case_types)]

mod archive;
mod boundary;
mod buffer;
mod bytes;
mod error;
mod files;
mod limit;
mod options;
mod settings;
mod single;
mod source;
mod status;
mod work;

use std::ffi::c_char;

pub use archive::*;
pub use buffer::*;
pub use bytes::*;
pub use error::*;
pub use files::*;
pub use limit::*;
pub use options::*;
pub use settings::*;
pub use single::*;
pub use status::*;

/// The version of the library as "MAJOR.MINOR.PATCH". It is never freed.
#[unsafe(no_mangle)]
pub extern "C" fn plyzip_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}
