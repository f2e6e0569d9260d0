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
    /// The usual share, if the record is at most 2 % of the archive.
    IfCheap,
}

/// From here on a record of 1 % is cheap: with all that it takes besides parity, it is less than 2 %.
const CHEAP: u64 = 1 << 14;

impl Recovery {
    /// The share of an archive of so many bytes.
    pub(in crate::cli) fn of(self, archive_bytes: u64) -> Option<Share> {
        match self {
            Recovery::None => None,
            Recovery::Share(share) => Some(share),
            Recovery::IfCheap => (archive_bytes >= CHEAP).then(Share::default),
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
