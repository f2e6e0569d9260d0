//! The features of each legal move.

use shakmaty::{Bitboard, Chess, Color, Move, MoveList, Piece, Position, Role, Square, attacks};

use super::buckets::{displacement, flag, role_index, value_bucket};
use super::index::{MOVE_SLOTS, MoveIndices, PLAIN_SLOTS, TACTICAL_SLOTS, moves, slots};
use super::relations::Relations;
use super::tactics::{MoveTactics, Tactics};
use crate::chess::{
    History, TURN_KEY, arrival, attacked_by, attackers, cheapest, exchange, gain, piece_key,
    role_value,
};

/// Whether giving up `attacker` for `role` is a gain worth the name.
fn is_cheaper(attacker: Role, role: Role) -> bool {
    role_value(attacker) + 50 < role_value(role)
}

/// The features of each legal move, in the order of `legal`. Without tactics, the places
/// from [`PLAIN_SLOTS`] on hold no features.
pub fn move_features(
    history: &History,
    legal: &MoveList,
    tactics: Option<&Tactics>,
    out: &mut Vec<MoveIndices>,
) {
    let scene = Scene::new(history);
    out.clear();
    // Moves of one piece follow each other.
    let mut departure: Option<Departure> = None;
    out.extend(legal.iter().map(|&candidate| {
        let from = candidate.from().unwrap_or(scene.own_king);
        let departure = match &mut departure {
            Some(departure) if departure.from == from => departure,
            other => other.insert(scene.departure(from, candidate.role())),
        };
        scene.indices(candidate, departure)
    }));
    if let Some(tactics) = tactics {
        let attacked = attacked_by(history.position().board(), !history.position().turn());
        let relations = Relations::new(history, tactics, attacked);
        let moves = out.iter_mut().zip(legal).zip(&tactics.moves);
        for ((indices, &candidate), of_move) in moves {
            tactical_features(of_move, tactics, indices);
            indices[PLAIN_SLOTS + TACTICAL_SLOTS..]
                .copy_from_slice(&relations.indices(candidate, of_move));
        }
    }
}

/// Fills the places from [`PLAIN_SLOTS`] on.
fn tactical_features(of_move: &MoveTactics, tactics: &Tactics, indices: &mut MoveIndices) {
    let role = usize::from(indices[slots::FROM]) / 64;
    let loss = value_bucket(tactics.best - of_move.value) - 10;
    let threat = value_bucket(of_move.threat) - 10;
    let concession = value_bucket(of_move.concession) - 10;
    let coarse = match of_move.threat {
        ..50 => 0,
        50..200 => 1,
        200..450 => 2,
        _ => 3,
    };
    let value = moves::VALUE + value_bucket(of_move.value) * 11 + loss;
    let intent = moves::INTENT + (threat * 11 + concession) * 2 + usize::from(of_move.check);
    let motive =
        moves::MOTIVE + ((role * 11 + loss) * 4 + coarse) * 2 + usize::from(tactics.fears >= 50);

    let kind = match of_move {
        MoveTactics { check: true, .. } => 2,
        MoveTactics { capture: true, .. } => 1,
        _ => 0,
    };
    let phase = match tactics.phase {
        ..8 => 0,
        8..15 => 1,
        15..21 => 2,
        _ => 3,
    };
    let behind = match tactics.best_eval_delta - of_move.eval_delta {
        ..1 => 0,
        1..7 => 1,
        7..15 => 2,
        15..25 => 3,
        25..40 => 4,
        40..60 => 5,
        60..90 => 6,
        90..140 => 7,
        140..220 => 8,
        220..400 => 9,
        400..5000 => 10,
        _ => 11,
    };
    let better = tactics.moves.iter().filter(|other| other.eval_delta > of_move.eval_delta).count();
    let place = match better {
        0..3 => better,
        3..5 => 3,
        5..8 => 4,
        8..13 => 5,
        13..20 => 6,
        _ => 7,
    };
    let change = match of_move.eval_delta {
        ..-60 => 0,
        -60..-20 => 1,
        -20..0 => 2,
        0..15 => 3,
        15..35 => 4,
        35..80 => 5,
        _ => 6,
    };
    let eval_delta = moves::EVAL_DELTA + (behind * 4 + phase) * 3 + kind;
    let standing = moves::STANDING + (role * 8 + place) * 7 + change;
    indices[PLAIN_SLOTS..PLAIN_SLOTS + TACTICAL_SLOTS]
        .copy_from_slice(&[value, intent, motive, eval_delta, standing].map(|index| index as u16));
}

/// What the features of all moves of one piece have in common.
struct Departure {
    from: Square,
    threats: Bitboard,
    guards: Bitboard,
    /// Whether something cheaper than the piece attacks it.
    by_cheaper: bool,
    /// What the enemy wins by taking the piece, in centipawns.
    hanging: i32,
    /// Squares that the piece attacks.
    room: i32,
}

/// What the features of all moves in a position have in common.
struct Scene<'a> {
    history: &'a History,
    position: &'a Chess,
    own: Color,
    flip: usize,
    occupied: Bitboard,
    own_king: Square,
    enemy_king: Square,
    enemy_king_zone: Bitboard,
    /// What a queen on the enemy king's square would attack: only a piece that leaves
    /// one of these squares can give a discovered check.
    enemy_king_view: Bitboard,
    last_arrival: Option<Square>,
    reversible: bool,
}

impl<'a> Scene<'a> {
    fn new(history: &'a History) -> Scene<'a> {
        let position = history.position();
        let own = position.turn();
        let squares = position.board();
        let enemy_king = squares.king_of(!own).unwrap_or(Square::E8);
        Scene {
            history,
            position,
            own,
            flip: if own.is_white() { 0 } else { 56 },
            occupied: squares.occupied(),
            own_king: squares.king_of(own).unwrap_or(Square::E1),
            enemy_king,
            enemy_king_zone: attacks::king_attacks(enemy_king),
            enemy_king_view: attacks::queen_attacks(enemy_king, squares.occupied()),
            last_arrival: history.last(0).map(|last| last.to),
            reversible: position.halfmoves() >= 3,
        }
    }

    fn departure(&self, from: Square, role: Role) -> Departure {
        let squares = self.position.board();
        let at_from = attackers(squares, from, self.occupied);
        let threats = at_from & squares.by_color(!self.own);
        let cheapest = cheapest(squares, threats);
        let piece = Piece { color: self.own, role };
        Departure {
            from,
            threats,
            guards: at_from & squares.by_color(self.own),
            by_cheaper: cheapest.is_some_and(|(_, attacker)| is_cheaper(attacker, role)),
            hanging: match cheapest {
                Some((square, attacker)) if role != Role::King => {
                    let (value, captured) = (role_value(attacker), role_value(role));
                    exchange(squares, square, from, !self.own, value, captured)
                }
                _ => 0,
            },
            room: attacks::attacks(from, piece, self.occupied).count() as i32,
        }
    }

    fn indices(&self, candidate: Move, departure: &Departure) -> MoveIndices {
        let squares = self.position.board();
        let (own, enemy) = (squares.by_color(self.own), squares.by_color(!self.own));
        let from = departure.from;
        let to = arrival(candidate);
        let role = candidate.role();
        let placed = candidate.promotion().unwrap_or(role);
        let captured = candidate.capture();
        let (from_index, to_index) = (usize::from(from) ^ self.flip, usize::from(to) ^ self.flip);

        let without = self.occupied.without(from);
        let after = without.with(to);
        let (threats_from, guards_from) = (departure.threats, departure.guards);
        let at_to = attackers(squares, to, without);
        let threats_to = at_to & enemy;
        let guards_to = (at_to & own).without(from);
        let hits = attacks::attacks(to, Piece { color: self.own, role: placed }, after);
        let hit_pieces = hits & enemy.without(to);

        let won = gain(candidate);
        let value = if candidate.is_castle() || threats_to.is_empty() {
            won
        } else {
            exchange(squares, from, to, self.own, role_value(placed), won)
        };
        let hang = departure.hanging;
        let by_cheaper =
            cheapest(squares, threats_to).is_some_and(|(_, attacker)| is_cheaper(attacker, role));
        let safety = flag(0, (threats_to & squares.pawns()).any())
            | flag(1, (threats_to & (squares.knights() | squares.bishops())).any())
            | flag(2, (threats_to & squares.rooks_and_queens()).any())
            | flag(3, (threats_to & squares.kings()).any())
            | flag(4, (guards_to & squares.pawns()).any())
            | flag(5, guards_to.any())
            | flag(6, value < 0)
            | flag(7, by_cheaper);

        let last_own = self.history.last(1);
        let origin = flag(0, threats_from.any())
            | flag(1, departure.by_cheaper)
            | flag(2, guards_from.any())
            | flag(3, self.last_arrival.is_some_and(|square| threats_from.contains(square)))
            | flag(4, last_own.is_some_and(|last| last.to == from))
            | flag(5, last_own.is_some_and(|last| last.to == from && last.from == to))
            | flag(6, (threats_from & squares.pawns()).any())
            | flag(7, hang > 0);

        let discovered = self.enemy_king_view.contains(from) && {
            let sliders = own.without(from);
            let lines = attacks::rook_attacks(self.enemy_king, after) & squares.rooks_and_queens();
            let diagonals =
                attacks::bishop_attacks(self.enemy_king, after) & squares.bishops_and_queens();
            ((lines | diagonals) & sliders).any()
        };
        let loose = |set: Bitboard| {
            set.into_iter().any(|square| (attackers(squares, square, after) & enemy).is_empty())
        };
        let threat = flag(0, hit_pieces.contains(self.enemy_king))
            | flag(1, discovered)
            | flag(2, (hit_pieces & squares.queens()).any())
            | flag(3, (hit_pieces & squares.rooks()).any())
            | flag(4, loose(hit_pieces & !squares.pawns()))
            | flag(5, loose(hit_pieces & squares.pawns()))
            | flag(6, (hits & self.enemy_king_zone).any())
            | flag(7, self.last_arrival.is_some_and(|square| hit_pieces.contains(square)));

        let forward = (to_index >> 3) as i32 - (from_index >> 3) as i32;
        let is_pawn = role == Role::Pawn;
        let passed = is_pawn && self.is_passed(to);
        let kind = flag(0, passed)
            | flag(1, candidate.is_castle())
            | flag(2, self.last_arrival == Some(to))
            | flag(
                3,
                self.last_arrival == Some(to)
                    && self.history.last(0).is_some_and(|last| last.captured.is_some()),
            )
            | flag(4, forward > 0)
            | flag(5, forward < 0)
            | flag(6, self.connects(from, to, placed))
            | flag(7, (guards_from & squares.sliders()).any());

        let own_hits = (hits & own).count();
        let room = (hits.count() as i32 - departure.room).clamp(-6, 7);
        let course = (usize::from(self.history.times_moved(from)).min(3))
            | flag(2, self.repeats(candidate, from, to, role))
            | (((room + 6) / 2) as usize) << 3
            | own_hits.min(3) << 6;

        let role = role_index(role);
        let capture = captured.map_or(0, |role| role_index(role) + 1);
        let (own_king, enemy_king) =
            (usize::from(self.own_king) ^ self.flip, usize::from(self.enemy_king) ^ self.flip);
        let plain: [usize; PLAIN_SLOTS] = [
            moves::FROM + role * 64 + from_index,
            moves::TO + role * 64 + to_index,
            moves::FROM_TO + from_index * 64 + to_index,
            moves::CAPTURE
                + match candidate.promotion() {
                    None => role * 7 + capture,
                    Some(promotion) => 42 + (role_index(promotion).clamp(1, 4) - 1) * 7 + capture,
                },
            moves::EXCHANGE + usize::from(captured.is_some()) * 21 + value_bucket(value),
            moves::HANGING + role * 21 + value_bucket(hang),
            moves::SAFETY + safety,
            moves::ORIGIN + origin,
            moves::THREAT + threat,
            moves::KIND + kind,
            moves::COURSE + course,
            moves::ENEMY_KING + role * 225 + displacement(to_index, enemy_king),
            moves::OWN_KING + role * 225 + displacement(to_index, own_king),
            moves::LAST_ARRIVAL
                + self.last_arrival.map_or(6 * 225, |last| {
                    role * 225 + displacement(to_index, usize::from(last) ^ self.flip)
                }),
        ];
        let mut indices = [0; MOVE_SLOTS];
        for (index, plain) in indices.iter_mut().zip(plain) {
            *index = plain as u16;
        }
        indices
    }

    /// Whether a pawn on `square` has no enemy pawn before it on its own file or beside it.
    fn is_passed(&self, square: Square) -> bool {
        let blocks = |pawn: Square| {
            let ahead = match self.own {
                Color::White => pawn.rank() > square.rank(),
                Color::Black => pawn.rank() < square.rank(),
            };
            ahead && u32::from(pawn.file()).abs_diff(u32::from(square.file())) <= 1
        };
        !self.position.their(Role::Pawn).into_iter().any(blocks)
    }

    /// Whether the piece has a friend of its own role beside it or, on its file, anywhere.
    fn connects(&self, from: Square, to: Square, placed: Role) -> bool {
        let neighbours = Bitboard::from_file(to.file()) | attacks::king_attacks(to);
        (self.position.our(placed) & neighbours.without(to).without(from)).any()
    }

    /// Whether the position after the move stood on the board before.
    fn repeats(&self, candidate: Move, from: Square, to: Square, role: Role) -> bool {
        if !self.reversible || role == Role::Pawn || candidate.is_capture() || candidate.is_castle()
        {
            return false;
        }
        // A move that gives up castling rights is taken for reversible here; its key
        // matches nothing that came before, so the answer is right all the same.
        let piece = role_index(role) + if self.own.is_white() { 0 } else { 6 };
        let key = self.history.key()
            ^ piece_key(piece, usize::from(from))
            ^ piece_key(piece, usize::from(to))
            ^ TURN_KEY;
        self.history.occurrences(key) > 0
    }
}
