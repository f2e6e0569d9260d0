//! Static exchange evaluation.

use shakmaty::{Bitboard, Board, Color, Move, Piece, Role, Square, attacks};

/// Value of a role in centipawns, for exchanges.
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

/// What a move wins at once, in centipawns, if nobody takes back.
pub fn gain(candidate: Move) -> i32 {
    let captured = candidate.capture().map_or(0, role_value);
    let promoted = candidate.promotion().map_or(0, |role| role_value(role) - 100);
    captured + promoted
}

/// All pieces of either side that attack `square`, given what is occupied.
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

/// The cheapest piece of `set`.
pub fn cheapest(board: &Board, set: Bitboard) -> Option<(Square, Role)> {
    Role::ALL.into_iter().find_map(|role| Some(((set & board.by_role(role)).first()?, role)))
}

/// What `mover` wins, in centipawns, when a piece that is worth `value` once it
/// stands there goes from `from` to `to`, takes what is worth `captured`, and both
/// sides go on taking with their cheapest piece as long as it pays
/// (the swap algorithm; a king does not take what is defended).
pub fn exchange(
    board: &Board,
    from: Square,
    to: Square,
    mover: Color,
    value: i32,
    captured: i32,
) -> i32 {
    let mut gain = [0i32; 32];
    gain[0] = captured;
    let mut depth = 0;
    let mut occupied = board.occupied().without(from).without(to);
    let mut side = !mover;
    let mut on_square = value;
    let mut all = attackers(board, to, occupied) & occupied;
    while depth < 31 {
        let Some((square, role)) = cheapest(board, all & board.by_color(side)) else { break };
        if role == Role::King && (all & board.by_color(!side)).any() {
            break;
        }
        depth += 1;
        gain[depth] = on_square - gain[depth - 1];
        on_square = role_value(role);
        occupied.discard(square);
        // Who stood behind it joins in.
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
