//! The names of players who have not played before, in a stream of their own.
//!
//! More than half of the events of all tags are letters of names. They depend on nothing but the names before, so a
//! thread of their own can decode them while another decodes everything else.

use super::slot_bits;
use crate::entropy::{Coder, ContextMixer, Decoder, Encoder, NumberModel};
use crate::streams::values::{Setting, Spelling};
use crate::streams::warm::{Dictionary, Learner, MadeOnce, WarmTables};
use crate::{Error, Interrupt, Result};

/// Model of the names of new players.
#[derive(Debug, Clone)]
pub(super) struct NewPlayers {
    spelling: Spelling,
    /// The names of frequent players.
    words: Dictionary,
    /// What the last name looked like; names of one archive look alike.
    style: u32,
}

/// What a name looks like: a surname and more, some words, or one word as users of servers have.
fn style(name: &[u8]) -> u32 {
    match name {
        _ if name.contains(&b',') => 1,
        _ if name.contains(&b' ') => 2,
        _ => 3,
    }
}

/// The section of the mixer.
const SPELLING: &str = "tags.players.new";
/// Contexts of a letter: a name has no more to go by than its letters.
const CONTEXTS: usize = 6;

impl Learner for NewPlayers {
    fn mixers(&mut self) -> Vec<(&'static str, &mut ContextMixer)> {
        vec![(SPELLING, self.spelling.mixer())]
    }
}

/// The size of the mixer's table, as a power of two.
fn table_bits(games: usize, tables: &WarmTables<'_>) -> u32 {
    tables.slot_bits(SPELLING, slot_bits(games, 15, 20))
}

impl NewPlayers {
    /// A model of the names in `games` games, with the tables of this version.
    fn shipped(games: usize) -> Result<NewPlayers> {
        /// The model for a few games.
        static SMALL: MadeOnce<NewPlayers> = MadeOnce::new();
        let tables = WarmTables::shipped()?;
        if table_bits(games, &tables) != table_bits(1, &tables) {
            return NewPlayers::new(games, &tables);
        }
        Ok(SMALL.get(|| NewPlayers::new(1, &tables))?.clone())
    }

    /// A model of the names in `games` games.
    pub fn new(games: usize, tables: &WarmTables<'_>) -> Result<NewPlayers> {
        let codes = tables.letter_codes()?;
        let spelling = Spelling::new(table_bits(games, tables), CONTEXTS, codes);
        let mut players = NewPlayers { spelling, words: tables.dictionary("")?, style: 0 };
        tables.warm(&mut players)?;
        Ok(players)
    }

    /// Codes a name of at most `most` bytes.
    ///
    /// # Errors
    /// Those of [`Coder::bit`], and [`Error::Limit`] if a name read is longer.
    pub fn code<C: Coder>(&mut self, coder: &mut C, name: &[u8], most: usize) -> Result<Vec<u8>> {
        let words = Some(&self.words).filter(|words| !words.is_empty());
        let setting = Setting { column: self.style, key: 0, guide: &[], words };
        let name = self.spelling.code(coder, setting, name, most)?;
        self.style = style(&name);
        Ok(name)
    }
}

/// Codes the new names in `games` games.
///
/// # Errors
/// None that a caller could cause.
pub(super) fn encode(names: &[Vec<u8>], games: usize, interrupt: &Interrupt) -> Result<Vec<u8>> {
    if names.is_empty() {
        return Ok(vec![]);
    }
    let mut encoder = Encoder::new();
    let mut model = NewPlayers::shipped(games)?;
    NumberModel::new().code(&mut encoder, names.len() as u64)?;
    for name in names {
        interrupt.check()?;
        model.code(&mut encoder, name, usize::MAX)?;
    }
    Ok(encoder.finish())
}

/// Reads new names one after the other.
pub(super) struct NewPlayersDecoder {
    decoder: Decoder,
    model: NewPlayers,
    /// Names that are still to come.
    left: u64,
    /// The most bytes that the names to come may have.
    room: usize,
}

impl NewPlayersDecoder {
    /// Reads what [`encode`] wrote for `games` games.
    ///
    /// # Errors
    /// [`Error::Damaged`] if it is something else.
    pub fn new(bytes: &[u8], games: usize, room: usize) -> Result<NewPlayersDecoder> {
        let mut decoder = Decoder::new(bytes);
        let left = match bytes {
            [] => 0,
            _ => NumberModel::new().code(&mut decoder, 0)?,
        };
        Ok(NewPlayersDecoder { decoder, model: NewPlayers::shipped(games)?, left, room })
    }

    /// True if all names were read.
    pub fn is_at_end(&self) -> bool {
        self.left == 0
    }

    /// The next name.
    ///
    /// # Errors
    /// [`Error::Damaged`] if there is none, [`Error::Limit`] if it is too long.
    pub fn next(&mut self) -> Result<Vec<u8>> {
        self.left =
            self.left.checked_sub(1).ok_or_else(|| Error::damaged("fewer names than players"))?;
        let name = self.model.code(&mut self.decoder, &[], self.room)?;
        self.room -= name.len();
        Ok(name)
    }
}
