//! The search at its root: a value for each legal move.

use shakmaty::{Chess, Move, Position};

use super::nnue::FeatureDelta;
use super::parameters::{
    ASPIRATION_DEPTH, ASPIRATION_WINDOW, FIRST_DEPTH_DIVISOR, INFINITE, MAX_ROOT_DEPTH,
    MAX_VALUE_DEPTH, NEW_DEPTH_NINTHS, QUIESCENCE_DEPTH, ROOT_MARGIN, SCOUT_DEPTH, SCOUT_REDUCTION,
    TABLE_CUTOFF_DEPTH, VALUE_DIVISOR,
};
use super::reply::Reply;
use super::search_state::SearchState;
use super::searcher::{Node, Searcher, Window};
use crate::chess::{History, pieces_key, state_key};

/// The limits of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchLimits {
    /// Positions visited, at most.
    pub nodes: u64,
    /// Moves that are fully searched, the likeliest.
    pub width: usize,
    /// Centipawns: the other moves are scouted, and fully searched from then on if they prove to be
    /// no worse than the best value less this margin. `None`: they are not searched.
    pub scout_margin: Option<i32>,
}

/// The result of a search.
#[derive(Debug, Clone, Default)]
pub struct RootScores {
    /// For each finished depth, from one ply on, the value of each legal move, in their order, in
    /// centipawns for the side to move; -[`INFINITE`] for moves that were not searched.
    pub values: Vec<Vec<i32>>,
    /// For each legal move whether it was fully searched. The values of other moves are upper bounds
    /// from scouting.
    pub fully_searched: Vec<bool>,
    /// For each legal move what the table knows of the position after it; nothing of moves that were not searched.
    pub replies: Vec<Reply>,
    /// Positions visited.
    pub nodes: u64,
}

/// A move of the root.
struct RootMove {
    /// Its place among the legal moves.
    place: usize,
    /// The position that it leads to.
    position: Chess,
    delta: FeatureDelta,
    /// The value at the depth before, in centipawns.
    expected: i32,
}

impl RootMove {
    fn node(&self, root_pieces_key: u64) -> Node<'_> {
        Node {
            position: &self.position,
            key_before: root_pieces_key,
            delta: Some(&self.delta),
            again: false,
            ply: 1,
        }
    }
}

impl Searcher {
    /// Searches the `legal` moves of the position on the board within `limits`. `likely` are their
    /// places, likeliest first; `state` is the game's.
    ///
    /// If there are more moves than nodes, only the likeliest are searched. The first depth always
    /// ends: half of the nodes are for it, in equal shares for the moves that are left. A move that
    /// needs more than its share, as only boards full of pieces do, gets its static evaluation. A new
    /// depth begins while less than two ninths of the nodes are used.
    pub fn search(
        &mut self,
        state: &mut SearchState,
        game: &History,
        legal: &[Move],
        likely: &[usize],
        limits: SearchLimits,
    ) -> RootScores {
        std::mem::swap(&mut self.state, state);
        self.start(game.position(), limits.nodes);
        self.keys.extend_from_slice(game.reversible_keys());
        let mut moves = root_moves(game.position(), legal, likely, limits);
        let mut scores = RootScores {
            values: vec![],
            fully_searched: vec![false; legal.len()],
            replies: vec![Reply::default(); legal.len()],
            nodes: 0,
        };
        for root_move in moves.iter().take(limits.width) {
            scores.fully_searched[root_move.place] = true;
        }
        let root_pieces_key = pieces_key(game.position().board());
        for depth in 1..=MAX_ROOT_DEPTH {
            let exhausted = self.nodes > limits.nodes / 9 * NEW_DEPTH_NINTHS;
            if depth > 1 && (exhausted || moves.len() < 2) {
                break;
            }
            let full = &mut scores.fully_searched;
            let Some(values) = self.search_depth(&moves, root_pieces_key, depth, limits, full)
            else {
                break;
            };
            for root_move in &mut moves {
                root_move.expected = values[root_move.place];
            }
            // The first depth has the likeliest move first, later ones the best.
            moves.sort_by_key(|root_move| (!full[root_move.place], -root_move.expected));
            scores.values.push(values);
        }
        std::mem::swap(&mut self.state, state);
        for RootMove { place, position, delta, .. } in &moves {
            let key = root_pieces_key ^ delta.key() ^ state_key(position);
            scores.replies[*place] =
                Reply::find(state, game.reversible_keys(), legal[*place], position, key);
        }
        scores.nodes = self.nodes;
        scores
    }

    /// The value of each legal move at one depth; `None` if the search was stopped.
    fn search_depth(
        &mut self,
        moves: &[RootMove],
        root_pieces_key: u64,
        depth: i32,
        limits: SearchLimits,
        fully_searched: &mut [bool],
    ) -> Option<Vec<i32>> {
        self.node_limit = limits.nodes;
        self.trusts_earlier_searches = depth >= TABLE_CUTOFF_DEPTH;
        let mut best = -INFINITE;
        let mut values = vec![-INFINITE; fully_searched.len()];
        for (number, root_move) in moves.iter().enumerate() {
            let place = root_move.place;
            let alpha = (best - ROOT_MARGIN).max(-INFINITE);
            let mut node = root_move.node(root_pieces_key);
            if depth == 1 {
                let left = (limits.nodes / FIRST_DEPTH_DIVISOR).saturating_sub(self.nodes);
                self.node_limit = self.nodes + (left / (moves.len() - number) as u64).max(1);
            }
            let mut expected = root_move.expected;
            if !fully_searched[place]
                && depth >= SCOUT_DEPTH
                && let Some(margin) = limits.scout_margin
            {
                let bound = best - margin - 1;
                let value = self.scout(node, depth - 1, bound);
                if self.stopped {
                    return None;
                }
                if value <= bound {
                    values[place] = value;
                    continue;
                }
                fully_searched[place] = true;
                expected = value;
                node = node.again();
            }
            let mut value = if depth < ASPIRATION_DEPTH {
                let window = Window { alpha, beta: INFINITE };
                -self.negamax(node, depth - 1, window.reversed(), true)
            } else {
                self.aspiration_search(node, depth - 1, expected, alpha)
            };
            if self.stopped && depth == 1 {
                self.stopped = false;
                self.enter(node);
                value = -self.static_eval(node.position, node.ply).1;
            }
            if self.stopped {
                return None;
            }
            values[place] = value;
            if fully_searched[place] {
                best = best.max(value);
            }
        }
        Some(values)
    }

    /// The value of a root move, if it is above `alpha`. A narrow window around the expected value
    /// comes first: most values lie within, and take fewer nodes there.
    fn aspiration_search(&mut self, node: Node, depth: i32, expected: i32, alpha: i32) -> i32 {
        let low = (expected - ASPIRATION_WINDOW).max(alpha);
        let high = (expected + ASPIRATION_WINDOW).max(low + 1);
        let window = Window { alpha: low, beta: high };
        let value = -self.negamax(node, depth, window.reversed(), true);
        if self.stopped {
            value
        } else if value >= high {
            let window = Window { alpha: high - 1, beta: INFINITE };
            -self.negamax(node.again(), depth, window.reversed(), true)
        } else if value <= low && low > alpha {
            let window = Window { alpha, beta: low + 1 };
            -self.negamax(node.again(), depth, window.reversed(), true)
        } else {
            value
        }
    }

    /// The value of a root move by a null window above `bound`: an upper bound if it is not above, by
    /// a reduced search or else by a full one.
    fn scout(&mut self, node: Node, depth: i32, bound: i32) -> i32 {
        let window = Window::null(bound).reversed();
        let value = -self.negamax(node, depth - SCOUT_REDUCTION, window, true);
        if self.stopped || value <= bound {
            return value;
        }
        -self.negamax(node.again(), depth, window, true)
    }

    /// Begins a search of `position`, which belongs to no game, and returns it as the first node of its line.
    pub(super) fn start_alone<'a>(&mut self, position: &'a Chess, node_limit: u64) -> Node<'a> {
        self.state = SearchState::new(node_limit);
        self.start(position, node_limit);
        self.keys.push(0);
        let key_before = pieces_key(position.board());
        Node { position, key_before, delta: None, again: false, ply: 0 }
    }

    /// The value of `position`, which belongs to no game, in centipawns for its side to move, by
    /// iterative deepening that visits at most `node_limit` positions; `None` if the position is not
    /// quiet, which means that quiescence changes its static evaluation.
    pub fn value(&mut self, position: &Chess, node_limit: u64) -> Option<i32> {
        if position.is_check() {
            return None;
        }
        let node = self.start_alone(position, node_limit);
        let window = Window { alpha: -INFINITE, beta: INFINITE };
        let (_, static_eval) = self.static_eval(position, 0);
        let settled = self.quiesce(position, window, 0, QUIESCENCE_DEPTH);
        if settled != static_eval || self.stopped {
            return None;
        }
        let mut last = static_eval;
        for depth in 1..=MAX_VALUE_DEPTH {
            let value = self.negamax(node, depth, window, false);
            if self.stopped {
                break;
            }
            last = value;
            if self.nodes > node_limit / VALUE_DIVISOR {
                break;
            }
        }
        Some(last)
    }
}

/// The moves that are searched, likeliest first.
fn root_moves(
    position: &Chess,
    legal: &[Move],
    likely: &[usize],
    limits: SearchLimits,
) -> Vec<RootMove> {
    let width = if limits.scout_margin.is_some() { legal.len() } else { limits.width };
    let width = width.min(usize::try_from(limits.nodes).unwrap_or(usize::MAX));
    let root_move = |&place: &usize| {
        let mut next = position.clone();
        next.play_unchecked(legal[place]);
        let delta = FeatureDelta::new(legal[place], position.turn());
        RootMove { place, position: next, delta, expected: -INFINITE }
    };
    likely.iter().take(width).map(root_move).collect()
}
