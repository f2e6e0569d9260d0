//! What can be wrong with a position, or with its code.

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
    Game(#[from] crate::Error),
}

/// The result type of position codes.
pub type Result<T, E = CodeError> = std::result::Result<T, E>;
