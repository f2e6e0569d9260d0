//! The status codes of calls.

use plyzip::Error;

/// How a call ended: well, or with an error of this kind. Later versions may have more kinds.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum plyzip_status {
    /// Done.
    PLYZIP_OK = 0,
    /// The operating system could not read or write, or had no memory for a result.
    PLYZIP_ERROR_IO = 1,
    /// The archive, or the bytes of a game, is not one or is damaged.
    PLYZIP_ERROR_DAMAGED = 2,
    /// The archive is sound, but newer than this library.
    PLYZIP_ERROR_UNSUPPORTED = 3,
    /// The archive asks for more than the limits allow.
    PLYZIP_ERROR_LIMIT = 4,
    /// A model is not at hand: one that an archive needs, or one that was asked for by name.
    PLYZIP_ERROR_MODEL_MISSING = 5,
    /// A model file is broken, unknown or would not compute exactly.
    PLYZIP_ERROR_MODEL = 6,
    /// The caller asked for something that makes no sense: NULL, a game that is not there, a move that is illegal.
    PLYZIP_ERROR_USAGE = 7,
    /// plyzip_options_interrupt ended the work.
    PLYZIP_ERROR_INTERRUPTED = 8,
    /// A defect of plyzip: please report it.
    PLYZIP_ERROR_DEFECT = 9,
}

impl plyzip_status {
    /// The kind of an error.
    pub(crate) fn of(error: &Error) -> plyzip_status {
        match error {
            Error::Io(_) => plyzip_status::PLYZIP_ERROR_IO,
            Error::Damaged(_) => plyzip_status::PLYZIP_ERROR_DAMAGED,
            Error::Unsupported(_) => plyzip_status::PLYZIP_ERROR_UNSUPPORTED,
            Error::Limit(_) => plyzip_status::PLYZIP_ERROR_LIMIT,
            Error::ModelMissing { .. } => plyzip_status::PLYZIP_ERROR_MODEL_MISSING,
            Error::Model(_) => plyzip_status::PLYZIP_ERROR_MODEL,
            Error::Usage(_) => plyzip_status::PLYZIP_ERROR_USAGE,
            Error::Interrupted => plyzip_status::PLYZIP_ERROR_INTERRUPTED,
            // The library's errors may become more; one that is not known here is a defect of this file.
            _ => plyzip_status::PLYZIP_ERROR_DEFECT,
        }
    }
}
