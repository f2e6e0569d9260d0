//! A hash, cut to what an archive needs.

use std::fmt;

use crate::ModelHash;

/// The first 16 bytes of a BLAKE3 hash: enough to tell any two files apart, at half the
/// size. Prints as 32 hexadecimal digits, the first half of what `b3sum` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Digest(pub [u8; 16]);

impl Digest {
    /// The first half of `hash`.
    pub(in crate::archive) fn of(hash: &blake3::Hash) -> Digest {
        let mut half = [0; 16];
        half.copy_from_slice(&hash.as_bytes()[..16]);
        Digest(half)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// The first half of it.
impl From<ModelHash> for Digest {
    fn from(hash: ModelHash) -> Digest {
        let mut half = [0; 16];
        half.copy_from_slice(&hash.as_bytes()[..16]);
        Digest(half)
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Digest {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
