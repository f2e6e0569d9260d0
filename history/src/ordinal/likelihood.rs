//! The likelihood of moves, for the systems that put the likeliest first.

use std::sync::Arc;

use plyzip_codec::unstable::chess::{
    History, arrival, attackers, gives_check, least_valuable, legal_moves, role_value, see,
};
use plyzip_codec::unstable::predict::Pipeline;
use plyzip_codec::{GameContext, Model, Result};
use shakmaty::{Chess, Color, Move, MoveList, Position, Rank, Role, Square};

/// The source of the moves' likelihoods.
#[derive(Debug, Clone)]
pub enum Likelihood {
    /// Rules of thumb such as a program of 1993 could afford: exchanges, pieces under attack,
    /// checks, castling, development, the centre.
    Rules,
    /// A network, without ratings or names of the players. It stands for the program that Robison
    /// proposes, which finds the moves that a human would choose.
    Network(Arc<NetworkPolicy>),
}

/// The policy of a network: how likely it takes each legal move to be.
#[derive(Debug)]
pub struct NetworkPolicy(Pipeline);

impl NetworkPolicy {
    /// The policy of the network of `model`. A model without one gives no likelihoods: all moves are alike then.
    pub fn new(model: &Model) -> NetworkPolicy {
        NetworkPolicy(Pipeline::new(model))
    }
}

/// The legal moves, the likeliest first.
#[derive(Debug, Clone)]
pub struct Ranked {
    /// The moves. Of moves that are as likely, the first in canonical order is first.
    pub moves: MoveList,
    /// Number of moves that stand out from the rest, 1 to all: what Robison calls the
    /// position's reasonability complexity.
    pub reasonable: usize,
}

/// Of the rules: a move is reasonable if its score is at most this much below the best, in centipawns.
const RULES_MARGIN: i32 = 80;

/// Of the network: a move is reasonable if its logit is at most this much below the best, in units of 2<sup>-16</sup>
/// nat: 1.5 nats, so that the move is at least 0.22 times as likely as the best.
const NETWORK_MARGIN: i32 = 3 << 15;

impl Likelihood {
    /// Ranks the legal moves.
    ///
    /// # Errors
    /// [`Error::Model`](plyzip_codec::Error::Model) if the network fails.
    pub fn rank(&self, history: &History) -> Result<Ranked> {
        match self {
            Likelihood::Rules => {
                let legal = legal_moves(history.position());
                let rules = Rules::new(history);
                let scores: Vec<i32> =
                    legal.iter().map(|&candidate| rules.score(candidate)).collect();
                Ok(sort(&legal, &scores, RULES_MARGIN))
            }
            Likelihood::Network(policy) => {
                let prepared = policy.0.prepare(history, &GameContext::default());
                if prepared.legal.is_empty() {
                    return Ok(Ranked { moves: MoveList::new(), reasonable: 0 });
                }
                let scores = policy.0.score(&[&prepared])?.pop().flatten().unwrap_or_default();
                Ok(sort(&prepared.legal, &scores.moves, NETWORK_MARGIN))
            }
        }
    }
}

fn sort(legal: &[Move], scores: &[i32], margin: i32) -> Ranked {
    let score = |index: usize| scores.get(index).copied().unwrap_or(0);
    let mut places: Vec<usize> = (0..legal.len()).collect();
    places.sort_by_key(|&index| std::cmp::Reverse(score(index)));
    let best = places.first().map_or(0, |&index| score(index));
    let reasonable = places.iter().take_while(|&&index| best - score(index) <= margin).count();
    Ranked { moves: places.iter().map(|&index| legal[index]).collect(), reasonable }
}

/// A position with what the rules of thumb need of the game before it.
struct Rules<'a> {
    position: &'a Chess,
    /// The square of arrival of the enemy's last move, if that was a capture.
    recapture: Option<Square>,
    /// Whether at most six pieces besides pawns and kings are left, so that kings should be active.
    endgame: bool,
}

impl Rules<'_> {
    fn new(history: &History) -> Rules<'_> {
        let position = history.position();
        let board = position.board();
        let recapture = history.last(0).and_then(|last| last.captured.is_some().then_some(last.to));
        let non_pawn_material = board.occupied() & !board.pawns() & !board.kings();
        Rules { position, recapture, endgame: non_pawn_material.count() <= 6 }
    }

    /// The score of a move, higher for likelier ones, in centipawns as far as material is concerned.
    fn score(&self, candidate: Move) -> i32 {
        let (board, turn) = (self.position.board(), self.position.turn());
        let (role, to) = (candidate.role(), arrival(candidate));
        let Some(from) = candidate.from() else { return 0 };
        if candidate.is_castle() {
            return 150;
        }
        let on_arrival = role_value(candidate.promotion().unwrap_or(role));
        let captured = candidate.capture().map_or(0, role_value) + on_arrival - role_value(role);
        // The material that the move wins or loses on its square of arrival.
        let mut score = see(board, from, to, turn, on_arrival, captured).min(900);
        if self.recapture == Some(to) && score >= 0 {
            score += 250;
        }
        // The material that the piece would lose on its square of departure.
        score += self.danger(from, role, turn) * 3 / 4;
        if gives_check(self.position, candidate) {
            score += 60;
        }
        score += square_value(role, to, turn, self.endgame)
            - square_value(role, from, turn, self.endgame);
        score
    }

    /// The material that the enemy wins, in centipawns, by capturing the piece on `square`.
    fn danger(&self, square: Square, role: Role, turn: Color) -> i32 {
        let board = self.position.board();
        if role == Role::King {
            return 0;
        }
        let enemies = attackers(board, square, board.occupied()) & board.by_color(!turn);
        least_valuable(board, enemies).map_or(0, |(from, attacker)| {
            see(board, from, square, !turn, role_value(attacker), role_value(role)).max(0)
        })
    }
}

/// The value of a square for a piece, in centipawns.
fn square_value(role: Role, square: Square, turn: Color, endgame: bool) -> i32 {
    let (file, rank) = (i32::from(square.file()), i32::from(square.rank()));
    let forward = if turn.is_white() { rank } else { 7 - rank };
    // 0 in a corner to 6 in the centre
    let central = file.min(7 - file) + rank.min(7 - rank);
    let home = square.rank() == turn.fold_wb(Rank::First, Rank::Eighth);
    match role {
        Role::Pawn => forward * if endgame { 10 } else { 4 } + file.min(7 - file) * forward * 2,
        Role::Knight => central * 10 - if home { 20 } else { 0 },
        Role::Bishop => central * 5 - if home { 25 } else { 0 },
        Role::Rook => file.min(7 - file) * 6 + forward,
        Role::Queen => central * 2,
        Role::King if endgame => central * 8,
        Role::King => -forward * 20 - file.min(7 - file) * 12,
    }
}
