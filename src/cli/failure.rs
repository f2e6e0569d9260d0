//! A failed command, and what is said of it.

use std::path::{Path, PathBuf};

use plyzip::Error;

use super::commands::{Needed, Released};
use super::exit::ExitStatus;
use super::files::Kind;
use super::shown::tell;

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

    /// Prints the message on stderr, unless the reader of standard output has gone away: then nobody is there.
    pub fn tell(&self, input: Option<&Path>) {
        if ExitStatus::of(&self.error) != ExitStatus::BrokenPipe {
            // If not even stderr can be written to, the exit status has to tell.
            tell(&format!("plyzip: {}", self.explain(input)));
        }
    }

    /// The message. It begins with the file that the error is about: `input` if the failure has no other, unless the
    /// error itself names one.
    pub fn explain(&self, input: Option<&Path>) -> String {
        let error = &self.error;
        let file = self.file.as_deref().or(input);
        let about = || match file {
            Some(file) => format!("{}: {error}", file.display()),
            None => error.to_string(),
        };
        match error {
            Error::ModelMissing { hash: Some(hash), .. } => {
                match Released::of(Needed::Hashed(hash)) {
                    Some(released) => format!("{}; {}", about(), released.advice()),
                    None => format!("{} (pass its file with --model PATH)", about()),
                }
            }
            Error::ModelMissing { hash: None, name, .. } => {
                match Released::of(Needed::Named(name)) {
                    Some(released) => format!("{error}; {}", released.advice()),
                    None => format!(
                        "{error} (`plyzip models` lists those that are installed; a model's file will do, too)"
                    ),
                }
            }
            Error::Damaged(_) => file.and_then(no_archive).unwrap_or_else(about),
            Error::Unsupported(_)
            | Error::Limit(_)
            | Error::Verification(_)
            | Error::Internal(_) => about(),
            _ => error.to_string(),
        }
    }
}

/// The remark on a file that is no archive, if it looks like something else.
pub(super) fn no_archive(file: &Path) -> Option<String> {
    let name = file.display();
    match Kind::of_file(file)? {
        Kind::Pgn => Some(format!(
            "{name}: is no archive of plyzip, but looks like a PGN: did you mean `plyzip compress {name}`?"
        )),
        Kind::Packed(format) => Some(format!(
            "{name}: is no archive of plyzip, but looks like {} data (`plyzip compress` takes the PGN inside)",
            format.name()
        )),
        Kind::Archive | Kind::Other => None,
    }
}
