//! The inputs of the linear policy: properties of a position, and attributes of a move, as indices.
//!
//! As in the features of the networks, everything is seen from the side to move: for Black the board is flipped top to
//! bottom.

use shakmaty::{Bitboard, Board, CastlingSide, Color, Piece, Position, Role, Square};

use super::super::mixer_input::{REPLY_CLASSES, reply_class};
use crate::chess::{History, Lines, checkers_by, pawn_attacks, piece_attacks, role_value};
use crate::features::index::{moves, slots};
use crate::features::{GameContext, MoveIndices};

/// Pieces on squares: roles of one side times squares.
const PIECES: usize = 6 * 64;

/// Assigns consecutive ranges of indices to named groups of properties.
macro_rules! ranges {
    ($total:ident: $($(#[$doc:meta])* $name:ident = $size:expr),+ $(,)?) => {
        ranges!(@ 0; $($(#[$doc])* $name = $size,)+);
        /// Number of properties of positions.
        pub const $total: usize = 0 $(+ $size)+;
    };
    (@ $start:expr; $(#[$doc:meta])* $name:ident = $size:expr, $($rest:tt)*) => {
        $(#[$doc])*
        const $name: usize = $start;
        ranges!(@ $start + $size; $($rest)*);
    };
    (@ $start:expr;) => {};
}

ranges! { PROPERTIES:
    /// Own pieces, then enemy pieces.
    PIECE = 2 * PIECES,
    /// Piece and square of arrival of the last move and of the one before.
    LAST = 2 * REPLY_CLASSES,
    /// Piece and square of departure of the last move.
    LAST_FROM = PIECES + 1,
    /// Square on which the last move captured.
    RECAPTURE = 64,
    /// Pieces that are attacked by a cheaper piece, or attacked and not defended; own, then enemy.
    HANGING = 2 * PIECES,
    /// Other pieces that are attacked; own, then enemy.
    ATTACKED = 2 * PIECES,
    /// Plies, by fives.
    PLY = 24,
    /// Castling rights: own king side, own queen side, enemy king side, enemy queen side.
    CASTLING = 16,
    /// File of a legal en passant capture.
    EN_PASSANT = 8,
    /// The announced result for the side to move.
    RESULT = 4,
    /// Pieces left: minor pieces count 1, rooks 2, queens 4; by twos.
    PHASE = 12,
    /// Whether the side to move is in check.
    CHECK = 2,
    /// Own minus enemy material in pawns, -7 to 7.
    BALANCE = 15,
    /// Rating of the side to move.
    RATING = RATINGS.len() + 2,
}

/// Ratings at which the next class begins; unrated players are a class of their own.
const RATINGS: [u16; 6] = [2000, 2200, 2350, 2450, 2550, 2650];

/// Number of attributes of moves: piece and square of arrival, piece and square of departure, and piece with captured
/// piece or promotion.
pub const ATTRIBUTES: usize = 2 * PIECES + CAPTURES;

/// Number of classes of captures and promotions.
const CAPTURES: usize = moves::EXCHANGE - moves::CAPTURE;

/// The slot of a move's features that holds piece with captured piece or promotion.
const CAPTURE_SLOT: usize = 3;

/// Number of stages of a game for the weights of move features.
pub const STAGES: usize = STAGE_STARTS.len() + 1;

/// Plies at which stages begin, after the first.
const STAGE_STARTS: [usize; 7] = [8, 14, 20, 30, 44, 64, 90];

/// The attributes of a move with these features, below [`ATTRIBUTES`].
pub fn attributes(features: &MoveIndices) -> [usize; 3] {
    let index = |slot: usize| usize::from(features[slot]);
    [
        index(slots::TO) - moves::TO,
        PIECES + index(slots::FROM) - moves::FROM,
        2 * PIECES + index(CAPTURE_SLOT) - moves::CAPTURE,
    ]
}

/// The stage of a game after `ply` plies, below [`STAGES`].
pub fn stage(ply: usize) -> usize {
    STAGE_STARTS.iter().take_while(|&&start| ply >= start).count()
}

/// What one side attacks.
#[derive(Debug, Clone, Copy, Default)]
struct Attacks {
    all: Bitboard,
    by_pawns: Bitboard,
    by_minor_pieces: Bitboard,
    by_rooks: Bitboard,
}

impl Attacks {
    fn new(board: &Board, side: Color) -> Attacks {
        let occupied = board.occupied();
        let by = |role: Role| {
            let pieces = board.by_piece(Piece { color: side, role });
            pieces.into_iter().fold(Bitboard::EMPTY, |set, square| {
                set | piece_attacks(square, Piece { color: side, role }, occupied)
            })
        };
        let by_pawns = pawn_attacks(board.pawns() & board.by_color(side), side);
        let by_minor_pieces = by(Role::Knight) | by(Role::Bishop);
        let by_rooks = by(Role::Rook);
        let all = by_pawns | by_minor_pieces | by_rooks | by(Role::Queen) | by(Role::King);
        Attacks { all, by_pawns, by_minor_pieces, by_rooks }
    }

    /// Squares on which a piece cheaper than `role` attacks.
    fn by_cheaper(&self, role: Role) -> Bitboard {
        match role {
            Role::Pawn | Role::King => Bitboard::EMPTY,
            Role::Knight | Role::Bishop => self.by_pawns,
            Role::Rook => self.by_pawns | self.by_minor_pieces,
            Role::Queen => self.by_pawns | self.by_minor_pieces | self.by_rooks,
        }
    }
}

/// The properties of a position in a game, each at most once and below [`PROPERTIES`]; at most two for each piece and
/// 14 others.
pub fn properties(history: &History, context: &GameContext) -> Vec<u16> {
    let position = history.position();
    let board = position.board();
    let own = position.turn();
    let flip = if own.is_white() { 0 } else { 56 };
    let place =
        |role: Role, square: Square| (usize::from(role) - 1) * 64 + (usize::from(square) ^ flip);
    let mut properties = Vec::with_capacity(80);
    let mut add = |property: usize| properties.push(property as u16);

    let sides = [own, !own];
    let attacks = sides.map(|side| Attacks::new(board, side));
    let (mut phase, mut balance) = (0, 0);
    for (side, &color) in sides.iter().enumerate() {
        let (ours, theirs) = (&attacks[side], &attacks[1 - side]);
        for role in Role::ALL {
            let pieces = board.by_piece(Piece { color, role });
            let count = pieces.count();
            phase += count * [0, 1, 1, 2, 4, 0][usize::from(role) - 1];
            if role != Role::King {
                balance += (1 - 2 * side as i32) * role_value(role) * count as i32;
            }
            let hanging = theirs.by_cheaper(role) | (theirs.all & !ours.all);
            for square in pieces {
                let piece = side * PIECES + place(role, square);
                add(PIECE + piece);
                if role != Role::King && theirs.all.contains(square) {
                    add(if hanging.contains(square) { HANGING } else { ATTACKED } + piece);
                }
            }
        }
    }
    for back in 0..2 {
        add(LAST + back * REPLY_CLASSES + reply_class(history, back));
    }
    let last = history.last(0);
    add(LAST_FROM + last.map_or(PIECES, |last| place(last.role, last.from)));
    if let Some(last) = last.filter(|last| last.captured.is_some()) {
        add(RECAPTURE + (usize::from(last.to) ^ flip));
    }
    add(PLY + (history.ply() / 5).min(23));
    let castles = position.castles();
    let rights = sides.into_iter().flat_map(|side| {
        [CastlingSide::KingSide, CastlingSide::QueenSide].map(|wing| castles.has(side, wing))
    });
    add(CASTLING + rights.enumerate().map(|(bit, right)| usize::from(right) << bit).sum::<usize>());
    if let Some(square) = position.legal_ep_square() {
        add(EN_PASSANT + usize::from(square.file()));
    }
    add(RESULT + context.result_for(own));
    add(PHASE + (phase / 2).min(11));
    add(CHECK + usize::from(checkers_by::<Lines>(position).any()));
    add(BALANCE + ((balance / 100).clamp(-7, 7) + 7) as usize);
    let rating = context.rating(own);
    let class = RATINGS.iter().take_while(|&&start| rating >= start).count() + 1;
    add(RATING + if rating == 0 { 0 } else { class });
    properties
}

#[cfg(test)]
mod tests {
    use super::super::{PLAIN_SLOTS, WEIGHTS};
    use super::*;

    /// The largest sum of weights with an attribute, times `sign`, that the properties of a position can have.
    fn largest_sum(attribute: usize, sign: i32) -> i32 {
        let weight =
            |property: usize| sign * i32::from(WEIGHTS[property * ATTRIBUTES + attribute] as i8);
        let of_square = |square: usize| {
            let of_piece = |piece: usize| {
                let attacked = weight(HANGING + piece).max(weight(ATTACKED + piece));
                weight(PIECE + piece) + attacked.max(0)
            };
            (0..12).map(|kind| of_piece(kind * 64 + square)).fold(0, i32::max)
        };
        // Of each of these ranges a position has at most one property.
        let behind_pieces = [LAST, LAST + REPLY_CLASSES, LAST_FROM, RECAPTURE, HANGING];
        let others = [PLY, CASTLING, EN_PASSANT, RESULT, PHASE, CHECK, BALANCE, RATING, PROPERTIES];
        let ranges = behind_pieces.windows(2).chain(others.windows(2));
        let of_ranges = ranges.map(|ends| (ends[0]..ends[1]).map(weight).fold(0, i32::max));
        (0..64).map(of_square).sum::<i32>() + of_ranges.sum::<i32>()
    }

    #[test]
    fn sixteen_bits_hold_the_logit_of_every_move() {
        let of_attributes = [0..PIECES, PIECES..2 * PIECES, 2 * PIECES..ATTRIBUTES];
        for sign in [1, -1] {
            let largest = of_attributes.clone().map(|attributes| {
                attributes.map(|attribute| largest_sum(attribute, sign)).fold(0, i32::max)
            });
            let most = largest.iter().sum::<i32>() + PLAIN_SLOTS as i32 * 127;
            assert!((2000..=i16::MAX.into()).contains(&most), "{most}");
        }
    }
}
