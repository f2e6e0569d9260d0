//! How a move relates to what happened, to what is threatened and to the pawns.
//!
//! A network that sees the board as a list of pieces is slow to learn what takes several of them at
//! once to see: that a line is open, that a square can be held, that a threat has been met. These
//! features say so outright, for each legal move.

use shakmaty::{Bitboard, Board, Color, Move, Piece, Position, Role, Square, attacks};

use super::buckets::{displacement, flag, role_index};
use super::index::{RELATIONS, moves};
use super::tactics::{MoveTactics, Tactics};
use crate::chess::{
    History, advance, arrival, attackers, least_valuable, passed_pawns, pawn_attacks, reach,
    role_value, see,
};

/// The greatest threat of the enemy's, by exchanges on one square.
#[derive(Debug, Clone, Copy)]
struct Danger {
    attacker: Square,
    victim: Square,
    /// 1 to 3.
    class: usize,
}

/// What the relations of all moves in a position have in common.
pub struct Relations<'a> {
    history: &'a History,
    tactics: &'a Tactics,
    board: &'a Board,
    own: Color,
    flip: usize,
    occupied: Bitboard,
    /// What the enemy attacks.
    attacked: Bitboard,
    danger: Option<Danger>,
    /// Whether something else is in danger too.
    second_danger: bool,
    /// What enemy pawns attack, now or ever.
    pawn_reach: Bitboard,
    /// What they would attack one step further.
    pawn_next: Bitboard,
    /// What the enemy's last piece attacked before it moved and does not any more.
    abandoned: Bitboard,
    /// What it attacks now.
    pursued: Bitboard,
    /// What the own piece that moved last attacks.
    prepared: Bitboard,
    /// The passed pawns nearest to promotion, own and enemy.
    runners: [Option<Square>; 2],
}

fn hits(board: &Board, square: Square, occupied: Bitboard) -> Bitboard {
    board
        .piece_at(square)
        .map_or(Bitboard::EMPTY, |piece| attacks::attacks(square, piece, occupied))
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
            abandoned = attacks::attacks(last.from, piece, before) & !pursued;
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
        let (own, enemy) = (self.board.by_color(self.own), self.board.by_color(!self.own));
        let without = self.occupied.without(from);
        let hits = attacks::attacks(to, placed, without.with(to));

        let path = attacks::between(from, to).with(to);
        let last_own = self.history.last(1);
        let last_enemy = self.history.last(0);
        let history = flag(0, self.prepared.contains(to) && last_own.is_some_and(|l| l.to != from))
            | flag(1, last_own.is_some_and(|last| path.contains(last.from)))
            | flag(2, last_own.is_some_and(|last| to == last.from))
            | flag(3, last_enemy.is_some_and(|last| path.contains(last.from)))
            | flag(4, self.pursued.contains(from))
            | flag(5, self.abandoned.contains(to))
            | flag(6, self.pursued.contains(to))
            | flag(7, self.history.last(3).is_some_and(|last| last.to == from));

        let file = |square: Square| {
            let pawns = Bitboard::from_file(square.file()) & self.board.pawns();
            flag(0, (pawns & own).any()) | flag(1, (pawns & enemy).any())
        };
        let role_place = role_index(role);
        let place = ((role_place * 4 + file(from)) * 4 + file(to)) * 4
            + flag(0, self.pawn_reach.contains(to))
            + flag(1, self.pawn_next.contains(to));

        let at_to = attackers(self.board, to, without);
        let guards = (at_to & own).without(from).count().min(3);
        let threats = (at_to & enemy).count().min(3);
        let piece = Piece { color: self.own, role };
        let guarded = attacks::attacks(from, piece, self.occupied) & own & self.attacked;
        let left = (guarded & !hits & !self.board.kings()).count().min(2);
        let hit = (hits & enemy.without(to)).count().min(3);
        let contest = (((role_place * 4 + guards) * 4 + threats) * 3 + left) * 4 + hit;

        let relative = |reference: Option<Square>| {
            let group = match role {
                Role::Pawn => 0,
                Role::Knight | Role::Bishop => 1,
                Role::Rook | Role::Queen => 2,
                Role::King => 3,
            };
            reference.map_or(4 * 225, |square| {
                let (to, square) = (usize::from(to) ^ self.flip, usize::from(square) ^ self.flip);
                group * 225 + displacement(to, square)
            })
        };

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
        let answer = (answer * 4 + concession) * 2 + forcing;

        let (before, after) = (&self.tactics.evaluation, &of_move.after);
        let parts = ((change_7(after.own_room - before.own_room) * 5
            + change_5(after.enemy_room - before.enemy_room))
            * 5
            + change_5(after.kings - before.kings))
            * 5
            + change_5(after.structure - before.structure);
        [
            moves::PAST + history,
            moves::PLACE + place,
            moves::CONTEST + contest,
            moves::PLAN + relative(last_own.map(|last| last.to)),
            moves::OWN_RUNNER + relative(self.runners[0]),
            moves::ENEMY_RUNNER + relative(self.runners[1]),
            moves::ANSWER + answer,
            moves::PARTS + parts,
        ]
        .map(|index| index as u16)
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
