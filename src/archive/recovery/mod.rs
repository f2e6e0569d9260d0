//! Recovery: parity behind an archive, from which damage in it is made good.
//!
//! A *record* protects the bytes right before it, by interleaved Reed-Solomon codes over 16-bit symbols. Places of damage
//! need no checksums to be found: codewords that lie side by side are damaged in the same columns, and tell together
//! of almost as many as they have parity symbols (`locator`, `correction`). Its parity is spent on correcting alone.
//!
//! The record lies in an archive of its own, without games, whose "model" it is (`record`). Programs that know nothing
//! of records pass over it. `docs/format/recovery.md` describes all of it.

mod alignment;
mod correction;
mod encoder;
mod field;
mod found;
mod geometry;
mod locator;
mod record;
mod repair;
mod search;
mod share;

use std::io::Read;

pub(super) use self::record::NAME;
pub use self::repair::{Protected, ProtectedState, Repair};
pub use self::share::Share;

use self::encoder::Encoder;
use self::field::Field;
use self::geometry::Geometry;
use self::record::Record;
use super::format::digest::Digest;
use crate::{Error, Result};

/// A recovery record for the next `length` bytes of `source`, which are one archive or several that follow each other,
/// without a record: an archive of its own that is to follow them. Its parity is a `share` of them, at least 64 bytes
/// and at most 64 MiB; some 150 bytes come with it.
///
/// [`Repair`] has an example.
///
/// # Errors
/// [`Error::Io`] if `source` cannot be read or is shorter, [`Error::Limit`] if it is longer than can be protected, which
/// is some 65,000 times 1 MiB.
pub fn recovery<R: Read>(mut source: R, length: u64, share: Share) -> Result<Vec<u8>> {
    let geometry = Geometry::new(length, share)?;
    let mut encoder = Encoder::new(&Field::new(), &geometry);
    let mut hasher = blake3::Hasher::new();
    let mut left = length;
    let mut bytes = Vec::with_capacity(1 << 18);
    while left > 0 {
        bytes.clear();
        source.by_ref().take(left.min(1 << 18)).read_to_end(&mut bytes)?;
        if bytes.is_empty() {
            return Err(Error::Io(std::io::ErrorKind::UnexpectedEof.into()));
        }
        left -= bytes.len() as u64;
        hasher.update(&bytes);
        encoder.push(&bytes);
    }
    Record { geometry, hash: Digest::of(&hasher.finalize()) }.carrier(&encoder.finish())
}
