//! Proposals for the name of an opening: the names of the positions on the way.

use shakmaty::Position;

use super::{FORETOLD, Openings};
use crate::Result;
use crate::chess::position_key;
use crate::entropy::{Coder, hash};
use crate::pgn::Game;
use crate::streams::values::Id;

/// The name that a column had for a position.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known {
    pub value: Id,
    /// Number of times in a row, at most [`MOST_RUN`].
    pub run: u32,
    /// Whether it has changed, or is not sure.
    pub changed: bool,
}

/// A value that a position on the way proposes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Proposal {
    pub known: Known,
    /// The last ply at which it is proposed.
    ply: usize,
    /// At how many plies it is proposed.
    support: u32,
}

const MOST_RUN: u32 = 15;
const MOST_PROPOSALS: usize = 6;

impl Openings<'_> {
    /// What a position was called of late, or else elsewhere.
    fn known(&mut self, column: Id, position: u64) -> Option<Known> {
        if let Some(&known) = self.known.get(&(column, position)) {
            return Some(known);
        }
        let naming = self.shipped.find(column, position)?;
        let value = self.values.intern(self.shipped.name(naming));
        let run = u32::from(naming.certainty).min(MOST_RUN);
        Some(Known { value, run, changed: run < MOST_RUN })
    }

    /// The names that positions on the way propose, those of the last ones first.
    pub(super) fn proposals(&mut self, column: Id, path: &[u64]) -> Vec<Proposal> {
        let mut proposals: Vec<Proposal> = Vec::new();
        for (ply, &position) in path.iter().enumerate().rev() {
            let Some(known) = self.known(column, position) else { continue };
            match proposals.iter_mut().find(|proposal| proposal.known.value == known.value) {
                Some(proposal) => proposal.support += 1,
                None => proposals.push(Proposal { known, ply, support: 1 }),
            }
        }
        proposals.truncate(MOST_PROPOSALS);
        proposals
    }

    /// Codes which of the proposals the value `id` is, if it is one of them.
    pub(super) fn proposed<C: Coder>(
        &mut self,
        coder: &mut C,
        proposals: &[Proposal],
        column: Id,
        before: Id,
        path: &[u64],
        id: Option<Id>,
    ) -> Result<Option<Id>> {
        // The first is proposed at the last of all plies that propose anything.
        let deepest = proposals.first().map_or(0, |proposal| proposal.ply);
        for (rank, &Proposal { known, ply, support }) in proposals.iter().enumerate() {
            let certainty = known.run << 1 | u32::from(known.changed);
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
                return Ok(Some(known.value));
            }
        }
        Ok(None)
    }

    /// Learns that the positions on the way were called `id`.
    pub(super) fn learn(&mut self, column: Id, path: &[u64], id: Id) {
        for &position in path {
            let known = self.known(column, position);
            let known = self.known.entry((column, position)).insert_entry(known.unwrap_or(Known {
                value: id,
                run: 0,
                changed: false,
            }));
            let known = known.into_mut();
            if known.value == id {
                known.run = (known.run + 1).min(MOST_RUN);
            } else {
                *known = Known { value: id, run: 1, changed: true };
            }
        }
    }
}

/// Plies that openings are named after.
const PLIES: usize = 40;

/// [`position_key`] of the positions of the opening, after each of the first 40 moves.
pub fn path(game: &Game) -> Vec<u64> {
    let (Some(mut position), Some(line)) = (game.start(), game.lines.first()) else {
        return Vec::new();
    };
    let mut path = Vec::with_capacity(PLIES + 1);
    for &played in line.moves.iter().take(PLIES) {
        if !position.is_legal(played) {
            break;
        }
        position.play_unchecked(played);
        path.push(position_key(&position));
    }
    path
}
