//! What the moves foretell.

use std::collections::HashMap;

use shakmaty::zobrist::Zobrist64;
use shakmaty::{EnPassantMode, Position};

use super::column::Kind;
use super::{slot_bits, take};
use crate::Result;
use crate::entropy::{Coder, ContextMixer, hash};
use crate::pgn::Game;
use crate::streams::candidates::Candidates;
use crate::streams::interner::{Id, Interner};
use crate::streams::spelling::{Setting, Spelling};

/// Everything that is learned of the tags that the moves foretell.
#[derive(Debug)]
pub(super) struct Openings {
    names: Interner,
    values: Interner,
    /// By column and position: what the tag was when the position was last on the board.
    known: HashMap<(Id, u64), Known>,
    mixing: ContextMixer,
    candidates: Candidates,
    spelling: Spelling,
    room: usize,
}

#[derive(Debug, Clone, Copy)]
struct Known {
    value: Id,
    /// How often in a row, at most [`MOST_RUN`].
    run: u32,
    wavers: bool,
}

/// A value that a position on the way proposes.
#[derive(Debug, Clone, Copy)]
struct Proposal {
    known: Known,
    /// The last ply at which it is proposed.
    ply: usize,
    /// At how many plies it is proposed.
    support: u32,
}

/// Openings are named after what happens in so many plies.
const PLIES: usize = 40;
const MOST_RUN: u32 = 15;
const MOST_PROPOSALS: usize = 6;

const FORETOLD: usize = 0;
const PLY_COUNT: usize = 1;

impl Openings {
    /// A model that has seen nothing.
    pub fn new(games: usize, limit: usize) -> Openings {
        Openings {
            names: Interner::default(),
            values: Interner::default(),
            known: HashMap::new(),
            mixing: ContextMixer::new(slot_bits(games, 12, 18), 7, 2, 256),
            candidates: Candidates::new(slot_bits(games, 12, 18)),
            spelling: Spelling::new(slot_bits(games, 15, 20)),
            room: limit,
        }
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
        let mut before = 0;
        for (_, index, kind) in order {
            let Game { tags, lines, .. } = game;
            let column = self.names.intern(&tags[index].name);
            let value = &tags[index].value;
            let value = if kind == Kind::PlyCount {
                let plies = lines.first().map_or(0, |line| line.moves.len());
                self.ply_count(coder, plies, value)?
            } else {
                before = self.opening(coder, column, before, &path, value)?;
                self.values.value(before).to_vec()
            };
            take(&mut self.room, value.len())?;
            done.push((index, value));
        }
        Ok(done)
    }

    fn ply_count<C: Coder>(
        &mut self,
        coder: &mut C,
        plies: usize,
        value: &[u8],
    ) -> Result<Vec<u8>> {
        let expected = plies.to_string().into_bytes();
        if self.mixing.code(coder, &[PLY_COUNT as u32], PLY_COUNT, 0, value == expected)? {
            return Ok(expected);
        }
        let setting = Setting { column: Id::MAX, key: 0, guide: &expected };
        self.spelling.code(coder, setting, value, self.room)
    }

    fn opening<C: Coder>(
        &mut self,
        coder: &mut C,
        column: Id,
        before: Id,
        path: &[u64],
        value: &[u8],
    ) -> Result<Id> {
        let mut proposals: Vec<Proposal> = Vec::new();
        let mut deepest = 0;
        for (ply, &position) in path.iter().enumerate().rev() {
            let Some(&known) = self.known.get(&(column, position)) else { continue };
            deepest = deepest.max(ply);
            match proposals.iter_mut().find(|proposal| proposal.known.value == known.value) {
                Some(proposal) => proposal.support += 1,
                None => proposals.push(Proposal { known, ply, support: 1 }),
            }
        }
        proposals.truncate(MOST_PROPOSALS);
        let id = self.values.find(value);
        let mut found = None;
        for (rank, &Proposal { known, ply, support }) in proposals.iter().enumerate() {
            let certainty = known.run << 1 | u32::from(known.wavers);
            let place = hash(column, rank as u32);
            let contexts = [
                hash(place, certainty),
                hash(hash(column, known.value), before),
                hash(place, hash((deepest - ply).min(9) as u32, certainty.min(6))),
                hash(place, hash(ply as u32, certainty)),
                hash(hash(place, known.value), certainty.min(4)),
                hash(place, hash(support, ply as u32)),
                hash(hash(column, known.value), path[ply] as u32),
            ];
            let detail = rank * 16 + known.run as usize;
            let hit = id == Some(known.value);
            if self.mixing.code(coder, &contexts, FORETOLD, detail, hit)? {
                found = Some(known.value);
                break;
            }
        }
        let keys = [before, 0];
        let id = match found {
            Some(id) => id,
            None => match self.candidates.code(coder, column, &keys, before, id)? {
                Some(id) => id,
                None => {
                    let likely = proposals.first().map(|proposal| proposal.known.value);
                    let guide = likely.map_or(&[][..], |id| self.values.value(id)).to_vec();
                    let setting = Setting { column, key: before, guide: &guide };
                    let value = self.spelling.code(coder, setting, value, self.room)?;
                    self.values.intern(&value)
                }
            },
        };
        self.candidates.learn(column, &keys, id);
        for &position in path {
            let known = self.known.entry((column, position)).or_insert(Known {
                value: id,
                run: 0,
                wavers: false,
            });
            if known.value == id {
                known.run = (known.run + 1).min(MOST_RUN);
            } else {
                *known = Known { value: id, run: 1, wavers: true };
            }
        }
        Ok(id)
    }
}

/// The positions of the opening.
fn path(game: &Game) -> Vec<u64> {
    let (Some(mut position), Some(line)) = (game.start(), game.lines.first()) else {
        return Vec::new();
    };
    let mut path = Vec::with_capacity(PLIES + 1);
    for &played in line.moves.iter().take(PLIES) {
        if !position.is_legal(played) {
            break;
        }
        position.play_unchecked(played);
        let Zobrist64(key) = position.zobrist_hash(EnPassantMode::Legal);
        path.push(key);
    }
    path
}
