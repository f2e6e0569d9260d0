//! Values that are like others of their column: known ones, numbers, texts.

use super::column::Form;
use super::tagger::{DELTA, ECHO, IS_NUMBER, SPLIT, Tagger};
use crate::entropy::{Coder, hash};
use crate::streams::values::Id;
use crate::streams::values::Setting;
use crate::{Error, Result};

/// The digits of Lichess's and others' random identifiers.
pub(super) const BASE62: &[u8; 62] =
    b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
pub(super) const IDENTIFIER: usize = 8;

impl Tagger {
    /// A value like others of its column.
    pub(super) fn plain<C: Coder>(
        &mut self,
        coder: &mut C,
        column: u32,
        keys: &[u32],
        hint: u32,
        form: Option<Form>,
        value: &[u8],
    ) -> Result<Id> {
        let id = self.values.find(value);
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
        if let Some(number) = form.and_then(|form| form.read(self.values.value(id))) {
            self.last_numbers.insert(column, number);
        }
        self.candidates.learn(column, keys, id);
        Ok(id)
    }

    /// A value that may end in a random identifier, as the addresses of games do. Returns
    /// what stands before the identifier, too, or else all of the value.
    pub(super) fn address<C: Coder>(
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
        let id = self.values.find(value);
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
        let mut value = self.values.value(head).to_vec();
        let cumulative: Vec<u32> = (0..=62).map(|digit| ((digit << 24) / 62) as u32).collect();
        for place in 0..IDENTIFIER {
            let digit = tail.get(place).and_then(|byte| BASE62.binary_search(byte).ok());
            value.push(BASE62[coder.symbol(&cumulative, digit.unwrap_or(0))?]);
        }
        let id = self.values.intern(&value);
        self.candidates.learn(whole, keys, id);
        Ok((id, head))
    }

    /// Whether a value is what another tag of the game says already; `None` if it is not.
    pub(super) fn echo<C: Coder>(
        &mut self,
        coder: &mut C,
        column: u32,
        other: Option<Id>,
        value: &[u8],
    ) -> Result<Option<Id>> {
        let Some(other) = other else { return Ok(None) };
        let same = self.values.value(other) == value;
        let same = self.numbers.code(coder, &[hash(column, 3)], ECHO, column as usize, same)?;
        Ok(same.then_some(other))
    }

    /// A value letter by letter.
    pub(super) fn spell<C: Coder>(
        &mut self,
        coder: &mut C,
        column: u32,
        key: u32,
        value: &[u8],
    ) -> Result<Id> {
        let words = self.dictionaries.get(&column);
        let setting = Setting { column, key, guide: &[], words };
        let value = self.spelling.code(coder, setting, value, self.room)?;
        Ok(self.values.intern(&value))
    }

    /// A value as a number, by its distance from `base`; `None` if it is no number.
    pub(super) fn near<C: Coder>(
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
        Ok(Some(self.values.intern(&value)))
    }
}
