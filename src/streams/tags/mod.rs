//! Tag pairs, column by column.
//!
//! A game's tag names follow from those of the games before. Values are coded in an
//! order in which each helps the next: event, dates, round, players, ratings, result, the
//! rest. A value is first sought among those that the column had under the same key (a
//! player's title under the player's name, a site under the event), then among recent ones, then
//! taken for a number near another, and at last spelled.
//!
//! What the moves foretell is coded after the moves: [`encode_late`].

mod column;
mod form;
mod openings;
mod players;
mod roster;

use std::collections::HashMap;

use self::column::{Kind, Side};
use self::form::{Form, MOST_FIELDS, dotted, spell_dotted};
use self::openings::Openings;
use self::players::{Pairing, Players};
use self::roster::Roster;
use super::spelling::{Setting, Spelling};
use crate::entropy::{Coder, ContextMixer, Decoder, Encoder, hash, squash};
use crate::pgn::{Game, Tag};
use crate::streams::candidates::Candidates;
use crate::streams::interner::{Id, Interner};
use crate::{Error, Result};

/// Codes the names of all tags, and the values that do not wait for the moves.
///
/// # Errors
/// None that a caller could cause.
pub fn encode_early(games: &[Game]) -> Result<Vec<u8>> {
    let mut encoder = Encoder::new();
    let mut tagger = Tagger::new(games.len(), usize::MAX);
    for game in games {
        tagger.early(&mut encoder, &game.tags)?;
    }
    Ok(encoder.finish())
}

/// Fills the tags of `games` with what [`encode_early`] was given; values that
/// wait for the moves stay empty. Names and values take at most `limit` bytes together, and each
/// pair counts for one byte more.
///
/// # Errors
/// [`Error::Limit`] if they take more, [`Error::Damaged`] if `bytes` is not what was written.
pub fn decode_early(bytes: &[u8], games: &mut [Game], limit: usize) -> Result<()> {
    let mut decoder = Decoder::new(bytes);
    let mut tagger = Tagger::new(games.len(), limit);
    for game in games {
        game.tags = tagger.early(&mut decoder, &[])?;
    }
    Ok(())
}

/// Codes the values that the moves foretell: `ECO`, `Opening`, `Variation`, `SubVariation`
/// and `PlyCount`.
///
/// # Errors
/// None that a caller could cause.
pub fn encode_late(games: &[Game]) -> Result<Vec<u8>> {
    let mut encoder = Encoder::new();
    let mut openings = Openings::new(games.len(), usize::MAX);
    for game in games {
        openings.code(&mut encoder, game)?;
    }
    Ok(encoder.finish())
}

/// Fills in the values that [`encode_late`] was given. The `games` have everything else that
/// tells them: tag names, starting positions and main lines. The values take at most
/// `limit` bytes together.
///
/// # Errors
/// [`Error::Limit`] if they take more, [`Error::Damaged`] if `bytes` is not what was written.
pub fn decode_late(bytes: &[u8], games: &mut [Game], limit: usize) -> Result<()> {
    let mut decoder = Decoder::new(bytes);
    let mut openings = Openings::new(games.len(), limit);
    for game in games {
        let values = openings.code(&mut decoder, game)?;
        for (index, value) in values {
            game.tags[index].value = value;
        }
    }
    Ok(())
}

/// Takes `bytes` off what may still be read.
fn take(room: &mut usize, bytes: usize) -> Result<()> {
    *room =
        room.checked_sub(bytes).ok_or_else(|| Error::Limit("longer tags than announced".into()))?;
    Ok(())
}

/// Slots for a model of so many games, as a power of two that is at least `least` and at most
/// `most`.
fn slot_bits(games: usize, least: u32, most: u32) -> u32 {
    (usize::BITS - games.leading_zeros() + 8).clamp(least, most)
}

/// Everything that is learned of the early tags.
#[derive(Debug)]
struct Tagger {
    names: Interner,
    values: Interner,
    roster: Roster,
    candidates: Candidates,
    players: Players,
    numbers: ContextMixer,
    spelling: Spelling,
    /// The last number in a column.
    last_numbers: HashMap<u32, i64>,
    /// The last round of an event.
    rounds: HashMap<Id, Vec<i64>>,
    last_event: Id,
    /// Bytes that may still be read.
    room: usize,
}

/// What is known of the game at hand.
#[derive(Debug, Default)]
struct Known {
    pairing: Pairing,
    players: [Option<Id>; 2],
    elos: [Option<i64>; 2],
    diffs: [Option<i64>; 2],
    result: Option<Id>,
    /// The value coded before this one, of whatever column.
    before: Id,
}

impl Known {
    fn player(&self, side: Side) -> Id {
        self.players[side.index()].unwrap_or(Id::MAX)
    }
}

// The kinds of events that `Tagger::numbers` tells apart.
const IS_NUMBER: usize = 0;
const DELTA: usize = 1;
const FIELDS: usize = 2;
const FIELD: usize = 3;
const RESULT: usize = 4;
const DIFF: usize = 5;
const SPLIT: usize = 6;
const FAMILIES: usize = 7;

/// The usual results; their order is part of the format.
const RESULTS: [&[u8]; 4] = [b"1-0", b"0-1", b"1/2-1/2", b"*"];

/// The digits of Lichess's and others' random identifiers.
const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const IDENTIFIER: usize = 8;

impl Tagger {
    fn new(games: usize, limit: usize) -> Tagger {
        Tagger {
            names: Interner::default(),
            values: Interner::default(),
            roster: Roster::new(),
            candidates: Candidates::new(slot_bits(games, 12, 18)),
            players: Players::new(slot_bits(games, 12, 18)),
            numbers: ContextMixer::new(slot_bits(games, 12, 17), 6, FAMILIES, 256),
            spelling: Spelling::new(slot_bits(games, 15, 20)),
            last_numbers: HashMap::new(),
            rounds: HashMap::new(),
            last_event: Id::MAX,
            room: limit,
        }
    }

    fn early<C: Coder>(&mut self, coder: &mut C, tags: &[Tag]) -> Result<Vec<Tag>> {
        let names: Vec<Id> = tags.iter().map(|tag| self.names.intern(&tag.name)).collect();
        let names =
            self.roster.code(coder, &names, &mut self.names, &mut self.spelling, self.room)?;
        let mut done: Vec<Tag> = Vec::with_capacity(names.len());
        let mut order: Vec<(u32, usize, Kind)> = Vec::with_capacity(names.len());
        for (index, &name) in names.iter().enumerate() {
            let name = self.names.value(name).to_vec();
            take(&mut self.room, name.len() + 1)?;
            let kind = Kind::of(&name);
            if !kind.is_late() {
                order.push((kind.rank(), index, kind));
            }
            done.push(Tag { name, value: Vec::new() });
        }
        order.sort_by_key(|&(rank, index, _)| (rank, index));

        let mut known = Known::default();
        for (_, index, kind) in order {
            let value = tags.get(index).map_or(&[][..], |tag| &tag.value);
            let column = self.names.intern(kind.column(&done[index].name)) + 1;
            let value = self.value(coder, kind, column, &mut known, value)?;
            known.before = value;
            let value = self.values.value(value);
            take(&mut self.room, value.len())?;
            done[index].value = value.to_vec();
        }
        if let [Some(white), Some(black)] = known.players {
            self.players.learn(known.pairing, [white, black]);
        }
        self.last_event = known.pairing.event;
        Ok(done)
    }

    fn value<C: Coder>(
        &mut self,
        coder: &mut C,
        kind: Kind,
        column: u32,
        known: &mut Known,
        value: &[u8],
    ) -> Result<Id> {
        let id = match kind {
            Kind::Player(side) => self.player(coder, side, column, known, value)?,
            Kind::Elo(side) => self.elo(coder, side, column, known, value)?,
            Kind::RatingDiff(side) => self.rating_diff(coder, side, column, known, value)?,
            Kind::Result => self.result(coder, column, known, value)?,
            Kind::Round => self.round(coder, column, known, value)?,
            Kind::OfPlayer(side) => {
                let keys = [known.player(side), 0];
                self.plain(coder, column, &keys, known.before, None, value)?
            }
            Kind::Number(form) => {
                let keys = [known.pairing.event, known.before, 0];
                self.plain(coder, column, &keys, known.before, Some(form), value)?
            }
            Kind::Event | Kind::Opening | Kind::PlyCount => {
                self.plain(coder, column, &[0], 0, None, value)?
            }
            Kind::Site | Kind::Other => {
                let keys = [known.pairing.event, known.before, 0];
                let hint = known.result.unwrap_or(Id::MAX);
                self.address(coder, column, &keys, hint, value)?
            }
        };
        match kind {
            Kind::Event => known.pairing.event = id,
            Kind::Site => known.pairing.event = hash(known.pairing.event, id),
            _ => {}
        }
        Ok(id)
    }

    /// A value like others of its column.
    fn plain<C: Coder>(
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

    /// A value that may end in a random identifier, as the addresses of games do.
    fn address<C: Coder>(
        &mut self,
        coder: &mut C,
        column: u32,
        keys: &[u32],
        hint: u32,
        value: &[u8],
    ) -> Result<Id> {
        let (head, tail) = value.split_at(value.len().saturating_sub(IDENTIFIER));
        let split = head.ends_with(b"/")
            && tail.len() == IDENTIFIER
            && tail.iter().all(|byte| BASE62.contains(byte));
        let contexts = [hash(column, 0)];
        if !self.numbers.code(coder, &contexts, SPLIT, column as usize, split)? {
            return self.plain(coder, column, keys, hint, None, value);
        }
        let head = self.plain(coder, column, keys, hint, None, head)?;
        let mut value = self.values.value(head).to_vec();
        let cumulative: Vec<u32> = (0..=62).map(|digit| ((digit << 24) / 62) as u32).collect();
        for place in 0..IDENTIFIER {
            let digit = tail.get(place).and_then(|byte| BASE62.binary_search(byte).ok());
            value.push(BASE62[coder.symbol(&cumulative, digit.unwrap_or(0))?]);
        }
        Ok(self.values.intern(&value))
    }

    /// A value letter by letter.
    fn spell<C: Coder>(
        &mut self,
        coder: &mut C,
        column: u32,
        key: u32,
        value: &[u8],
    ) -> Result<Id> {
        let setting = Setting { column, key, guide: &[] };
        let value = self.spelling.code(coder, setting, value, self.room)?;
        Ok(self.values.intern(&value))
    }

    /// A value as a number, by its distance from `base`; `None` if it is no number.
    fn near<C: Coder>(
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

    fn player<C: Coder>(
        &mut self,
        coder: &mut C,
        side: Side,
        column: u32,
        known: &mut Known,
        value: &[u8],
    ) -> Result<Id> {
        if side == Side::Black {
            known.pairing.white = known.players[Side::White.index()];
        }
        let id = self.values.find(value);
        let found = self.players.code(coder, side, known.pairing, id)?;
        let id = match found {
            Some(id) => id,
            None => self.spell(coder, column, known.pairing.event, value)?,
        };
        known.players[side.index()] = Some(id);
        Ok(id)
    }

    fn elo<C: Coder>(
        &mut self,
        coder: &mut C,
        side: Side,
        column: u32,
        known: &mut Known,
        value: &[u8],
    ) -> Result<Id> {
        let player = known.player(side);
        let keys = [hash(player, known.pairing.event), player];
        let id = self.values.find(value);
        let other = known.elos.iter().flatten().next().copied();
        let id = match self.candidates.code(coder, column, &keys, 0, id)? {
            Some(id) => id,
            None => {
                let own = self.players.elo(player);
                let last = self.last_numbers.get(&column).copied();
                let base = own.or(other).or(last).unwrap_or(0);
                let kind = u32::from(own.is_some()) << 1 | u32::from(other.is_some());
                let contexts = [
                    hash(column, kind),
                    hash(hash(column, kind), (base / 100) as u32),
                    hash(hash(column, kind), known.pairing.event),
                ];
                match self.near(coder, column, Form::Integer, base, &contexts, value)? {
                    Some(id) => id,
                    None => self.spell(coder, column, player, value)?,
                }
            }
        };
        self.candidates.learn(column, &keys, id);
        if let Some(elo) = Form::Integer.read(self.values.value(id)) {
            known.elos[side.index()] = Some(elo);
            self.last_numbers.insert(column, elo);
            self.players.rate(player, elo);
        }
        Ok(id)
    }

    fn rating_diff<C: Coder>(
        &mut self,
        coder: &mut C,
        side: Side,
        column: u32,
        known: &mut Known,
        value: &[u8],
    ) -> Result<Id> {
        let number = Form::Signed.read(value);
        let here = [hash(column, 1)];
        let is_number = number.is_some();
        let detail = DIFF + side.index();
        if !self.numbers.code(coder, &here, IS_NUMBER, detail, is_number)? {
            return self.spell(coder, column, 0, value);
        }
        let own = known.elos[side.index()].unwrap_or(0);
        let other = known.elos[1 - side.index()].unwrap_or(0);
        let ahead = (own - other).clamp(-800, 800) as i32;
        // The expected score in units of 2^-16: 400 points are a factor of 10.
        let expected = i64::from(squash(ahead * 1473 / 1000));
        let result = known.result.and_then(|id| self.values_result(id));
        let score = match (result, side) {
            (Some(0), Side::White) | (Some(1), Side::Black) => 2,
            (Some(2), _) => 1,
            _ => 0,
        };
        let base = (11 * (score * (1 << 15) - expected) + (1 << 15)) >> 16;
        let outcome = score as u32 | u32::from(result.is_some()) << 2;
        let opposite = known.diffs[1 - side.index()].map_or(999, |diff| diff.clamp(-99, 99));
        let contexts = [
            outcome,
            hash(outcome, base as u32),
            hash(outcome, opposite as u32),
            hash(hash(outcome, base as u32), opposite as u32),
            hash(known.player(side), outcome),
            hash(outcome, (ahead / 10) as u32),
        ];
        let diff =
            self.numbers.number(coder, &contexts, DIFF, detail, number.unwrap_or(0) - base)?;
        let diff = diff.clamp(-1 << 40, 1 << 40) + base;
        known.diffs[side.index()] = Some(diff);
        let value = Form::Signed
            .spell(diff)
            .ok_or_else(|| Error::damaged("a rating difference out of range"))?;
        Ok(self.values.intern(&value))
    }

    /// The place in [`RESULTS`] of a coded value.
    fn values_result(&self, id: Id) -> Option<usize> {
        let value = self.values.value(id);
        RESULTS.iter().position(|&result| result == value)
    }

    fn result<C: Coder>(
        &mut self,
        coder: &mut C,
        column: u32,
        known: &mut Known,
        value: &[u8],
    ) -> Result<Id> {
        let ahead = match known.elos {
            [Some(white), Some(black)] => (white - black).clamp(-600, 600),
            _ => 1000,
        };
        let level = known.elos[0].unwrap_or(0) / 200;
        let result = RESULTS.iter().position(|&result| result == value);
        let bases = [
            hash((ahead / 25) as u32, 0),
            hash((ahead / 80) as u32, level as u32),
            known.player(Side::White),
            hash(known.player(Side::Black), 1),
            known.pairing.event,
            hash((ahead / 200) as u32, 2),
        ];
        let mut id = None;
        for (rank, name) in RESULTS.into_iter().enumerate() {
            let contexts = bases.map(|base| hash(base, rank as u32));
            if self.numbers.code(coder, &contexts, RESULT, rank, result == Some(rank))? {
                id = Some(self.values.intern(name));
                break;
            }
        }
        let id = match id {
            Some(id) => id,
            None => self.spell(coder, column, 0, value)?,
        };
        known.result = Some(id);
        Ok(id)
    }

    fn round<C: Coder>(
        &mut self,
        coder: &mut C,
        column: u32,
        known: &mut Known,
        value: &[u8],
    ) -> Result<Id> {
        let event = known.pairing.event;
        let same_event = u32::from(event == self.last_event);
        let last = self.rounds.get(&event).cloned().unwrap_or_default();
        let numbers = dotted(value);
        let fields = numbers.as_ref().map_or(0, Vec::len);
        let contexts = [hash(last.len() as u32, same_event), event, hash(column, 0)];
        let fields = self.numbers.number(coder, &contexts, FIELDS, 0, fields as i64)?;
        if fields == 0 {
            let keys = [event, known.before, 0];
            self.rounds.insert(event, Vec::new());
            return self.plain(coder, column, &keys, 0, None, value);
        }
        if !(1..=MOST_FIELDS as i64).contains(&fields) {
            return Err(Error::damaged("a round of too many numbers"));
        }
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
                place,
            ];
            // A later field starts anew when an earlier one moves on.
            let base = if path > 1 { 0 } else { before };
            let delta = self.numbers.number(coder, &contexts, FIELD, field, number - base)?;
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
        self.rounds.insert(event, done);
        Ok(self.values.intern(&value))
    }
}

#[cfg(test)]
mod tests;
