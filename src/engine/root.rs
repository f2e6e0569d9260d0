//! The search at its root: a value for each legal move.

use shakmaty::{Chess, MoveList, Position};

use super::nnue::FeatureDelta;
use super::parameters::{
    ASPIRATION_WINDOW, INFINITE, QUIESCENCE_DEPTH, ROOT_MARGIN, SCOUT_DEPTH, SCOUT_REDUCTION,
    TABLE_CUTOFF_DEPTH,
};
use super::search::{Searcher, Step, piece_changes};
use super::search_state::SearchState;
use crate::chess::{History, pieces_key};

/// How far a search goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchLimits {
    /// Positions visited, at most.
    pub nodes: u64,
    /// Moves that are looked at thoroughly, the likeliest.
    pub width: usize,
    /// The others are looked at less deep, and thoroughly from when on they prove to be as good as
    /// the best less this, in centipawns; `None`: not at all.
    pub glance: Option<i32>,
}

/// What a search found.
#[derive(Debug, Clone, Default)]
pub struct RootScores {
    /// For each depth that was finished, the first being of one ply, the value of each legal move,
    /// in their order, in centipawns from the side to move.
    pub values: Vec<Vec<i32>>,
    /// For each legal move whether it was looked at thoroughly.
    pub seen: Vec<bool>,
    /// Positions visited.
    pub nodes: u64,
}

impl Searcher {
    /// Looks at `legal` moves of the position on the board, in the order of `likely`, their places,
    /// likeliest first: at the first [`SearchLimits::width`] thoroughly, at the others at a glance
    /// if [`SearchLimits::glance`] says so, and at no more of them than [`SearchLimits::nodes`],
    /// which is how many positions are visited at most. A new depth is begun while less than two
    /// ninths of them are used up.
    ///
    /// The first depth always ends: half of the nodes are for it, and a move of which nothing is
    /// known when its share is used up (only boards full of pieces can need so much) has the
    /// network's value of what it leads to. `memory` is the game's.
    pub fn search(
        &mut self,
        memory: &mut SearchState,
        game: &History,
        legal: &MoveList,
        likely: &[usize],
        extent: SearchLimits,
    ) -> RootScores {
        let position = game.position();
        let budget = extent.nodes;
        std::mem::swap(&mut self.memory, memory);
        self.begin(position, budget);
        self.keys.extend_from_slice(game.reversible_keys());
        let pieces = pieces_key(position.board());
        let mut found = RootScores { values: vec![], seen: vec![false; legal.len()], nodes: 0 };
        let most = if extent.glance.is_some() { legal.len() } else { extent.width };
        let mut order: Vec<(usize, Chess, FeatureDelta)> = likely
            .iter()
            .take(most.min(usize::try_from(budget).unwrap_or(usize::MAX)))
            .map(|&place| {
                let mut next = position.clone();
                next.play_unchecked(legal[place]);
                (place, next, FeatureDelta::new(legal[place], position.turn()))
            })
            .collect();
        for &(place, ..) in order.iter().take(extent.width) {
            found.seen[place] = true;
        }
        let mut expected = vec![-INFINITE; legal.len()];
        for depth in 1..24 {
            if depth > 1 && (self.nodes > budget / 9 * 2 || order.len() < 2) {
                break;
            }
            self.limit = budget;
            self.trusting = depth >= TABLE_CUTOFF_DEPTH;
            let mut best = -INFINITE;
            let mut values = vec![-INFINITE; legal.len()];
            for (number, &(place, ref child, ref changes)) in order.iter().enumerate() {
                let alpha = (best - ROOT_MARGIN).max(-INFINITE);
                let step = Step {
                    position: child,
                    pieces: pieces ^ piece_changes(changes),
                    changes: Some(changes),
                    ply: 1,
                };
                if depth == 1 {
                    let share =
                        (budget / 2).saturating_sub(self.nodes) / (order.len() - number) as u64;
                    self.limit = self.nodes + share.max(1);
                }
                let mut expected = expected[place];
                if !found.seen[place]
                    && depth >= SCOUT_DEPTH
                    && let Some(glance) = extent.glance
                {
                    let bound = best - glance - 1;
                    let value = self.glance(step, depth - 1, bound);
                    if self.stopped {
                        break;
                    }
                    if value <= bound {
                        values[place] = value;
                        continue;
                    }
                    found.seen[place] = true;
                    expected = value;
                }
                let mut value = if depth < 3 {
                    -self.node(step, depth - 1, -INFINITE, -alpha, true)
                } else {
                    self.around(step, depth - 1, expected, alpha)
                };
                if self.stopped && depth == 1 {
                    self.stopped = false;
                    self.follow(child, 1, Some(changes));
                    value = -self.static_eval(child, 1).1;
                }
                if self.stopped {
                    break;
                }
                values[place] = value;
                if found.seen[place] {
                    best = best.max(value);
                }
            }
            if self.stopped {
                break;
            }
            // Likeliest first was the order to begin with; from now on best first.
            order.sort_by_key(|&(place, ..)| (!found.seen[place], -values[place]));
            expected.clone_from(&values);
            found.values.push(values);
        }
        std::mem::swap(&mut self.memory, memory);
        found.nodes = self.nodes;
        found
    }

    /// What a move to `step` is worth, if it is more than `alpha`. Narrow bounds about what is
    /// expected come first: most values lie within, and are found with fewer positions.
    fn around(&mut self, step: Step, depth: i32, expected: i32, alpha: i32) -> i32 {
        let low = (expected - ASPIRATION_WINDOW).max(alpha);
        let high = (expected + ASPIRATION_WINDOW).max(low + 1);
        let value = -self.node(step, depth, -high, -low, true);
        if self.stopped {
            value
        } else if value >= high {
            -self.node(step, depth, -INFINITE, -high + 1, true)
        } else if value <= low && low > alpha {
            -self.node(step, depth, -low - 1, -alpha, true)
        } else {
            value
        }
    }

    /// What a move to `step` seems to be worth: no more than `bound`, or more in both a shallower
    /// search and a full one.
    fn glance(&mut self, step: Step, depth: i32, bound: i32) -> i32 {
        let value = -self.node(step, depth - SCOUT_REDUCTION, -bound - 1, -bound, true);
        if self.stopped || value <= bound {
            return value;
        }
        -self.node(step, depth, -bound - 1, -bound, true)
    }

    /// What `position`, which is of no game, is worth, from iterative deepening while less than a
    /// quarter of `budget`, the most positions that are visited, is used up; `None` if it is not
    /// quiet.
    pub fn value(&mut self, position: &Chess, budget: u64) -> Option<i32> {
        if position.is_check() {
            return None;
        }
        self.memory = SearchState::new(budget);
        self.begin(position, budget);
        self.keys.push(0);
        let step = Step { position, pieces: pieces_key(position.board()), changes: None, ply: 0 };
        let (_, stand) = self.static_eval(position, 0);
        let settled = self.quiesce(position, -INFINITE, INFINITE, 0, QUIESCENCE_DEPTH);
        if settled != stand || self.stopped {
            return None;
        }
        let mut found = stand;
        for depth in 1..16 {
            let value = self.node(step, depth, -INFINITE, INFINITE, false);
            if self.stopped {
                break;
            }
            found = value;
            if self.nodes > budget / 4 {
                break;
            }
        }
        Some(found)
    }
}
