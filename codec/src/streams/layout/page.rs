//! The page: a game's atoms and what is between them.

use std::ops::Range;

use super::context::{END, START};
use crate::Error;
use crate::pgn::Atom;

/// A game's atoms and the bytes that they lie in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Page<'a> {
    pub text: &'a [u8],
    pub atoms: &'a [Atom],
}

impl<'a> Page<'a> {
    /// The kind of the atom with this index, which may also be that before the first or after the
    /// last.
    pub fn kinds(&self, behind: usize) -> (u8, u8) {
        let before = behind.checked_sub(1).map_or(START, |index| self.atoms[index].kind as u8);
        (before, self.atoms.get(behind).map_or(END, |atom| atom.kind as u8))
    }

    pub fn atom(&self, index: usize) -> &[u8] {
        &self.text[self.atoms[index].range()]
    }

    /// The bytes before the atom with this index, in a game that lies at `game`.
    pub fn gap(&self, behind: usize, game: &Range<usize>) -> &'a [u8] {
        let start = behind.checked_sub(1).map_or(game.start, |index| self.atoms[index].range().end);
        let end = self.atoms.get(behind).map_or(game.end, |atom| atom.range().start);
        self.text.get(start..end).unwrap_or_default()
    }
}

/// True if lines may break here: spaces, and nothing else.
pub(super) fn is_blank(gap: &[u8]) -> bool {
    !gap.is_empty() && gap.iter().all(|&byte| byte == b' ')
}

/// The error of a text that outgrows its limit.
pub(super) fn too_long() -> Error {
    Error::damaged("more text than there should be")
}
