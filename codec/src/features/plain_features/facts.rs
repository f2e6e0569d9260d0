//! Facts that several plain features are computed from: of a piece that departs, and of one of its moves.

use shakmaty::{Bitboard, Color, Move, Position, Role, Square, attacks};

use super::PlainFeatures;
use crate::chess::{
    SliderAttacks, arrival, attackers_along, gain, least_valuable, role_value, see_by, see_of,
};

/// True if `attacker` is less valuable than `role`, by more than 50 centipawns.
pub(super) fn is_cheaper(attacker: Role, role: Role) -> bool {
    role_value(attacker) + 50 < role_value(role)
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

/// Facts that the features of all moves of one piece share.
pub struct Departure {
    /// The square of departure.
    pub from: Square,
    /// Enemy pieces that attack the square.
    pub(super) threats: Bitboard,
    /// Own pieces that defend the square.
    pub(super) guards: Bitboard,
    /// True if a less valuable piece attacks the square ([`is_cheaper`]).
    pub(super) by_cheaper: bool,
    /// The gain of the enemy by capturing the piece, in centipawns.
    pub(super) hanging: i32,
    /// The number of squares that the piece attacks.
    pub(super) mobility: i32,
}

/// Facts that several features of a move are computed from.
pub(super) struct MoveFacts {
    pub(super) candidate: Move,
    pub(super) from: Square,
    pub(super) to: Square,
    /// The role that arrives, which differs for promotions.
    pub(super) placed: Role,
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

impl<S: SliderAttacks> PlainFeatures<'_, S> {
    /// The shared part of the moves of the piece on `from`.
    pub fn departure(&self, from: Square, role: Role) -> Departure {
        let squares = self.position.board();
        let lines = [S::rook(from, self.occupied), S::bishop(from, self.occupied)];
        let at_from = attackers_along(squares, from, lines);
        let threats = at_from & squares.by_color(!self.own);
        let cheapest = least_valuable(squares, threats);
        Departure {
            from,
            threats,
            guards: at_from & squares.by_color(self.own),
            by_cheaper: cheapest.is_some_and(|(_, attacker)| is_cheaper(attacker, role)),
            hanging: match cheapest {
                Some((square, attacker)) if role != Role::King => {
                    let (value, captured) = (role_value(attacker), role_value(role));
                    see_by::<S>(squares, square, from, !self.own, [value, captured])
                }
                _ => 0,
            },
            mobility: attacks_along(from, role, self.own, lines).count() as i32,
        }
    }

    /// Facts that several features of a move are computed from.
    #[inline(always)]
    pub(super) fn facts(&self, candidate: Move, departure: &Departure) -> MoveFacts {
        let board = self.position.board();
        let (own, enemy) = (board.by_color(self.own), board.by_color(!self.own));
        let from = departure.from;
        let to = arrival(candidate);
        let placed = candidate.promotion().unwrap_or(candidate.role());
        let without = self.occupied.without(from);
        let after = without.with(to);
        // What stands on the square of arrival itself is in none of its lines.
        let lines = [S::rook(to, without), S::bishop(to, without)];
        let at_to = attackers_along(board, to, lines);
        let threats = at_to & enemy;
        let won = gain(candidate);
        let see = if candidate.is_castle() || threats.is_empty() {
            won
        } else {
            see_of::<S>(board, to, [at_to, without], self.own, [role_value(placed), won])
        };
        MoveFacts {
            candidate,
            from,
            to,
            placed,
            after,
            threats,
            guards: (at_to & own).without(from),
            hits: attacks_along(to, placed, self.own, lines),
            see,
        }
    }
}
