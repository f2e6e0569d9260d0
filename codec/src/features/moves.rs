//! The features of each legal move: plain ones, tactical ones and relations.

use std::marker::PhantomData;

use shakmaty::{Move, Position};

use super::index::{MoveIndices, PLAIN_SLOTS, TACTICAL_SLOTS, slots};
use super::plain_features::{Departure, Kernel, PlainFeatures, Registers, in_registers};
use super::relations::Relations;
use super::tactical_features::tactical_features;
use super::tactics::Tactics;
use crate::chess::{History, Lines, SliderAttacks, Tables, attacked_by};

/// The first slot of the relations.
const RELATION_SLOT: usize = PLAIN_SLOTS + TACTICAL_SLOTS;

/// Writes the features of each legal move to `out`, in the order of `legal`. Without tactics, the slots
/// from [`PLAIN_SLOTS`] on are 0.
pub fn move_features(
    history: &History,
    legal: &[Move],
    tactics: Option<&Tactics>,
    out: &mut Vec<MoveIndices>,
) {
    out.clear();
    match tactics {
        Some(_) => in_registers(AddPlain::<Tables> { history, legal, out, attacks: PhantomData }),
        None => in_registers(AddPlain::<Lines> { history, legal, out, attacks: PhantomData }),
    }
    if let Some(tactics) = tactics {
        let attacked = attacked_by(history.position().board(), !history.position().turn());
        let relations = Relations::new(history, tactics, attacked);
        let moves = out.iter_mut().zip(legal).zip(&tactics.moves);
        for ((indices, &candidate), of_move) in moves {
            let tactical = tactical_features(indices[slots::FROM], of_move, tactics);
            indices[PLAIN_SLOTS..RELATION_SLOT].copy_from_slice(&tactical);
            indices[RELATION_SLOT..].copy_from_slice(&relations.indices(candidate, of_move));
        }
    }
}

/// Appends the plain features of each move, the other slots 0.
struct AddPlain<'a, S> {
    history: &'a History,
    legal: &'a [Move],
    out: &'a mut Vec<MoveIndices>,
    attacks: PhantomData<S>,
}

impl<S: SliderAttacks> Kernel for AddPlain<'_, S> {
    #[inline(always)]
    fn run<R: Registers>(self, registers: R) {
        let AddPlain { history, legal, out, .. } = self;
        let plain = PlainFeatures::<S, R>::new(history, registers);
        // Consecutive moves are often of the same piece.
        let mut departure: Option<Departure> = None;
        out.reserve(legal.len());
        for &candidate in legal {
            let from = candidate.from().unwrap_or(plain.own_king);
            let departure = match &mut departure {
                Some(departure) if departure.from == from => departure,
                other => other.insert(plain.departure(from, candidate.role())),
            };
            out.push(plain.indices(candidate, departure));
        }
    }
}
