//! The most frequent followers of each context.

use super::progress::{CONTEXTS, END, GUESS_BITS, MOVE, OUTCOME, SOURCES, START};
use crate::streams::values::TopSymbols;

/// For each kind of source and context, the kinds of token that follow. Only contexts that have occurred take memory
/// for what was seen: most never do.
#[derive(Debug, Clone)]
pub(super) struct Followers {
    /// By source and context: the place in `seen`, plus 1; 0 for a context that has not occurred.
    places: Vec<u16>,
    seen: Vec<TopSymbols>,
}

const _: () = assert!(SOURCES * CONTEXTS <= u16::MAX as usize);

/// What is expected in a context that has not occurred.
fn first_guess(context: usize) -> u32 {
    match (context % CONTEXTS) >> GUESS_BITS {
        0 if context as u32 & 15 == START => END,
        0 => OUTCOME,
        _ => MOVE,
    }
}

impl Followers {
    /// Contexts none of which has occurred.
    pub fn new() -> Followers {
        Followers { places: vec![0; SOURCES * CONTEXTS], seen: vec![] }
    }

    /// The kind of token to be expected in a context.
    pub fn guess(&self, context: usize) -> u32 {
        match self.places[context] {
            0 => first_guess(context),
            place => self.seen[usize::from(place) - 1].guess(),
        }
    }

    /// Learns that a token of this kind was next.
    pub fn saw(&mut self, context: usize, kind: u32) {
        let Followers { places, seen } = self;
        if places[context] == 0 {
            seen.push(TopSymbols::new(first_guess(context)));
            places[context] = seen.len() as u16;
        }
        seen[usize::from(places[context]) - 1].saw(kind);
    }
}
