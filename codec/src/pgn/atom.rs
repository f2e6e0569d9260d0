//! Atoms: the smallest pieces of a game's text, each with its place.

use std::ops::Range;

use super::SanForm;

/// An indivisible piece of a game's text. Between atoms stand gaps: white space, or nothing.
///
/// A document has one for each number, move and mark, so they are small.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Atom {
    start: usize,
    /// Bytes.
    length: u32,
    /// The kind of the atom.
    pub kind: AtomKind,
    /// The move's category, if it is one.
    category: u8,
    /// The bits of the move's form, or [`NO_FORM`].
    form: u16,
}

/// What are no bits of a form.
const NO_FORM: u16 = u16::MAX;

impl Atom {
    /// An atom that lies at `range`, of less than 4 GiB.
    pub fn new(kind: AtomKind, range: Range<usize>) -> Atom {
        let length = u32::try_from(range.len()).unwrap_or(u32::MAX);
        Atom { start: range.start, length, kind, category: 0, form: NO_FORM }
    }

    /// The bytes of the atom in the text.
    pub fn range(&self) -> Range<usize> {
        self.start..self.start + self.length as usize
    }

    /// The spelling of a move; the default for other atoms.
    pub fn spelling(&self) -> Spelling {
        let form = (self.form != NO_FORM).then(|| SanForm::from_bits(self.form)).flatten();
        Spelling { category: self.category, form }
    }

    /// Says how it is spelled.
    pub fn spell(&mut self, spelling: Spelling) {
        self.category = spelling.category;
        self.form = spelling.form.map_or(NO_FORM, SanForm::to_bits);
    }
}

/// The spelling of a move.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Spelling {
    /// The move's [`San::category`](super::San::category).
    pub category: u8,
    /// The form that gives the spelling; `None` if there is none.
    pub form: Option<SanForm>,
}

/// Kinds of [`Atom`]s.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum AtomKind {
    /// A tag pair.
    Tag,
    /// A move number where White is to move.
    WhiteNumber,
    /// A move number where Black is to move.
    BlackNumber,
    /// A move.
    Move,
    /// A NAG spelled as a suffix, such as `!?`.
    Suffix,
    /// A NAG spelled `$n`.
    Dollar,
    /// `{...}`
    Comment,
    /// `;...`
    LineComment,
    /// `%...`
    Escape,
    /// `(`
    Open,
    /// `)`
    Close,
    /// A termination marker.
    Outcome,
    /// What makes no sense.
    Text,
}

impl AtomKind {
    /// True if this is a move number.
    pub fn is_number(self) -> bool {
        matches!(self, AtomKind::WhiteNumber | AtomKind::BlackNumber)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_are_kept() {
        let mut atom = Atom::new(AtomKind::Move, 3..5);
        assert!(size_of::<Atom>() <= 16);
        assert_eq!(atom.range(), 3..5);
        let forms = (0..=u16::MAX).map(SanForm::from_bits);
        for (form, category) in forms.zip((0..=u8::MAX).cycle()) {
            let spelling = Spelling { category, form };
            atom.spell(spelling);
            assert_eq!((atom.spelling(), atom.range()), (spelling, 3..5));
        }
    }
}
