//! The layout of the protected bytes in codewords.

use super::share::Share;
use crate::archive::format::limits::{Limits, at_most};
use crate::{Error, Result};

/// Bytes of each of the two headers of a record.
pub const RECORD_HEADER: u64 = 38;

/// The protected bytes as a matrix, column after column: its rows are codewords of 16-bit symbols, and behind the data
/// stand the columns of parity. Damage that is short hits few columns, and each codeword once or twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Geometry {
    /// Bytes that are protected.
    length: u64,
    /// Codewords.
    depth: u32,
    /// Parity symbols of each codeword.
    parity: u8,
}

impl Geometry {
    /// Parity symbols of a codeword that a writer makes.
    pub const MOST_PARITY: usize = 64;
    /// The fewest bytes of parity.
    const LEAST_BYTES: u64 = 64;
    /// A codeword has a symbol for each element of the field but 0.
    const MOST_COLUMNS: u64 = 0xffff;

    /// A layout with parity of `share` of `length` bytes, at least 64.
    ///
    /// # Errors
    /// [`Error::Limit`] if so many bytes are too many to protect.
    pub fn new(length: u64, share: Share) -> Result<Geometry> {
        let most = Limits::default().model_file - 2 * RECORD_HEADER;
        let wanted = share.of(length).clamp(Geometry::LEAST_BYTES, most);
        let per_column = 2 * Geometry::MOST_PARITY as u64;
        // A large archive with little parity.
        let fewest = length.div_ceil(2 * (Geometry::MOST_COLUMNS - Geometry::MOST_PARITY as u64));
        let depth = wanted.div_ceil(per_column).max(fewest).min(most / per_column);
        let parity = wanted.div_ceil(2 * depth.max(1)).clamp(2, Geometry::MOST_PARITY as u64);
        let depth = u32::try_from(depth).map_err(|_| too_large())?;
        Geometry::checked(length, depth, parity as u8).map_err(|_| too_large())
    }

    /// A layout as a record has it.
    ///
    /// # Errors
    /// [`Error::Damaged`] if it is impossible, and [`Error::Limit`].
    pub fn checked(length: u64, depth: u32, parity: u8) -> Result<Geometry> {
        let geometry = Geometry { length, depth, parity };
        let impossible = || Error::damaged("a recovery record with impossible figures");
        if depth == 0 || parity < 2 {
            return Err(impossible());
        }
        let most = Limits::default().model_file;
        at_most(geometry.parity_bytes(), most, "the size of the parity")?;
        if geometry.length.div_ceil(geometry.column_bytes()) + u64::from(parity)
            > Geometry::MOST_COLUMNS
        {
            return Err(impossible());
        }
        Ok(geometry)
    }

    /// Bytes that are protected.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Codewords.
    pub fn depth(&self) -> usize {
        self.depth as usize
    }

    /// Parity symbols of each codeword.
    pub fn parity(&self) -> usize {
        usize::from(self.parity)
    }

    /// Bytes from a symbol of a codeword to its next one.
    pub fn column_bytes(&self) -> u64 {
        2 * u64::from(self.depth)
    }

    /// Bytes of all parity.
    pub fn parity_bytes(&self) -> u64 {
        self.column_bytes() * u64::from(self.parity)
    }

    /// Columns of data; zeros follow what is protected in the last one.
    pub fn data_columns(&self) -> usize {
        // Checked to be at most `MOST_COLUMNS`.
        self.length.div_ceil(self.column_bytes()) as usize
    }

    /// All columns.
    pub fn columns(&self) -> usize {
        self.data_columns() + self.parity()
    }

    /// Columns at unknown places that can be corrected if the errors of the codewords have nothing to do with each other:
    /// each codeword gives an equation for each of its parity symbols, and has an unknown for each column; the places of
    /// the columns are unknown to all of them together.
    pub fn most_damaged_columns(&self) -> usize {
        let (depth, parity) = (self.depth(), self.parity());
        (depth * parity / (depth + 1)).min(parity - 1)
    }

    /// Bytes of damage in one piece that can be corrected, wherever it begins.
    pub fn longest_burst(&self) -> u64 {
        (self.most_damaged_columns() as u64 - 1) * self.column_bytes() + 1
    }

    /// Damaged bytes that can be corrected for certain, wherever they are.
    pub fn scattered_bytes(&self) -> u64 {
        u64::from(self.parity / 2)
    }
}

fn too_large() -> Error {
    Error::Limit("the archive is too large to be protected as a whole".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parity_is_as_large_as_asked_for() {
        let share = |text: &str| text.parse::<Share>().unwrap();
        for (length, text, wanted) in [
            (0, "1%", 64),
            (300, "1%", 64),
            (10_000, "1%", 100),
            (163_000, "1%", 1_638),
            (163_000, "3%", 4_914),
            (100_000_000, "1%", 1_000_064),
            (1_000_000_000_000, "1%", (64 << 20) - 128),
        ] {
            let geometry = Geometry::new(length, share(text));
            match length > 1 << 38 {
                true => assert!(geometry.is_err()),
                false => assert_eq!(geometry.unwrap().parity_bytes(), wanted, "{length} {text}"),
            }
        }
    }
}
