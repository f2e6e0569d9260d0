//! Plain features that are flags.

use shakmaty::{Bitboard, Position, Role, Square, attacks};

use super::PlainFeatures;
use super::facts::{Departure, MoveFacts};
use crate::chess::{SliderAttacks, TURN_KEY, piece_key};
use crate::features::buckets::{flag, role_index};

impl<S: SliderAttacks> PlainFeatures<'_, S> {
    /// Flags of the square of arrival: what attacks and defends it.
    #[inline(always)]
    pub(super) fn safety(&self, facts: &MoveFacts, departure: &Departure) -> usize {
        let board = self.position.board();
        let &MoveFacts { threats, guards, see, .. } = facts;
        flag(0, (threats & board.pawns()).any())
            | flag(1, (threats & (board.knights() | board.bishops())).any())
            | flag(2, (threats & board.rooks_and_queens()).any())
            | flag(3, (threats & board.kings()).any())
            | flag(4, (guards & board.pawns()).any())
            | flag(5, guards.any())
            | flag(6, see < 0)
            | flag(7, (threats & departure.cheaper).any())
    }

    /// Flags of the square of departure: what attacks and defends it, and whether the piece moved last. `hanging` is
    /// what the enemy gains by capturing the piece. That of a move back is [`PlainFeatures::back`].
    pub(super) fn origin(
        &self,
        [threats, guards, cheaper]: [Bitboard; 3],
        hanging: i32,
        moved_last: bool,
    ) -> usize {
        flag(0, threats.any())
            | flag(1, (threats & cheaper).any())
            | flag(2, guards.any())
            | flag(3, self.last_arrival.is_some_and(|square| threats.contains(square)))
            | flag(4, moved_last)
            | flag(6, (threats & self.position.board().pawns()).any())
            | flag(7, hanging > 0)
    }

    /// The flag of a move back, beside those of [`PlainFeatures::origin`].
    #[inline(always)]
    pub(super) fn back(&self, facts: &MoveFacts, departure: &Departure) -> usize {
        flag(5, departure.came_from == Some(facts.to))
    }

    /// Flags of what the piece attacks after the move.
    #[inline(always)]
    pub(super) fn threat(&self, facts: &MoveFacts) -> usize {
        let board = self.position.board();
        let enemy = board.by_color(!self.own);
        let &MoveFacts { to, after, hits, .. } = facts;
        let attacked = hits & enemy.without(to);
        let sliders = enemy & board.sliders();
        let undefended = |set: Bitboard| {
            (set & !self.enemy_leaps).into_iter().any(|square| {
                let lines = S::rook(square, after) & board.rooks_and_queens();
                let diagonals = S::bishop(square, after) & board.bishops_and_queens();
                ((lines | diagonals) & sliders).is_empty()
            })
        };
        flag(0, attacked.contains(self.enemy_king))
            | flag(1, self.discovers_check(facts))
            | flag(2, (attacked & board.queens()).any())
            | flag(3, (attacked & board.rooks()).any())
            | flag(4, undefended(attacked & !board.pawns()))
            | flag(5, undefended(attacked & board.pawns()))
            | flag(6, (hits & self.enemy_king_zone).any())
            | flag(7, self.last_arrival.is_some_and(|square| attacked.contains(square)))
    }

    /// Whether another piece attacks the enemy king after the move.
    #[inline(always)]
    fn discovers_check(&self, facts: &MoveFacts) -> bool {
        let &MoveFacts { from, after, .. } = facts;
        self.enemy_king_view.contains(from) && {
            let board = self.position.board();
            let sliders = board.by_color(self.own).without(from);
            let lines = S::rook(self.enemy_king, after) & board.rooks_and_queens();
            let diagonals = S::bishop(self.enemy_king, after) & board.bishops_and_queens();
            ((lines | diagonals) & sliders).any()
        }
    }

    /// Flags of the kind of move: passed pawn, castling, recapture, direction.
    #[inline(always)]
    pub(super) fn kind(&self, facts: &MoveFacts, departure: &Departure) -> usize {
        let &MoveFacts { role, castles, from, to, placed, .. } = facts;
        let rank = |square: Square| (usize::from(square) ^ self.flip) >> 3;
        let to_last_arrival = self.last_arrival == Some(to);
        let recaptures = || self.history.last(0).is_some_and(|last| last.captured.is_some());
        flag(0, role == Role::Pawn && self.is_passed(to))
            | flag(1, castles)
            | flag(2, to_last_arrival)
            | flag(3, to_last_arrival && recaptures())
            | flag(4, rank(to) > rank(from))
            | flag(5, rank(to) < rank(from))
            | flag(6, self.connects(from, to, placed))
            | flag(7, departure.guarded_by_slider)
    }

    /// Flags: how often the piece moved before, whether the move repeats a position, how the piece's mobility
    /// changes, and how many own pieces it defends.
    #[inline(always)]
    pub(super) fn course(&self, facts: &MoveFacts, departure: &Departure) -> usize {
        let hits = facts.hits;
        let defended = (hits & self.position.board().by_color(self.own)).count();
        let change = (hits.count() as i32 - departure.mobility).clamp(-6, 7);
        departure.times_moved
            | flag(2, self.repeats(facts))
            | (((change + 6) / 2) as usize) << 3
            | defended.min(3) << 6
    }

    /// Whether a pawn on `square` has no enemy pawn ahead on its own file or on a file beside it.
    fn is_passed(&self, square: Square) -> bool {
        !self.enemy_pawn_reach.contains(square) && !self.enemy_pawn_way.contains(square)
    }

    /// Whether an own piece of the same role stands beside the arrival or on its file.
    fn connects(&self, from: Square, to: Square, placed: Role) -> bool {
        let neighbours = Bitboard::from_file(to.file()) | attacks::king_attacks(to);
        (self.position.our(placed) & neighbours.without(to).without(from)).any()
    }

    /// Whether the position after the move occurred before in the game.
    fn repeats(&self, facts: &MoveFacts) -> bool {
        let &MoveFacts { role, from, to, castles, .. } = facts;
        if !self.reversible || role == Role::Pawn || facts.captured.is_some() || castles {
            return false;
        }
        // Castling rights that the move gives up stay in the key computed here. No earlier position has
        // that key, as the piece had not left its square then, and the answer is right all the same.
        let piece = role_index(role) + if self.own.is_white() { 0 } else { 6 };
        let key = self.history.key()
            ^ piece_key(piece, usize::from(from))
            ^ piece_key(piece, usize::from(to))
            ^ TURN_KEY;
        self.earlier.may_contain(key) && self.history.occurrences(key) > 0
    }
}
