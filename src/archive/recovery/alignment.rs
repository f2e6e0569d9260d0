//! Alignment of a file's bytes with those of the layout, where some are missing or too many.

use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;

use super::record::Record;

/// The protected bytes, the carrier up to its parity, and the parity, as they would lie in a file that is whole. Its
/// positions begin with the first protected byte.
#[derive(Debug, Clone, Copy)]
pub struct Layout(pub Record);

impl Layout {
    /// Where the parity begins.
    pub fn parity_begin(self) -> u64 {
        self.0.geometry.length() + self.0.bytes_before()
    }

    /// Where the parity ends.
    pub fn end(self) -> u64 {
        self.parity_begin() + self.0.geometry.parity_bytes()
    }

    /// The column that byte `at` belongs to, or the next one if it belongs to none.
    pub fn column(self, at: u64) -> usize {
        let geometry = &self.0.geometry;
        let column = match at {
            _ if at < geometry.length() => at / geometry.column_bytes(),
            _ => {
                let in_parity = at.saturating_sub(self.parity_begin());
                geometry.data_columns() as u64 + in_parity / geometry.column_bytes()
            }
        };
        column.min(geometry.columns() as u64) as usize
    }

    /// The columns that have a byte in `range`; one if that is empty.
    pub fn columns(self, range: Range<u64>) -> Range<usize> {
        let last = range.end.max(range.start + 1) - 1;
        let inside = last < self.0.geometry.length() || last >= self.parity_begin();
        self.column(range.start)
            ..(self.column(last) + usize::from(inside)).min(self.0.geometry.columns())
    }

    /// Where a column begins.
    pub fn begin(self, column: usize) -> u64 {
        let geometry = &self.0.geometry;
        match column.checked_sub(geometry.data_columns()) {
            None => column as u64 * geometry.column_bytes(),
            Some(parity) => self.parity_begin() + parity as u64 * geometry.column_bytes(),
        }
    }
}

/// A place from which on all bytes of the layout lie farther on in the file than before, or less far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// Where in the layout.
    pub at: u64,
    /// So many bytes from here on belong to what cannot be found.
    pub lost: u64,
    /// How far what follows lies from where it would.
    pub shift: i64,
}

/// How the layout lies in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alignment {
    /// Where byte 0 of the layout lies or would lie.
    pub start: u64,
    /// Where its bytes end in the file.
    pub end: u64,
    pub steps: Vec<Step>,
}

impl Alignment {
    /// A layout of which no byte is missing.
    pub fn straight(start: u64, end: u64) -> Alignment {
        Alignment { start, end, steps: vec![] }
    }

    /// Reads the bytes of the layout from `at` on; zeros for those that are lost.
    pub fn read<R: Read + Seek>(
        &self,
        source: &mut R,
        mut at: u64,
        mut bytes: &mut [u8],
    ) -> io::Result<()> {
        while !bytes.is_empty() {
            let step = self.steps.iter().rev().find(|step| step.at <= at);
            let (shift, found) =
                step.map_or((0, self.start), |step| (step.shift, step.at + step.lost));
            let next = self.steps.iter().map(|step| step.at).find(|&next| next > at);
            let is_lost = step.is_some() && at < found;
            let end = match is_lost {
                true => found.min(next.unwrap_or(u64::MAX)),
                false => next.unwrap_or(u64::MAX),
            };
            let from = (self.start + at).checked_add_signed(shift);
            // What would lie before the file begins.
            let before = shift.unsigned_abs().saturating_sub(self.start + at);
            let end = if from.is_none() { end.min(at + before) } else { end };
            let length = bytes.len().min(usize::try_from(end - at).unwrap_or(usize::MAX));
            let (now, later) = bytes.split_at_mut(length);
            match from.filter(|&from| !is_lost && from < self.end) {
                Some(from) => {
                    let there =
                        now.len().min(usize::try_from(self.end - from).unwrap_or(usize::MAX));
                    source.seek(SeekFrom::Start(from))?;
                    let read = read_all(source, &mut now[..there])?;
                    now[read..].fill(0);
                }
                None => now.fill(0),
            }
            at += length as u64;
            bytes = later;
        }
        Ok(())
    }
}

/// Reads until `bytes` are full or the source ends.
pub fn read_all<R: Read>(source: &mut R, bytes: &mut [u8]) -> io::Result<usize> {
    let mut read = 0;
    while read < bytes.len() {
        match source.read(&mut bytes[read..]) {
            Ok(0) => break,
            Ok(more) => read += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(read)
}
