//! The option that says how much damage an archive is to bear.

use std::str::FromStr;

use plyzip::archive::Share;

/// What recovery record an archive gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recovery {
    /// None.
    None,
    /// One with parity of this share of the archive's bytes.
    Share(Share),
}

impl Recovery {
    /// The share, if there is to be a record.
    pub(in crate::cli) fn share(self) -> Option<Share> {
        match self {
            Recovery::None => None,
            Recovery::Share(share) => Some(share),
        }
    }
}

impl FromStr for Recovery {
    type Err = String;

    fn from_str(text: &str) -> Result<Recovery, String> {
        match text {
            "none" | "0" | "0%" => Ok(Recovery::None),
            _ => text.parse().map(Recovery::Share),
        }
    }
}
