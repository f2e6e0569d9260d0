//! Static exchange evaluation.

use std::marker::PhantomData;

use shakmaty::{Bitboard, Board, Chess, Color, Move, Piece, Position, Role, Square, attacks};

use super::attackers::{SliderAttacks, Tables, attackers_by};
use super::lines::piece_attacks;

/// Value of a role in centipawns, for static exchange evaluation and material balance.
#[inline]
pub const fn role_value(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight => 320,
        Role::Bishop => 330,
        Role::Rook => 500,
        Role::Queen => 900,
        Role::King => 10_000,
    }
}

/// The value of what a move captures, and of a promotion, in centipawns: what it wins if there is no
/// recapture.
pub fn gain(candidate: Move) -> i32 {
    let captured = candidate.capture().map_or(0, role_value);
    let promoted = candidate.promotion().map_or(0, |role| role_value(role) - 100);
    captured + promoted
}

/// Squares that the pieces of `color` attack.
pub fn attacked_by(board: &Board, color: Color) -> Bitboard {
    let occupied = board.occupied();
    board.by_color(color).into_iter().fold(Bitboard::EMPTY, |set, square| {
        let role = board.role_at(square).unwrap_or(Role::Pawn);
        set | piece_attacks(square, Piece { color, role }, occupied)
    })
}

/// The least valuable piece of `set`, with its square.
#[inline]
pub fn least_valuable(board: &Board, set: Bitboard) -> Option<(Square, Role)> {
    if set.is_empty() {
        return None;
    }
    Role::ALL.into_iter().find_map(|role| Some(((set & board.by_role(role)).first()?, role)))
}

/// Static exchange evaluation: what `mover` wins, in centipawns, when a piece goes from `from` to
/// `to`, and both sides then capture there with their least valuable piece as long as it pays (the
/// swap algorithm). `placed` is the moving piece's value on arrival, `captured` that of the captured
/// piece. Pins are ignored, but a king captures no piece that is defended.
#[inline]
pub fn see(
    board: &Board,
    from: Square,
    to: Square,
    mover: Color,
    placed: i32,
    captured: i32,
) -> i32 {
    see_by::<Tables>(board, from, to, mover, [placed, captured])
}

/// [`see`] with attacks of `S`; the last argument are `placed` and `captured`.
#[inline]
pub fn see_by<S: SliderAttacks>(
    board: &Board,
    from: Square,
    to: Square,
    mover: Color,
    [placed, captured]: [i32; 2],
) -> i32 {
    let occupied = board.occupied().without(from);
    let attackers = attackers_by::<S>(board, to, occupied);
    see_of::<S>(board, to, [attackers, occupied], mover, [placed, captured])
}

/// [`see_by`], where the pieces of both sides are known that attack `to` after the departure, and the squares that are
/// then occupied.
#[inline]
pub fn see_of<S: SliderAttacks>(
    board: &Board,
    to: Square,
    [attackers, occupied]: [Bitboard; 2],
    mover: Color,
    [placed, captured]: [i32; 2],
) -> i32 {
    let mut gain = [0i32; MAX_CAPTURES + 1];
    gain[0] = captured;
    let mut depth = 0;
    let mut on_square = placed;
    let mut capturers = Capturers::<S>::new(board, to, [attackers, occupied.without(to)], !mover);
    while depth < MAX_CAPTURES
        && let Some(role) = capturers.next()
    {
        depth += 1;
        gain[depth] = on_square - gain[depth - 1];
        on_square = role_value(role);
    }
    while depth > 0 {
        gain[depth - 1] = -(-gain[depth - 1]).max(gain[depth]);
        depth -= 1;
    }
    gain[0]
}

/// The pieces that can still capture on one square.
struct Capturers<'a, S> {
    board: &'a Board,
    to: Square,
    /// Squares that block lines.
    occupied: Bitboard,
    /// The capturers of both sides.
    all: Bitboard,
    side: Color,
    attacks: PhantomData<S>,
}

impl<'a, S: SliderAttacks> Capturers<'a, S> {
    #[inline(always)]
    fn new(
        board: &'a Board,
        to: Square,
        [attackers, occupied]: [Bitboard; 2],
        side: Color,
    ) -> Self {
        Capturers { board, to, occupied, all: attackers & occupied, side, attacks: PhantomData }
    }

    /// Captures with the least valuable piece of the side whose turn it is: the role of that piece, `None` if there is
    /// none, or only a king and the square is defended.
    #[inline(always)]
    fn next(&mut self) -> Option<Role> {
        let Capturers { board, to, occupied, all, side, .. } = *self;
        let (square, role) = least_valuable(board, all & board.by_color(side))?;
        if role == Role::King && (all & board.by_color(!side)).any() {
            return None;
        }
        self.side = !side;
        self.occupied = occupied.without(square);
        self.all = all.without(square);
        // A slider behind the capturing piece now attacks too.
        if role != Role::Knight && role != Role::Rook {
            let sliders = board.bishops_and_queens() & self.occupied;
            self.all |= S::bishop(to, self.occupied) & sliders;
        }
        if matches!(role, Role::Rook | Role::Queen | Role::King) {
            let sliders = board.rooks_and_queens() & self.occupied;
            self.all |= S::rook(to, self.occupied) & sliders;
        }
        Some(role)
    }
}

/// Most captures of an exchange that are looked at.
const MAX_CAPTURES: usize = 31;

/// Whether [`see`] of the same exchange is at least `least`; it ends as soon as that is known.
pub fn see_at_least(
    board: &Board,
    from: Square,
    to: Square,
    mover: Color,
    [placed, captured]: [i32; 2],
    least: i32,
) -> bool {
    if captured < least {
        return false;
    }
    // At worst the moving piece is lost.
    if captured - placed >= least {
        return true;
    }
    // The enemy's least valuable piece captures first. If the mover wins too little even by capturing that, the rest need
    // not be known.
    let enemy = board.by_color(!mover);
    let first = if (attacks::pawn_attacks(mover, to) & board.pawns() & enemy).any() {
        Some(Role::Pawn)
    } else if (attacks::knight_attacks(to) & board.knights() & enemy).any() {
        Some(Role::Knight)
    } else {
        None
    };
    if first.is_some_and(|role| captured - placed + role_value(role) < least) {
        return false;
    }
    let occupied = board.occupied().without(from).without(to);
    let attackers = attackers_by::<Tables>(board, to, occupied);
    let mut capturers = Capturers::<Tables>::new(board, to, [attackers, occupied], !mover);
    let (mut won, mut on_square) = (captured, placed);
    for _ in 0..MAX_CAPTURES / 2 {
        // The enemy wins too little even if its piece is not recaptured, or it may stop before.
        let Some(role) = capturers.next() else { return true };
        won = on_square - won;
        if won <= -least {
            return true;
        }
        on_square = role_value(role);
        // The mover wins too little even if its piece is not recaptured, or it may stop before.
        let Some(role) = capturers.next() else { return false };
        won = on_square - won;
        if won < least {
            return false;
        }
        on_square = role_value(role);
    }
    let Some(_) = capturers.next() else { return true };
    on_square - won <= -least
}

/// True if a move loses more than `max_loss` centipawns, at least 0, by static exchange.
pub fn loses_more_than(position: &Chess, candidate: Move, max_loss: i32) -> bool {
    let gain = gain(candidate);
    let placed = candidate.promotion().unwrap_or(candidate.role());
    // At worst the moving piece is lost, and a king never is.
    if role_value(placed) - gain <= max_loss || placed == Role::King {
        return false;
    }
    let Some(from) = candidate.from() else { return false };
    let (board, turn) = (position.board(), position.turn());
    !see_at_least(board, from, candidate.to(), turn, [role_value(placed), gain], -max_loss)
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen, san::San};

    use super::*;
    use crate::chess::random_games::random_games;
    use crate::chess::{Lines, legal_moves};

    #[test]
    fn thresholds_agree_with_values() {
        let mut decided = [0; 2];
        random_games(|position, _| {
            let (board, turn) = (position.board(), position.turn());
            for candidate in legal_moves(position) {
                let Some(from) = candidate.from() else { continue };
                let placed = role_value(candidate.promotion().unwrap_or(candidate.role()));
                let (to, gain) = (candidate.to(), gain(candidate));
                let value = see(board, from, to, turn, placed, gain);
                assert_eq!(see_by::<Lines>(board, from, to, turn, [placed, gain]), value);
                for least in [-900, -580, -230, -100, -1, 0, 1, 100, 320, value, value + 1] {
                    let reached = see_at_least(board, from, to, turn, [placed, gain], least);
                    assert_eq!(reached, value >= least, "{candidate:?} {least} {value}");
                    decided[usize::from(reached)] += 1;
                }
            }
        });
        assert!(decided[0] > 1000 && decided[1] > 1000);
    }

    #[test]
    fn losses_are_those_of_the_best_exchange() {
        let exposed = "4k3/2p5/3p4/8/8/3R3p/6PP/R3K3 w Q - 0 1";
        let attacked = "4k3/8/2p5/8/8/3R4/8/4K3 w - - 0 1";
        // A rook for a pawn, nothing, and a rook for nothing.
        for (fen, san, loss) in [
            (exposed, "Rxd6", 400),
            (exposed, "Rd5", 0),
            (exposed, "gxh3", 0),
            (exposed, "g4", 0),
            (exposed, "Kf1", 0),
            (attacked, "Rd5", 500),
        ] {
            let position: Chess =
                fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
            let played = san.parse::<San>().unwrap().to_move(&position).unwrap();
            assert!(!loses_more_than(&position, played, loss), "{san}");
            if loss > 0 {
                assert!(loses_more_than(&position, played, loss - 1), "{san}");
            }
        }
    }
}
