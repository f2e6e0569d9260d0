//! Where bytes were lost or came in: alignments that make the codewords right.
//!
//! Syndromes are sums over columns. With the sums up to each column, for each shift that is thought of, those of a
//! codeword that is put together from stretches with different shifts are a few additions. So all places can be tried
//! on one codeword, and only what suits it is tried on all of them.

use std::io::{Read, Seek};
use std::ops::Range;

use super::alignment::{Alignment, Layout, Step};
use super::correction::product;
use super::field::Field;
use super::locator::{location, times_root};
use crate::Result;

/// Bytes of the sectors that disks lose, double and move.
const SECTORS: [i64; 2] = [512, 4096];
/// Codewords that are tried, as one of them may be damaged besides.
const CODEWORDS: usize = 3;

/// The search in one stretch of a file.
#[derive(Debug)]
pub struct Search<'a> {
    pub field: &'a Field,
    pub layout: Layout,
    /// Where the layout's first byte should be, and where its last is.
    pub start: u64,
    pub end: u64,
    /// Multiplications that may still be done.
    pub budget: &'a mut u64,
}

/// The sums of a codeword's syndromes up to each column, for one shift.
struct Sums {
    shift: i64,
    /// As many as there are parity symbols for each number of columns.
    sums: Vec<u16>,
}

impl Search<'_> {
    /// Alignments that suit some codeword, the likeliest first, until `wanted` says that it is the one.
    pub fn find<R: Read + Seek, T>(
        &mut self,
        source: &mut R,
        mut wanted: impl FnMut(&mut R, Alignment, &mut u64) -> Result<Option<T>>,
    ) -> Result<Option<T>> {
        let Some(shift) = (self.end - self.start).checked_signed_diff(self.layout.end()) else {
            return Ok(None);
        };
        let depth = self.layout.0.geometry.depth();
        let mut codewords = vec![0, depth / 2, depth - 1];
        codewords.dedup();
        codewords.truncate(CODEWORDS);
        // What came in or is missing at one place; then at two, one of which may make good for the other.
        let sectors = SECTORS.into_iter().flat_map(|sector| [-sector, sector]);
        let mut middles: Vec<i64> = sectors.flat_map(|sector| [sector, shift + sector]).collect();
        middles.retain(|&middle| middle != 0 && middle != shift);
        middles.sort_unstable();
        middles.dedup();
        let one = Some(vec![shift]).filter(|_| shift != 0);
        let two = middles.into_iter().map(|middle| vec![middle, shift]);
        for shifts in one.into_iter().chain(two) {
            for &codeword in &codewords {
                let mut sums = vec![];
                for &shift in [0].iter().chain(&shifts) {
                    sums.push(self.sums(source, codeword, shift)?);
                }
                for steps in self.suiting(&sums) {
                    let alignment = Alignment { start: self.start, end: self.end, steps };
                    if let Some(found) = wanted(source, alignment, self.budget)? {
                        return Ok(Some(found));
                    }
                }
            }
        }
        Ok(None)
    }

    /// The steps from one of the shifts to the next that suit the codeword, at most a few.
    fn suiting(&mut self, sums: &[Sums]) -> Vec<Vec<Step>> {
        /// More than one at neighbouring columns are about the same.
        const MOST: usize = 8;
        let mut found = vec![];
        match sums {
            [before, behind] => {
                let layout = self.layout;
                let geometry = layout.0.geometry;
                for column in 0..=geometry.columns() {
                    let at = layout.begin(column);
                    let step = step(at, geometry.column_bytes(), before.shift, behind.shift);
                    if self.suits(sums, &[step]) {
                        found.push(vec![step]);
                    }
                    if found.len() == MOST || *self.budget == 0 {
                        break;
                    }
                }
            }
            [before, between, behind] => {
                let (places, slack) = self.places();
                let first = places.iter().map(|&at| step(at, slack, before.shift, between.shift));
                for (number, first) in first.enumerate() {
                    for &at in &places[number + 1..] {
                        let second = step(at, slack, between.shift, behind.shift);
                        if self.suits(sums, &[first, second]) {
                            found.push(vec![first, second]);
                        }
                        if found.len() == MOST || *self.budget == 0 {
                            return found;
                        }
                    }
                }
            }
            _ => {}
        }
        found
    }

    /// Where bytes of whole sectors may be lost or come in: sectors, or columns if these are larger. With them, how much
    /// farther on it may be.
    fn places(&self) -> (Vec<u64>, u64) {
        let column = self.layout.0.geometry.column_bytes();
        let smallest = SECTORS[0] as u64;
        if column < smallest {
            let first = self.start.next_multiple_of(smallest) - self.start;
            return ((first..self.layout.end()).step_by(smallest as usize).collect(), 0);
        }
        let columns = 0..=self.layout.0.geometry.columns();
        (columns.map(|column| self.layout.begin(column)).collect(), column)
    }

    /// Whether nothing is wrong with the codeword but the columns at these steps.
    fn suits(&mut self, sums: &[Sums], steps: &[Step]) -> bool {
        let parity = self.layout.0.geometry.parity();
        let count = self.layout.0.geometry.columns();
        let mut syndromes = vec![0u16; parity];
        let mut locator = vec![1u16];
        let mut begin = 0;
        let lost = steps.iter().map(|&step| self.lost(step)).chain([count..count]);
        for (Sums { sums, .. }, lost) in sums.iter().zip(lost) {
            if lost.start < begin || locator.len() + lost.len() > parity {
                return false;
            }
            for edge in [begin, lost.start] {
                let sums = &sums[edge * parity..][..parity];
                syndromes.iter_mut().zip(sums).for_each(|(syndrome, sum)| *syndrome ^= sum);
            }
            begin = lost.end;
            for column in lost {
                times_root(self.field, &mut locator, location(self.field, column, count));
            }
        }
        let degree = locator.len() - 1;
        let spent = (degree * degree / 2 + 2 * degree + parity) as u64;
        let Some(left) = self.budget.checked_sub(spent) else {
            *self.budget = 0;
            return false;
        };
        *self.budget = left;
        let term = |at: usize| {
            let pairs = locator.iter().zip(syndromes[..=at].iter().rev());
            pairs.fold(0, |sum, (&a, &b)| sum ^ self.field.times(a, b))
        };
        // Most are wrong at once.
        term(parity - 1) == 0
            && product(self.field, &locator, &syndromes)[degree..].iter().all(|&term| term == 0)
    }

    fn lost(&self, step: Step) -> Range<usize> {
        self.layout.columns(step.at..step.at + step.lost)
    }

    /// The sums of `codeword`'s syndromes where all bytes lie `shift` bytes farther on.
    fn sums<R: Read + Seek>(&self, source: &mut R, codeword: usize, shift: i64) -> Result<Sums> {
        let geometry = &self.layout.0.geometry;
        let (parity, count) = (geometry.parity(), geometry.columns());
        let steps = vec![Step { at: 0, lost: 0, shift }];
        let alignment = Alignment { start: self.start, end: self.end, steps };
        let mut sums = vec![0u16; (count + 1) * parity];
        // Columns that are small are read together.
        let together = ((1 << 16) / geometry.column_bytes()).max(1) as usize;
        let mut bytes = vec![];
        for column in 0..count {
            let data = geometry.data_columns();
            let place = match column < data {
                true => column % together,
                false => (column - data) % together,
            };
            if place == 0 {
                let columns = match column < data {
                    true => together.min(data - column),
                    false => together.min(count - column),
                };
                let length = columns as u64 * geometry.column_bytes();
                bytes.resize(length as usize, 0);
                alignment.read(source, self.layout.begin(column), &mut bytes)?;
                if let Some(rest) =
                    geometry.length().checked_sub(self.layout.begin(column)).filter(|_| column < data)
                {
                    // Zeros fill the last column.
                    let there = bytes.len().min(usize::try_from(rest).unwrap_or(usize::MAX));
                    bytes[there..].fill(0);
                }
            }
            let at = place * geometry.column_bytes() as usize + 2 * codeword;
            let symbol = u16::from_le_bytes([bytes[at], bytes[at + 1]]);
            let (before, behind) = sums[column * parity..].split_at_mut(parity);
            let location = location(self.field, column, count);
            let mut term = symbol;
            for (sum, before) in behind.iter_mut().zip(before) {
                *sum = *before ^ term;
                term = self.field.times(term, location);
            }
        }
        Ok(Sums { shift, sums })
    }
}

/// The step from one shift to another somewhere in the `slack` bytes from `at` on.
fn step(at: u64, slack: u64, before: i64, behind: i64) -> Step {
    // Bytes that lie less far are missing ones.
    let missing = u64::try_from(before - behind).unwrap_or(0);
    Step { at, lost: missing + slack, shift: behind }
}
