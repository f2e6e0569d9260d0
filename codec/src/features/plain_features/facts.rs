//! Facts that several plain features are computed from: of a piece that departs, and of one of its moves.

use shakmaty::{Bitboard, Board, Color, File, Move, Position, Role, Square, attacks};

use super::PlainFeatures;
use super::masks::{Masks, Registers};
use crate::chess::{
    SliderAttacks, arrival, attackers_along, gain, least_valuable, role_value, see_by, see_of, way,
};
use crate::features::buckets::{VALUE_BUCKETS, flag, role_index, value_bucket};
use crate::features::index::moves;

/// The pieces that are less valuable than `role`, by more than 50 centipawns.
fn cheaper(board: &Board, role: Role) -> Bitboard {
    let cheaper = Role::ALL.into_iter().filter(|&other| role_value(other) + 50 < role_value(role));
    cheaper.fold(Bitboard::EMPTY, |set, other| set | board.by_role(other))
}

/// The squares that a piece attacks, where those are known that a rook and a bishop on its square would.
#[inline(always)]
fn attacks_along(
    square: Square,
    role: Role,
    color: Color,
    [rook, bishop]: [Bitboard; 2],
) -> Bitboard {
    match role {
        Role::Pawn => attacks::pawn_attacks(color, square),
        Role::Knight => attacks::knight_attacks(square),
        Role::Bishop => bishop,
        Role::Rook => rook,
        Role::Queen => rook | bishop,
        Role::King => attacks::king_attacks(square),
    }
}

/// The squares beside these pieces and on their files.
pub(super) fn connected(pieces: Bitboard) -> Bitboard {
    let beside = (pieces.shift(1) & !Bitboard::from_file(File::A))
        | (pieces.shift(-1) & !Bitboard::from_file(File::H));
    let row = pieces | beside;
    way(pieces, Color::White) | way(pieces, Color::Black) | row.shift(8) | row.shift(-8) | beside
}

/// Facts that the features of all moves of one piece share.
pub struct Departure {
    /// The square of departure.
    pub from: Square,
    /// The role of the piece.
    pub(super) role: Role,
    /// The index of role and square.
    pub(super) from_feature: usize,
    /// The index of what the enemy gains by capturing the piece.
    pub(super) hanging: usize,
    /// The flags of the square ([`PlainFeatures::origin`]).
    pub(super) origin: usize,
    /// Where the piece came from with the own last move, if it moved then.
    pub(super) came_from: Option<Square>,
    /// True if a slider defends the square.
    pub(super) guarded_by_slider: bool,
    /// How often the piece has moved, at most 3.
    pub(super) times_moved: usize,
    /// The sets for the flags of [`PlainFeatures::safety`]: those are set that meet the pieces that attack the arrival.
    pub(super) attackers: Masks,
    /// The sets for the flags of [`PlainFeatures::kind`]: those are set that have the square of arrival.
    pub(super) arrivals: Masks,
    /// The number of squares that the piece attacks.
    pub(super) mobility: i32,
}

impl Departure {
    /// The flag of a move back to `to`, beside those of [`PlainFeatures::origin`].
    #[inline(always)]
    pub(super) fn back(&self, to: Square) -> usize {
        flag(5, self.came_from == Some(to))
    }
}

/// Facts that several features of a move are computed from.
pub(super) struct MoveFacts {
    pub(super) role: Role,
    pub(super) captured: Option<Role>,
    pub(super) promoted: Option<Role>,
    pub(super) castles: bool,
    pub(super) from: Square,
    pub(super) to: Square,
    /// Occupied squares after the move.
    pub(super) after: Bitboard,
    /// Enemy pieces that attack the square of arrival.
    pub(super) threats: Bitboard,
    /// Own pieces that defend it.
    pub(super) guards: Bitboard,
    /// Squares that the piece attacks after the move.
    pub(super) hits: Bitboard,
    /// The gain of the move by static exchange, in centipawns.
    pub(super) see: i32,
}

impl<S: SliderAttacks, R: Registers> PlainFeatures<'_, S, R> {
    /// The shared part of the moves of the piece on `from`.
    pub fn departure(&self, from: Square, role: Role) -> Departure {
        let squares = self.position.board();
        let lines = [S::rook(from, self.occupied), S::bishop(from, self.occupied)];
        let at_from = attackers_along(squares, from, lines);
        let threats = at_from & squares.by_color(!self.own);
        let guards = at_from & squares.by_color(self.own);
        let cheaper = cheaper(squares, role);
        let hanging = match least_valuable(squares, threats) {
            Some((square, attacker)) if role != Role::King => {
                let (value, captured) = (role_value(attacker), role_value(role));
                see_by::<S>(squares, square, from, !self.own, [value, captured])
            }
            _ => 0,
        };
        let last_own = self.history.last(1).filter(|last| last.to == from);
        let number = role_index(role);
        Departure {
            from,
            role,
            from_feature: moves::FROM + number * 64 + (usize::from(from) ^ self.flip),
            hanging: moves::HANGING + number * VALUE_BUCKETS + value_bucket(hanging),
            origin: self.origin([threats, guards, cheaper], hanging, last_own.is_some()),
            came_from: last_own.map(|last| last.from),
            guarded_by_slider: (guards & squares.sliders()).any(),
            times_moved: usize::from(self.history.times_moved(from)).min(3),
            attackers: Masks([
                squares.pawns(),
                squares.knights() | squares.bishops(),
                squares.rooks_and_queens(),
                squares.kings(),
                Bitboard::EMPTY,
                Bitboard::EMPTY,
                Bitboard::EMPTY,
                cheaper,
            ]),
            arrivals: self.arrivals(from, role),
            mobility: attacks_along(from, role, self.own, lines).count() as i32,
        }
    }

    /// [`Departure::arrivals`].
    fn arrivals(&self, from: Square, role: Role) -> Masks {
        let passed = match role {
            Role::Pawn => self.passed,
            _ => Bitboard::EMPTY,
        };
        let last = self.last_arrival.map_or(Bitboard::EMPTY, Bitboard::from);
        let captured = self.history.last(0).is_some_and(|last| last.captured.is_some());
        let first = u32::from(from) & 56;
        let (below, rank) = (Bitboard((1 << first) - 1), Bitboard(0xff << first));
        let above = !(below | rank);
        let [ahead, behind] = self.own.fold_wb([above, below], [below, above]);
        let others = self.position.our(role).without(from);
        Masks([
            passed,
            Bitboard::EMPTY,
            last,
            if captured { last } else { Bitboard::EMPTY },
            ahead,
            behind,
            connected(others),
            Bitboard::EMPTY,
        ])
    }

    /// Facts that several features of a move are computed from.
    #[inline(always)]
    pub(super) fn facts(&self, candidate: Move, departure: &Departure) -> MoveFacts {
        let board = self.position.board();
        let (own, enemy) = (board.by_color(self.own), board.by_color(!self.own));
        let &Departure { from, role, .. } = departure;
        let (captured, promoted) = (candidate.capture(), candidate.promotion());
        let castles = candidate.is_castle();
        let to = if castles { arrival(candidate) } else { candidate.to() };
        let placed = promoted.unwrap_or(role);
        let without = self.occupied.without(from);
        let after = without.with(to);
        // What stands on the square of arrival itself is in none of its lines.
        let lines = [S::rook(to, without), S::bishop(to, without)];
        let at_to = attackers_along(board, to, lines);
        let threats = at_to & enemy;
        let won = gain(candidate);
        let see = if castles || threats.is_empty() {
            won
        } else {
            see_of::<S>(board, to, [at_to, without], self.own, [role_value(placed), won])
        };
        MoveFacts {
            role,
            captured,
            promoted,
            castles,
            from,
            to,
            after,
            threats,
            guards: (at_to & own).without(from),
            hits: attacks_along(to, placed, self.own, lines),
            see,
        }
    }
}
