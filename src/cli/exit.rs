//! The exit status of the program.

use std::io;

use plyzip::Error;

/// The exit statuses. Scripts may rely on them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum ExitStatus {
    /// All went well.
    Success = 0,
    /// Any failure without a status of its own: a file could not be read or written, the output exists, a model
    /// is unusable, plyzip has a defect.
    Failure = 1,
    /// The command line makes no sense. clap exits with the same.
    Usage = 2,
    /// The archive is damaged, unsupported or over the limits.
    Archive = 3,
    /// The archive needs a model that is not at hand.
    ModelMissing = 4,
    /// The reader of the output closed it: the status that a shell reports of a program that SIGPIPE ended.
    BrokenPipe = 141,
}

impl ExitStatus {
    /// The status of a command that failed with `error`.
    pub fn of(error: &Error) -> ExitStatus {
        match error {
            Error::Io(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitStatus::BrokenPipe,
            Error::Usage(_) => ExitStatus::Usage,
            Error::Damaged(_) | Error::Unsupported(_) | Error::Limit(_) => ExitStatus::Archive,
            Error::ModelMissing { .. } => ExitStatus::ModelMissing,
            _ => ExitStatus::Failure,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defects_of_plyzip_are_not_blamed_on_the_command_line() {
        for defect in [Error::Internal("a lost thread".into()), Error::Verification(String::new())]
        {
            assert_eq!(ExitStatus::of(&defect), ExitStatus::Failure);
        }
    }
}
