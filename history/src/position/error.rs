//! Errors of a position, and of its code.

use plyzip_codec::Error;

use crate::bits::WrongLength;

/// Why a position has no code, or a code no position.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CodeError {
    /// The code is not made for this position; the text says which of its traits is the obstacle.
    #[error("the code cannot store {0}")]
    Uncovered(&'static str),
    /// The bits are not the code of a position.
    #[error("damaged position code: {0}")]
    Damaged(&'static str),
    /// The game that leads to the position could not be coded.
    #[error(transparent)]
    Game(#[from] Error),
}

impl From<WrongLength> for CodeError {
    fn from(wrong: WrongLength) -> CodeError {
        CodeError::Damaged(match wrong {
            WrongLength::TooShort => "it ends too soon",
            WrongLength::TooLong => "something follows its end",
        })
    }
}

impl From<CodeError> for Error {
    fn from(error: CodeError) -> Error {
        match error {
            CodeError::Uncovered(_) => Error::Unsupported(error.to_string()),
            CodeError::Damaged(_) => Error::Damaged(error.to_string()),
            CodeError::Game(error) => error,
        }
    }
}

/// The result type of position codes.
pub type Result<T, E = CodeError> = std::result::Result<T, E>;
