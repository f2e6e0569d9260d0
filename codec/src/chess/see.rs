//! Static exchange evaluation.

use shakmaty::{Bitboard, Board, Chess, Color, Move, Piece, Position, Role, Square, attacks};

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

/// The pieces of either side that attack `square` when the squares of `occupied` block lines.
#[inline]
pub fn attackers(board: &Board, square: Square, occupied: Bitboard) -> Bitboard {
    (attacks::rook_attacks(square, occupied) & board.rooks_and_queens())
        | (attacks::bishop_attacks(square, occupied) & board.bishops_and_queens())
        | (attacks::knight_attacks(square) & board.knights())
        | (attacks::king_attacks(square) & board.kings())
        | (attacks::pawn_attacks(Color::Black, square) & board.pawns() & board.white())
        | (attacks::pawn_attacks(Color::White, square) & board.pawns() & board.black())
}

/// Squares that the pieces of `color` attack.
pub fn attacked_by(board: &Board, color: Color) -> Bitboard {
    let occupied = board.occupied();
    board.by_color(color).into_iter().fold(Bitboard::EMPTY, |set, square| {
        let role = board.role_at(square).unwrap_or(Role::Pawn);
        set | attacks::attacks(square, Piece { color, role }, occupied)
    })
}

/// The least valuable piece of `set`, with its square.
#[inline]
pub fn least_valuable(board: &Board, set: Bitboard) -> Option<(Square, Role)> {
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
    let mut gain = [0i32; 32];
    gain[0] = captured;
    let mut depth = 0;
    let mut occupied = board.occupied().without(from).without(to);
    let mut side = !mover;
    let mut on_square = placed;
    let mut all = attackers(board, to, occupied) & occupied;
    while depth < 31 {
        let Some((square, role)) = least_valuable(board, all & board.by_color(side)) else { break };
        if role == Role::King && (all & board.by_color(!side)).any() {
            break;
        }
        depth += 1;
        gain[depth] = on_square - gain[depth - 1];
        on_square = role_value(role);
        occupied.discard(square);
        // A slider behind the capturing piece now attacks too.
        if role != Role::Knight && role != Role::Rook {
            all |= attacks::bishop_attacks(to, occupied) & board.bishops_and_queens();
        }
        if matches!(role, Role::Rook | Role::Queen | Role::King) {
            all |= attacks::rook_attacks(to, occupied) & board.rooks_and_queens();
        }
        all &= occupied;
        side = !side;
    }
    while depth > 0 {
        gain[depth - 1] = -(-gain[depth - 1]).max(gain[depth]);
        depth -= 1;
    }
    gain[0]
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
    see(board, from, candidate.to(), turn, role_value(placed), gain) < -max_loss
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen, san::San};

    use super::*;

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
