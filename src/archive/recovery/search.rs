//! Search for lost or added bytes: alignments that make the codewords right.
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
/// Alignments that are tried for one codeword and one set of shifts; those at neighbouring columns are about the same.
const MOST: usize = 8;
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

/// A step, with the columns that are lost there.
struct Gap {
    step: Step,
    columns: Range<usize>,
    locator: Vec<u16>,
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
        let layout = self.layout;
        let geometry = layout.0.geometry;
        let mut found = vec![];
        match sums {
            [before, behind] => {
                for column in 0..=geometry.columns() {
                    let at = layout.begin(column);
                    let gap = self.gap(at, geometry.column_bytes(), before, behind);
                    if gap.is_some_and(|gap| self.suits(sums, &[&gap], &mut found)) {
                        break;
                    }
                }
            }
            [before, between, behind] => {
                let (places, slack) = self.places();
                let gaps = |one: &Sums, other: &Sums| -> Vec<Option<Gap>> {
                    places.iter().map(|&at| self.gap(at, slack, one, other)).collect()
                };
                let (firsts, seconds) = (gaps(before, between), gaps(between, behind));
                for (number, first) in firsts.iter().enumerate() {
                    let Some(first) = first else { continue };
                    for second in seconds[number + 1..].iter().flatten() {
                        if self.suits(sums, &[first, second], &mut found) {
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

    /// The step from one shift to another somewhere in the `slack` bytes from `at` on; `None` if more columns are lost
    /// there than can be made good.
    fn gap(&self, at: u64, slack: u64, before: &Sums, behind: &Sums) -> Option<Gap> {
        // Bytes that lie less far are missing ones.
        let missing = u64::try_from(before.shift - behind.shift).unwrap_or(0);
        let step = Step { at, lost: missing + slack, shift: behind.shift };
        let columns = self.layout.columns(at..at + step.lost);
        if columns.len() >= self.layout.0.geometry.parity() {
            return None;
        }
        let mut locator = vec![1];
        for column in columns.clone() {
            let count = self.layout.0.geometry.columns();
            times_root(self.field, &mut locator, location(self.field, column, count));
        }
        Some(Gap { step, columns, locator })
    }

    /// Whether no more is to be tried. `found` gets the steps at these gaps if nothing is wrong with the codeword but
    /// the columns that are lost there.
    fn suits(&mut self, sums: &[Sums], gaps: &[&Gap], found: &mut Vec<Vec<Step>>) -> bool {
        let parity = self.layout.0.geometry.parity();
        let count = self.layout.0.geometry.columns();
        // From which sums on to which, for each stretch.
        let mut edges = [[0; 2]; 3];
        for (number, edges) in edges[..sums.len()].iter_mut().enumerate() {
            let begin = number.checked_sub(1).map_or(0, |before| gaps[before].columns.end);
            let end = gaps.get(number).map_or(count, |gap| gap.columns.start);
            if end < begin {
                return false;
            }
            *edges = [begin * parity, end * parity];
        }
        let syndrome = |exponent: usize| {
            let stretches = sums.iter().zip(&edges);
            stretches.fold(0, |sum, (Sums { sums, .. }, [begin, end])| {
                sum ^ sums[begin + exponent] ^ sums[end + exponent]
            })
        };
        let locator = match gaps {
            [first, second] => {
                let mut longer = vec![0; first.locator.len() + second.locator.len() - 1];
                longer[..second.locator.len()].copy_from_slice(&second.locator);
                product(self.field, &first.locator, &longer)
            }
            gaps => gaps.iter().flat_map(|gap| gap.locator.clone()).collect(),
        };
        let degree = locator.len() - 1;
        if degree >= parity {
            return false;
        }
        let squares = gaps.iter().map(|gap| gap.columns.len() as u64).product::<u64>();
        *self.budget = self.budget.saturating_sub(squares + 4 * degree as u64 + 16);
        // Most are wrong at once.
        let is_zero = |at: usize| {
            let terms = locator.iter().enumerate();
            terms.fold(0, |sum, (place, &term)| sum ^ self.field.times(term, syndrome(at - place)))
                == 0
        };
        if (degree..parity).rev().all(is_zero) {
            found.push(gaps.iter().map(|gap| gap.step).collect());
        }
        found.len() >= MOST || *self.budget == 0
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
                if let Some(rest) = geometry
                    .length()
                    .checked_sub(self.layout.begin(column))
                    .filter(|_| column < data)
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
