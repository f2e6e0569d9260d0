//! A failed command, and what is said of it.

use std::path::{Path, PathBuf};

use crate::Error;

/// Why a command failed.
#[derive(Debug)]
pub(super) struct Failure {
    /// The error.
    pub error: Error,
    /// The file that it is about, if that is not the one that the command reads.
    pub file: Option<PathBuf>,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure { error, file: None }
    }
}

impl Failure {
    /// An error that is about `file`, for commands that read several.
    pub fn about(file: &Path) -> impl FnOnce(Error) -> Failure {
        move |error| Failure { error, file: Some(file.to_owned()) }
    }

    /// The message. It begins with the file that the error is about: `input` if the failure has no other, unless the
    /// error itself names one.
    pub fn explain(&self, input: Option<&Path>) -> String {
        let error = &self.error;
        let about = || match self.file.as_deref().or(input) {
            Some(file) => format!("{}: {error}", file.display()),
            None => error.to_string(),
        };
        match error {
            Error::ModelMissing { hash: Some(_), .. } => {
                format!("{} (pass its file with --model PATH)", about())
            }
            Error::ModelMissing { hash: None, .. } => {
                format!(
                    "{error} (`plyzip models` lists those at hand; a model's file will do, too)"
                )
            }
            Error::Damaged(_)
            | Error::Unsupported(_)
            | Error::Limit(_)
            | Error::Verification(_)
            | Error::Internal(_) => about(),
            Error::Io(_) | Error::Model(_) | Error::Usage(_) => error.to_string(),
        }
    }
}
