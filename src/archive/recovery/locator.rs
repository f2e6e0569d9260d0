//! The locator of damaged columns: the shortest register that produces the syndromes.

use super::field::Field;

/// The shortest shift register that produces all `sequences`, which are equally long: its length, and its connections as
/// a polynomial, constant term 1 first. This is the algorithm of Feng and Tzeng (1991), which is that of Berlekamp and
/// Massey for several sequences. Codewords that are damaged in the same columns have one register in common, so that
/// together they can tell of almost as many columns as they have parity symbols; one alone, of half as many.
pub fn shortest_register(field: &Field, sequences: &[&[u16]]) -> (usize, Vec<u16>) {
    /// The register before the last time that this sequence has made it longer.
    struct Before {
        connections: Vec<u16>,
        length: usize,
        discrepancy: u16,
        /// The number of symbols of that time.
        at: usize,
    }
    let count = sequences.first().map_or(0, |sequence| sequence.len());
    let mut connections = vec![1u16];
    let mut length = 0;
    let fresh = || Before { connections: vec![], length: 0, discrepancy: 1, at: 0 };
    let mut before: Vec<Before> = sequences.iter().map(|_| fresh()).collect();
    for symbols in 1..=count {
        for (sequence, before) in sequences.iter().zip(&mut before) {
            // What the register must be able to hold, it does not produce.
            if symbols <= length {
                continue;
            }
            let past = sequence[..symbols].iter().rev();
            let discrepancy = connections
                .iter()
                .zip(past)
                .fold(0, |sum, (&connection, &symbol)| sum ^ field.times(connection, symbol));
            if discrepancy == 0 {
                continue;
            }
            let grown = symbols - (before.at - before.length);
            let old = (grown > length).then(|| connections.clone());
            let factor = field.over(discrepancy, before.discrepancy);
            let shift = symbols - before.at;
            if !before.connections.is_empty() {
                let needed = shift + before.connections.len();
                connections.resize(connections.len().max(needed), 0);
            }
            for (place, &term) in before.connections.iter().enumerate() {
                connections[place + shift] ^= field.times(factor, term);
            }
            if let Some(old) = old {
                *before = Before { connections: old, length, discrepancy, at: symbols };
                length = grown;
            }
        }
    }
    while connections.last() == Some(&0) {
        connections.pop();
    }
    (length, connections)
}

/// The columns of `count` whose locations are the inverse roots of `locator`, if these are as many as its degree.
pub fn roots(field: &Field, locator: &[u16], count: usize) -> Option<Vec<usize>> {
    let degree = locator.len() - 1;
    let mut found = Vec::with_capacity(degree);
    for column in 0..count {
        if found.len() == degree {
            break;
        }
        if field.value_at(locator, inverse_location(field, column, count)) == 0 {
            found.push(column);
        }
    }
    (found.len() == degree).then_some(found)
}

/// The location of a column of `count`: the last is 1, each one before it the field's generator times as much.
pub fn location(field: &Field, column: usize, count: usize) -> u16 {
    field.power(count - 1 - column)
}

fn inverse_location(field: &Field, column: usize, count: usize) -> u16 {
    field.power(0xffff - (count - 1 - column))
}

/// `polynomial` times (1 - `location` x), constant term first.
pub fn times_root(field: &Field, polynomial: &mut Vec<u16>, location: u16) {
    polynomial.push(0);
    for place in (1..polynomial.len()).rev() {
        polynomial[place] ^= field.times(location, polynomial[place - 1]);
    }
}
