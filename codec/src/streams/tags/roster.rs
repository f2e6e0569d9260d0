//! Model of the roster: the names of a game's tags, and their order.

use crate::entropy::{Coder, ContextMixer, hash};
use crate::streams::values::{HashMap, Id, Interner, Setting, Spelling};
use crate::{Error, Result};

/// Codes the names of a game's tags, each by the names before it.
#[derive(Debug, Clone)]
pub(super) struct Roster {
    mixing: ContextMixer,
    /// What has followed a name, the most recent first; [`END`] stands for the end of the tags
    /// and, as what comes before, for their start.
    successors: HashMap<Id, Vec<Id>>,
    /// The names of the game before.
    last: Vec<Id>,
    /// Whether past games had the names of those before them, the last in bit 0.
    repeated: u32,
}

const END: Id = Id::MAX;
/// Most successors of a name that are tried.
const MOST_TRIED: usize = 24;
/// Games have no more tags, as a rule; beyond, the game before is no guide.
const USUAL: usize = 64;
/// The kinds of events: what follows a name; whether all names are those of the game before.
const NEXT: usize = 0;
const REPEATED: usize = 1;
/// The column of names in the model of spelling.
const COLUMN: u32 = 0;

impl Roster {
    /// A model that has seen nothing.
    pub fn new(slot_bits: u32) -> Roster {
        Roster {
            mixing: ContextMixer::new(slot_bits, 5, 2, MOST_TRIED),
            successors: HashMap::default(),
            last: Vec::new(),
            repeated: 0,
        }
    }

    /// The mixer, for its warm start.
    pub fn mixer(&mut self) -> &mut ContextMixer {
        &mut self.mixing
    }

    /// Codes the names of one game.
    ///
    /// # Errors
    /// Those of [`Coder::bit`], and [`Error::Limit`] if there is no room for what is read.
    pub fn code<C: Coder>(
        &mut self,
        coder: &mut C,
        names: &[Id],
        interner: &mut Interner,
        spelling: &mut Spelling,
        room: usize,
    ) -> Result<Vec<Id>> {
        let contexts = [self.repeated & 1, self.repeated & 7, self.repeated & 255, 0];
        let again = names == self.last;
        let again = self.mixing.code(coder, &contexts, REPEATED, 0, again)?;
        self.repeated = self.repeated << 1 | u32::from(again);
        if again {
            return Ok(self.last.clone());
        }
        let mut done: Vec<Id> = Vec::new();
        let mut path = 0;
        loop {
            let before = done.last().copied().unwrap_or(END);
            let name = names.get(done.len()).copied().unwrap_or(END);
            let name = self.next(coder, before, path, name, interner, spelling, room)?;
            let successors = self.successors.entry(before).or_default();
            match successors.iter().position(|&successor| successor == name) {
                Some(rank) => successors[..=rank].rotate_right(1),
                None => {
                    successors.insert(0, name);
                    successors.truncate(MOST_TRIED);
                }
            }
            if name == END {
                self.last.clone_from(&done);
                return Ok(done);
            }
            path = hash(path, name);
            done.push(name);
            // Even a tag without a name takes memory.
            if done.len() > room {
                return Err(Error::Limit("more tags than announced".into()));
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one model, borrowed apart")]
    fn next<C: Coder>(
        &mut self,
        coder: &mut C,
        before: Id,
        path: u32,
        name: Id,
        interner: &mut Interner,
        spelling: &mut Spelling,
        room: usize,
    ) -> Result<Id> {
        let expected = match self.last.iter().take(USUAL).position(|&last| last == before) {
            Some(place) => self.last.get(place + 1).copied().unwrap_or(END),
            None => self.last.first().copied().unwrap_or(END),
        };
        if let Some(successors) = self.successors.get(&before) {
            for (rank, &successor) in successors.iter().take(MOST_TRIED).enumerate() {
                let as_before = u32::from(successor == expected);
                let pair = hash(before, successor);
                let contexts = [
                    hash(rank as u32, as_before),
                    pair,
                    hash(pair, as_before),
                    hash(path, successor),
                    hash(pair, expected),
                ];
                if self.mixing.code(coder, &contexts, NEXT, rank, successor == name)? {
                    return Ok(successor);
                }
            }
        }
        // Not one of those tried: the end as yet another name would be ambiguous, hence a bit.
        let none = hash(before, END);
        if self.mixing.code(coder, &[none; 5], NEXT, 0, name == END)? {
            return Ok(END);
        }
        let text = if C::DECODING { &[][..] } else { interner.value(name) };
        let setting = Setting { column: COLUMN, key: before, guide: &[], words: None };
        let text = spelling.code(coder, setting, text, room)?;
        Ok(interner.intern(&text))
    }
}
