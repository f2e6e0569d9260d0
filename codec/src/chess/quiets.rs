//! Generation of quiet moves, those that neither capture nor promote.
//!
//! A search needs them when no good capture is left. Their order is part of the format: see [`quiets`].

use shakmaty::attacks::{self, bishop_attacks, queen_attacks, rook_attacks};
use shakmaty::{Bitboard, Board, CastlingSide, Chess, Color, Move, Position, Role, Square};

use super::attackers::{attackers, checkers};

/// True if a move neither captures nor promotes.
pub fn is_quiet(candidate: Move) -> bool {
    !candidate.is_capture() && !candidate.is_promotion()
}

/// Calls `each` with role, departure and arrival of every legal quiet move but [`castles`].
///
/// The order: single steps of pawns, by square of arrival; double steps of pawns, likewise; the moves of
/// knights, bishops, rooks and queens, by square of departure, then of arrival; the king's steps by square of
/// arrival. In check the king's steps come first.
pub fn quiets(position: &Chess, mut each: impl FnMut(Role, Square, Square)) {
    let (board, turn) = (position.board(), position.turn());
    let Some(king) = board.king_of(turn) else { return };
    let checkers = checkers(position);
    if checkers.is_empty() {
        quiets_of_pieces(board, turn, king, !board.occupied(), &mut each);
        quiets_of_king(board, turn, king, &mut each);
    } else {
        quiets_of_king(board, turn, king, &mut each);
        if let Some(checker) = checkers.single_square() {
            quiets_of_pieces(board, turn, king, attacks::between(king, checker), &mut each);
        }
    }
}

/// The legal quiet moves of all pieces but the king to the empty squares of `target`.
#[inline(always)]
fn quiets_of_pieces(
    board: &Board,
    turn: Color,
    king: Square,
    target: Bitboard,
    each: &mut impl FnMut(Role, Square, Square),
) {
    let (own, occupied) = (board.by_color(turn), board.occupied());
    let pinned = pinned(board, king, turn);
    let free = |from| if pinned.contains(from) { attacks::ray(king, from) } else { Bitboard::FULL };

    let ahead = turn.fold_wb(8, -8);
    let once = (own & board.pawns()).shift(ahead) & !occupied;
    let twice = once.shift(ahead) & turn.fold_wb(Bitboard::SOUTH, Bitboard::NORTH) & !occupied;
    for (arrivals, way) in [(once & !Bitboard::BACKRANKS, -ahead), (twice, -2 * ahead)] {
        for to in arrivals & target {
            if let Some(from) = to.offset(way)
                && free(from).contains(to)
            {
                each(Role::Pawn, from, to);
            }
        }
    }
    let mut each_of = |role, from, arrivals: Bitboard| {
        for to in arrivals & target & free(from) {
            each(role, from, to);
        }
    };
    for from in own & board.knights() {
        each_of(Role::Knight, from, attacks::knight_attacks(from));
    }
    for from in own & board.bishops() {
        each_of(Role::Bishop, from, bishop_attacks(from, occupied));
    }
    for from in own & board.rooks() {
        each_of(Role::Rook, from, rook_attacks(from, occupied));
    }
    for from in own & board.queens() {
        each_of(Role::Queen, from, queen_attacks(from, occupied));
    }
}

/// The king's legal quiet steps.
#[inline(always)]
fn quiets_of_king(
    board: &Board,
    turn: Color,
    king: Square,
    each: &mut impl FnMut(Role, Square, Square),
) {
    // The king does not shield the squares behind it from the slider that checks it.
    let others = board.occupied().without(king);
    for to in attacks::king_attacks(king) & !board.occupied() {
        if (attackers(board, to, others) & board.by_color(!turn)).is_empty() {
            each(Role::King, king, to);
        }
    }
}

/// Calls `each` with every legal castling, that of the king's side first.
pub fn castles(position: &Chess, mut each: impl FnMut(Move)) {
    for side in [CastlingSide::KingSide, CastlingSide::QueenSide] {
        if position.castles().has(position.turn(), side) {
            position.castling_moves(side).into_iter().for_each(&mut each);
        }
    }
}

/// The pieces that stand alone between `king`, that of `side`, and an enemy slider on its line. Own
/// pieces among them are pinned: they may move along that line only.
pub(super) fn pinned(board: &Board, king: Square, side: Color) -> Bitboard {
    let rooks = rook_attacks(king, Bitboard::EMPTY) & board.rooks_and_queens();
    let bishops = bishop_attacks(king, Bitboard::EMPTY) & board.bishops_and_queens();
    let mut pinned = Bitboard::EMPTY;
    for pinning in (rooks | bishops) & board.by_color(!side) {
        let between = attacks::between(king, pinning) & board.occupied();
        if !between.more_than_one() {
            pinned |= between;
        }
    }
    pinned
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::legal_moves;
    use crate::chess::random_games::random_games;

    #[test]
    fn quiet_moves_are_the_legal_ones() {
        let (mut bound, mut castled, mut evasions) = (0, 0, 0);
        random_games(|position, _| {
            let mut found = vec![];
            quiets(position, |role, from, to| {
                found.push(Move::Normal { role, from, capture: None, to, promotion: None });
            });
            let once = found.len();
            castles(position, |castle| found.push(castle));
            let legal: Vec<Move> =
                legal_moves(position).into_iter().filter(|&m| is_quiet(m)).collect();
            assert_eq!(found.len(), legal.len());
            assert!(legal.iter().all(|quiet| found.contains(quiet)));
            castled += found.len() - once;
            evasions += usize::from(position.is_check());
            let king = position.board().king_of(position.turn()).unwrap();
            bound += (pinned(position.board(), king, position.turn()) & position.us()).count();
        });
        assert!(bound > 50 && castled > 20 && evasions > 100, "{bound} {castled} {evasions}");
    }
}
