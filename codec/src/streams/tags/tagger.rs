//! Model of the early tags: names and values of one game after the other.

use shakmaty::{ByColor, Color};

use super::column::{Form, Kind};
use super::known::Known;
use super::players::Players;
use super::ratings::{RatingModel, code_difference};
use super::results;
use super::roster::Roster;
use super::rounds::RoundModel;
use super::values::{FAMILIES, IDENTIFIER, Values};
use super::{slot_bits, take};
use crate::Result;
use crate::entropy::{BitModel, Coder, ContextMixer, Silent, hash};
use crate::pgn::Tag;
use crate::streams::values::{Candidates, HashMap, Id, Interner, Spelling};
use crate::streams::warm::{self, Learner, MadeOnce, WarmTables};

/// Model of the early tags of a block.
#[derive(Debug, Clone)]
pub(super) struct Tagger {
    names: Interner,
    roster: Roster,
    values: Values,
    players: Players,
    ratings: RatingModel,
    rounds: RoundModel,
    /// What follows from the names of the last game.
    plan: Plan,
    /// Whether a game that repeats another has the names of its tags; and, by column, whether it has a value of it.
    same_names: BitModel,
    same_values: HashMap<Id, BitModel>,
}

/// A plan of how to code the values of a game whose tags have certain names.
#[derive(Debug, Clone, Default)]
struct Plan {
    names: Vec<Id>,
    /// The tags without values.
    tags: Vec<Tag>,
    /// Bytes of the names, and one more for each.
    bytes: usize,
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
        let (mut tags, mut bytes) = (Vec::with_capacity(names.len()), 0);
        for &name in &names {
            let name = interner.value(name);
            bytes += name.len() + 1;
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
        Ok(Plan { names, bytes, tags, order })
    }
}

/// Given the name of a player who has not played before, or anything when reading, returns that name.
pub(super) type NewPlayer<'a> = &'a mut dyn FnMut(&[u8]) -> Result<Vec<u8>>;

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
            (CANDIDATES, self.values.candidates.mixer()),
            (PLAYERS, self.players.mixer()),
            (NUMBERS, &mut self.values.numbers),
            (SPELLING, self.values.spelling.mixer()),
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
    /// A model for `games` games that may read `limit` bytes, with the tables of this version.
    pub fn shipped(games: usize, limit: usize) -> Result<Tagger> {
        /// The model for a few games.
        static SMALL: MadeOnce<Tagger> = MadeOnce::new();
        let tables = WarmTables::shipped()?;
        if table_bits(games, &tables) != table_bits(1, &tables) {
            return Tagger::new(games, limit, &tables);
        }
        let mut tagger = SMALL.get(|| Tagger::new(1, usize::MAX, &tables))?.clone();
        tagger.values.budget = limit;
        Ok(tagger)
    }

    /// A model for `games` games that may read `limit` bytes.
    pub fn new(games: usize, limit: usize, tables: &WarmTables<'_>) -> Result<Tagger> {
        let [roster, candidates, players, numbers, spelling] = table_bits(games, tables);
        let mut names = Interner::default();
        let mut dictionaries = HashMap::default();
        for column in COLUMNS_WITH_WORDS {
            let dictionary = tables.dictionary(column)?;
            if !dictionary.is_empty() {
                dictionaries.insert(names.intern(column.as_bytes()), dictionary);
            }
        }
        let players_names = names.find(b"").unwrap_or(Id::MAX);
        let shipped_ratings = tables.section("ratings").unwrap_or_default().into();
        let mut tagger = Tagger {
            names,
            roster: Roster::new(roster),
            values: Values {
                interner: Interner::default(),
                candidates: Candidates::new(candidates),
                spelling: Spelling::new(spelling, Spelling::CONTEXTS, tables.letter_codes()?),
                numbers: ContextMixer::new(numbers, 6, FAMILIES, 256),
                dictionaries: dictionaries.into(),
                last_numbers: HashMap::default(),
                budget: usize::MAX,
            },
            players: Players::new(players),
            ratings: RatingModel::new(shipped_ratings, players_names),
            rounds: RoundModel::new(),
            plan: Plan::default(),
            same_names: BitModel::default(),
            same_values: HashMap::default(),
        };
        tables.warm(&mut tagger)?;
        for tags in warm::primer() {
            tagger.early(&mut Silent, &tags, None, &mut |name| Ok(name.to_vec()))?;
        }
        tagger.values.budget = limit;
        Ok(tagger)
    }

    /// Codes the tags of a game. Of one that repeats another, `source` are the tags of that one: values that are the same
    /// are learned, but not coded. `new_player` is called with the name of each player who has not played before, and
    /// returns it: a name that is read comes from there.
    pub(super) fn early<C: Coder>(
        &mut self,
        coder: &mut C,
        tags: &[Tag],
        source: Option<&[Tag]>,
        new_player: NewPlayer<'_>,
    ) -> Result<Vec<Tag>> {
        coder.enter(b"names");
        let mut names: Vec<Id> = tags.iter().map(|tag| self.names.intern(&tag.name)).collect();
        let mut same = None;
        if let Some(source) = source {
            let others: Vec<Id> = source.iter().map(|tag| self.names.intern(&tag.name)).collect();
            if self.same_names.code(coder, names == others)? {
                (names, same) = (others, Some(source));
            }
        }
        let Values { spelling, budget, .. } = &mut self.values;
        let names = match same {
            Some(_) => self.roster.code(&mut Silent, &names, &mut self.names, spelling, *budget)?,
            None => self.roster.code(coder, &names, &mut self.names, spelling, *budget)?,
        };
        if names != self.plan.names {
            self.plan = Plan::of(names, &mut self.names, self.values.budget)?;
        }
        take(&mut self.values.budget, self.plan.bytes)?;
        let mut done = self.plan.tags.clone();

        let mut known = Known::default();
        for place in 0..self.plan.order.len() {
            let Planned { index, kind, column } = self.plan.order[place];
            let value = tags.get(index).map_or(&[][..], |tag| &tag.value);
            coder.enter(&done[index].name);
            let other = same.and_then(|source| source.get(index)).map(|tag| &tag.value[..]);
            let is_same = match other {
                Some(other) => self.same_value(column).code(coder, value == other)?,
                None => false,
            };
            let value = match other.filter(|_| is_same) {
                Some(other) => {
                    let told = &mut |name: &[u8]| Ok(name.to_vec());
                    self.value_of(&mut Silent, kind, column, &mut known, other, told)?
                }
                None => self.value_of(coder, kind, column, &mut known, value, &mut *new_player)?,
            };
            known.before = value;
            let value = self.values.interner.value(value);
            take(&mut self.values.budget, value.len())?;
            done[index].value = value.to_vec();
        }
        if let ByColor { white: Some(white), black: Some(black) } = known.players {
            let result = known.result.map(|id| self.values.interner.value(id));
            let players = [white, black];
            let elos = players.map(|player| self.ratings.last(player));
            self.players.learn(known.pairing, players, elos, result.and_then(results::index));
        }
        self.rounds.saw_event(known.pairing.event);
        Ok(done)
    }

    /// The model of whether a game has a value of the one that it repeats.
    fn same_value(&mut self, column: Id) -> &mut BitModel {
        self.same_values.entry(column).or_default()
    }

    /// Codes a value.
    fn value_of<C: Coder>(
        &mut self,
        coder: &mut C,
        kind: Kind,
        column: Id,
        known: &mut Known,
        value: &[u8],
        new_player: NewPlayer<'_>,
    ) -> Result<Id> {
        match kind {
            Kind::Player(side) => self.player(coder, side, known, value, new_player),
            _ => self.value(coder, kind, column, known, value),
        }
    }

    /// Codes a value other than a player's name.
    fn value<C: Coder>(
        &mut self,
        coder: &mut C,
        kind: Kind,
        column: u32,
        known: &mut Known,
        value: &[u8],
    ) -> Result<Id> {
        let values = &mut self.values;
        let id = match kind {
            Kind::Elo(side) => self.ratings.code(coder, values, side, column, known, value)?,
            Kind::RatingDiff(side) => code_difference(coder, values, side, column, known, value)?,
            Kind::Result => results::code(coder, values, column, known, value)?,
            Kind::Round => self.rounds.code(coder, values, &self.players, column, known, value)?,
            Kind::OfPlayer(side) => {
                let keys = [known.player(side), 0];
                values.plain(coder, column, &keys, known.before, None, value)?
            }
            Kind::Number(form) => {
                let keys = [known.pairing.event, known.before, 0];
                let other = if form == Form::Date { &known.date } else { &known.time };
                let id = match values.echo(coder, column, *other, value)? {
                    Some(id) => {
                        values.candidates.learn(column, &keys, id);
                        if let Some(number) = form.read(values.interner.value(id)) {
                            values.last_numbers.insert(column, number);
                        }
                        id
                    }
                    None => values.plain(coder, column, &keys, known.before, Some(form), value)?,
                };
                match form {
                    Form::Date => known.date = Some(id),
                    _ => known.time = Some(id),
                }
                id
            }
            Kind::Event => values.address(coder, column, &[0], 0, value)?.0,
            Kind::Player(_)
            | Kind::Opening
            | Kind::PlyCount
            | Kind::Position
            | Kind::Termination => values.plain(coder, column, &[0], 0, None, value)?,
            Kind::Site | Kind::Other => {
                let keys = [known.pairing.event, known.before, 0];
                let hint = known.result.unwrap_or(Id::MAX);
                match values.echo(coder, column, known.identifier, value)? {
                    Some(id) => id,
                    None => {
                        let (id, head) = values.address(coder, column, &keys, hint, value)?;
                        if kind == Kind::Site {
                            known.pairing.event = hash(known.pairing.event, head);
                        }
                        if kind == Kind::Site && id != head {
                            let value = values.interner.value(id);
                            let identifier = value[value.len() - IDENTIFIER..].to_vec();
                            known.identifier = Some(values.interner.intern(&identifier));
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

    /// Codes the name of a player.
    fn player<C: Coder>(
        &mut self,
        coder: &mut C,
        side: Color,
        known: &mut Known,
        value: &[u8],
        new_player: NewPlayer<'_>,
    ) -> Result<Id> {
        if side == Color::Black {
            let white = known.players.white;
            known.pairing.white = white;
            known.pairing.white_elo = white.and_then(|white| self.ratings.last(white));
        }
        let id = self.values.interner.find(value);
        let found = self.players.code(coder, side, known.pairing, id)?;
        let id = match found {
            Some(id) => id,
            None => self.values.interner.intern(&new_player(value)?),
        };
        known.players[side] = Some(id);
        Ok(id)
    }
}
