//! Model of values that are like others of their column: known ones, numbers, texts.

use std::sync::Arc;

use super::column::Form;
use crate::entropy::{Coder, ContextMixer, hash};
use crate::streams::values::{Candidates, HashMap, Id, Interner, Setting, Spelling};
use crate::streams::warm::Dictionary;
use crate::{Error, Result};

/// The digits of the random identifiers of Lichess and others.
pub(super) const BASE62: &[u8; 62] =
    b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// Digits of an identifier.
pub(super) const IDENTIFIER: usize = 8;

// The kinds of events that `Values::numbers` tells apart.
pub(super) const IS_NUMBER: usize = 0;
pub(super) const DELTA: usize = 1;
pub(super) const FIELDS: usize = 2;
pub(super) const FIELD: usize = 3;
pub(super) const RESULT: usize = 4;
pub(super) const RATING_DIFF: usize = 5;
const SPLIT: usize = 6;
const ECHO: usize = 7;
pub(super) const FAMILIES: usize = 8;

/// All values of a block, and the models that every column shares. The models of ratings, rounds and results borrow it.
#[derive(Debug, Clone)]
pub(super) struct Values {
    pub interner: Interner,
    pub candidates: Candidates,
    pub spelling: Spelling,
    pub numbers: ContextMixer,
    /// Frequent words by column.
    pub dictionaries: Arc<HashMap<Id, Dictionary>>,
    /// The last number in a column.
    pub last_numbers: HashMap<u32, i64>,
    /// Bytes that may still be read.
    pub budget: usize,
}

impl Values {
    /// Codes a value: one that the column had before, or a number near the last one, or else a text.
    pub fn plain<C: Coder>(
        &mut self,
        coder: &mut C,
        column: u32,
        keys: &[u32],
        hint: u32,
        form: Option<Form>,
        value: &[u8],
    ) -> Result<Id> {
        let id = self.interner.find(value);
        let found = self.candidates.code(coder, column, keys, hint, id)?;
        let id = match (found, form) {
            (Some(id), _) => id,
            (None, Some(form)) => {
                let base = self.last_numbers.get(&column).copied().unwrap_or(0);
                let contexts = [hash(column, 0), hash(column, keys[0])];
                match self.near(coder, column, form, base, &contexts, value)? {
                    Some(id) => id,
                    None => self.spell(coder, column, keys[0], value)?,
                }
            }
            (None, None) => self.spell(coder, column, keys[0], value)?,
        };
        if let Some(number) = form.and_then(|form| form.read(self.interner.value(id))) {
            self.last_numbers.insert(column, number);
        }
        self.candidates.learn(column, keys, id);
        Ok(id)
    }

    /// Codes a value that may end in a random identifier, as the addresses of games do. Returns the value, and the part
    /// before the identifier, which is all of a value without one.
    pub fn address<C: Coder>(
        &mut self,
        coder: &mut C,
        column: u32,
        keys: &[u32],
        hint: u32,
        value: &[u8],
    ) -> Result<(Id, Id)> {
        let (head, tail) = value.split_at(value.len().saturating_sub(IDENTIFIER));
        let split = head.ends_with(b"/")
            && tail.len() == IDENTIFIER
            && tail.iter().all(|byte| BASE62.contains(byte));
        // Tournaments have many games, so the whole may have been seen before.
        let whole = hash(column, 2);
        let id = self.interner.find(value);
        if let Some(id) = self.candidates.code(coder, whole, keys, hint, id)? {
            self.candidates.learn(whole, keys, id);
            return Ok((id, id));
        }
        let contexts = [hash(column, 0), keys[0]];
        if !self.numbers.code(coder, &contexts, SPLIT, column as usize, split)? {
            let id = self.plain(coder, column, keys, hint, None, value)?;
            self.candidates.learn(whole, keys, id);
            return Ok((id, id));
        }
        let head = self.plain(coder, column, keys, hint, None, head)?;
        let mut value = self.interner.value(head).to_vec();
        let cumulative: Vec<u32> = (0..=62).map(|digit| ((digit << 24) / 62) as u32).collect();
        for place in 0..IDENTIFIER {
            let digit = tail.get(place).and_then(|byte| BASE62.binary_search(byte).ok());
            value.push(BASE62[coder.symbol(&cumulative, digit.unwrap_or(0))?]);
        }
        let id = self.interner.intern(&value);
        self.candidates.learn(whole, keys, id);
        Ok((id, head))
    }

    /// Codes whether a value repeats that of another tag of the game; `None` if it does not.
    pub fn echo<C: Coder>(
        &mut self,
        coder: &mut C,
        column: u32,
        other: Option<Id>,
        value: &[u8],
    ) -> Result<Option<Id>> {
        let Some(other) = other else { return Ok(None) };
        let same = self.interner.value(other) == value;
        let same = self.numbers.code(coder, &[hash(column, 3)], ECHO, column as usize, same)?;
        Ok(same.then_some(other))
    }

    /// Codes a value letter by letter.
    pub fn spell<C: Coder>(
        &mut self,
        coder: &mut C,
        column: u32,
        key: u32,
        value: &[u8],
    ) -> Result<Id> {
        let words = self.dictionaries.get(&column);
        let setting = Setting { column, key, guide: &[], words };
        let value = self.spelling.code(coder, setting, value, self.budget)?;
        Ok(self.interner.intern(&value))
    }

    /// Codes a value as a number, by its distance from `base`; `None` if it is no number.
    pub fn near<C: Coder>(
        &mut self,
        coder: &mut C,
        column: u32,
        form: Form,
        base: i64,
        contexts: &[u32],
        value: &[u8],
    ) -> Result<Option<Id>> {
        let number = form.read(value);
        let detail = column as usize;
        let contexts_here = [hash(column, 1)];
        if !self.numbers.code(coder, &contexts_here, IS_NUMBER, detail, number.is_some())? {
            return Ok(None);
        }
        let delta = number.unwrap_or(0) - base;
        let delta = self.numbers.number(coder, contexts, DELTA, detail, delta)?;
        let value = base
            .checked_add(delta)
            .and_then(|number| form.spell(number))
            .ok_or_else(|| Error::damaged("a number out of range in a tag"))?;
        Ok(Some(self.interner.intern(&value)))
    }
}
