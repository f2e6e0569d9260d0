//! Search: what each legal move is worth some plies later.
//!
//! Principal variation search with iterative deepening, a transposition table, null moves, late
//! move reductions and quiescence (see the Chess Programming Wiki for each of them), over
//! [`evaluate`]. What is unusual: the root wants a value for every likely move and not
//! only the best one, so its window stays open by [`MARGIN`] below the best.
//!
//! Everything is integer arithmetic in a defined order, the table starts empty for every position,
//! and effort is counted in nodes: the same position gives the same values on every
//! machine.

use shakmaty::{Chess, Move, MoveList, Position, Role};

use super::evaluate::evaluate;
use super::exchange::{exchange, role_value};
use super::position_key::position_key;

/// Values of moves that are worse than the best by more than this, in centipawns, are only
/// known to be so.
pub const MARGIN: i32 = 300;

/// What being mated is worth; in `n` plies it is `n` less bad.
const MATE: i32 = 20_000;

const INFINITE: i32 = 30_000;

/// Deepest line.
const MOST_PLIES: usize = 64;

/// Entries of the transposition table, a power of two.
const ENTRIES: usize = 1 << 14;

/// How a stored value relates to the true one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    key: u64,
    value: i16,
    /// [`Searcher::hint`] of the best move.
    hint: u16,
    depth: i8,
    bound: Bound,
}

const EMPTY: Entry = Entry { key: 0, value: 0, hint: 0, depth: -1, bound: Bound::AtMost };

/// What a search found.
#[derive(Debug, Clone, Default)]
pub struct Found {
    /// For each legal move, in their order: its value in centipawns from the side to move at
    /// the greatest depth that was finished, and at the one before.
    pub values: Vec<[i32; 2]>,
    /// For each legal move whether it was looked at.
    pub seen: Vec<bool>,
    /// Plies of the last depth, quiescence not counted.
    pub depth: i32,
    /// Positions visited.
    pub nodes: u64,
}

/// Searches one position after the other; keeps nothing but memory for reuse.
#[derive(Debug)]
pub struct Searcher {
    table: Vec<Entry>,
    killers: [[u16; 2]; MOST_PLIES],
    history: Vec<i32>,
    nodes: u64,
    limit: u64,
}

impl Default for Searcher {
    fn default() -> Searcher {
        Searcher::new()
    }
}

/// A move as squares and promotion in 15 bits.
fn hint(played: Move) -> u16 {
    let from = played.from().map_or(0, u16::from);
    let promotion = played.promotion().map_or(0, |role| role as u16);
    1 + (from | u16::from(played.to()) << 6 | promotion << 12)
}

impl Searcher {
    /// A searcher with an empty table.
    pub fn new() -> Searcher {
        Searcher {
            table: vec![EMPTY; ENTRIES],
            killers: [[0; 2]; MOST_PLIES],
            history: vec![0; 12 * 64],
            nodes: 0,
            limit: 0,
        }
    }

    /// Looks at the first `width` of `likely`, places in the `legal` moves of `position`, likeliest
    /// first. A new depth is begun while less than a third of `budget` nodes is used up, and broken
    /// off at half as many again as the budget.
    pub fn search(
        &mut self,
        position: &Chess,
        legal: &MoveList,
        likely: &[usize],
        width: usize,
        budget: u64,
    ) -> Found {
        self.table.fill(EMPTY);
        self.killers = [[0; 2]; MOST_PLIES];
        self.history.fill(0);
        self.nodes = 0;
        self.limit = u64::MAX;
        let mut found = Found {
            values: vec![[-INFINITE; 2]; legal.len()],
            seen: vec![false; legal.len()],
            ..Found::default()
        };
        let mut order: Vec<(usize, Chess)> = likely
            .iter()
            .take(width)
            .map(|&place| {
                let mut next = position.clone();
                next.play_unchecked(legal[place]);
                (place, next)
            })
            .collect();
        for &(place, _) in &order {
            found.seen[place] = true;
        }
        for depth in 1..24 {
            if depth > 1 {
                self.limit = budget * 3 / 2;
                if self.nodes > budget / 3 || order.len() < 2 {
                    break;
                }
            }
            let mut best = -INFINITE;
            let mut values = found.values.clone();
            for &(place, ref child) in &order {
                let alpha = (best - MARGIN).max(-INFINITE);
                let value = -self.node(child, depth - 1, -INFINITE, -alpha, 1, true);
                if self.nodes >= self.limit {
                    break;
                }
                values[place] = [value, if depth == 1 { value } else { values[place][0] }];
                best = best.max(value);
            }
            if self.nodes >= self.limit {
                break;
            }
            found.values = values;
            found.depth = depth;
            // Likeliest first was the order to begin with; from now on best first.
            order.sort_by_key(|&(place, _)| -found.values[place][0]);
        }
        found.nodes = self.nodes;
        found
    }

    /// The value of `position` for its side to move, within or beyond the bounds.
    fn node(
        &mut self,
        position: &Chess,
        depth: i32,
        mut alpha: i32,
        beta: i32,
        ply: usize,
        null: bool,
    ) -> i32 {
        let check = position.is_check();
        let depth = if check { depth + 1 } else { depth };
        if depth <= 0 || ply >= MOST_PLIES - 1 {
            return self.quiesce(position, alpha, beta, 6);
        }
        self.nodes += 1;
        if self.nodes >= self.limit {
            return 0;
        }
        if position.is_insufficient_material() || position.halfmoves() >= 100 {
            return 0;
        }
        let key = position_key(position);
        let slot = key as usize & (ENTRIES - 1);
        let entry = self.table[slot];
        let known = if entry.key == key { entry.hint } else { 0 };
        if entry.key == key && i32::from(entry.depth) >= depth {
            let value = i32::from(entry.value);
            match entry.bound {
                Bound::Exact => return value,
                Bound::AtLeast if value >= beta => return value,
                Bound::AtMost if value <= alpha => return value,
                _ => {}
            }
        }
        let turn = position.turn();
        let board = position.board();
        let quiet_value = if check { -INFINITE } else { evaluate(board, turn) };
        if !check && depth <= 2 && quiet_value - 150 * depth >= beta && beta > -MATE / 2 {
            return quiet_value;
        }
        let pieces = board.by_color(turn) & !board.pawns() & !board.kings();
        if null
            && !check
            && depth >= 2
            && quiet_value >= beta
            && pieces.any()
            && let Ok(passed) = position.clone().swap_turn()
        {
            let value = -self.node(&passed, depth - 3, -beta, -beta + 1, ply + 1, false);
            if value >= beta && self.nodes < self.limit {
                return value.min(MATE / 2);
            }
        }
        let moves = position.legal_moves();
        if moves.is_empty() {
            return if check { ply as i32 - MATE } else { 0 };
        }
        let mut scored: Vec<(i32, u16)> = Vec::with_capacity(moves.len());
        for (place, &candidate) in moves.iter().enumerate() {
            scored.push((-self.rank(candidate, known, ply, turn.is_black()), place as u16));
        }
        scored.sort_unstable();
        let first_alpha = alpha;
        let mut best = -INFINITE;
        let mut best_hint = 0;
        for (number, &(rank, place)) in scored.iter().enumerate() {
            let candidate = moves[usize::from(place)];
            let quiet = !candidate.is_capture() && !candidate.is_promotion();
            if quiet && !check && depth <= 2 && number > 0 && best > -MATE / 2 {
                // Neither late quiet moves nor hopeless ones, close to the end of the line.
                if number > 4 + 6 * depth as usize || quiet_value + 120 * depth <= alpha {
                    continue;
                }
            }
            let mut next = position.clone();
            next.play_unchecked(candidate);
            let mut value;
            if number == 0 {
                value = -self.node(&next, depth - 1, -beta, -alpha, ply + 1, true);
            } else {
                let reduce =
                    i32::from(depth >= 3 && quiet && !check && number >= 4 && rank > -100_000)
                        + i32::from(depth >= 4 && quiet && !check && number >= 12);
                value = -self.node(&next, depth - 1 - reduce, -alpha - 1, -alpha, ply + 1, true);
                if value > alpha && (reduce > 0 || value < beta) {
                    value = -self.node(&next, depth - 1, -beta, -alpha, ply + 1, true);
                }
            }
            if self.nodes >= self.limit {
                return 0;
            }
            if value > best {
                best = value;
                best_hint = hint(candidate);
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                if quiet {
                    let [first, second] = &mut self.killers[ply];
                    if *first != hint(candidate) {
                        *second = *first;
                        *first = hint(candidate);
                    }
                    let weight = &mut self.history[history_index(candidate, turn.is_black())];
                    *weight = (*weight + depth * depth).min(50_000);
                }
                break;
            }
        }
        let bound = if best >= beta {
            Bound::AtLeast
        } else if best > first_alpha {
            Bound::Exact
        } else {
            Bound::AtMost
        };
        self.table[slot] =
            Entry { key, value: best as i16, hint: best_hint, depth: depth as i8, bound };
        best
    }

    /// Moves with greater ranks are looked at earlier.
    fn rank(&self, candidate: Move, known: u16, ply: usize, black: bool) -> i32 {
        let own = hint(candidate);
        if own == known {
            return 1_000_000;
        }
        if candidate.is_capture() || candidate.is_promotion() {
            let captured = candidate.capture().map_or(0, role_value);
            let promoted = candidate.promotion().map_or(0, role_value);
            return 200_000 + 16 * (captured + promoted) - role_value(candidate.role()).min(1000);
        }
        match self.killers[ply].iter().position(|&killer| killer == own) {
            Some(place) => 150_000 - place as i32,
            None => self.history[history_index(candidate, black)],
        }
    }

    fn quiesce(&mut self, position: &Chess, mut alpha: i32, beta: i32, depth: u32) -> i32 {
        self.nodes += 1;
        let turn = position.turn();
        let board = position.board();
        let stand = evaluate(board, turn);
        if stand >= beta || depth == 0 || self.nodes >= self.limit {
            return stand;
        }
        alpha = alpha.max(stand);
        let mut best = stand;
        let captures = position.capture_moves();
        let mut scored: Vec<(i32, u16)> = Vec::with_capacity(captures.len());
        for (place, candidate) in captures.iter().enumerate() {
            let captured = candidate.capture().map_or(0, role_value);
            let promoted = candidate.promotion().map_or(0, |role| role_value(role) - 100);
            let gain = captured + promoted;
            if stand + gain + 100 <= alpha {
                continue;
            }
            let placed = candidate.promotion().unwrap_or(candidate.role());
            if role_value(placed) > gain && placed != Role::King {
                let Some(from) = candidate.from() else { continue };
                let value = role_value(placed);
                if exchange(board, from, candidate.to(), turn, value, gain) < 0 {
                    continue;
                }
            }
            scored.push((-16 * gain + role_value(candidate.role()).min(1000), place as u16));
        }
        scored.sort_unstable();
        for &(_, place) in &scored {
            let mut next = position.clone();
            next.play_unchecked(captures[usize::from(place)]);
            let value = -self.quiesce(&next, -beta, -alpha, depth - 1);
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        best
    }
}

fn history_index(candidate: Move, black: bool) -> usize {
    let role = candidate.role() as usize - 1 + if black { 6 } else { 0 };
    role * 64 + usize::from(candidate.to())
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen, san::San};

    use super::*;
    use crate::predict::legal_moves;

    /// The move of greatest value.
    fn best(fen: &str) -> String {
        let fen: Fen = fen.parse().unwrap();
        let position: Chess = fen.into_position(CastlingMode::Standard).unwrap();
        let legal = legal_moves(&position);
        let likely: Vec<usize> = (0..legal.len()).collect();
        let found = Searcher::new().search(&position, &legal, &likely, legal.len(), 20_000);
        let place = (0..legal.len()).max_by_key(|&place| found.values[place][0]).unwrap();
        San::from_move(&position, legal[place]).to_string()
    }

    #[test]
    fn mates_and_forks_are_found() {
        assert_eq!(best("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"), "Rd8");
        assert_eq!(best("r3k3/8/8/3N4/8/8/6PP/6K1 w - - 0 1"), "Nc7");
        assert_eq!(best("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1"), "Qg7");
    }
}
