//! The situations in which phrases are chosen.

use crate::pgn::{AtomKind, San};

/// Kinds of atoms as contexts; after [`AtomKind`]'s own come the ends of a game.
pub(super) const START: u8 = AtomKind::Text as u8 + 1;
pub(super) const END: u8 = START + 1;
const KINDS: usize = END as usize + 1;

/// A situation in which a phrase is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Context(usize);

const NEWLINE: usize = KINDS * KINDS;
const REFLOW: usize = NEWLINE + 1;
const TAG: usize = REFLOW + 1;
const NAG: usize = TAG + 2;
const SAN: usize = NAG + 7;
const NUMBER: usize = SAN + San::CATEGORIES;
pub(super) const CONTEXTS: usize = NUMBER + 2 * KINDS * KINDS;

impl Context {
    pub const COUNT: usize = CONTEXTS;
    /// The bytes of a line break within a game.
    pub const NEWLINE: Context = Context(NEWLINE);
    /// Whether the breaks in a comment follow the rule: a space if they do, else nothing.
    pub const REFLOW: Context = Context(REFLOW);

    /// The gap between two kinds of atom.
    pub fn gap(before: u8, behind: u8) -> Context {
        Context(usize::from(before) * KINDS + usize::from(behind))
    }

    /// The form of the first tag pair, or of another.
    pub fn tag(first: bool) -> Context {
        Context(TAG + usize::from(first))
    }

    /// The spelling of a NAG.
    pub fn nag(number: u8) -> Context {
        Context(NAG + usize::from(if number <= 6 { number } else { 0 }))
    }

    /// The spelling of a move of some [`San::category`].
    pub fn san(category: u8) -> Context {
        Context(SAN + usize::from(category) % San::CATEGORIES)
    }

    /// The move number, or its absence, between two kinds of atom.
    pub fn number(black: bool, before: u8, behind: u8) -> Context {
        let between = usize::from(before) * KINDS + usize::from(behind);
        Context(NUMBER + usize::from(black) * KINDS * KINDS + between)
    }

    pub fn index(self) -> usize {
        self.0
    }
}
