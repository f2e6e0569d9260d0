//! Plain features that are flags.

use shakmaty::{Bitboard, Position, Role};

use super::PlainFeatures;
use super::facts::{Departure, MoveFacts, connected};
use super::masks::Registers;
use crate::chess::{SliderAttacks, TURN_KEY, piece_key};
use crate::features::buckets::{flag, role_index};

impl<S: SliderAttacks, R: Registers> PlainFeatures<'_, S, R> {
    /// Flags of the square of arrival: what attacks and defends it.
    #[inline(always)]
    pub(super) fn safety(&self, facts: &MoveFacts, departure: &Departure) -> usize {
        let &MoveFacts { threats, guards, see, .. } = facts;
        self.registers.flags(threats, &departure.attackers)
            | flag(4, (guards & self.position.board().pawns()).any())
            | flag(5, guards.any())
            | flag(6, see < 0)
    }

    /// Flags of the square of departure: what attacks and defends it, and whether the piece moved last. `hanging` is
    /// what the enemy gains by capturing the piece. That of a move back is [`Departure::back`].
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

    /// Flags of what the piece attacks after the move.
    #[inline(always)]
    pub(super) fn threat(&self, facts: &MoveFacts) -> usize {
        let board = self.position.board();
        let &MoveFacts { after, hits, .. } = facts;
        let enemy = self.position.them();
        let undefended = |set: Bitboard| {
            set.into_iter().any(|square| {
                let lines = S::rook(square, after) & board.rooks_and_queens();
                let diagonals = S::bishop(square, after) & board.bishops_and_queens();
                ((lines | diagonals) & enemy).is_empty()
            })
        };
        // Attacked pieces that pawns, knights and the king do not defend: sliders may. What was captured is not among
        // them, since a piece does not attack its own square.
        let loose = hits & enemy & !self.enemy_leaps;
        self.registers.flags(hits, &self.targets)
            | flag(1, self.discovers_check(facts))
            | flag(4, undefended(loose & !board.pawns()))
            | flag(5, undefended(loose & board.pawns()))
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
        let &MoveFacts { to, castles, promoted, .. } = facts;
        let mut flags = self.registers.flags(to.into(), &departure.arrivals);
        if let Some(role) = promoted {
            // Connected with pieces of its new role.
            let connects = connected(self.position.our(role)).contains(to);
            flags = flags & !flag(6, true) | flag(6, connects);
        }
        flags | flag(1, castles) | flag(7, departure.guarded_by_slider)
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
