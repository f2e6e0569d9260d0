//! Errors, named by who is to blame.

use std::io;

/// Everything that can go wrong, one variant for each party that can be at fault.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system could not read or write.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The archive is not one, or is damaged; the text says what does not fit.
    #[error("damaged archive: {0}")]
    Damaged(String),
    /// The archive is sound, but newer than this program.
    #[error("unsupported archive: {0}")]
    Unsupported(String),
    /// The archive asks for more than the limits allow.
    #[error("limit exceeded: {0}")]
    Limit(String),
    /// The archive needs a model that is not at hand.
    #[error("the archive needs the model `{name}` with BLAKE3 hash {hash}, which is not at hand")]
    ModelMissing {
        /// The model's name as the archive records it.
        name: String,
        /// The model's BLAKE3 hash in hexadecimal.
        hash: String,
    },
    /// A model file is broken, unknown or would not compute exactly.
    #[error("unusable model: {0}")]
    Model(String),
    /// The caller asked for something that makes no sense.
    #[error("{0}")]
    Usage(String),
    /// What was written did not decode to what was read: a defect of plyzip.
    /// No output is left behind.
    #[error("verification failed: {0}; please report this as a bug")]
    Verification(String),
    /// Something that never happens has happened: a defect of plyzip.
    #[error("internal error: {0}; please report this as a bug")]
    Internal(String),
}

impl Error {
    /// Shorthand for [`Error::Damaged`].
    pub fn damaged(what: impl Into<String>) -> Error {
        Error::Damaged(what.into())
    }
}

/// The result type of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;
