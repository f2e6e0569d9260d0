//! The choice of a profile for a game, by the names of its tags.

use crate::Result;
use crate::entropy::{BitModel, Coder, SymbolModel};
use crate::pgn::Game;
use crate::streams::values::TopSymbols;

/// More profiles than this are not kept.
pub(super) const MAX_PROFILES: usize = 1 << PROFILE_BITS;
const PROFILE_BITS: u32 = 4;
/// Contexts for the choice of a profile: what the names of the tags hash to.
const TAG_SETS: usize = 64;

/// Model of the profile of a game, given what the names of its tags hash to.
#[derive(Debug, Clone)]
pub(super) struct Choices {
    usual: BitModel,
    other: SymbolModel,
    /// The profiles that games with the same tags have had.
    pub(super) habits: Vec<TopSymbols>,
    last: usize,
}

impl Choices {
    pub fn new() -> Choices {
        Choices {
            usual: BitModel::with_limit(1023),
            other: SymbolModel::new(PROFILE_BITS),
            habits: vec![TopSymbols::new(u32::MAX); TAG_SETS],
            last: 0,
        }
    }

    /// The profile to be expected.
    pub fn usual(&self, tag_set: usize) -> usize {
        match self.habits[tag_set].guess() {
            u32::MAX => self.last,
            profile => profile as usize,
        }
    }

    /// Codes a profile.
    ///
    /// # Errors
    /// Those of the coder.
    pub fn code<C: Coder>(
        &mut self,
        coder: &mut C,
        tag_set: usize,
        profile: usize,
    ) -> Result<usize> {
        let usual = self.usual(tag_set);
        match self.usual.code(coder, profile == usual)? {
            true => Ok(usual),
            false => Ok(self.other.code(coder, profile as u32)? as usize),
        }
    }

    /// Learns which profile it was.
    pub fn saw(&mut self, tag_set: usize, profile: usize) {
        self.habits[tag_set].saw(profile as u32);
        self.last = profile;
    }
}

/// A hash of the names of a game's tags.
pub(super) fn tag_set(game: &Game) -> usize {
    let names = game.tags.iter().flat_map(|tag| tag.name.iter().chain(b"\n"));
    let hash = names.fold(0u32, |hash, &byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    (hash >> 16) as usize % TAG_SETS
}
