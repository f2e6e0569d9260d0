//! Correction from the syndromes: columns at unknown places, and columns that are known to be lost.

use super::field::Field;
use super::geometry::Geometry;
use super::locator::{location, roots, shortest_register, times_root};

/// A symbol that is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Correction {
    pub column: u16,
    pub codeword: u32,
    /// What is to be added to it, by `^`.
    pub change: u16,
}

/// The most codewords that are asked together for their damaged columns; more would say the same.
const SAMPLE: usize = 128;

/// Looks for the damage.
#[derive(Debug)]
pub struct Corrector<'a> {
    pub field: &'a Field,
    pub geometry: &'a Geometry,
    /// Multiplications that may still be done: what hostile archives can ask for.
    pub budget: &'a mut u64,
}

impl Corrector<'_> {
    /// The syndromes of all codewords in the place of the difference between the remainders of the data and the parity,
    /// and the codewords that have any.
    pub fn syndromes(&self, difference: &mut [u16]) -> Vec<u32> {
        let parity = self.geometry.parity();
        let mut damaged = vec![];
        let mut syndromes = vec![0; parity];
        for (codeword, difference) in difference.chunks_exact_mut(parity).enumerate() {
            if difference.iter().all(|&symbol| symbol == 0) {
                continue;
            }
            difference.reverse();
            for (exponent, syndrome) in syndromes.iter_mut().enumerate() {
                *syndrome = self.field.value_at(difference, self.field.power(exponent));
            }
            difference.copy_from_slice(&syndromes);
            damaged.push(codeword as u32);
        }
        damaged
    }

    /// What makes the `syndromes` of the `damaged` codewords zero, and whether it does so for all of them. `lost` are
    /// columns of which nothing is known.
    ///
    /// Codewords are asked together: all of them, which suits damage in one piece, then groups of 1, 2, 4 and so on,
    /// which suits damage that is scattered, with other columns in each codeword.
    pub fn correct(
        &mut self,
        syndromes: &[u16],
        mut damaged: Vec<u32>,
        lost: &[usize],
    ) -> (Vec<Correction>, bool) {
        let mut corrections = vec![];
        let all = damaged.len();
        let groups = (0..32).map(|exponent| 1 << exponent).take_while(|&group| group < all);
        for group in [all].into_iter().chain(groups) {
            let mut left = vec![];
            for codewords in damaged.chunks(group.max(1)) {
                match self.attempt(syndromes, codewords, lost) {
                    Some(found) => corrections.extend(found),
                    None => left.extend(codewords),
                }
            }
            damaged = left;
        }
        if !damaged.is_empty() {
            // Where others are damaged, these may be.
            let mut columns: Vec<usize> = lost.to_vec();
            columns.extend(corrections.iter().map(|correction| usize::from(correction.column)));
            columns.sort_unstable();
            columns.dedup();
            damaged.retain(|&codeword| {
                match self.attempt(syndromes, &[codeword], &columns) {
                    Some(found) => corrections.extend(found),
                    None => return true,
                }
                false
            });
        }
        corrections.sort_unstable();
        (corrections, damaged.is_empty())
    }

    /// What makes the syndromes of these codewords zero, if they are damaged in few columns besides those that are
    /// `lost`.
    fn attempt(
        &mut self,
        syndromes: &[u16],
        codewords: &[u32],
        lost: &[usize],
    ) -> Option<Vec<Correction>> {
        let (field, parity, columns) =
            (self.field, self.geometry.parity(), self.geometry.columns());
        let of = |codeword: u32| &syndromes[codeword as usize * parity..][..parity];
        // At least one equation must be left that says whether it is right.
        if lost.len() >= parity {
            return None;
        }
        let mut locator = vec![1];
        for &column in lost {
            times_root(field, &mut locator, location(field, column, columns));
        }
        // Without the columns that are lost.
        let step = codewords.len().div_ceil(SAMPLE).max(1);
        let sample: Vec<Vec<u16>> = codewords
            .iter()
            .step_by(step)
            .map(|&codeword| product(field, &locator, of(codeword))[lost.len()..].to_vec())
            .collect();
        let sequences: Vec<&[u16]> = sample.iter().map(Vec::as_slice).collect();
        let left = parity - lost.len();
        self.spend((sequences.len() * left * left) as u64)?;
        let (length, register) = shortest_register(field, &sequences);
        let most = (sequences.len() * left / (sequences.len() + 1)).min(left - 1);
        if length > most || register.len() != length + 1 {
            return None;
        }
        self.spend((columns * length) as u64)?;
        let mut places = roots(field, &register, columns)?;
        if places.iter().any(|place| lost.contains(place)) {
            return None;
        }
        for &column in &places {
            times_root(field, &mut locator, location(field, column, columns));
        }
        places.extend(lost);
        self.spend((codewords.len() * places.len() * (parity + 2 * places.len())) as u64)?;
        // Forney's formula; the derivative has the odd terms alone.
        let derivative: Vec<u16> = (1..locator.len())
            .map(|power| if power % 2 == 1 { locator[power] } else { 0 })
            .collect();
        let slopes = places.iter().map(|&column| {
            let location = location(field, column, columns);
            let inverse = field.over(1, location);
            let slope = field.value_at(&derivative, inverse);
            (slope != 0).then(|| (column, inverse, field.over(location, slope)))
        });
        let slopes = slopes.collect::<Option<Vec<_>>>()?;
        let mut corrections = vec![];
        for &codeword in codewords {
            let evaluator = product(field, &locator, of(codeword));
            let (evaluator, rest) = evaluator.split_at(places.len());
            if rest.iter().any(|&term| term != 0) {
                return None;
            }
            for &(column, inverse, factor) in &slopes {
                let change = field.times(field.value_at(evaluator, inverse), factor);
                if change != 0 {
                    corrections.push(Correction { column: column as u16, codeword, change });
                }
            }
        }
        Some(corrections)
    }

    fn spend(&mut self, multiplications: u64) -> Option<()> {
        *self.budget = self.budget.checked_sub(multiplications)?;
        Some(())
    }
}

/// The product of two polynomials, as many terms of it as the second has, constant terms first.
pub fn product(field: &Field, a: &[u16], b: &[u16]) -> Vec<u16> {
    let mut product = vec![0; b.len()];
    for (shift, &factor) in a.iter().enumerate() {
        if factor != 0 {
            for (place, &term) in b[..b.len() - shift].iter().enumerate() {
                product[shift + place] ^= field.times(factor, term);
            }
        }
    }
    product
}

#[cfg(test)]
mod tests {
    use super::super::encoder::Encoder;
    use super::*;
    use crate::unstable::SplitMix;

    /// Data and parity, one after the other.
    fn protected(field: &Field, geometry: &Geometry, random: &mut SplitMix) -> Vec<u8> {
        let mut bytes: Vec<u8> = (0..geometry.length()).map(|_| random.next() as u8).collect();
        let remainders = remainders(field, geometry, &bytes);
        bytes.resize(geometry.data_columns() * geometry.column_bytes() as usize, 0);
        for place in 0..geometry.parity() {
            let symbols = remainders.chunks(geometry.parity()).map(|symbols| symbols[place]);
            bytes.extend(symbols.flat_map(u16::to_le_bytes));
        }
        bytes
    }

    fn remainders(field: &Field, geometry: &Geometry, data: &[u8]) -> Vec<u16> {
        let mut encoder = Encoder::new(field, geometry);
        for piece in data.chunks(7) {
            encoder.push(piece);
        }
        encoder.finish()
    }

    /// What the corrector makes of damaged bytes.
    fn corrected(
        field: &Field,
        geometry: &Geometry,
        bytes: &[u8],
        lost: &[usize],
    ) -> Option<Vec<u8>> {
        let (depth, parity) = (geometry.depth(), geometry.parity());
        let begin = geometry.data_columns() * geometry.column_bytes() as usize;
        let mut difference = remainders(field, geometry, &bytes[..begin]);
        for (number, symbol) in bytes[begin..].as_chunks::<2>().0.iter().enumerate() {
            let place = number % depth * parity + number / depth;
            difference[place] ^= u16::from_le_bytes(*symbol);
        }
        let mut budget = u64::MAX;
        let mut corrector = Corrector { field, geometry, budget: &mut budget };
        let damaged = corrector.syndromes(&mut difference);
        let (corrections, complete) = corrector.correct(&difference, damaged, lost);
        let mut bytes = bytes.to_vec();
        for Correction { column, codeword, change } in corrections {
            let place = 2 * (usize::from(column) * depth + codeword as usize);
            bytes[place] ^= change as u8;
            bytes[place + 1] ^= (change >> 8) as u8;
        }
        complete.then_some(bytes)
    }

    fn below(random: &mut SplitMix, bound: usize) -> usize {
        (random.next() % bound as u64) as usize
    }

    #[test]
    fn bursts_are_corrected_up_to_the_figure() {
        let field = Field::new();
        let mut random = SplitMix(1);
        for (length, depth, parity) in
            [(1000, 1, 32), (5000, 3, 40), (163_000, 13, 64), (20_000, 80, 20), (900, 200, 2)]
        {
            let geometry = Geometry::checked(length, depth, parity).unwrap();
            let sound = protected(&field, &geometry, &mut random);
            let burst = geometry.longest_burst() as usize;
            for _ in 0..20 {
                let begin = below(&mut random, sound.len() - burst + 1);
                let mut bytes = sound.clone();
                for byte in &mut bytes[begin..begin + burst] {
                    *byte ^= 1 + (random.next() % 255) as u8;
                }
                assert!(
                    corrected(&field, &geometry, &bytes, &[]) == Some(sound.clone()),
                    "{geometry:?}"
                );
            }
        }
    }

    #[test]
    fn scattered_bytes_and_lost_columns_are_corrected_together() {
        let field = Field::new();
        let mut random = SplitMix(2);
        let geometry = Geometry::checked(50_000, 13, 64).unwrap();
        let sound = protected(&field, &geometry, &mut random);
        for _ in 0..20 {
            let mut bytes = sound.clone();
            let lost = 1 + below(&mut random, 40);
            let first = below(&mut random, geometry.columns() - lost);
            bytes[first * 26..(first + lost) * 26].fill(0);
            let scattered = (64 - lost - 1) / 2;
            for _ in 0..scattered {
                let place = below(&mut random, sound.len());
                bytes[place] ^= 1 + (random.next() % 255) as u8;
            }
            let lost: Vec<usize> = (first..first + lost).collect();
            assert!(corrected(&field, &geometry, &bytes, &lost) == Some(sound.clone()));
        }
        // 150 bytes, in 150 of 2,000 columns.
        let mut bytes = sound.clone();
        for _ in 0..150 {
            let place = below(&mut random, sound.len());
            bytes[place] ^= 1 + (random.next() % 255) as u8;
        }
        assert!(corrected(&field, &geometry, &bytes, &[]) == Some(sound));
    }

    #[test]
    fn too_much_damage_is_not_taken_for_less() {
        let field = Field::new();
        let mut random = SplitMix(3);
        let geometry = Geometry::checked(20_000, 5, 20).unwrap();
        let sound = protected(&field, &geometry, &mut random);
        for _ in 0..50 {
            let mut bytes = sound.clone();
            let begin = below(&mut random, sound.len() - 400);
            for byte in &mut bytes[begin..begin + 400] {
                *byte = random.next() as u8;
            }
            assert_eq!(corrected(&field, &geometry, &bytes, &[]), None);
        }
    }
}
