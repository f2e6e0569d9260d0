//! The plain features of a move, those that need no search.

mod facts;
mod flags;
mod key_filter;
mod masks;

use std::marker::PhantomData;

use shakmaty::{Bitboard, Board, Chess, Color, Move, Position, Square, attacks};

pub use self::facts::Departure;
use self::facts::MoveFacts;
use self::key_filter::KeyFilter;
use self::masks::Masks;
pub use self::masks::{Kernel, Registers, in_registers};
use super::buckets::{DISPLACEMENTS, VALUE_BUCKETS, displacement, role_index, value_bucket};
use super::index::{MOVE_SLOTS, MoveIndices, PLAIN_SLOTS, moves};
use crate::chess::{History, SliderAttacks, pawn_attacks, queen_attacks, reach, way};

/// Facts that the plain features of all moves of a position share. Sliders attack by `S`, flags are found by `R`.
pub struct PlainFeatures<'a, S, R> {
    history: &'a History,
    position: &'a Chess,
    own: Color,
    /// Exclusive-ored with squares: 56 if Black is to move, 0 otherwise.
    flip: usize,
    occupied: Bitboard,
    pub own_king: Square,
    enemy_king: Square,
    /// The displacements of square 0 from the enemy king, the own king and the last arrival.
    references: [usize; 3],
    /// Squares that a queen on the enemy king's square would attack: only a piece that leaves one of
    /// them can give a discovered check.
    enemy_king_view: Bitboard,
    /// Squares on which an own pawn is passed: enemy pawns neither attack them nor advance to them, now or later.
    passed: Bitboard,
    /// Squares that enemy pawns, knights and the king attack, whatever stands between.
    enemy_leaps: Bitboard,
    /// The sets for the flags of [`PlainFeatures::threat`]: those are set that meet what the piece attacks after
    /// its move.
    targets: Masks,
    /// Where the enemy's last move arrived.
    last_arrival: Option<Square>,
    /// Whether enough reversible plies were played for a position to occur again.
    reversible: bool,
    /// The positions that the next one may repeat.
    earlier: KeyFilter,
    attacks: PhantomData<S>,
    registers: R,
}

impl<'a, S: SliderAttacks, R: Registers> PlainFeatures<'a, S, R> {
    pub fn new(history: &'a History, registers: R) -> Self {
        let position = history.position();
        let own = position.turn();
        let squares = position.board();
        let enemy_pawns = squares.pawns() & squares.by_color(!own);
        let enemy_king = squares.king_of(!own).unwrap_or(Square::E8);
        let enemy = squares.by_color(!own);
        let last_arrival = history.last(0).map(|last| last.to);
        let own_king = squares.king_of(own).unwrap_or(Square::E1);
        let flip = if own.is_white() { 0 } else { 56 };
        let references = [enemy_king, own_king, last_arrival.unwrap_or(Square::A1)];
        PlainFeatures {
            history,
            position,
            own,
            flip,
            references: references.map(|square| displacement(0, usize::from(square) ^ flip)),
            occupied: squares.occupied(),
            own_king,
            enemy_king,
            enemy_king_view: queen_attacks(enemy_king, squares.occupied()),
            passed: !(reach(enemy_pawns, !own) | way(enemy_pawns, !own)),
            enemy_leaps: leaps(squares, !own),
            targets: Masks([
                enemy & Bitboard::from(enemy_king),
                Bitboard::EMPTY,
                enemy & squares.queens(),
                enemy & squares.rooks(),
                Bitboard::EMPTY,
                Bitboard::EMPTY,
                attacks::king_attacks(enemy_king),
                enemy & last_arrival.map_or(Bitboard::EMPTY, Bitboard::from),
            ]),
            last_arrival,
            reversible: position.halfmoves() >= 3,
            earlier: history.reversible_keys().iter().copied().collect(),
            attacks: PhantomData,
            registers,
        }
    }

    /// The features of a move of the piece that departs.
    #[inline(always)]
    pub fn indices(&self, candidate: Move, departure: &Departure) -> MoveIndices {
        let facts = self.facts(candidate, departure);
        let MoveFacts { from, to, role, captured, promoted, .. } = facts;
        let (from_index, to_index) = (usize::from(from) ^ self.flip, usize::from(to) ^ self.flip);
        let role = role_index(role);
        let captured = captured.map_or(0, |role| role_index(role) + 1);
        let capture = match promoted {
            None => role * 7 + captured,
            Some(promotion) => 42 + (role_index(promotion).clamp(1, 4) - 1) * 7 + captured,
        };
        let displaced = role * DISPLACEMENTS + displacement(to_index, 63);
        let [from_enemy_king, from_own_king, from_last_arrival] = self.references;
        let plain: [usize; PLAIN_SLOTS] = [
            departure.from_feature,
            moves::TO + role * 64 + to_index,
            moves::FROM_TO + from_index * 64 + to_index,
            moves::CAPTURE + capture,
            moves::EXCHANGE + usize::from(captured > 0) * VALUE_BUCKETS + value_bucket(facts.see),
            departure.hanging,
            moves::SAFETY + self.safety(&facts, departure),
            moves::ORIGIN + (departure.origin | departure.back(to)),
            moves::THREAT + self.threat(&facts),
            moves::KIND + self.kind(&facts, departure),
            moves::COURSE + self.course(&facts, departure),
            moves::ENEMY_KING + displaced + from_enemy_king,
            moves::OWN_KING + displaced + from_own_king,
            moves::LAST_ARRIVAL
                + self.last_arrival.map_or(6 * DISPLACEMENTS, |_| displaced + from_last_arrival),
        ];
        let mut indices = [0; MOVE_SLOTS];
        for (index, plain) in indices.iter_mut().zip(plain) {
            *index = plain as u16;
        }
        indices
    }
}

/// Squares that the pawns, knights and the king of `side` attack.
fn leaps(board: &Board, side: Color) -> Bitboard {
    let own = board.by_color(side);
    let knights = (own & board.knights()).into_iter().map(attacks::knight_attacks);
    let kings = (own & board.kings()).into_iter().map(attacks::king_attacks);
    knights.chain(kings).fold(pawn_attacks(own & board.pawns(), side), |set, more| set | more)
}
