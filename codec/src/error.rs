//! Errors, named by who is to blame.

use std::io;
use std::path::PathBuf;

/// Everything that can go wrong, one variant for each party that can be at fault.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system could not read or write.
    #[error(transparent)]
    Io(io::Error),
    /// The archive is not one, or is damaged; the text says what does not fit.
    #[error("damaged archive: {0}")]
    Damaged(String),
    /// The archive is sound, but newer than this program.
    #[error("unsupported archive: {0}")]
    Unsupported(String),
    /// The archive asks for more than the limits allow.
    #[error("limit exceeded: {0}")]
    Limit(String),
    /// A model is not at hand: one that an archive needs, or one that was asked for by name.
    #[error("{}", missing(name, hash.as_deref(), searched))]
    ModelMissing {
        /// The model's name.
        name: String,
        /// The first half of its BLAKE3 hash in hexadecimal, if an archive needs it.
        hash: Option<String>,
        /// The folders that were searched besides the program itself.
        searched: Vec<PathBuf>,
    },
    /// A model file is broken, unknown or would not compute exactly.
    #[error("unusable model: {0}")]
    Model(String),
    /// The caller asked for something that makes no sense.
    #[error("{0}")]
    Usage(String),
    /// An [`Interrupt`](crate::Interrupt) ended the work.
    #[error("interrupted")]
    Interrupted,
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

/// An error that a [`Read`](io::Read) or [`Write`](io::Write) of this crate has wrapped is taken out again; any other is
/// [`Error::Io`].
impl From<io::Error> for Error {
    fn from(error: io::Error) -> Error {
        error.downcast().unwrap_or_else(Error::Io)
    }
}

/// For [`Read`](io::Read) and [`Write`](io::Write), with the kind that comes closest; `Error::from` gets the error back.
///
/// ```
/// use std::io;
/// use plyzip::Error;
///
/// let error = io::Error::from(Error::Damaged("a block that ends too early".into()));
/// assert_eq!(error.kind(), io::ErrorKind::InvalidData);
/// assert!(matches!(Error::from(error), Error::Damaged(_)));
/// ```
impl From<Error> for io::Error {
    fn from(error: Error) -> io::Error {
        let kind = match &error {
            Error::Io(_) => io::ErrorKind::Other,
            Error::Damaged(_) | Error::Limit(_) | Error::Model(_) => io::ErrorKind::InvalidData,
            Error::Unsupported(_) => io::ErrorKind::Unsupported,
            Error::ModelMissing { .. } => io::ErrorKind::NotFound,
            Error::Usage(_) => io::ErrorKind::InvalidInput,
            // `io::ErrorKind::Interrupted` means that the same is to be tried again.
            Error::Interrupted | Error::Verification(_) | Error::Internal(_) => {
                io::ErrorKind::Other
            }
        };
        match error {
            Error::Io(error) => error,
            error => io::Error::new(kind, error),
        }
    }
}

/// The message of [`Error::ModelMissing`].
fn missing(name: &str, hash: Option<&str>, searched: &[PathBuf]) -> String {
    let searched: Vec<String> =
        searched.iter().map(|folder| format!(", {}", folder.display())).collect();
    let searched = searched.concat();
    match hash {
        Some(hash) => format!(
            "the archive needs the model `{name}` with BLAKE3 hash {hash}, which is not at hand; \
             searched: the program{searched}"
        ),
        None => format!("there is no model `{name}`; searched: the program{searched}"),
    }
}

/// The result type of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;
