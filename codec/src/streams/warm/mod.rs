//! Warm starts: tables that models begin with.
//!
//! `tables/tags.bin` holds, section by section, what mixers have learned from many small archives of
//! different kinds, words that are frequent in a column, and which openings positions belong to.
//! [`Trainer`] makes the sections of the mixers; `plyzip-training warm-tables` makes the file.
//! Beside them stands a primer: some games without players, in the forms of the common sources. Models
//! code it to nowhere before they begin, so that the names of tags and the usual values are known.
//!
//! All of this is part of the format: other tables make other archives.

mod dictionary;
pub(super) mod letter_codes;
mod made_once;
mod positions;
#[cfg(feature = "training")]
mod trainer;

use std::iter;

pub(super) use self::dictionary::odds;
pub use self::dictionary::{Dictionary, Matching};
use self::letter_codes::LetterCodes;
pub(super) use self::made_once::MadeOnce;
pub use self::positions::Positions;
#[cfg(feature = "training")]
pub use self::trainer::Trainer;
use std::sync::Arc;

use crate::entropy::ContextMixer;
use crate::pgn::{self, Document, Tag};
use crate::{Error, Result, varint};

/// A model whose mixers can have learned something beforehand.
pub trait Learner {
    /// The mixers, with the names of their sections.
    fn mixers(&mut self) -> Vec<(&'static str, &mut ContextMixer)>;
}

/// The sections of a file of tables, by name.
#[derive(Debug, Clone, Default)]
pub struct WarmTables<'a> {
    sections: Vec<(&'a [u8], &'a [u8])>,
    /// What follows from the words, if it is known already.
    letter_codes: Option<Arc<LetterCodes>>,
}

static SHIPPED: &[u8] = include_bytes!("../../../tables/tags.bin");
static PRIMER: &str = include_str!("primer.pgn");

/// Games in the layouts of the common sources.
pub static LAYOUTS: &[u8] = include_bytes!("layouts.pgn");

/// The largest table of slots that is made for what was learned before.
const MOST_BITS: u32 = 18;

impl<'a> WarmTables<'a> {
    /// The tables of this version.
    ///
    /// # Errors
    /// [`Error::Model`] if the build was given something else.
    pub fn shipped() -> Result<WarmTables<'static>> {
        static CODES: MadeOnce<Arc<LetterCodes>> = MadeOnce::new();
        let mut tables = WarmTables::read(SHIPPED)?;
        let codes = CODES.get(|| LetterCodes::of(&tables).map(Arc::new))?;
        tables.letter_codes = Some(Arc::clone(codes));
        Ok(tables)
    }

    /// Reads what [`WarmTables::write`] wrote.
    ///
    /// # Errors
    /// [`Error::Model`] if it is something else.
    pub fn read(bytes: &'a [u8]) -> Result<WarmTables<'a>> {
        let wrong = |_| Error::Model("tables that cannot be read".into());
        let mut rest = bytes;
        let mut part = || {
            let length = varint::take_length(&mut rest)?;
            let (part, tail) = rest
                .split_at_checked(length)
                .ok_or_else(|| Error::damaged("a section longer than its file"))?;
            rest = tail;
            Ok::<_, Error>(part)
        };
        let mut sections = Vec::new();
        let count = part().map_err(wrong)?.first().copied().unwrap_or(0);
        for _ in 0..count {
            sections.push((part().map_err(wrong)?, part().map_err(wrong)?));
        }
        Ok(WarmTables { sections, letter_codes: None })
    }

    /// A file of some sections.
    #[cfg(feature = "training")]
    pub fn write(sections: &[(String, Vec<u8>)]) -> Vec<u8> {
        let mut out = vec![1, sections.len() as u8];
        for (name, section) in sections {
            varint::put_length(&mut out, name.len());
            out.extend(name.as_bytes());
            varint::put_length(&mut out, section.len());
            out.extend(section);
        }
        out
    }

    /// Leaves out the sections whose names begin with `prefix`, to see what they are worth.
    #[must_use]
    #[cfg(feature = "training")]
    pub fn without(mut self, prefix: &str) -> WarmTables<'a> {
        self.sections.retain(|(name, _)| !name.starts_with(prefix.as_bytes()));
        self.letter_codes = None;
        self
    }

    /// The bytes of a section, if there is one of this name.
    pub fn section(&self, name: &str) -> Option<&'a [u8]> {
        let found = self.sections.iter().find(|(other, _)| *other == name.as_bytes());
        found.map(|&(_, section)| section)
    }

    /// The size of a table of slots, as a power of two, that is at least `bits` and can
    /// hold what the section knows.
    pub fn slot_bits(&self, name: &str, bits: u32) -> u32 {
        // A slot takes about four bytes; half of the slots stay empty.
        let slots = self.section(name).map_or(0, |section| section.len() / 2);
        bits.max((usize::BITS - slots.leading_zeros()).min(MOST_BITS))
    }

    /// Gives mixers what the sections of their names hold.
    ///
    /// # Errors
    /// [`Error::Model`] if a section is not what such a mixer has learned.
    pub fn warm(&self, learner: &mut dyn Learner) -> Result<()> {
        for (name, mixer) in learner.mixers() {
            if let Some(section) = self.section(name) {
                mixer.warm(section)?;
            }
        }
        Ok(())
    }

    /// The codes of letters that follow from the words.
    ///
    /// # Errors
    /// [`Error::Model`] if the words cannot be read.
    pub(super) fn letter_codes(&self) -> Result<Arc<LetterCodes>> {
        match &self.letter_codes {
            Some(codes) => Ok(Arc::clone(codes)),
            None => Ok(Arc::new(LetterCodes::of(self)?)),
        }
    }

    /// The words of a column; none if nothing is known of it.
    ///
    /// # Errors
    /// [`Error::Model`] if the section is not one of words.
    pub fn dictionary(&self, column: &str) -> Result<Dictionary> {
        match self.section(&format!("words:{column}")) {
            Some(section) => Dictionary::read(section),
            None => Ok(Dictionary::default()),
        }
    }
}

/// Tags of games in the forms of the common sources. All have lines of their own, which are read in a fraction of the
/// time that any PGN takes.
pub fn primer() -> impl Iterator<Item = Vec<Tag>> {
    let mut lines = PRIMER.lines();
    let tag = |line: &str| {
        let (name, value) = line.strip_prefix('[')?.split_once(' ')?;
        let value = value.strip_prefix('"')?.strip_suffix("\"]")?;
        Some(Tag { name: name.into(), value: value.into() })
    };
    let game =
        move || Some(lines.by_ref().take_while(|&line| line != "*").filter_map(tag).collect());
    iter::from_fn(game).take_while(|tags: &Vec<Tag>| !tags.is_empty())
}

/// The games of [`LAYOUTS`].
///
/// # Errors
/// None.
pub fn layouts() -> Result<&'static Document> {
    static READ: MadeOnce<Document> = MadeOnce::new();
    READ.get(|| Ok(pgn::parse(LAYOUTS)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_primer_is_read_as_pgn_would_be() {
        let document = pgn::parse(PRIMER.as_bytes());
        assert!(document.games().map(|game| &game.tags).eq(&primer().collect::<Vec<_>>()));
    }
}
