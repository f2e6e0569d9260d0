//! The order in which the players of an event are tried.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use shakmaty::Color;

use super::{Entrant, round_bit};
use crate::entropy::{BitModel, stretch};

/// Model of who plays next, learned from a few traits of the entrants, each taken by itself.
///
/// That is cheap, so that all entrants can be looked at; the mixer then has to be asked about the likeliest only.
#[derive(Debug, Clone)]
pub(super) struct Order {
    /// By side, trait and class: whether such an entrant was the one.
    models: Vec<BitModel>,
}

/// An entrant who may be the one. The likeliest is the greatest; of equals, it is the most recent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Chance {
    /// The sum of the log odds of the traits, in units of 1/256.
    pub score: i32,
    recency: Reverse<u32>,
    classes: [u8; TRAITS],
}

impl Chance {
    /// The place among the entrants of the event, the most recent first.
    pub fn recency(&self) -> usize {
        self.recency.0 as usize
    }
}

/// The facts of the game whose player is sought.
#[derive(Debug, Clone, Copy)]
pub(super) struct View {
    pub side: Color,
    pub round: i64,
    /// The points that the player is likely to have, doubled.
    pub points: i32,
    /// White's rating, where Black is sought.
    pub elo: Option<i64>,
}

const TRAITS: usize = 5;
const CLASSES: usize = 64;
/// Events that a model remembers.
const LIMIT: u16 = 1023;

impl Order {
    /// A model that has seen nothing.
    pub fn new() -> Order {
        Order { models: vec![BitModel::with_limit(LIMIT); 2 * TRAITS * CLASSES] }
    }

    /// The entrants, of whom the likeliest comes first; `not` is left out. A heap, since few are asked for as a rule.
    pub fn chances(
        &self,
        view: &View,
        entrants: &[Entrant],
        not: Option<usize>,
    ) -> BinaryHeap<Chance> {
        entrants
            .iter()
            .enumerate()
            .filter(|&(recency, _)| Some(recency) != not)
            .map(|(recency, entrant)| {
                let classes = classes(view, recency, entrant);
                let odds = (0..).zip(classes).map(|(kind, class)| {
                    stretch(self.models[index(view.side, kind, class)].p_true())
                });
                Chance { score: odds.sum(), recency: Reverse(recency as u32), classes }
            })
            .collect()
    }

    /// Takes note of who it was: `found`, who was tried after those who `passed` and before those who are `left`. Among
    /// these the order does not matter, since a model learns the same of each.
    pub fn learn(
        &mut self,
        side: Color,
        passed: &[Chance],
        found: &Chance,
        left: &BinaryHeap<Chance>,
    ) {
        let mut learn = |chance: &Chance, is_found| {
            for (kind, class) in chance.classes.into_iter().enumerate() {
                self.models[index(side, kind, class)].update(is_found);
            }
        };
        passed.iter().for_each(|chance| learn(chance, false));
        learn(found, true);
        left.iter().for_each(|chance| learn(chance, false));
    }
}

fn index(side: Color, kind: usize, class: u8) -> usize {
    (usize::from(side.is_black()) * TRAITS + kind) * CLASSES + usize::from(class)
}

/// The classes of an entrant's traits, each below [`CLASSES`].
fn classes(view: &View, recency: usize, entrant: &Entrant) -> [u8; TRAITS] {
    let playing = u8::from(entrant.rounds & round_bit(view.round) != 0);
    let gap = (view.round - entrant.last_round).clamp(-3, 3) as i8 + 3;
    let colour = u8::from(entrant.side == view.side);
    let behind = (view.points - entrant.points).clamp(-6, 12) as i8 + 6;
    let difference = match (view.elo, entrant.elo) {
        (Some(white), Some(black)) => ((black - white) / 40).clamp(-12, 12) as i8 + 12,
        _ => 25,
    };
    [
        recency.min(31) as u8 | playing << 5,
        gap as u8 | colour << 3 | playing << 4,
        behind as u8 | playing << 5,
        difference as u8 | playing << 5,
        entrant.games.min(31) as u8 | colour << 5,
    ]
}
