//! Errors, and how a call of C ends with one.

use std::any::Any;
use std::error::Error as StdError;
use std::ffi::{CString, c_char};
use std::io;
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use plyzip::{Error, Result};

use crate::plyzip_status;

/// What went wrong.
///
/// It belongs to who got it, and not to the thread: nothing is lost between threads, and nothing stays in one.
#[derive(Debug)]
pub struct plyzip_error {
    status: plyzip_status,
    message: CString,
    system_code: i32,
}

/// The place where a call leaves its error, if the caller wants it.
pub(crate) type ErrorSlot<'a> = Option<&'a mut MaybeUninit<Option<Box<plyzip_error>>>>;

/// The kind of an error; PLYZIP_OK for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn plyzip_error_status(error: Option<&plyzip_error>) -> plyzip_status {
    error.map_or(plyzip_status::PLYZIP_OK, |error| error.status)
}

/// What went wrong, as UTF-8 that ends with NUL. It is there until the error is freed; "" for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn plyzip_error_message(error: Option<&plyzip_error>) -> *const c_char {
    error.map_or(c"", |error| &*error.message).as_ptr()
}

/// The operating system's number of an error, as errno has it; 0 if it is not known.
#[unsafe(no_mangle)]
pub extern "C" fn plyzip_error_system_code(error: Option<&plyzip_error>) -> i32 {
    error.map_or(0, |error| error.system_code)
}

/// Frees an error, or nothing for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn plyzip_error_free(error: Option<Box<plyzip_error>>) {
    drop(error);
}

/// Does a call's `work`. No panic gets through to C: it is a defect.
pub(crate) fn call(slot: ErrorSlot<'_>, work: impl FnOnce() -> Result<()>) -> plyzip_status {
    let error = attempt(work);
    let status = plyzip_error_status(error.as_deref());
    if let Some(slot) = slot {
        slot.write(error);
    }
    status
}

/// What goes wrong in `work`.
fn attempt(work: impl FnOnce() -> Result<()>) -> Option<Box<plyzip_error>> {
    let done = catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|panic| Err(Error::Internal(words(&*panic).to_owned())));
    let error = done.err()?;
    let system_code = match &error {
        Error::Io(error) => system_code(error),
        _ => 0,
    };
    // None is left that the text could not hold.
    let message = CString::new(error.to_string().replace('\0', "\u{fffd}")).unwrap_or_default();
    Some(Box::new(plyzip_error { status: plyzip_status::of(&error), message, system_code }))
}

/// The system's number within an error that says more than the system did.
fn system_code(error: &io::Error) -> i32 {
    let mut next: Option<&(dyn StdError + 'static)> = Some(error);
    while let Some(error) = next {
        let of_system = error.downcast_ref::<io::Error>();
        if let Some(code) = of_system.and_then(io::Error::raw_os_error) {
            return code;
        }
        next = match of_system.and_then(io::Error::get_ref) {
            Some(within) => Some(within),
            None => error.source(),
        };
    }
    0
}

/// What the system could not do, and with which file.
#[derive(Debug)]
struct OfFile {
    path: String,
    error: io::Error,
}

impl std::fmt::Display for OfFile {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "{}: {}", self.path, self.error)
    }
}

impl StdError for OfFile {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        Some(&self.error)
    }
}

/// The error with the name of its file.
pub(crate) fn of_file(error: io::Error, path: &Path) -> Error {
    let path = path.display().to_string();
    Error::Io(io::Error::new(error.kind(), OfFile { path, error }))
}

/// What a panic said.
fn words(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic")
}

#[cfg(test)]
#[allow(clippy::panic)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_defect_and_gets_no_farther() {
        let error = attempt(|| panic!("ply {}", 7)).unwrap_or_else(|| panic!("no error"));
        assert_eq!(error.status, plyzip_status::PLYZIP_ERROR_DEFECT);
        assert!(error.message.to_string_lossy().contains("internal error: ply 7"), "{error:?}");
        assert_eq!(call(None, || panic!("text")), plyzip_status::PLYZIP_ERROR_DEFECT);
    }

    #[test]
    fn an_error_keeps_what_the_system_said() {
        let lost = || of_file(io::Error::from_raw_os_error(2), "games\0.plz".as_ref());
        let error = attempt(|| Err(lost())).unwrap_or_else(|| panic!("no error"));
        assert_eq!((error.status, error.system_code), (plyzip_status::PLYZIP_ERROR_IO, 2));
        assert!(error.message.to_string_lossy().starts_with("games\u{fffd}.plz: "), "{error:?}");
        assert_eq!(plyzip_error_message(None), c"".as_ptr());
    }
}
