//! The features of each legal move: plain ones, tactical ones and relations.

use shakmaty::{Move, Position};

use super::index::{MoveIndices, PLAIN_SLOTS, TACTICAL_SLOTS, slots};
use super::plain_features::{Departure, PlainFeatures};
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
        Some(_) => add_plain::<Tables>(history, legal, out),
        None => add_plain::<Lines>(history, legal, out),
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
fn add_plain<S: SliderAttacks>(history: &History, legal: &[Move], out: &mut Vec<MoveIndices>) {
    let plain = PlainFeatures::<S>::new(history);
    // Consecutive moves are often of the same piece.
    let mut departure: Option<Departure> = None;
    out.extend(legal.iter().map(|&candidate| {
        let from = candidate.from().unwrap_or(plain.own_king);
        let departure = match &mut departure {
            Some(departure) if departure.from == from => departure,
            other => other.insert(plain.departure(from, candidate.role())),
        };
        plain.indices(candidate, departure)
    }));
}
