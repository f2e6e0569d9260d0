//! Model of rounds, as numbers with dots between them.

use super::column::{MOST_FIELDS, dotted, spell_dotted};
use super::known::Known;
use super::players::Players;
use super::values::{FIELD, FIELDS, Values};
use crate::entropy::{Coder, hash};
use crate::streams::values::{HashMap, Id};
use crate::{Error, Result};

/// Model of the tag `Round`.
#[derive(Debug, Clone)]
pub(super) struct RoundModel {
    /// The last round of each event.
    last: HashMap<Id, Vec<i64>>,
    /// The event of the game before.
    last_event: Id,
}

impl RoundModel {
    /// A model that has seen no game.
    pub fn new() -> RoundModel {
        RoundModel { last: HashMap::default(), last_event: Id::MAX }
    }

    /// Learns the event of a game, whether it has a round or not.
    pub fn saw_event(&mut self, event: Id) {
        self.last_event = event;
    }

    /// Codes a round. A new one is likely once all `players` of the event have played.
    ///
    /// # Errors
    /// Those of [`Coder::bit`], [`Error::Damaged`] for a round that no encoder writes, and [`Error::Limit`] if what is
    /// read is too long.
    pub fn code<C: Coder>(
        &mut self,
        coder: &mut C,
        values: &mut Values,
        players: &Players,
        column: u32,
        known: &mut Known,
        value: &[u8],
    ) -> Result<Id> {
        let event = known.pairing.event;
        let same_event = u32::from(event == self.last_event);
        let last = self.last.get(&event).cloned().unwrap_or_default();
        let numbers = dotted(value);
        let fields = numbers.as_ref().map_or(0, Vec::len);
        let contexts = [hash(last.len() as u32, same_event), event, hash(column, 0)];
        let more = fields as i64 - last.len() as i64;
        let fields =
            last.len() as i64 + values.numbers.number(coder, &contexts, FIELDS, 0, more)?;
        if fields == 0 {
            let keys = [event, known.before, 0];
            self.last.insert(event, Vec::new());
            return values.plain(coder, column, &keys, 0, None, value);
        }
        if !(1..=MOST_FIELDS as i64).contains(&fields) {
            return Err(Error::damaged("a round of too many numbers"));
        }
        // Once all have played, the next round begins.
        let free = players.free(event, last.first().copied().unwrap_or(0));
        let mut done: Vec<i64> = Vec::new();
        let mut path = same_event;
        for field in 0..fields as usize {
            let number = numbers.as_ref().map_or(0, |numbers| numbers[field]);
            let before = last.get(field).copied().unwrap_or(0);
            let place = hash(field as u32, fields as u32);
            let known_before = u32::from(last.len() > field);
            let contexts = [
                hash(place, hash(path, known_before)),
                hash(hash(place, event), path),
                hash(place, hash(before as u32, path)),
                hash(place, hash(event, 1)),
                hash(hash(place, event), hash(before as u32, path)),
                hash(place, hash(path, free)),
            ];
            // A later field starts anew when an earlier one moves on.
            let base = if path > 1 { 0 } else { before };
            let delta = values.numbers.number(coder, &contexts, FIELD, field, number - base)?;
            let number = base
                .checked_add(delta)
                .filter(|number| (0..1_000_000_000).contains(number))
                .ok_or_else(|| Error::damaged("a round out of range"))?;
            let step = (number - before).clamp(-2, 3).unsigned_abs() as u32;
            path = step << 1 | path & 1;
            done.push(number);
        }
        let value = spell_dotted(&done);
        known.pairing.round = done[0];
        self.last.insert(event, done);
        Ok(values.interner.intern(&value))
    }
}
