//! Relations of a move to the last moves, to the enemy's threats and to the pawns.
//!
//! A network whose input is a list of pieces is slow to learn facts that depend on several pieces at
//! once: that a line is open, that a square is defended, that a move answers a threat. These features
//! state such facts for each legal move.

use shakmaty::{Bitboard, Board, Color, Move, Piece, Position, Role, Square, attacks};

use super::buckets::{DISPLACEMENTS, displacement, flag, role_index};
use super::index::{RELATIONS, moves};
use super::tactics::{MoveTactics, Tactics};
use crate::chess::{
    History, advance, arrival, attackers, least_valuable, passed_pawns, pawn_attacks,
    piece_attacks, reach, role_value, see,
};

/// The greatest threat of the enemy, by static exchange.
#[derive(Debug, Clone, Copy)]
struct Danger {
    attacker: Square,
    victim: Square,
    /// What the enemy threatens to win: 1 below 200 centipawns, 2 below 450, 3 above.
    class: usize,
}

/// Facts that the relations of all moves of a position share.
pub struct Relations<'a> {
    history: &'a History,
    tactics: &'a Tactics,
    board: &'a Board,
    own: Color,
    flip: usize,
    occupied: Bitboard,
    /// Squares that the enemy attacks.
    attacked: Bitboard,
    danger: Option<Danger>,
    /// Whether another piece is in danger too.
    second_danger: bool,
    /// Squares that enemy pawns attack, now or after advancing.
    pawn_reach: Bitboard,
    /// Squares that enemy pawns would attack after one step.
    pawn_next: Bitboard,
    /// Squares that the enemy's last moved piece attacked before its move and does not attack now.
    abandoned: Bitboard,
    /// Squares that the enemy's last moved piece attacks now.
    pursued: Bitboard,
    /// Squares that the last moved own piece attacks.
    prepared: Bitboard,
    /// The passed pawns nearest to promotion, own and enemy.
    runners: [Option<Square>; 2],
}

/// Squares that the piece on `square` attacks; none if the square is empty.
fn hits(board: &Board, square: Square, occupied: Bitboard) -> Bitboard {
    board.piece_at(square).map_or(Bitboard::EMPTY, |piece| piece_attacks(square, piece, occupied))
}

impl<'a> Relations<'a> {
    pub fn new(history: &'a History, tactics: &'a Tactics, attacked: Bitboard) -> Relations<'a> {
        let position = history.position();
        let board = position.board();
        let own = position.turn();
        let occupied = board.occupied();
        let enemy_pawns = board.pawns() & board.by_color(!own);
        let pushed = advance(enemy_pawns, !own) & !occupied;

        let mut dangers = 0;
        let mut danger: Option<(i32, Square, Square)> = None;
        for victim in attacked & board.by_color(own) {
            let enemies = attackers(board, victim, occupied) & board.by_color(!own);
            let Some((attacker, role)) = least_valuable(board, enemies) else { continue };
            let worth = board.role_at(victim).map_or(0, role_value);
            let value = see(board, attacker, victim, !own, role_value(role), worth);
            if value > 0 {
                dangers += 1;
                if danger.is_none_or(|(most, ..)| value > most) {
                    danger = Some((value, attacker, victim));
                }
            }
        }
        let danger = danger.map(|(value, attacker, victim)| Danger {
            attacker,
            victim,
            class: match value {
                ..200 => 1,
                200..450 => 2,
                _ => 3,
            },
        });

        let mut abandoned = Bitboard::EMPTY;
        let mut pursued = Bitboard::EMPTY;
        if let Some(last) = history.last(0) {
            let mut before = occupied.with(last.from);
            if last.captured.is_none() {
                before = before.without(last.to);
            }
            let piece = Piece { color: !own, role: last.role };
            pursued = hits(board, last.to, occupied);
            abandoned = piece_attacks(last.from, piece, before) & !pursued;
        }
        let runner = |color: Color| {
            let passed = passed_pawns(board, color);
            if color.is_white() { passed.last() } else { passed.first() }
        };
        Relations {
            history,
            tactics,
            board,
            own,
            flip: if own.is_white() { 0 } else { 56 },
            occupied,
            attacked,
            danger,
            second_danger: dangers > 1,
            pawn_reach: reach(enemy_pawns, !own),
            pawn_next: pawn_attacks(pushed, !own),
            abandoned,
            pursued,
            prepared: history
                .last(1)
                .map_or(Bitboard::EMPTY, |last| hits(board, last.to, occupied)),
            runners: [runner(own), runner(!own)],
        }
    }

    /// The indices of a legal move's relations.
    pub fn indices(&self, candidate: Move, of_move: &MoveTactics) -> [u16; RELATIONS] {
        let from = candidate.from().unwrap_or(Square::A1);
        let to = arrival(candidate);
        let role = candidate.role();
        let placed = Piece { color: self.own, role: candidate.promotion().unwrap_or(role) };
        let hits = piece_attacks(to, placed, self.occupied.without(from).with(to));
        let relative = |reference| self.relative(role, to, reference);
        let last_own = self.history.last(1).map(|last| last.to);
        let [own_runner, enemy_runner] = self.runners;
        [
            moves::PAST + self.past(from, to),
            moves::PLACE + role_index(role) * 64 + self.pawns_around(from, to),
            moves::CONTEST + self.contest(from, to, role, hits),
            moves::PLAN + relative(last_own),
            moves::OWN_RUNNER + relative(own_runner),
            moves::ENEMY_RUNNER + relative(enemy_runner),
            moves::ANSWER + self.answer(from, to, hits, of_move),
            moves::PARTS + self.parts(of_move),
        ]
        .map(|index| index as u16)
    }

    /// Flags: how the move relates to the last moves of both sides.
    #[inline(always)]
    fn past(&self, from: Square, to: Square) -> usize {
        let path = attacks::between(from, to).with(to);
        let (last_own, last_enemy) = (self.history.last(1), self.history.last(0));
        flag(0, self.prepared.contains(to) && last_own.is_some_and(|last| last.to != from))
            | flag(1, last_own.is_some_and(|last| path.contains(last.from)))
            | flag(2, last_own.is_some_and(|last| to == last.from))
            | flag(3, last_enemy.is_some_and(|last| path.contains(last.from)))
            | flag(4, self.pursued.contains(from))
            | flag(5, self.abandoned.contains(to))
            | flag(6, self.pursued.contains(to))
            | flag(7, self.history.last(3).is_some_and(|last| last.to == from))
    }

    /// The pawns on the files of departure and arrival, and whether enemy pawns can attack the
    /// arrival: 64 classes.
    #[inline(always)]
    fn pawns_around(&self, from: Square, to: Square) -> usize {
        let (own, enemy) = (self.board.by_color(self.own), self.board.by_color(!self.own));
        let file = |square: Square| {
            let pawns = Bitboard::from_file(square.file()) & self.board.pawns();
            flag(0, (pawns & own).any()) | flag(1, (pawns & enemy).any())
        };
        (file(from) * 4 + file(to)) * 4
            + flag(0, self.pawn_reach.contains(to))
            + flag(1, self.pawn_next.contains(to))
    }

    /// Role, defenders and attackers of the arrival, own attacked pieces that the move leaves without
    /// this defender, and enemy pieces that it attacks.
    #[inline(always)]
    fn contest(&self, from: Square, to: Square, role: Role, hits: Bitboard) -> usize {
        let (own, enemy) = (self.board.by_color(self.own), self.board.by_color(!self.own));
        let at_to = attackers(self.board, to, self.occupied.without(from));
        let guards = (at_to & own).without(from).count().min(3);
        let threats = (at_to & enemy).count().min(3);
        let piece = Piece { color: self.own, role };
        let guarded = piece_attacks(from, piece, self.occupied) & own & self.attacked;
        let left = (guarded & !hits & !self.board.kings()).count().min(2);
        let hit = (hits & enemy.without(to)).count().min(3);
        (((role_index(role) * 4 + guards) * 4 + threats) * 3 + left) * 4 + hit
    }

    /// The displacement of the arrival from another square, by kind of piece.
    #[inline(always)]
    fn relative(&self, role: Role, to: Square, reference: Option<Square>) -> usize {
        let kind = match role {
            Role::Pawn => 0,
            Role::Knight | Role::Bishop => 1,
            Role::Rook | Role::Queen => 2,
            Role::King => 3,
        };
        reference.map_or(4 * DISPLACEMENTS, |square| {
            let (to, square) = (usize::from(to) ^ self.flip, usize::from(square) ^ self.flip);
            kind * DISPLACEMENTS + displacement(to, square)
        })
    }

    /// The enemy's greatest threat and how the move answers it, the concession of the move, and
    /// whether it forces a reply.
    #[inline(always)]
    fn answer(&self, from: Square, to: Square, hits: Bitboard, of_move: &MoveTactics) -> usize {
        let answer = self.danger.map_or(0, |danger| {
            let how = if from == danger.victim {
                1
            } else if to == danger.attacker {
                2
            } else if attacks::between(danger.attacker, danger.victim).contains(to) {
                3
            } else if hits.contains(danger.victim) {
                4
            } else {
                0
            };
            1 + ((danger.class - 1) * 5 + how) * 2 + usize::from(self.second_danger)
        });
        let concession = match of_move.concession {
            ..1 => 0,
            1..150 => 1,
            150..400 => 2,
            _ => 3,
        };
        let forcing = usize::from(of_move.check || of_move.capture);
        (answer * 4 + concession) * 2 + forcing
    }

    /// The changes of the parts of the evaluation.
    #[inline(always)]
    fn parts(&self, of_move: &MoveTactics) -> usize {
        let (before, after) = (&self.tactics.evaluation, &of_move.after);
        let own_mobility = change_7(after.own_mobility - before.own_mobility);
        let enemy_mobility = change_5(after.enemy_mobility - before.enemy_mobility);
        let kings = change_5(after.kings - before.kings);
        let structure = change_5(after.structure - before.structure);
        ((own_mobility * 5 + enemy_mobility) * 5 + kings) * 5 + structure
    }
}

/// Centipawns to 7 classes.
fn change_7(change: i32) -> usize {
    match change {
        ..-25 => 0,
        -25..-9 => 1,
        -9..-2 => 2,
        -2..3 => 3,
        3..10 => 4,
        10..26 => 5,
        _ => 6,
    }
}

/// Centipawns to 5 classes.
fn change_5(change: i32) -> usize {
    match change {
        ..-14 => 0,
        -14..-3 => 1,
        -3..4 => 2,
        4..15 => 3,
        _ => 4,
    }
}
