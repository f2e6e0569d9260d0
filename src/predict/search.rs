//! Search: what each legal move is worth some plies later.
//!
//! Principal variation search with iterative deepening, a transposition table, null moves, late
//! move reductions, the usual prunings and quiescence (see the Chess Programming Wiki for each of
//! them), over [`Values`]. What is unusual: the root wants a value for every likely move and not
//! only the best one, so its window stays open by [`MARGIN`] below the best; of unlikely moves it asks
//! whether they are nearly as good ([`Extent::glance`]).
//!
//! Everything is integer arithmetic in a defined order, and effort is counted in nodes, of which there are
//! never more than were asked for. What was found for a position of a game serves for later ones
//! ([`SearchMemory`]): the same positions in the same order give the same values on every machine.

use std::sync::Arc;

use shakmaty::{Chess, Move, MoveList, Position, Role, Square};

use super::captures::leaves_king;
use super::correction::Corrections;
use super::findings::Examined;
use super::fixed;
use super::history::History;
use super::picker::{
    KILLER, LOSING, Picker, Ranks, WINNING, hint, loses_more, squares_hint, takes,
};
use super::position_key::{piece_key, pieces_key, state_key};
use super::quiets::is_quiet;
use super::values::{Changes, MOST_VALUE, Seen, Sums, Values};

/// Values of moves that are worse than the best by more than this, in centipawns, are only
/// known to be so.
const MARGIN: i32 = 150;

/// What being mated is worth; in `n` plies it is `n` less bad.
const MATE: i32 = 20_000;

/// More than any value; without its sign less than any, and the value of a move that was not looked at.
pub const INFINITE: i32 = 30_000;

/// Deepest line before quiescence.
const MOST_PLIES: usize = 64;

/// Captures in a row that quiescence looks at.
const MOST_CAPTURES: u32 = 6;

/// Most entries of the transposition table, which has one for each position that a search may visit, rounded up to
/// a power of two. Each game under way has a table.
const MOST_ENTRIES: usize = 1 << 15;

/// What an earlier search found is worth as much as what this one finds so many plies less deep.
const OF_BEFORE: i32 = 4;

/// From the third depth on a move is expected to be worth what it was at the depth before, give or take this.
const EXPECTED: i32 = 30;

/// Bounds of a quiet move's history.
const MOST_HISTORY: i32 = 16_000;

/// Late moves are looked at less deep by this and that times the logarithms (base 2) of depth and number,
/// in units of 1/256 ply.
const LATE_BASE: i64 = 100;
const LATE_SLOPE: i64 = 55;

/// By how many plies a move is looked at less deep, by depth and number.
static REDUCTIONS: [[i8; 64]; 32] = {
    let mut table = [[0; 64]; 32];
    let mut depth = 0;
    while depth < 32 {
        let mut number = 0;
        while number < 64 {
            // LATE_BASE + LATE_SLOPE log2(depth) log2(number), in units of 2^-24.
            let product = (fixed::log2(depth as u64) >> 8) * (fixed::log2(number as u64) >> 8);
            table[depth][number] = ((LATE_BASE * 65536 + product as i64 * LATE_SLOPE) >> 24) as i8;
            number += 1;
        }
        depth += 1;
    }
    table
};

/// A position so far above the window for each ply of depth left, up to this depth, stays above.
const FAR_ABOVE: i32 = 65;
const FAR_ABOVE_DEPTH: i32 = 5;

/// A position so far below the window for each ply, one or two plies before the end, may be left to quiescence.
const FAR_BELOW: i32 = 200;

/// Up to this depth quiet moves are passed over after so many and the square of the depth.
const FEW_MOVES_DEPTH: i32 = 4;
const FEW_MOVES: i32 = 4;

/// Up to this depth quiet moves are passed over, and captures, if they lose more material than so much for each ply of depth left.
const EXCHANGE_DEPTH: i32 = 6;
const QUIET_LOSS: i32 = 40;
const CAPTURE_LOSS: i32 = 80;

/// What a quiet move may win, at once and for each ply of depth left.
const QUIET_GAIN: i32 = 40;
const QUIET_GAIN_PER_PLY: i32 = 90;

/// What a capture may win beyond what it takes.
const CAPTURE_GAIN: i32 = 120;

/// Plies that it takes to come back to a position.
const LEAST_REPETITION: u32 = 4;

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
    /// [`hint`] of the best move.
    hint: u16,
    depth: i8,
    bound: Bound,
    /// The number of the search that found it.
    search: u8,
}

const EMPTY: Entry =
    Entry { key: 0, value: 0, hint: 0, depth: -1, bound: Bound::AtMost, search: 0 };

/// From this depth of the root on, values that earlier searches found count. At first sight a move is worth what is
/// seen at first sight, and not what was seen after a long look at the position before.
const TRUSTING_DEPTH: i32 = 2;

/// How far a search goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// Positions visited, at most.
    pub nodes: u64,
    /// Moves that are looked at thoroughly, the likeliest.
    pub width: usize,
    /// The others are looked at less deep, and thoroughly from when on they prove to be as good as the best less this, in centipawns;
    /// `None`: not at all.
    pub glance: Option<i32>,
}

/// From this depth on unlikely moves are looked at by so many plies less deep.
const GLANCING_DEPTH: i32 = 3;
const GLANCE_REDUCTION: i32 = 3;

/// What a search found.
#[derive(Debug, Clone, Default)]
pub struct Found {
    /// For each depth that was finished, the first being of one ply, the value of each legal move, in
    /// their order, in centipawns from the side to move.
    pub values: Vec<Vec<i32>>,
    /// For each legal move whether it was looked at thoroughly.
    pub seen: Vec<bool>,
    /// Positions visited.
    pub nodes: u64,
}

/// What the searches of a game's positions leave for those of its later ones. It is all that a game has of its own, and
/// small: hundreds of games take turns, and what is not in the cache must be waited for.
#[derive(Debug)]
pub struct SearchMemory {
    /// The transposition table.
    table: Vec<Entry>,
    /// How well quiet moves of White and Black did, by piece and arrival.
    history: Vec<i16>,
    /// The number of the last search; after 255 comes 0.
    search: u8,
    /// What was found for the last two positions that were examined, the latest first.
    pub(super) examined: [Option<Examined>; 2],
}

impl SearchMemory {
    /// The memory of a game of which nothing was searched yet, for searches that visit at most `budget` positions.
    pub fn new(budget: u64) -> SearchMemory {
        let entries = usize::try_from(budget).unwrap_or(usize::MAX);
        let entries = entries.clamp(2, MOST_ENTRIES).next_power_of_two();
        SearchMemory {
            table: vec![EMPTY; entries],
            history: vec![0; 2 * 6 * 64],
            search: 0,
            examined: [None, None],
        }
    }

    /// Where the position with this key is in the table, or else what it may take the place of: of two entries, side by side in memory, that
    /// which was looked at less deep, or a while ago.
    fn slot(&self, key: u64) -> usize {
        let slot = key as usize & (self.table.len() - 1);
        let (one, other) = (&self.table[slot], &self.table[slot ^ 1]);
        let worth = |entry: &Entry| {
            i32::from(entry.depth) - if entry.search == self.search { 0 } else { OF_BEFORE }
        };
        if one.key != key && (other.key == key || worth(other) < worth(one)) {
            slot ^ 1
        } else {
            slot
        }
    }

    /// Begins a search.
    fn begin(&mut self) {
        self.search = self.search.wrapping_add(1);
        // What has the same number is 256 searches old. Going through the table also brings it near.
        for entry in &mut self.table {
            if entry.search == self.search {
                *entry = EMPTY;
            }
        }
        for weight in &mut self.history {
            *weight /= 2;
        }
    }
}

/// Searches positions of any games; keeps nothing but memory for reuse.
#[derive(Debug)]
pub struct Searcher {
    network: Arc<Values>,
    /// That of the game whose position is searched.
    memory: SearchMemory,
    killers: [[u16; 2]; MOST_PLIES],
    /// The network's sums at each ply of the line, and what they come from when a king moves.
    sums: Vec<Sums>,
    seen: Seen,
    /// Keys of the game's positions that could be repeated, and of those of the line.
    keys: Vec<u64>,
    corrections: Corrections,
    /// The network's corrected values at each ply of the line.
    quiet_values: [i32; MOST_PLIES],
    /// Ranks of the moves of each position of the line.
    ranks: Ranks,
    /// Positions visited, and how many may be.
    nodes: u64,
    limit: u64,
    /// Whether a position was not visited for the limit's sake. Values that come back then mean nothing.
    stopped: bool,
    /// Whether values that earlier searches found count.
    trusting: bool,
}

/// A position of a line, and how it came about.
#[derive(Clone, Copy)]
struct Step<'a> {
    position: &'a Chess,
    /// [`pieces_key`] of the position.
    pieces: u64,
    /// What the last move has changed; `None` if it was a null move or is not to be looked at.
    changes: Option<&'a Changes>,
    ply: usize,
}

impl Searcher {
    /// A searcher over `network`.
    pub fn new(network: Arc<Values>) -> Searcher {
        Searcher {
            seen: network.nothing_seen(),
            network,
            memory: SearchMemory::new(0),
            killers: [[0; 2]; MOST_PLIES],
            sums: vec![Sums::empty(); MOST_PLIES + MOST_CAPTURES as usize + 1],
            keys: vec![],
            corrections: Corrections::new(),
            quiet_values: [0; MOST_PLIES],
            ranks: vec![],
            nodes: 0,
            limit: 0,
            stopped: false,
            trusting: false,
        }
    }

    /// Counts a position, unless there have been as many as there may be.
    fn visit(&mut self) -> bool {
        self.stopped |= self.nodes >= self.limit;
        self.nodes += u64::from(!self.stopped);
        !self.stopped
    }

    /// Begins a search of `position` that visits at most `budget`.
    fn begin(&mut self, position: &Chess, budget: u64) {
        self.memory.begin();
        self.killers = [[0; 2]; MOST_PLIES];
        self.corrections.clear();
        self.keys.clear();
        self.ranks.clear();
        self.nodes = 0;
        self.limit = budget;
        self.stopped = false;
        self.sums[0] = self.network.sums(position.board(), &mut self.seen);
    }

    /// Looks at `legal` moves of the position on the board, in the order of `likely`, their places, likeliest first: at the first
    /// [`Extent::width`] thoroughly, at the others at a glance if [`Extent::glance`] says so, and at no more of them than [`Extent::nodes`],
    /// which is how many positions are visited at most. A new depth is begun while less than two ninths of them are used up.
    ///
    /// The first depth always ends: half of the nodes are for it, and a move of which nothing is known
    /// when its share is used up (only boards full of pieces can need so much) has the network's
    /// value of what it leads to. `memory` is the game's.
    pub fn search(
        &mut self,
        memory: &mut SearchMemory,
        game: &History,
        legal: &MoveList,
        likely: &[usize],
        extent: Extent,
    ) -> Found {
        let position = game.position();
        let budget = extent.nodes;
        std::mem::swap(&mut self.memory, memory);
        self.begin(position, budget);
        self.keys.extend_from_slice(game.reversible_keys());
        let pieces = pieces_key(position.board());
        let mut found = Found { values: vec![], seen: vec![false; legal.len()], nodes: 0 };
        let most = if extent.glance.is_some() { legal.len() } else { extent.width };
        let mut order: Vec<(usize, Chess, Changes)> = likely
            .iter()
            .take(most.min(usize::try_from(budget).unwrap_or(usize::MAX)))
            .map(|&place| {
                let mut next = position.clone();
                next.play_unchecked(legal[place]);
                (place, next, Changes::new(legal[place], position.turn()))
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
            self.trusting = depth >= TRUSTING_DEPTH;
            let mut best = -INFINITE;
            let mut values = vec![-INFINITE; legal.len()];
            for (number, &(place, ref child, ref changes)) in order.iter().enumerate() {
                let alpha = (best - MARGIN).max(-INFINITE);
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
                    && depth >= GLANCING_DEPTH
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
                    value = -self.quiet_value(child, 1).1;
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

    /// What a move to `step` is worth, if it is more than `alpha`. Narrow bounds about what is expected come first: most
    /// values lie within, and are found with fewer positions.
    fn around(&mut self, step: Step, depth: i32, expected: i32, alpha: i32) -> i32 {
        let low = (expected - EXPECTED).max(alpha);
        let high = (expected + EXPECTED).max(low + 1);
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

    /// What a move to `step` seems to be worth: no more than `bound`, or more in both a shallower search and a full one.
    fn glance(&mut self, step: Step, depth: i32, bound: i32) -> i32 {
        let value = -self.node(step, depth - GLANCE_REDUCTION, -bound - 1, -bound, true);
        if self.stopped || value <= bound {
            return value;
        }
        -self.node(step, depth, -bound - 1, -bound, true)
    }

    /// What `position`, which is of no game, is worth, from iterative deepening while less than a quarter of `budget`, the most
    /// positions that are visited, is used up; `None` if it is not quiet.
    pub fn value(&mut self, position: &Chess, budget: u64) -> Option<i32> {
        if position.is_check() {
            return None;
        }
        self.memory = SearchMemory::new(budget);
        self.begin(position, budget);
        self.keys.push(0);
        let step = Step { position, pieces: pieces_key(position.board()), changes: None, ply: 0 };
        let (_, stand) = self.quiet_value(position, 0);
        let settled = self.quiesce(position, -INFINITE, INFINITE, 0, MOST_CAPTURES);
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

    /// Brings the sums of a ply, where `position` is on the board, up to date with the ply before it.
    fn follow(&mut self, position: &Chess, ply: usize, changes: Option<&Changes>) {
        if ply == 0 {
            return;
        }
        let (before, after) = self.sums.split_at_mut(ply);
        let (before, after) = (&before[ply - 1], &mut after[0]);
        match changes {
            Some(changes) => {
                self.network.follow(before, changes, position.board(), &mut self.seen, after);
            }
            None => after.clone_from(before),
        }
    }

    /// The network's value of a position whose sums are up to date, and the same corrected.
    fn quiet_value(&self, position: &Chess, ply: usize) -> (i32, i32) {
        let pieces = position.board().occupied().count();
        let value = self.network.value(&self.sums[ply], position.turn(), pieces);
        let corrected = value + self.corrections.of(position);
        (value, corrected.clamp(-MOST_VALUE, MOST_VALUE))
    }

    /// Whether a position with the key of the last one was in the line or the game before.
    fn repeats(&self, position: &Chess) -> bool {
        let last = self.keys.len() - 1;
        let back = (position.halfmoves() as usize).min(last);
        (LEAST_REPETITION as usize..=back)
            .step_by(2)
            .any(|back| self.keys[last - back] == self.keys[last])
    }

    /// The value of a position for its side to move, within or beyond the bounds.
    fn node(&mut self, step: Step, depth: i32, alpha: i32, beta: i32, null: bool) -> i32 {
        let Step { position, pieces, changes, ply } = step;
        let check = position.is_check();
        let depth = if check { depth + 1 } else { depth };
        let last = depth <= 0 || ply >= MOST_PLIES - 1;
        if last && position.halfmoves() < LEAST_REPETITION {
            self.follow(position, ply, changes);
            return self.quiesce(position, alpha, beta, ply, MOST_CAPTURES);
        }
        let key = pieces ^ state_key(position);
        self.keys.push(key);
        let first = self.ranks.len();
        let value = if ply > 0 && self.repeats(position) {
            self.visit();
            0
        } else if last {
            self.follow(position, ply, changes);
            self.quiesce(position, alpha, beta, ply, MOST_CAPTURES)
        } else if !self.visit()
            || position.is_insufficient_material()
            || position.halfmoves() >= 100
        {
            0
        } else {
            self.look(step, key, check, depth, alpha, beta, null)
        };
        self.ranks.truncate(first);
        self.keys.pop();
        value
    }

    /// The value of a position that is no draw.
    #[allow(clippy::too_many_arguments)]
    fn look(
        &mut self,
        step: Step,
        key: u64,
        check: bool,
        mut depth: i32,
        mut alpha: i32,
        beta: i32,
        null: bool,
    ) -> i32 {
        let Step { position, pieces, changes, ply } = step;
        let slot = self.memory.slot(key);
        let entry = self.memory.table[slot];
        let open = beta - alpha > 1;
        let turn = position.turn();
        let board = position.board();
        // Done before the entry is looked at, which comes from afar.
        self.follow(position, ply, changes);
        let known = if entry.key == key { entry.hint } else { 0 };
        let counts = self.trusting || entry.search == self.memory.search;
        if entry.key == key && counts && i32::from(entry.depth) >= depth && ply > 0 {
            let value = from_table(entry.value, ply);
            match entry.bound {
                Bound::Exact => return value,
                Bound::AtLeast if value >= beta => return value,
                Bound::AtMost if value <= alpha => return value,
                _ => {}
            }
        }
        let (raw_value, quiet_value) =
            if check { (-INFINITE, -INFINITE) } else { self.quiet_value(position, ply) };
        self.quiet_values[ply] = quiet_value;
        let improving = !check && ply >= 2 && quiet_value > self.quiet_values[ply - 2];
        if !check && !open && beta.abs() < MATE / 2 {
            let margin = FAR_ABOVE * (depth - i32::from(improving));
            if depth <= FAR_ABOVE_DEPTH && quiet_value - margin >= beta {
                return quiet_value;
            }
            if depth <= 2 && quiet_value + FAR_BELOW * depth <= alpha {
                let value = self.quiesce(position, alpha, alpha + 1, ply, MOST_CAPTURES);
                if value <= alpha {
                    return value;
                }
            }
        }
        let officers = board.by_color(turn) & !board.pawns() & !board.kings();
        if null
            && !check
            && !open
            && depth >= 2
            && quiet_value >= beta
            && officers.any()
            && let Ok(passed) = position.clone().swap_turn()
        {
            let less = 3 + depth / 4 + ((quiet_value - beta) / 200).min(2);
            let next = Step { position: &passed, pieces, changes: None, ply: ply + 1 };
            let value = -self.node(next, depth - less, -beta, -beta + 1, false);
            if self.stopped {
                return 0;
            }
            if value >= beta {
                return value.min(MATE / 2);
            }
        }
        if known == 0 && depth >= 4 && !check {
            depth -= 1;
        }
        let mut picker = Picker::new(known, &self.ranks);
        let first_alpha = alpha;
        let mut best = -INFINITE;
        let mut best_hint = 0;
        // Moves that were looked at.
        let mut number = 0;
        loop {
            // Neither late quiet moves nor hopeless ones, nor those that lose material, close to the end of the line.
            let passing = !check && number > 0 && best > -MATE / 2;
            let late = (FEW_MOVES + depth * depth) as usize >> usize::from(!improving && !open);
            if passing
                && depth <= FEW_MOVES_DEPTH
                && (number > late + 4 * usize::from(open)
                    || quiet_value + QUIET_GAIN + QUIET_GAIN_PER_PLY * depth <= alpha)
            {
                picker.drop_quiet(&mut self.ranks);
            }
            let (killers, history) = (&self.killers[ply], &self.memory.history);
            let quiet_rank = |role, from, to| {
                let own = squares_hint(from, to);
                match killers.iter().position(|&killer| killer == own) {
                    Some(place) => KILLER - place as i32,
                    None => history[history_index(role, to, turn.is_black())].into(),
                }
            };
            let Some((rank, candidate)) = picker.pick(position, &mut self.ranks, quiet_rank) else {
                break;
            };
            let quiet = is_quiet(candidate);
            if passing && depth <= EXCHANGE_DEPTH {
                let most = if quiet && rank < KILLER - 1 {
                    let less = REDUCTIONS[depth.min(31) as usize][number.min(63)];
                    QUIET_LOSS * (depth - i32::from(less)).max(1)
                } else if rank <= LOSING / 2 {
                    CAPTURE_LOSS * depth
                } else {
                    INFINITE
                };
                if loses_more(position, candidate, most) {
                    continue;
                }
            }
            let mut next = position.clone();
            next.play_unchecked(candidate);
            if !quiet && leaves_king(&next) {
                continue;
            }
            let changes = Changes::new(candidate, turn);
            let next = Step {
                position: &next,
                pieces: pieces ^ piece_changes(&changes),
                changes: Some(&changes),
                ply: ply + 1,
            };
            let mut value;
            number += 1;
            if number == 1 {
                value = -self.node(next, depth - 1, -beta, -alpha, true);
            } else {
                let mut reduce = 0;
                if depth >= 3
                    && number > 2 + usize::from(open)
                    && !check
                    && (quiet || rank < 0)
                    && rank < KILLER - 1
                {
                    reduce = i32::from(REDUCTIONS[depth.min(31) as usize][(number - 1).min(63)]);
                    reduce += i32::from(!improving) - i32::from(open);
                    if quiet {
                        reduce -= rank / 5_000;
                    }
                    reduce = reduce.clamp(0, depth - 2);
                }
                value = -self.node(next, depth - 1 - reduce, -alpha - 1, -alpha, true);
                if value > alpha && reduce > 0 {
                    value = -self.node(next, depth - 1, -alpha - 1, -alpha, true);
                }
                if value > alpha && value < beta {
                    value = -self.node(next, depth - 1, -beta, -alpha, true);
                }
            }
            if self.stopped {
                return 0;
            }
            if value > best {
                best = value;
                best_hint = hint(candidate);
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                if quiet {
                    self.learn(&picker, candidate, turn.is_black(), depth, ply);
                }
                break;
            }
        }
        if number == 0 {
            return if check { ply as i32 - MATE } else { 0 };
        }
        let bound = if best >= beta {
            Bound::AtLeast
        } else if best > first_alpha {
            Bound::Exact
        } else {
            Bound::AtMost
        };
        // A capture changes too much to tell about the position before it, and so does a mate; a bound that the network keeps tells nothing.
        let loud = bound != Bound::AtMost && takes(board, best_hint);
        let told = match bound {
            Bound::Exact => true,
            Bound::AtLeast => best > raw_value,
            Bound::AtMost => best < raw_value,
        };
        if !check && !loud && told && best.abs() < MATE / 2 {
            self.corrections.learn(position, best - quiet_value, depth);
        }
        self.memory.table[slot] = Entry {
            key,
            value: to_table(best, ply),
            hint: best_hint,
            depth: depth as i8,
            bound,
            search: self.memory.search,
        };
        best
    }

    /// Learns that the quiet move `good` was too good for the opponent, and those picked before it were not.
    fn learn(&mut self, picker: &Picker, good: Move, black: bool, depth: i32, ply: usize) {
        let bonus = (32 * depth * depth).min(2_000);
        let mut add = |candidate: Move, bonus: i32| {
            let weight =
                &mut self.memory.history[history_index(candidate.role(), candidate.to(), black)];
            let old = i32::from(*weight);
            *weight = (old + bonus - old * bonus.abs() / MOST_HISTORY) as i16;
        };
        for candidate in picker.picked(&self.ranks) {
            if candidate != good {
                add(candidate, -bonus);
            }
        }
        add(good, bonus);
        let own = hint(good);
        let [killer, second] = &mut self.killers[ply];
        if *killer != own {
            *second = *killer;
            *killer = own;
        }
    }

    /// The value of a position with nothing but captures and promotions, or none of them.
    fn quiesce(
        &mut self,
        position: &Chess,
        mut alpha: i32,
        beta: i32,
        ply: usize,
        depth: u32,
    ) -> i32 {
        if !self.visit() {
            return 0;
        }
        let (_, stand) = self.quiet_value(position, ply);
        if stand >= beta || depth == 0 {
            return stand;
        }
        alpha = alpha.max(stand);
        let mut best = stand;
        let first = self.ranks.len();
        let mut picker = Picker::new(0, &self.ranks);
        picker.only_captures(position, alpha - stand - CAPTURE_GAIN, &mut self.ranks);
        while let Some((rank, candidate)) = picker.pick(position, &mut self.ranks, |_, _, _| LOSING)
        {
            if rank < WINNING {
                break;
            }
            let mut next = position.clone();
            next.play_unchecked(candidate);
            if leaves_king(&next) {
                continue;
            }
            self.follow(&next, ply + 1, Some(&Changes::new(candidate, position.turn())));
            let value = -self.quiesce(&next, -beta, -alpha, ply + 1, depth - 1);
            if self.stopped {
                break;
            }
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        self.ranks.truncate(first);
        best
    }
}

/// What changes of pieces change in [`pieces_key`].
fn piece_changes(changes: &Changes) -> u64 {
    let mut key = 0;
    changes.each(|index| key ^= piece_key(index / 64, index % 64));
    key
}

/// A value as the table has it: how many plies off a mate is counts from the position and not from the root.
fn to_table(value: i32, ply: usize) -> i16 {
    let plies = if value.abs() > MATE - 1_000 { value.signum() * ply as i32 } else { 0 };
    (value + plies) as i16
}

/// The value that [`to_table`] put there, for a position `ply` plies from the root.
fn from_table(value: i16, ply: usize) -> i32 {
    let value = i32::from(value);
    let plies = if value.abs() > MATE - 1_000 { value.signum() * ply as i32 } else { 0 };
    value - plies
}

fn history_index(role: Role, to: Square, black: bool) -> usize {
    let piece = usize::from(black) * 6 + role as usize - 1;
    piece * 64 + usize::from(to)
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, FromSetup, fen::Fen, san::San};

    use super::*;
    use crate::predict::{Model, legal_moves};

    fn searcher() -> Searcher {
        let max = concat!(env!("CARGO_MANIFEST_DIR"), "/models/max.onnx");
        let model = Model::open(max.as_ref()).unwrap();
        Searcher::new(model.expert().unwrap().values.clone())
    }

    fn position(fen: &str) -> Chess {
        let setup = fen.parse::<Fen>().unwrap().into_setup();
        Chess::from_setup(setup, CastlingMode::Standard)
            .or_else(shakmaty::PositionError::ignore_too_much_material)
            .unwrap()
    }

    /// What a search of all moves finds.
    fn search(searcher: &mut Searcher, game: &History, budget: u64) -> Found {
        search_on(searcher, &mut SearchMemory::new(budget), game, budget)
    }

    fn search_on(
        searcher: &mut Searcher,
        memory: &mut SearchMemory,
        game: &History,
        budget: u64,
    ) -> Found {
        let legal = legal_moves(game.position());
        let likely: Vec<usize> = (0..legal.len()).collect();
        let extent = Extent { nodes: budget, width: 255, glance: None };
        searcher.search(memory, game, &legal, &likely, extent)
    }

    /// The move of greatest value, and its values.
    fn best(fen: &str) -> (String, Vec<i32>) {
        let game = History::new(position(fen));
        let found = search(&mut searcher(), &game, 30_000);
        let last = found.values.last().unwrap();
        let place = (0..last.len()).max_by_key(|&place| last[place]).unwrap();
        let san = San::from_move(game.position(), legal_moves(game.position())[place]);
        (san.to_string(), found.values.iter().map(|values| values[place]).collect())
    }

    #[test]
    fn mates_and_forks_are_found() {
        assert_eq!(best("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1").0, "Rd8");
        assert_eq!(best("r3k3/8/8/3N4/8/8/6PP/6K1 w - - 0 1").0, "Nc7");
        assert_eq!(best("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1").0, "Qg7");
    }

    #[test]
    fn a_glance_finds_good_moves_among_unlikely_ones() {
        let game = History::new(position("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"));
        let legal = legal_moves(game.position());
        let mate = San::from_ascii(b"Rd8").unwrap().to_move(game.position()).unwrap();
        let mate = legal.iter().position(|&m| m == mate).unwrap();
        let mut likely: Vec<usize> = (0..legal.len()).filter(|&place| place != mate).collect();
        likely.push(mate);
        for (glance, width) in [(None, 2), (Some(30), 2), (Some(30), 5)] {
            let mut memory = SearchMemory::new(20_000);
            let extent = Extent { nodes: 20_000, width, glance };
            let found = searcher().search(&mut memory, &game, &legal, &likely, extent);
            assert!(found.nodes <= 20_000);
            let last = found.values.last().unwrap();
            let best = likely.iter().filter(|&&m| found.seen[m]).map(|&m| last[m]).max().unwrap();
            for &place in &likely {
                let thoroughly = likely[..width].contains(&place);
                if glance.is_none() {
                    assert_eq!(found.seen[place], thoroughly);
                    assert_eq!(last[place] > -INFINITE, thoroughly);
                } else {
                    assert!(found.seen[place] || !thoroughly && place != mate);
                    assert!(last[place] > -INFINITE);
                    assert!(found.seen[place] || last[place] < best - 30);
                }
            }
            assert_eq!(best > MATE / 2, glance.is_some());
        }
    }

    #[test]
    fn positions_of_the_game_count_as_draws() {
        // Black is a queen ahead, but Kg8 repeats.
        let mut game = History::new(position("6k1/5ppp/8/8/8/8/1q4PP/7K w - - 0 1"));
        for san in ["Kg1", "Kf8", "Kh1", "Kg8", "Kg1", "Kf8", "Kh1"] {
            let played = san.parse::<San>().unwrap().to_move(game.position()).unwrap();
            game.play(played);
        }
        let legal = legal_moves(game.position());
        let back = San::from_ascii(b"Kg8").unwrap().to_move(game.position()).unwrap();
        let place = legal.iter().position(|&m| m == back).unwrap();
        let found = search(&mut searcher(), &game, 3_000);
        assert!(found.values.len() > 1 && found.values.iter().all(|values| values[place] == 0));
        assert!(found.values.iter().all(|values| values.iter().any(|&value| value > 300)));
    }

    #[test]
    fn a_line_that_comes_back_is_a_draw() {
        // White is a rook behind and is mated unless it checks for ever.
        let (san, values) = best("6k1/6p1/8/7Q/8/8/rq6/7K w - - 0 1");
        assert_eq!((&san[..], values.last()), ("Qe8", Some(&0)));
    }

    /// Boards with so many captures that quiescence could go on and on, and the one with the most moves.
    const FULL: [&str; 4] = [
        "rrrrkrrr/nnnnnnnn/bbbbbbbb/8/8/BBBBBBBB/NNNNNNNN/RRRRKRRR w - - 0 1",
        "qqqqqqqk/pppppppp/qqqqqqqq/8/8/QQQQQQQQ/PPPPPPPP/QQQQQQQK w - - 0 1",
        "kqrqqqqq/ppqqqqqq/qqqqqqqq/NNNNNNNN/nnnnnnnn/QQQQQQQQ/PPPPPPPP/KRRRRRRR w - - 0 1",
        "kBQQQQQQ/BR5Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1",
    ];

    #[test]
    fn boards_full_of_pieces_are_searched() {
        let mut used = searcher();
        for fen in FULL {
            let game = History::new(position(fen));
            for budget in [1, 2, 7, 100, 3_000] {
                let found = search(&mut used, &game, budget);
                assert!(found.nodes <= budget, "{fen} {budget}: {}", found.nodes);
                let width = legal_moves(game.position()).len().min(255).min(budget as usize);
                assert_eq!(found.seen.iter().filter(|&&seen| seen).count(), width);
                for (values, place) in found.values.iter().flat_map(|v| v.iter().zip(&found.seen)) {
                    assert_eq!(*values > -INFINITE, *place, "{fen}");
                }
                assert!(!found.values.is_empty());
                // What was searched for other games changes nothing.
                let fresh = search(&mut searcher(), &game, budget);
                assert_eq!((fresh.values, fresh.nodes), (found.values, found.nodes));
                let legal = legal_moves(game.position());
                let likely: Vec<usize> = (0..legal.len()).collect();
                let extent = Extent { nodes: budget, width: 2, glance: Some(1000) };
                let mut memory = SearchMemory::new(budget);
                let found = used.search(&mut memory, &game, &legal, &likely, extent);
                assert!(found.nodes <= budget && !found.values.is_empty());
            }
        }
    }

    #[test]
    fn what_was_found_before_serves_again() {
        let (mut searcher, mut memory) = (searcher(), SearchMemory::new(40_000));
        let mut game = History::new(position(
            "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 1",
        ));
        let mut depths = [0; 2];
        for _ in 0..16 {
            let first = search(&mut searcher, &game, 40_000);
            let again = search_on(&mut searcher, &mut memory, &game, 40_000);
            // At first sight nothing more is seen than without.
            assert_eq!(again.values[0], first.values[0]);
            depths[0] += first.values.len();
            depths[1] += again.values.len();
            let last = first.values.last().unwrap();
            let best = (0..last.len()).max_by_key(|&place| last[place]).unwrap();
            game.play(legal_moves(game.position())[best]);
        }
        assert!(depths[1] > depths[0], "{depths:?}");
    }

    #[test]
    fn nodes_are_bounded_wherever_the_search_breaks_off() {
        let mut used = searcher();
        let game = History::new(position(
            "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 1",
        ));
        for budget in (1..200).chain([1_000, 5_000, 10_001]) {
            let found = search(&mut used, &game, budget);
            assert!(found.nodes <= budget && !found.values.is_empty());
        }
        for fen in FULL {
            for budget in [1, 50, 1_000] {
                used.value(&position(fen), budget);
                assert!(used.nodes <= budget);
            }
        }
    }
}
