//! The canonical order of legal moves.

use shakmaty::{
    Bitboard, CastlingSide, Chess, Move, MoveList, Position, Rank, Role, Square, attacks,
};

use super::attackers::{Lines, attackers_by};
use super::lines::piece_attacks;
use super::quiets::pinned;

/// The legal moves of `position` in plyzip's own order: by square of departure
/// (a1, b1, …, h8), then by square of arrival (the rook's for castling, as in
/// Chess960), then by promotion (none, knight, bishop, rook, queen).
///
/// The order is part of the format: it does not follow the order in which
/// shakmaty happens to generate moves. So the moves are generated here in this order, which takes less time than to sort
/// shakmaty's; which moves are legal, a test compares.
///
/// ```
/// use shakmaty::{Chess, san::San};
/// let start = Chess::default();
/// let moves = plyzip::unstable::chess::legal_moves(&start);
/// let first: Vec<String> =
///     moves[..6].iter().map(|&m| San::from_move(&start, m).to_string()).collect();
/// assert_eq!(first, ["Na3", "Nc3", "Nf3", "Nh3", "a3", "a4"]);
/// ```
pub fn legal_moves(position: &Chess) -> MoveList {
    let mut moves = MoveList::new();
    let (board, turn) = (position.board(), position.turn());
    let (own, enemy, occupied) = (position.us(), position.them(), board.occupied());
    let Some(king) = board.king_of(turn) else { return moves };
    let attacks_king =
        |square: Square, blockers: Bitboard| attackers_by::<Lines>(board, square, blockers) & enemy;
    let checkers = attacks_king(king, occupied);
    // Where pieces may go that are not the king.
    let target = match checkers.single_square() {
        Some(checker) => attacks::between(king, checker).with(checker),
        None if checkers.any() => Bitboard::EMPTY,
        None => !own,
    };
    let pinned = pinned(board, king, turn);
    let en_passant = match position.maybe_ep_square() {
        Some(_) => position.en_passant_moves(),
        None => MoveList::new(),
    };
    for from in own {
        let Some(role) = board.role_at(from) else { continue };
        let free = if pinned.contains(from) { attacks::ray(king, from) } else { Bitboard::FULL };
        match role {
            Role::Pawn => {
                let ahead = |from: Square| {
                    let to = from.offset(turn.fold_wb(8, -8));
                    to.filter(|&to| !occupied.contains(to))
                };
                let mut arrivals = attacks::pawn_attacks(turn, from) & enemy;
                if let Some(once) = ahead(from) {
                    arrivals.add(once);
                    if from.rank() == turn.relative_rank(Rank::Second) {
                        ahead(once).into_iter().for_each(|twice| arrivals.add(twice));
                    }
                }
                arrivals &= target & free;
                let en_passant = en_passant.iter().find(|m| m.from() == Some(from));
                let onto_empty = en_passant.map(|capture| capture.to());
                for to in onto_empty.map_or(arrivals, |to| arrivals.with(to)) {
                    if Some(to) == onto_empty {
                        moves.push(Move::EnPassant { from, to });
                        continue;
                    }
                    let capture = board.role_at(to);
                    let mut push =
                        |promotion| moves.push(Move::Normal { role, from, capture, to, promotion });
                    if Bitboard::BACKRANKS.contains(to) {
                        for promotion in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
                            push(Some(promotion));
                        }
                    } else {
                        push(None);
                    }
                }
            }
            Role::King => {
                // The king does not shield the squares behind it from the slider that checks it.
                let others = occupied.without(king);
                let steps = attacks::king_attacks(from) & !own;
                let steps = steps.into_iter().filter(|&to| attacks_king(to, others).is_empty());
                let mut arrivals: Bitboard = steps.collect();
                let rooks =
                    if checkers.is_empty() { castling_rooks(position) } else { Bitboard::EMPTY };
                arrivals |= rooks;
                for to in arrivals {
                    moves.push(if rooks.contains(to) {
                        Move::Castle { king, rook: to }
                    } else {
                        let capture = board.role_at(to);
                        Move::Normal { role, from, capture, to, promotion: None }
                    });
                }
            }
            _ => {
                let reached = piece_attacks(from, role.of(turn), occupied);
                for to in reached & target & free {
                    let capture = board.role_at(to);
                    moves.push(Move::Normal { role, from, capture, to, promotion: None });
                }
            }
        }
    }
    moves
}

/// The rooks with which the king may castle.
fn castling_rooks(position: &Chess) -> Bitboard {
    let sides = [CastlingSide::KingSide, CastlingSide::QueenSide].into_iter();
    sides
        .filter(|&side| position.castles().has(position.turn(), side))
        .flat_map(|side| position.castling_moves(side))
        .map(|castle| castle.to())
        .collect()
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, FromSetup, PositionError, fen::Fen};

    use super::super::pinned::STARTS;
    use super::*;
    use crate::split_mix::split_mix;

    /// What the order is sorted by.
    fn key(candidate: &Move) -> (Option<Square>, Square, Option<Role>) {
        (candidate.from(), candidate.to(), candidate.promotion())
    }

    #[test]
    fn all_legal_moves_are_there_in_order() {
        let (mut checks, mut castles, mut en_passant, mut promotions) = (0, 0, 0, 0);
        for round in 0..40 {
            for (fen, mode) in STARTS {
                let setup = fen.parse::<Fen>().unwrap().into_setup();
                let mut position = Chess::from_setup(setup, mode)
                    .or_else(PositionError::ignore_too_much_material)
                    .unwrap();
                for ply in 0..80 {
                    let mut expected: Vec<Move> = position.legal_moves().to_vec();
                    expected.sort_by_key(key);
                    let found = legal_moves(&position);
                    assert_eq!(found[..], expected, "{fen} after {ply}");
                    let Some(seed) = u64::try_from(found.len()).ok().filter(|&count| count > 0)
                    else {
                        break;
                    };
                    let number = split_mix(round * 1000 + ply) % seed;
                    checks += usize::from(position.is_check());
                    castles += found.iter().filter(|m| m.is_castle()).count();
                    en_passant += found.iter().filter(|m| m.is_en_passant()).count();
                    promotions += found.iter().filter(|m| m.is_promotion()).count();
                    position.play_unchecked(found[number as usize]);
                }
            }
        }
        let seen = [checks, castles, en_passant, promotions];
        assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
    }

    #[test]
    fn captures_en_passant_leave_no_king() {
        // The first capture would leave the king to the rook; the second one takes the pawn that gives check.
        for (fen, count) in
            [("8/8/8/KPp4r/8/8/8/7k w - c6 0 1", 0), ("8/8/8/2pP4/1K6/8/8/7k w - c6 0 1", 1)]
        {
            let position: Chess =
                fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
            let found = legal_moves(&position);
            assert_eq!(found.iter().filter(|m| m.is_en_passant()).count(), count, "{fen}");
        }
    }
}
