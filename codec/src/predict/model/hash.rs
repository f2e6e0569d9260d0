//! What tells a model from all others.

use std::fmt;

/// The BLAKE3 hash of a model's file. Prints as 64 hexadecimal digits, as `b3sum` does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ModelHash([u8; 32]);

impl ModelHash {
    /// The hash of the file with these bytes.
    pub fn of(file: &[u8]) -> ModelHash {
        ModelHash(blake3::hash(file).into())
    }

    /// Its bytes.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl From<[u8; 32]> for ModelHash {
    fn from(bytes: [u8; 32]) -> ModelHash {
        ModelHash(bytes)
    }
}

impl fmt::Display for ModelHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}
