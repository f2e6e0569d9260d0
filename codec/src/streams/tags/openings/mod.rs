//! Model of the late tags, which are predicted from the moves.

mod ending;
mod proposals;

use std::sync::Arc;

use self::ending::Ending;
use self::proposals::Known;
pub use self::proposals::path;
use super::column::Kind;
use super::{slot_bits, take};
use crate::Result;
use crate::entropy::{Coder, ContextMixer};
use crate::pgn::Game;
use crate::streams::values::{Candidates, HashMap, Id, Interner, Setting, Spelling};
use crate::streams::warm::{Dictionary, Learner, MadeOnce, Positions, WarmTables};

/// Model of the tags that are predicted from the moves.
#[derive(Debug, Clone)]
pub(super) struct Openings<'a> {
    names: Interner,
    values: Interner,
    /// By column and position: what the tag was when the position was last on the board.
    known: HashMap<(Id, u64), Known>,
    mixing: ContextMixer,
    candidates: Candidates,
    spelling: Spelling,
    /// All names that positions have, of whatever column.
    words: Arc<Dictionary>,
    /// What positions are called elsewhere.
    shipped: Arc<Positions<'a>>,
    room: usize,
}

const FORETOLD: usize = 0;
const PLY_COUNT: usize = 1;

// The sections of the tables.
const NAMED: &str = "late.named";
const CANDIDATES: &str = "late.candidates";
const SPELLING: &str = "late.spelling";
const POSITIONS: &str = "late.positions";

impl Learner for Openings<'_> {
    fn mixers(&mut self) -> Vec<(&'static str, &mut ContextMixer)> {
        vec![
            (NAMED, &mut self.mixing),
            (CANDIDATES, self.candidates.mixer()),
            (SPELLING, self.spelling.mixer()),
        ]
    }
}

/// The sizes of the tables of the mixers, as powers of two.
fn table_bits(games: usize, tables: &WarmTables<'_>) -> [u32; 3] {
    [(NAMED, 12, 18), (CANDIDATES, 12, 18), (SPELLING, 15, 20)]
        .map(|(name, least, most)| tables.slot_bits(name, slot_bits(games, least, most)))
}

impl Openings<'static> {
    /// A model that has seen nothing, with the tables of this version.
    pub fn shipped(games: usize, limit: usize) -> Result<Openings<'static>> {
        /// The model for a few games.
        static SMALL: MadeOnce<Openings<'static>> = MadeOnce::new();
        let tables = WarmTables::shipped()?;
        if table_bits(games, &tables) != table_bits(1, &tables) {
            return Openings::new(games, limit, &tables);
        }
        let small = SMALL.get(|| Openings::new(1, usize::MAX, &tables))?;
        Ok(Openings { room: limit, ..small.clone() })
    }
}

impl<'a> Openings<'a> {
    /// A model that has seen nothing.
    pub fn new(games: usize, limit: usize, tables: &WarmTables<'a>) -> Result<Openings<'a>> {
        let [named, candidates, spelling] = table_bits(games, tables);
        let mut openings = Openings {
            names: Interner::default(),
            values: Interner::default(),
            known: HashMap::default(),
            mixing: ContextMixer::new(named, 7, 2, 256),
            candidates: Candidates::new(candidates),
            spelling: Spelling::new(spelling, Spelling::CONTEXTS, tables.letter_codes()?),
            words: Arc::default(),
            shipped: Arc::default(),
            room: limit,
        };
        if let Some(section) = tables.section(POSITIONS) {
            let shipped = Positions::read(section)?;
            openings.words = shipped.words().into();
            openings.shipped = shipped.into();
        }
        tables.warm(&mut openings)?;
        Ok(openings)
    }

    /// Codes the late values of a game; returns them with the indices of their tags.
    pub fn code<C: Coder>(&mut self, coder: &mut C, game: &Game) -> Result<Vec<(usize, Vec<u8>)>> {
        let mut order: Vec<(u32, usize, Kind)> = (0..)
            .zip(&game.tags)
            .map(|(index, tag)| (index, Kind::of(&tag.name)))
            .filter(|(_, kind)| kind.is_late())
            .map(|(index, kind)| (kind.rank(), index, kind))
            .collect();
        order.sort_by_key(|&(rank, index, _)| (rank, index));
        let path = if order.is_empty() { Vec::new() } else { path(game) };
        let mut done = Vec::with_capacity(order.len());
        let online = game.tag("UTCTime").is_some();
        let ending = Ending::of(game, order.iter().any(|&(_, _, kind)| kind == Kind::Termination));
        let mut before = 0;
        for (_, index, kind) in order {
            let Game { tags, lines, .. } = game;
            let column = self.names.intern(&column_name(&tags[index].name, online));
            coder.enter(&tags[index].name);
            let value = &tags[index].value;
            let value = match kind {
                Kind::PlyCount => {
                    // The format has the number of a family here in place of a column's.
                    let plies = lines.first().map_or(0, |line| line.moves.len());
                    self.foretold(coder, PLY_COUNT as u32, plies.to_string().as_bytes(), value)?
                }
                Kind::Position => {
                    self.foretold(coder, column, Ending::position(game).as_bytes(), value)?
                }
                Kind::Termination => {
                    let id = self.termination(coder, column, ending, value)?;
                    self.values.value(id).to_vec()
                }
                _ => {
                    before = self.opening(coder, column, before, &path, value)?;
                    self.values.value(before).to_vec()
                }
            };
            take(&mut self.room, value.len())?;
            done.push((index, value));
        }
        Ok(done)
    }

    /// A value that the game tells, unless it does not.
    fn foretold<C: Coder>(
        &mut self,
        coder: &mut C,
        column: u32,
        expected: &[u8],
        value: &[u8],
    ) -> Result<Vec<u8>> {
        if self.mixing.code(coder, &[column], PLY_COUNT, 0, value == expected)? {
            return Ok(expected.to_vec());
        }
        let setting = Setting { column: Id::MAX, key: column, guide: expected, words: None };
        self.spelling.code(coder, setting, value, self.room)
    }

    fn termination<C: Coder>(
        &mut self,
        coder: &mut C,
        column: Id,
        ending: Ending,
        value: &[u8],
    ) -> Result<Id> {
        let keys = [ending.all(), ending.board, 0];
        let id = self.values.find(value);
        let id = match self.candidates.code(coder, column, &keys, ending.all(), id)? {
            Some(id) => id,
            None => {
                let setting = Setting { column, key: ending.board, guide: &[], words: None };
                let value = self.spelling.code(coder, setting, value, self.room)?;
                self.values.intern(&value)
            }
        };
        self.candidates.learn(column, &keys, id);
        Ok(id)
    }

    /// Codes what the opening is called in a column: one of the proposals, or else what it was called after `before`, or
    /// else any name.
    fn opening<C: Coder>(
        &mut self,
        coder: &mut C,
        column: Id,
        before: Id,
        path: &[u64],
        value: &[u8],
    ) -> Result<Id> {
        let proposals = self.proposals(column, path);
        let id = self.values.find(value);
        let found = self.proposed(coder, &proposals, column, before, path, id)?;
        let keys = [before, 0];
        let id = match found {
            Some(id) => id,
            None => match self.candidates.code(coder, column, &keys, before, id)? {
                Some(id) => id,
                None => {
                    let likely = proposals.first().map(|proposal| proposal.known.value);
                    let guide = likely.map_or(&[][..], |id| self.values.value(id)).to_vec();
                    let words = Some(&*self.words);
                    let setting = Setting { column, key: before, guide: &guide, words };
                    let value = self.spelling.code(coder, setting, value, self.room)?;
                    self.values.intern(&value)
                }
            },
        };
        self.candidates.learn(column, &keys, id);
        self.learn(column, path, id);
        Ok(id)
    }
}

/// The name of a column: what programs for play on the net call openings is not what others do.
pub(super) fn column_name(tag: &[u8], online: bool) -> Vec<u8> {
    let style: &[u8] = if online { b" online" } else { b"" };
    [tag, style].concat()
}
