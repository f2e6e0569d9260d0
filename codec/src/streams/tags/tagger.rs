//! The early tags of one game after the other.

use std::sync::Arc;

use super::column::{Form, Kind, Side};
use super::players::{Pairing, Players};
use super::roster::Roster;
use super::values::IDENTIFIER;
use super::{slot_bits, take};
use crate::Result;
use crate::entropy::{Coder, ContextMixer, Silent, hash};
use crate::pgn::Tag;
use crate::streams::values::{Candidates, HashMap, Id, Interner, Spelling};
use crate::streams::warm::{self, Dictionary, Learner, MadeOnce, WarmTables};

/// Everything that is learned of the early tags.
#[derive(Debug, Clone)]
pub(super) struct Tagger {
    pub(super) names: Interner,
    pub(super) values: Interner,
    pub(super) roster: Roster,
    pub(super) candidates: Candidates,
    pub(super) players: Players,
    pub(super) numbers: ContextMixer,
    pub(super) spelling: Spelling,
    /// Frequent words by column.
    pub(super) dictionaries: Arc<HashMap<Id, Dictionary>>,
    /// By the frequent players' numbers: what is known of their ratings.
    pub(super) ratings: Arc<[u8]>,
    /// The last number in a column.
    pub(super) last_numbers: HashMap<u32, i64>,
    /// The last round of an event.
    pub(super) rounds: HashMap<Id, Vec<i64>>,
    pub(super) last_event: Id,
    /// What follows from the names of the last game.
    plan: Plan,
    /// Bytes that may still be read.
    pub(super) room: usize,
}

/// How the values of a game are coded whose tags have certain names.
#[derive(Debug, Clone, Default)]
struct Plan {
    names: Vec<Id>,
    /// The tags without values.
    tags: Vec<Tag>,
    /// What the names take of the bytes that may be read.
    room: usize,
    /// Those that do not wait for the moves, in the order in which they are coded.
    order: Vec<Planned>,
}

/// A tag whose value is coded.
#[derive(Debug, Clone, Copy)]
struct Planned {
    /// Its place among the tags.
    index: usize,
    kind: Kind,
    column: Id,
}

impl Plan {
    fn of(names: Vec<Id>, interner: &mut Interner, mut most: usize) -> Result<Plan> {
        let (mut tags, mut room) = (Vec::with_capacity(names.len()), 0);
        for &name in &names {
            let name = interner.value(name);
            room += name.len() + 1;
            take(&mut most, name.len() + 1)?;
            tags.push(Tag { name: name.to_vec(), value: Vec::new() });
        }
        let kinds = tags.iter().map(|tag| Kind::of(&tag.name)).enumerate();
        let mut early: Vec<(usize, Kind)> = kinds.filter(|(_, kind)| !kind.is_late()).collect();
        early.sort_by_key(|&(index, kind)| (kind.rank(), index));
        let order = early.into_iter().map(|(index, kind)| {
            let column = interner.intern(kind.column(&tags[index].name));
            Planned { index, kind, column }
        });
        let order = order.collect();
        Ok(Plan { names, room, tags, order })
    }
}

/// Given the name of a player who has not played before, or anything when reading, returns that name.
pub(super) type NewPlayer<'a> = &'a mut dyn FnMut(&[u8]) -> Result<Vec<u8>>;

/// What is known of the game at hand.
#[derive(Debug, Default)]
pub(super) struct Known {
    pub(super) pairing: Pairing,
    pub(super) players: [Option<Id>; 2],
    pub(super) elos: [Option<i64>; 2],
    pub(super) diffs: [Option<i64>; 2],
    pub(super) result: Option<Id>,
    /// The last date, and the last time.
    pub(super) date: Option<Id>,
    pub(super) time: Option<Id>,
    /// The random identifier at the end of the site.
    pub(super) identifier: Option<Id>,
    /// The value coded before this one, of whatever column.
    pub(super) before: Id,
}

impl Known {
    pub(super) fn player(&self, side: Side) -> Id {
        self.players[side.index()].unwrap_or(Id::MAX)
    }
}

// The kinds of events that `Tagger::numbers` tells apart.
pub(super) const IS_NUMBER: usize = 0;
pub(super) const DELTA: usize = 1;
pub(super) const FIELDS: usize = 2;
pub(super) const FIELD: usize = 3;
pub(super) const RESULT: usize = 4;
pub(super) const DIFF: usize = 5;
pub(super) const SPLIT: usize = 6;
pub(super) const ECHO: usize = 7;
pub(super) const FAMILIES: usize = 8;

// The sections of the mixers.
const ROSTER: &str = "tags.roster";
const CANDIDATES: &str = "tags.candidates";
const PLAYERS: &str = "tags.players";
const NUMBERS: &str = "tags.numbers";
const SPELLING: &str = "tags.spelling";

/// The columns whose frequent words are known; players have no name of their own.
const COLUMNS_WITH_WORDS: [&str; 3] = ["", "Site", "Event"];

impl Learner for Tagger {
    fn mixers(&mut self) -> Vec<(&'static str, &mut ContextMixer)> {
        vec![
            (ROSTER, self.roster.mixer()),
            (CANDIDATES, self.candidates.mixer()),
            (PLAYERS, self.players.mixer()),
            (NUMBERS, &mut self.numbers),
            (SPELLING, self.spelling.mixer()),
        ]
    }
}

/// The sizes of the tables of the mixers, as powers of two: those of [`ROSTER`], [`CANDIDATES`] and so on.
fn table_bits(games: usize, tables: &WarmTables<'_>) -> [u32; 5] {
    [
        (ROSTER, 14, 14),
        (CANDIDATES, 12, 18),
        (PLAYERS, 12, 18),
        (NUMBERS, 12, 17),
        (SPELLING, 15, 20),
    ]
    .map(|(name, least, most)| tables.slot_bits(name, slot_bits(games, least, most)))
}

impl Tagger {
    /// A model for so many games that may read so many bytes, with the tables of this version.
    pub fn shipped(games: usize, limit: usize) -> Result<Tagger> {
        /// The model for a few games.
        static SMALL: MadeOnce<Tagger> = MadeOnce::new();
        let tables = WarmTables::shipped()?;
        if table_bits(games, &tables) != table_bits(1, &tables) {
            return Tagger::new(games, limit, &tables);
        }
        let small = SMALL.get(|| Tagger::new(1, usize::MAX, &tables))?;
        Ok(Tagger { room: limit, ..small.clone() })
    }

    /// A model for so many games that may read so many bytes.
    pub fn new(games: usize, limit: usize, tables: &WarmTables<'_>) -> Result<Tagger> {
        let [roster, candidates, players, numbers, spelling] = table_bits(games, tables);
        let mut tagger = Tagger {
            names: Interner::default(),
            values: Interner::default(),
            roster: Roster::new(roster),
            candidates: Candidates::new(candidates),
            players: Players::new(players),
            numbers: ContextMixer::new(numbers, 6, FAMILIES, 256),
            spelling: Spelling::new(spelling, Spelling::CONTEXTS, tables.letter_codes()?),
            dictionaries: Arc::default(),
            ratings: tables.section("ratings").unwrap_or_default().into(),
            last_numbers: HashMap::default(),
            rounds: HashMap::default(),
            last_event: Id::MAX,
            plan: Plan::default(),
            room: usize::MAX,
        };
        let mut dictionaries = HashMap::default();
        for column in COLUMNS_WITH_WORDS {
            let dictionary = tables.dictionary(column)?;
            if !dictionary.is_empty() {
                dictionaries.insert(tagger.names.intern(column.as_bytes()), dictionary);
            }
        }
        tagger.dictionaries = dictionaries.into();
        tables.warm(&mut tagger)?;
        for tags in warm::primer() {
            tagger.early(&mut Silent, &tags, &mut |name| Ok(name.to_vec()))?;
        }
        tagger.room = limit;
        Ok(tagger)
    }

    /// Codes the tags of a game. `new_player` is called with the name of each player who has not played before, and
    /// returns it: a name that is read comes from there.
    pub(super) fn early<C: Coder>(
        &mut self,
        coder: &mut C,
        tags: &[Tag],
        new_player: NewPlayer<'_>,
    ) -> Result<Vec<Tag>> {
        coder.enter(b"names");
        let names: Vec<Id> = tags.iter().map(|tag| self.names.intern(&tag.name)).collect();
        let names =
            self.roster.code(coder, &names, &mut self.names, &mut self.spelling, self.room)?;
        if names != self.plan.names {
            self.plan = Plan::of(names, &mut self.names, self.room)?;
        }
        take(&mut self.room, self.plan.room)?;
        let mut done = self.plan.tags.clone();

        let mut known = Known::default();
        for place in 0..self.plan.order.len() {
            let Planned { index, kind, column } = self.plan.order[place];
            let value = tags.get(index).map_or(&[][..], |tag| &tag.value);
            coder.enter(&done[index].name);
            let value = match kind {
                Kind::Player(side) => {
                    self.player(coder, side, &mut known, value, &mut *new_player)?
                }
                _ => self.value(coder, kind, column, &mut known, value)?,
            };
            known.before = value;
            let value = self.values.value(value);
            take(&mut self.room, value.len())?;
            done[index].value = value.to_vec();
        }
        if let [Some(white), Some(black)] = known.players {
            let result = known.result.and_then(|id| self.values_result(id));
            self.players.learn(known.pairing, [white, black], result);
        }
        self.last_event = known.pairing.event;
        Ok(done)
    }

    /// A value that is no player's name.
    fn value<C: Coder>(
        &mut self,
        coder: &mut C,
        kind: Kind,
        column: u32,
        known: &mut Known,
        value: &[u8],
    ) -> Result<Id> {
        let id = match kind {
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
                let other = if form == Form::Date { &known.date } else { &known.time };
                let id = match self.echo(coder, column, *other, value)? {
                    Some(id) => {
                        self.candidates.learn(column, &keys, id);
                        if let Some(number) = form.read(self.values.value(id)) {
                            self.last_numbers.insert(column, number);
                        }
                        id
                    }
                    None => self.plain(coder, column, &keys, known.before, Some(form), value)?,
                };
                match form {
                    Form::Date => known.date = Some(id),
                    _ => known.time = Some(id),
                }
                id
            }
            Kind::Event => self.address(coder, column, &[0], 0, value)?.0,
            Kind::Player(_)
            | Kind::Opening
            | Kind::PlyCount
            | Kind::Position
            | Kind::Termination => self.plain(coder, column, &[0], 0, None, value)?,
            Kind::Site | Kind::Other => {
                let keys = [known.pairing.event, known.before, 0];
                let hint = known.result.unwrap_or(Id::MAX);
                match self.echo(coder, column, known.identifier, value)? {
                    Some(id) => id,
                    None => {
                        let (id, head) = self.address(coder, column, &keys, hint, value)?;
                        if kind == Kind::Site {
                            known.pairing.event = hash(known.pairing.event, head);
                        }
                        if kind == Kind::Site && id != head {
                            let value = self.values.value(id);
                            let identifier = value[value.len() - IDENTIFIER..].to_vec();
                            known.identifier = Some(self.values.intern(&identifier));
                        }
                        id
                    }
                }
            }
        };
        if kind == Kind::Event {
            known.pairing.event = id;
        }
        Ok(id)
    }

    fn player<C: Coder>(
        &mut self,
        coder: &mut C,
        side: Side,
        known: &mut Known,
        value: &[u8],
        new_player: NewPlayer<'_>,
    ) -> Result<Id> {
        if side == Side::Black {
            known.pairing.white = known.players[Side::White.index()];
        }
        let id = self.values.find(value);
        let found = self.players.code(coder, side, known.pairing, id)?;
        let id = match found {
            Some(id) => id,
            None => self.values.intern(&new_player(value)?),
        };
        known.players[side.index()] = Some(id);
        Ok(id)
    }
}
