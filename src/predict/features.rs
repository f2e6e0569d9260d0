//! What a predictor knows of a position and of each legal move: indices of features.
//!
//! Everything is seen from the side to move: for Black the board is flipped
//! top to bottom, and colours are "own" and "enemy". The layout of the
//! indices is part of what a model is trained for; it has the version
//! [`FEATURES_VERSION`].

use shakmaty::{
    Bitboard, CastlingSide, Chess, Color, Move, MoveList, Piece, Position, Role, Square, attacks,
};

use super::game_context::GameContext;
use super::relations::{RELATIONS, Relations};
use super::tactics::{Prospect, Tactics};
use crate::chess::{
    History, TURN_KEY, arrival, attackers, cheapest, exchange, gain, passed_pawns, piece_key,
    role_value,
};

/// Version of the features and of all else that a prediction with a network depends on (tactics,
/// evaluation, search, mix); models name the one that they were made for.
pub const FEATURES_VERSION: u32 = 8;

/// Most board features a position can have; unused places hold [`BOARD_PADDING`].
pub const BOARD_SLOTS: usize = 67;

/// Features of one move that need no search.
pub const PLAIN_SLOTS: usize = 14;

/// Features of one move.
pub const MOVE_SLOTS: usize = PLAIN_SLOTS + TACTICAL_SLOTS + RELATIONS;

/// Features of one move from its own tactics.
const TACTICAL_SLOTS: usize = 5;

/// Assigns consecutive ranges of indices to named groups of features.
macro_rules! index_ranges {
    ($total:ident: $($name:ident = $size:expr),+ $(,)?) => {
        index_ranges!(@ 0; $($name = $size,)+);
        const SIZES: &[usize] = &[$($size),+];
        /// Number of indices, padding included.
        pub const $total: usize = {
            let mut sum = 0;
            let mut index = 0;
            while index < SIZES.len() {
                sum += SIZES[index];
                index += 1;
            }
            sum
        };
    };
    (@ $start:expr; $name:ident = $size:expr, $($rest:tt)*) => {
        pub(crate) const $name: usize = $start;
        index_ranges!(@ $start + $size; $($rest)*);
    };
    (@ $start:expr;) => {};
}

/// Indices of board features.
pub mod board {
    index_ranges! { BOARD_FEATURES:
        // ((own pawns, enemy pawns) x 48 squares, (other own, other enemy) x 64 squares) x (attacked
        // + 2 defended), and the enemy king, who is not attacked, on 64 squares x defended
        PIECE = (2 * 48 + 9 * 64) * 4 + 64 * 2,
        CASTLING = 4,
        EN_PASSANT = 8,
        // squares of departure and arrival of the last three plies
        LAST = 6 * 64,
        CAPTURED = 6,
        OWN_ELO = 18,
        ENEMY_ELO = 18,
        PLY = 40,
        RESULT = 4,
        HALFMOVES = 16,
        REPEATED = 3,
        CHECK = 1,
        WHITE = 1,
        // centipawns in 21 buckets: what the best move wins, what the enemy would win if it were
        // its turn, and the balance of material
        WINS = 21,
        FEARS = 21,
        BALANCE = 21,
        // legal moves
        CHOICE = 16,
        // squares of departure and arrival of the two plies before the last three
        EARLIER = 4 * 64,
        EVALUATION = 21,
        // squares of passed pawns, own and enemy
        PASSED = 2 * 48,
        YEAR = 20,
        // pace x whether the game was played on a server
        PACE = 5 * 2,
        PADDING = 1,
    }
    /// Fills unused places.
    pub const BOARD_PADDING: u16 = PADDING as u16;
}

/// Indices of move features, one range for each slot.
pub mod moves {
    index_ranges! { MOVE_FEATURES:
        FROM = 6 * 64,
        TO = 6 * 64,
        FROM_TO = 64 * 64,
        // role x captured (none, pawn .. king), then promotions to knight .. queen x captured
        CAPTURE = 6 * 7 + 4 * 7,
        // static exchange value x (quiet, capture)
        EXCHANGE = 2 * 21,
        // role x what the enemy wins by taking on the square of departure
        HANGING = 6 * 21,
        SAFETY = 256,
        ORIGIN = 256,
        THREAT = 256,
        KIND = 256,
        COURSE = 256,
        // role x displacement of the arrival from a king or from the last arrival
        ENEMY_KING = 6 * 225,
        OWN_KING = 6 * 225,
        LAST_ARRIVAL = 6 * 225 + 1,
        // what the move wins after the best answer x how much less than the best move
        VALUE = 21 * 11,
        // what it threatens to win x what it lets the enemy win x whether it gives check
        INTENT = 11 * 11 * 2,
        // role x how much less than the best move x what it threatens x whether
        // something of its own hangs at present
        MOTIVE = 6 * 11 * 4 * 2,
        // how much less than the best its outlook is x phase x (quiet, capture, check)
        OUTLOOK = 12 * 4 * 3,
        // role x place among the outlooks x the outlook
        STANDING = 6 * 8 * 7,
        // flags: what the last moves have to do with it
        PAST = 256,
        // role x pawns on the file of departure x on that of arrival x whether enemy pawns can attack
        // it there, ever and soon
        PLACE = 6 * 4 * 4 * 4,
        // role x guards x attackers of the square of arrival x what is left unguarded x what is hit
        CONTEST = 6 * 4 * 4 * 3 * 4,
        // kind of piece x displacement of the arrival from the own last arrival, from the
        // foremost passed pawn, from the enemy's
        PLAN = 4 * 225 + 1,
        OWN_RUNNER = 4 * 225 + 1,
        ENEMY_RUNNER = 4 * 225 + 1,
        // the greatest threat and how it is met x what is conceded x whether the move forces
        ANSWER = 31 * 4 * 2,
        // what changes of the evaluation: own mobility x the enemy's x kings x pawns
        PARTS = 7 * 5 * 5 * 5,
    }
}

pub use board::{BOARD_FEATURES, BOARD_PADDING};
pub use moves::MOVE_FEATURES;

/// Move features that need no search come first.
pub const PLAIN_FEATURES: usize = moves::VALUE;

/// Board features of a position, padded.
pub type BoardIndices = [u16; BOARD_SLOTS];

/// Features of one legal move, one for each slot.
pub type MoveIndices = [u16; MOVE_SLOTS];

fn elo_bucket(elo: u16) -> usize {
    if elo == 0 { 0 } else { usize::from((elo.max(1200) - 1200) / 100).min(16) + 1 }
}

/// The years in which buckets begin, finer near the present; later ones than training knew belong to the
/// last.
const ERAS: [u16; 18] = [
    1900, 1930, 1950, 1970, 1980, 1985, 1990, 1995, 2000, 2004, 2008, 2011, 2013, 2015, 2017, 2019,
    2021, 2022,
];

/// Years to 20 buckets; 0 is unknown.
fn year_bucket(year: u16) -> usize {
    if year == 0 { 0 } else { 1 + ERAS.partition_point(|&first| first <= year) }
}

/// Centipawns to 21 buckets, finer near zero.
fn value_bucket(value: i32) -> usize {
    let magnitude = match value.abs() {
        0..=9 => 0,
        10..=49 => 1,
        50..=119 => 2,
        120..=199 => 3,
        200..=269 => 4,
        270..=349 => 5,
        350..=449 => 6,
        450..=549 => 7,
        550..=699 => 8,
        700..=949 => 9,
        _ => 10,
    };
    if value < 0 { 10 - magnitude } else { 10 + magnitude }
}

/// Displacement of `to` from `reference` as one of 225.
pub(super) fn displacement(to: usize, reference: usize) -> usize {
    let file = (to & 7) + 7 - (reference & 7);
    let rank = (to >> 3) + 7 - (reference >> 3);
    rank * 15 + file
}

pub(super) fn role_index(role: Role) -> usize {
    usize::from(role) - 1
}

/// Squares that the pieces of `color` attack.
fn attacked_by(board: &shakmaty::Board, color: Color) -> Bitboard {
    let occupied = board.occupied();
    board.by_color(color).into_iter().fold(Bitboard::EMPTY, |set, square| {
        let role = board.role_at(square).unwrap_or(Role::Pawn);
        set | attacks::attacks(square, Piece { color, role }, occupied)
    })
}

/// The features of the position on the board.
pub fn board_features(history: &History, context: &GameContext, tactics: &Tactics) -> BoardIndices {
    let position = history.position();
    let own = position.turn();
    let flip = if own.is_white() { 0 } else { 56 };
    let squares = position.board();
    let attacked = [attacked_by(squares, own), attacked_by(squares, !own)];

    let mut indices = [BOARD_PADDING; BOARD_SLOTS];
    let mut used = 0;
    let mut push = |index: usize| {
        // More than 32 pieces come only from strange FENs; what does not fit is left out.
        if used < BOARD_SLOTS {
            indices[used] = index as u16;
            used += 1;
        }
    };
    push(board::OWN_ELO + elo_bucket(context.elo[usize::from(own.is_black())]));
    push(board::ENEMY_ELO + elo_bucket(context.elo[usize::from(own.is_white())]));
    let ply = history.ply();
    push(board::PLY + if ply < 20 { ply } else { (20 + (ply - 20) / 8).min(39) });
    push(board::RESULT + context.result_for(own));
    push(board::YEAR + year_bucket(context.year));
    push(board::PACE + context.pace as usize * 2 + usize::from(context.online));
    let halfmoves = position.halfmoves() as usize;
    push(
        board::HALFMOVES
            + if halfmoves < 8 { halfmoves } else { (8 + (halfmoves - 8) / 12).min(15) },
    );
    push(board::REPEATED + history.occurrences(history.key()).min(2));
    if position.is_check() {
        push(board::CHECK);
    }
    if own.is_white() {
        push(board::WHITE);
    }
    for (index, (color, side)) in [
        (own, CastlingSide::KingSide),
        (own, CastlingSide::QueenSide),
        (!own, CastlingSide::KingSide),
        (!own, CastlingSide::QueenSide),
    ]
    .into_iter()
    .enumerate()
    {
        if position.castles().has(color, side) {
            push(board::CASTLING + index);
        }
    }
    if let Some(square) = position.legal_ep_square() {
        push(board::EN_PASSANT + usize::from(square.file()));
    }
    for back in 0..3 {
        if let Some(last) = history.last(back) {
            push(board::LAST + 128 * back + (usize::from(last.from) ^ flip));
            push(board::LAST + 128 * back + 64 + (usize::from(last.to) ^ flip));
        }
    }
    for back in 3..5 {
        if let Some(last) = history.last(back) {
            push(board::EARLIER + 128 * (back - 3) + (usize::from(last.from) ^ flip));
            push(board::EARLIER + 128 * (back - 3) + 64 + (usize::from(last.to) ^ flip));
        }
    }
    push(board::EVALUATION + value_bucket(tactics.evaluation.total));
    if let Some(role) = history.last(0).and_then(|last| last.captured) {
        push(board::CAPTURED + role_index(role));
    }
    push(board::WINS + value_bucket(tactics.best));
    push(board::FEARS + value_bucket(tactics.fears));
    push(board::BALANCE + value_bucket(tactics.balance));
    let choice = tactics.prospects.len();
    push(board::CHOICE + if choice < 8 { choice } else { (8 + (choice - 8) / 6).min(15) });
    for (square, piece) in squares.iter() {
        let enemy = usize::from(piece.color != own);
        let attacked_there = usize::from(attacked[1 - enemy].contains(square));
        let defended = usize::from(attacked[enemy].contains(square));
        push(
            board::PIECE
                + piece_index(
                    piece.role,
                    enemy,
                    usize::from(square) ^ flip,
                    attacked_there,
                    defended,
                ),
        );
    }
    for (enemy, color) in [own, !own].into_iter().enumerate() {
        for square in passed_pawns(squares, color) {
            push(board::PASSED + 48 * enemy + pawn_square(usize::from(square) ^ flip));
        }
    }
    indices
}

/// A pawn's square as one of 48.
fn pawn_square(square: usize) -> usize {
    // No pawn stands on the first or last rank.
    square.saturating_sub(8).min(47)
}

/// The place of a piece among the features [`board::PIECE`].
fn piece_index(role: Role, enemy: usize, square: usize, attacked: usize, defended: usize) -> usize {
    let state = attacked + 2 * defended;
    match (role, enemy) {
        (Role::Pawn, _) => (48 * enemy + pawn_square(square)) * 4 + state,
        (Role::King, 1) => (2 * 48 + 9 * 64) * 4 + square * 2 + defended,
        _ => (2 * 48 + (role_index(role) - 1 + 5 * enemy) * 64 + square) * 4 + state,
    }
}

/// Whether giving up `attacker` for `role` is a gain worth the name.
fn is_cheaper(attacker: Role, role: Role) -> bool {
    role_value(attacker) + 50 < role_value(role)
}

/// Sets bit `bit` of a group of flags.
pub(super) fn flag(bit: u32, set: bool) -> usize {
    usize::from(set) << bit
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
        let moves = out.iter_mut().zip(legal).zip(&tactics.prospects);
        for ((indices, &candidate), prospect) in moves {
            tactical_features(prospect, tactics, indices);
            indices[PLAIN_SLOTS + TACTICAL_SLOTS..]
                .copy_from_slice(&relations.indices(candidate, prospect));
        }
    }
}

/// Fills the places from [`PLAIN_SLOTS`] on.
fn tactical_features(prospect: &Prospect, tactics: &Tactics, indices: &mut MoveIndices) {
    let role = usize::from(indices[0]) / 64;
    let loss = value_bucket(tactics.best - prospect.value) - 10;
    let threat = value_bucket(prospect.threat) - 10;
    let concession = value_bucket(prospect.concession) - 10;
    let coarse = match prospect.threat {
        ..50 => 0,
        50..200 => 1,
        200..450 => 2,
        _ => 3,
    };
    let value = moves::VALUE + value_bucket(prospect.value) * 11 + loss;
    let intent = moves::INTENT + (threat * 11 + concession) * 2 + usize::from(prospect.check);
    let motive =
        moves::MOTIVE + ((role * 11 + loss) * 4 + coarse) * 2 + usize::from(tactics.fears >= 50);

    let kind = match prospect {
        Prospect { check: true, .. } => 2,
        Prospect { capture: true, .. } => 1,
        _ => 0,
    };
    let phase = match tactics.phase {
        ..8 => 0,
        8..15 => 1,
        15..21 => 2,
        _ => 3,
    };
    let behind = match tactics.best_outlook - prospect.outlook {
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
    let better = tactics.prospects.iter().filter(|other| other.outlook > prospect.outlook).count();
    let place = match better {
        0..3 => better,
        3..5 => 3,
        5..8 => 4,
        8..13 => 5,
        13..20 => 6,
        _ => 7,
    };
    let change = match prospect.outlook {
        ..-60 => 0,
        -60..-20 => 1,
        -20..0 => 2,
        0..15 => 3,
        15..35 => 4,
        35..80 => 5,
        _ => 6,
    };
    let outlook = moves::OUTLOOK + (behind * 4 + phase) * 3 + kind;
    let standing = moves::STANDING + (role * 8 + place) * 7 + change;
    indices[PLAIN_SLOTS..PLAIN_SLOTS + TACTICAL_SLOTS]
        .copy_from_slice(&[value, intent, motive, outlook, standing].map(|index| index as u16));
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
