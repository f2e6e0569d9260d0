//! The plain features of a move, those that need no search.

use shakmaty::{Bitboard, Chess, Color, Move, Piece, Position, Role, Square, attacks};

use super::buckets::{displacement, flag, role_index, value_bucket};
use super::index::{MOVE_SLOTS, MoveIndices, PLAIN_SLOTS, moves};
use crate::chess::{
    History, TURN_KEY, arrival, attackers, gain, least_valuable, piece_key, role_value, see,
};

/// Whether `attacker` is less valuable than `role`, by more than 50 centipawns.
fn is_cheaper(attacker: Role, role: Role) -> bool {
    role_value(attacker) + 50 < role_value(role)
}

/// What the features of all moves of one piece share.
pub struct Departure {
    /// The square of departure.
    pub from: Square,
    /// Enemy pieces that attack the square.
    threats: Bitboard,
    /// Own pieces that defend the square.
    guards: Bitboard,
    /// Whether a less valuable piece attacks the square ([`is_cheaper`]).
    by_cheaper: bool,
    /// What the enemy wins by capturing the piece, in centipawns.
    hanging: i32,
    /// The number of squares that the piece attacks.
    mobility: i32,
}

/// What several features of a move are computed from.
struct MoveFacts {
    candidate: Move,
    from: Square,
    to: Square,
    /// The role that arrives, which differs for promotions.
    placed: Role,
    /// Occupied squares after the move.
    after: Bitboard,
    /// Enemy pieces that attack the square of arrival.
    threats: Bitboard,
    /// Own pieces that defend it.
    guards: Bitboard,
    /// Squares that the piece attacks after the move.
    hits: Bitboard,
    /// What the move wins by static exchange, in centipawns.
    see: i32,
}

/// What the plain features of all moves of a position share.
pub struct PlainFeatures<'a> {
    history: &'a History,
    position: &'a Chess,
    own: Color,
    /// Exclusive-ored with squares: 56 if Black is to move, 0 otherwise.
    flip: usize,
    occupied: Bitboard,
    pub own_king: Square,
    enemy_king: Square,
    /// Squares beside the enemy king.
    enemy_king_zone: Bitboard,
    /// Squares that a queen on the enemy king's square would attack: only a piece that leaves one of
    /// them can give a discovered check.
    enemy_king_view: Bitboard,
    /// Where the enemy's last move arrived.
    last_arrival: Option<Square>,
    /// Whether enough reversible plies were played for a position to occur again.
    reversible: bool,
}

impl<'a> PlainFeatures<'a> {
    pub fn new(history: &'a History) -> PlainFeatures<'a> {
        let position = history.position();
        let own = position.turn();
        let squares = position.board();
        let enemy_king = squares.king_of(!own).unwrap_or(Square::E8);
        PlainFeatures {
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

    /// The shared part of the moves of the piece on `from`.
    pub fn departure(&self, from: Square, role: Role) -> Departure {
        let squares = self.position.board();
        let at_from = attackers(squares, from, self.occupied);
        let threats = at_from & squares.by_color(!self.own);
        let cheapest = least_valuable(squares, threats);
        let piece = Piece { color: self.own, role };
        Departure {
            from,
            threats,
            guards: at_from & squares.by_color(self.own),
            by_cheaper: cheapest.is_some_and(|(_, attacker)| is_cheaper(attacker, role)),
            hanging: match cheapest {
                Some((square, attacker)) if role != Role::King => {
                    let (value, captured) = (role_value(attacker), role_value(role));
                    see(squares, square, from, !self.own, value, captured)
                }
                _ => 0,
            },
            mobility: attacks::attacks(from, piece, self.occupied).count() as i32,
        }
    }

    /// The features of a move of the piece that departs.
    pub fn indices(&self, candidate: Move, departure: &Departure) -> MoveIndices {
        let facts = self.facts(candidate, departure);
        let MoveFacts { from, to, .. } = facts;
        let (from_index, to_index) = (usize::from(from) ^ self.flip, usize::from(to) ^ self.flip);
        let role = role_index(candidate.role());
        let captured = candidate.capture().map_or(0, |role| role_index(role) + 1);
        let capture = match candidate.promotion() {
            None => role * 7 + captured,
            Some(promotion) => 42 + (role_index(promotion).clamp(1, 4) - 1) * 7 + captured,
        };
        let from_square =
            |square: Square| role * 225 + displacement(to_index, usize::from(square) ^ self.flip);
        let plain: [usize; PLAIN_SLOTS] = [
            moves::FROM + role * 64 + from_index,
            moves::TO + role * 64 + to_index,
            moves::FROM_TO + from_index * 64 + to_index,
            moves::CAPTURE + capture,
            moves::EXCHANGE + usize::from(captured > 0) * 21 + value_bucket(facts.see),
            moves::HANGING + role * 21 + value_bucket(departure.hanging),
            moves::SAFETY + self.safety(&facts),
            moves::ORIGIN + self.origin(&facts, departure),
            moves::THREAT + self.threat(&facts),
            moves::KIND + self.kind(&facts, departure),
            moves::COURSE + self.course(&facts, departure),
            moves::ENEMY_KING + from_square(self.enemy_king),
            moves::OWN_KING + from_square(self.own_king),
            moves::LAST_ARRIVAL + self.last_arrival.map_or(6 * 225, from_square),
        ];
        let mut indices = [0; MOVE_SLOTS];
        for (index, plain) in indices.iter_mut().zip(plain) {
            *index = plain as u16;
        }
        indices
    }

    /// What several features of a move are computed from.
    #[inline(always)]
    fn facts(&self, candidate: Move, departure: &Departure) -> MoveFacts {
        let board = self.position.board();
        let (own, enemy) = (board.by_color(self.own), board.by_color(!self.own));
        let from = departure.from;
        let to = arrival(candidate);
        let placed = candidate.promotion().unwrap_or(candidate.role());
        let without = self.occupied.without(from);
        let after = without.with(to);
        let at_to = attackers(board, to, without);
        let threats = at_to & enemy;
        let won = gain(candidate);
        let see = if candidate.is_castle() || threats.is_empty() {
            won
        } else {
            see(board, from, to, self.own, role_value(placed), won)
        };
        MoveFacts {
            candidate,
            from,
            to,
            placed,
            after,
            threats,
            guards: (at_to & own).without(from),
            hits: attacks::attacks(to, Piece { color: self.own, role: placed }, after),
            see,
        }
    }

    /// Flags of the square of arrival: what attacks and defends it.
    #[inline(always)]
    fn safety(&self, facts: &MoveFacts) -> usize {
        let board = self.position.board();
        let &MoveFacts { candidate, threats, guards, see, .. } = facts;
        let by_cheaper = least_valuable(board, threats)
            .is_some_and(|(_, attacker)| is_cheaper(attacker, candidate.role()));
        flag(0, (threats & board.pawns()).any())
            | flag(1, (threats & (board.knights() | board.bishops())).any())
            | flag(2, (threats & board.rooks_and_queens()).any())
            | flag(3, (threats & board.kings()).any())
            | flag(4, (guards & board.pawns()).any())
            | flag(5, guards.any())
            | flag(6, see < 0)
            | flag(7, by_cheaper)
    }

    /// Flags of the square of departure: what attacks and defends it, and whether the piece moved
    /// last.
    #[inline(always)]
    fn origin(&self, facts: &MoveFacts, departure: &Departure) -> usize {
        let &MoveFacts { from, to, .. } = facts;
        let &Departure { threats, guards, .. } = departure;
        let last_own = self.history.last(1);
        flag(0, threats.any())
            | flag(1, departure.by_cheaper)
            | flag(2, guards.any())
            | flag(3, self.last_arrival.is_some_and(|square| threats.contains(square)))
            | flag(4, last_own.is_some_and(|last| last.to == from))
            | flag(5, last_own.is_some_and(|last| last.to == from && last.from == to))
            | flag(6, (threats & self.position.board().pawns()).any())
            | flag(7, departure.hanging > 0)
    }

    /// Flags of what the piece attacks after the move.
    #[inline(always)]
    fn threat(&self, facts: &MoveFacts) -> usize {
        let board = self.position.board();
        let enemy = board.by_color(!self.own);
        let &MoveFacts { to, after, hits, .. } = facts;
        let attacked = hits & enemy.without(to);
        let undefended = |set: Bitboard| {
            set.into_iter().any(|square| (attackers(board, square, after) & enemy).is_empty())
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
            let lines = attacks::rook_attacks(self.enemy_king, after) & board.rooks_and_queens();
            let diagonals =
                attacks::bishop_attacks(self.enemy_king, after) & board.bishops_and_queens();
            ((lines | diagonals) & sliders).any()
        }
    }

    /// Flags of the kind of move: passed pawn, castling, recapture, direction.
    #[inline(always)]
    fn kind(&self, facts: &MoveFacts, departure: &Departure) -> usize {
        let board = self.position.board();
        let &MoveFacts { candidate, from, to, placed, .. } = facts;
        let rank = |square: Square| (usize::from(square) ^ self.flip) >> 3;
        let to_last_arrival = self.last_arrival == Some(to);
        let recaptures = || self.history.last(0).is_some_and(|last| last.captured.is_some());
        flag(0, candidate.role() == Role::Pawn && self.is_passed(to))
            | flag(1, candidate.is_castle())
            | flag(2, to_last_arrival)
            | flag(3, to_last_arrival && recaptures())
            | flag(4, rank(to) > rank(from))
            | flag(5, rank(to) < rank(from))
            | flag(6, self.connects(from, to, placed))
            | flag(7, (departure.guards & board.sliders()).any())
    }

    /// How often the piece moved before, whether the move repeats a position, how the piece's mobility
    /// changes, and how many own pieces it defends.
    #[inline(always)]
    fn course(&self, facts: &MoveFacts, departure: &Departure) -> usize {
        let &MoveFacts { candidate, from, to, hits, .. } = facts;
        let defended = (hits & self.position.board().by_color(self.own)).count();
        let change = (hits.count() as i32 - departure.mobility).clamp(-6, 7);
        usize::from(self.history.times_moved(from)).min(3)
            | flag(2, self.repeats(candidate, from, to, candidate.role()))
            | (((change + 6) / 2) as usize) << 3
            | defended.min(3) << 6
    }

    /// Whether a pawn on `square` has no enemy pawn ahead on its own file or on a file beside it.
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

    /// Whether an own piece of the same role stands beside the arrival or on its file.
    fn connects(&self, from: Square, to: Square, placed: Role) -> bool {
        let neighbours = Bitboard::from_file(to.file()) | attacks::king_attacks(to);
        (self.position.our(placed) & neighbours.without(to).without(from)).any()
    }

    /// Whether the position after the move occurred before in the game.
    fn repeats(&self, candidate: Move, from: Square, to: Square, role: Role) -> bool {
        if !self.reversible || role == Role::Pawn || candidate.is_capture() || candidate.is_castle()
        {
            return false;
        }
        // Castling rights that the move gives up stay in the key computed here. No earlier position has
        // that key, as the piece had not left its square then, and the answer is right all the same.
        let piece = role_index(role) + if self.own.is_white() { 0 } else { 6 };
        let key = self.history.key()
            ^ piece_key(piece, usize::from(from))
            ^ piece_key(piece, usize::from(to))
            ^ TURN_KEY;
        self.history.occurrences(key) > 0
    }
}
