//! The openings that positions belong to.

#[cfg(any(test, feature = "training"))]
use std::collections::BTreeMap;

use super::Dictionary;
use crate::entropy::hash;
use crate::{Error, Result, varint};

/// For columns and positions, the name that games with this position have most often.
#[derive(Debug, Clone, Default)]
pub struct Positions<'a> {
    /// In the order of their keys.
    entries: Vec<(u32, Naming)>,
    names: Vec<&'a [u8]>,
}

/// A name that a position has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Naming {
    /// The index of the name.
    pub name: usize,
    /// Certainty of the name, below 16.
    pub certainty: u8,
}

/// The key of a position in a column.
fn key(column: u32, position: u64) -> u32 {
    hash(hash(column, position as u32), (position >> 32) as u32)
}

impl<'a> Positions<'a> {
    /// The name of each position in a column, and how sure it is, as bytes.
    #[cfg(any(test, feature = "training"))]
    pub fn write(named: &BTreeMap<(u32, u64), (Vec<u8>, u8)>) -> Vec<u8> {
        let mut names: Vec<&[u8]> = named.values().map(|(name, _)| &name[..]).collect();
        names.sort_unstable();
        names.dedup();
        let mut out = Vec::new();
        varint::put_length(&mut out, names.len());
        for name in &names {
            varint::put_length(&mut out, name.len());
            out.extend(*name);
        }
        let entries: BTreeMap<u32, (usize, u8)> = named
            .iter()
            .map(|(&(column, position), (name, certainty))| {
                let index = names.partition_point(|other| *other < &name[..]);
                (key(column, position), (index, *certainty))
            })
            .collect();
        varint::put_length(&mut out, entries.len());
        let mut before = 0;
        for (key, (name, certainty)) in entries {
            varint::put_length(&mut out, (key - before) as usize);
            varint::put_length(&mut out, name << 4 | usize::from(certainty & 15));
            before = key;
        }
        out
    }

    /// Reads what [`Positions::write`] wrote.
    ///
    /// # Errors
    /// [`Error::Model`] if it is something else.
    pub fn read(bytes: &'a [u8]) -> Result<Positions<'a>> {
        Positions::parse(bytes)
            .ok()
            .flatten()
            .ok_or_else(|| Error::Model("openings that cannot be read".into()))
    }

    fn parse(bytes: &'a [u8]) -> Result<Option<Positions<'a>>> {
        let mut rest = bytes;
        let mut positions = Positions::default();
        for _ in 0..varint::take_length(&mut rest)? {
            let length = varint::take_length(&mut rest)?;
            let Some((name, tail)) = rest.split_at_checked(length) else { return Ok(None) };
            positions.names.push(name);
            rest = tail;
        }
        let mut key = 0u32;
        for _ in 0..varint::take_length(&mut rest)? {
            let step = u32::try_from(varint::take_length(&mut rest)?).ok();
            let naming = varint::take_length(&mut rest)?;
            let Some(next) = step.and_then(|step| key.checked_add(step)) else { return Ok(None) };
            key = next;
            let naming = Naming { name: naming >> 4, certainty: (naming & 15) as u8 };
            if naming.name >= positions.names.len() {
                return Ok(None);
            }
            positions.entries.push((key, naming));
        }
        Ok(rest.is_empty().then_some(positions))
    }

    /// The name of a position in a column.
    pub fn find(&self, column: u32, position: u64) -> Option<Naming> {
        let key = key(column, position);
        let found = self.entries.binary_search_by_key(&key, |&(key, _)| key).ok()?;
        Some(self.entries[found].1)
    }

    /// All names as words.
    pub fn words(&self) -> Dictionary {
        Dictionary::of(self.names.iter().copied())
    }

    /// A name by its index.
    pub fn name(&self, naming: Naming) -> &'a [u8] {
        self.names.get(naming.name).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back_by_column_and_position() {
        let named: BTreeMap<(u32, u64), (Vec<u8>, u8)> = (0..50u64)
            .map(|n| {
                ((n as u32 % 3, n << 30), (vec![b'A' + n as u8 % 7; n as usize % 5], n as u8 % 16))
            })
            .collect();
        let bytes = Positions::write(&named);
        let positions = Positions::read(&bytes).unwrap();
        for (&(column, position), (name, certainty)) in &named {
            let naming = positions.find(column, position).unwrap();
            assert_eq!((positions.name(naming), naming.certainty), (&name[..], *certainty));
        }
        assert_eq!(positions.find(7, 0), None);
        for cut in 0..bytes.len() {
            assert!(Positions::read(&bytes[..cut]).is_err(), "{cut}");
        }
    }
}
