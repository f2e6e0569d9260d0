//! The canonical order of legal moves.

use shakmaty::{
    Bitboard, Board, CastlingSide, Chess, Move, MoveList, Position, Rank, Role, Square, attacks,
};

use super::attackers::{Lines, attackers_by, checkers_by};
use super::lines::piece_attacks;
use super::quiets::pinned;

/// The legal moves of `position` in plyzip's own order: by square of departure
/// (a1, b1, …, h8), then by square of arrival (the rook's for castling, as in
/// Chess960), then by promotion (none, knight, bishop, rook, queen).
///
/// The order is part of the format: it does not follow the order in which
/// shakmaty happens to generate moves. So the moves are generated here in this order, which takes less time than
/// sorting shakmaty's; a test compares both.
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
    if let Some(mut generator) = Generator::new(position) {
        if generator.checkers.is_empty() {
            generator.castling_rooks = castling_rooks(position);
        }
        for from in position.us() {
            generator.add_moves(from, Bitboard::FULL, &mut moves);
        }
    }
    moves
}

/// The legal moves of pieces of `role` to the square `to`, without castling: SAN has to be unambiguous among them.
pub fn legal_moves_to(position: &Chess, role: Role, to: Square) -> MoveList {
    let mut moves = MoveList::new();
    let mut pieces = position.our(role);
    if !matches!(role, Role::Pawn | Role::King) {
        let piece = role.of(position.turn());
        pieces &= piece_attacks(to, piece, position.board().occupied());
    }
    if pieces.any()
        && let Some(generator) = Generator::new(position)
    {
        for from in pieces {
            generator.add_moves(from, to.into(), &mut moves);
        }
    }
    moves
}

/// What the legal moves of all pieces of a position depend on.
struct Generator<'a> {
    position: &'a Chess,
    king: Square,
    /// Enemy pieces that give check.
    checkers: Bitboard,
    /// Where pieces may go that are not the king, unless they capture en passant.
    target: Bitboard,
    /// Pieces that may move along the line through their king only.
    pinned: Bitboard,
    /// Own pawns that may capture en passant.
    en_passant: Bitboard,
    /// Rooks with which the king may castle.
    castling_rooks: Bitboard,
}

impl<'a> Generator<'a> {
    /// Without castling; `None` if there is no king.
    fn new(position: &'a Chess) -> Option<Generator<'a>> {
        let (board, turn) = (position.board(), position.turn());
        let king = board.king_of(turn)?;
        let checkers = checkers_by::<Lines>(position);
        Some(Generator {
            position,
            king,
            checkers,
            target: match checkers.single_square() {
                Some(checker) => attacks::between(king, checker).with(checker),
                None if checkers.any() => Bitboard::EMPTY,
                None => !position.us(),
            },
            pinned: pinned(board, king, turn),
            en_passant: match position.maybe_ep_square() {
                Some(_) => capturing_en_passant(position),
                None => Bitboard::EMPTY,
            },
            castling_rooks: Bitboard::EMPTY,
        })
    }

    /// Appends the legal moves of the piece on `from` to the squares of `wanted`.
    #[inline]
    fn add_moves(&self, from: Square, wanted: Bitboard, moves: &mut MoveList) {
        let (board, turn) = (self.position.board(), self.position.turn());
        let Some(role) = board.role_at(from) else { return };
        let free = match self.pinned.contains(from) {
            true => attacks::ray(self.king, from),
            false => Bitboard::FULL,
        };
        match role {
            Role::Pawn => {
                let arrivals = self.pawn_arrivals(from) & self.target & free;
                let ep_square = self.position.maybe_ep_square();
                let onto_empty = ep_square.filter(|_| self.en_passant.contains(from));
                for to in onto_empty.map_or(arrivals, |to| arrivals.with(to)) & wanted {
                    if Some(to) == onto_empty {
                        moves.push(Move::EnPassant { from, to });
                    } else {
                        add_pawn_move(board, from, to, moves);
                    }
                }
            }
            Role::King => {
                let arrivals = self.king_steps() | self.castling_rooks;
                for to in arrivals & wanted {
                    moves.push(if self.castling_rooks.contains(to) {
                        Move::Castle { king: from, rook: to }
                    } else {
                        let capture = board.role_at(to);
                        Move::Normal { role, from, capture, to, promotion: None }
                    });
                }
            }
            _ => {
                let reached = piece_attacks(from, role.of(turn), board.occupied());
                for to in reached & self.target & free & wanted {
                    let capture = board.role_at(to);
                    moves.push(Move::Normal { role, from, capture, to, promotion: None });
                }
            }
        }
    }

    /// Where the pawn on `from` can go but for captures en passant.
    fn pawn_arrivals(&self, from: Square) -> Bitboard {
        let (board, turn) = (self.position.board(), self.position.turn());
        let ahead = |from: Square| {
            let to = from.offset(turn.fold_wb(8, -8));
            to.filter(|&to| !board.occupied().contains(to))
        };
        let mut arrivals = attacks::pawn_attacks(turn, from) & self.position.them();
        if let Some(once) = ahead(from) {
            arrivals.add(once);
            if from.rank() == turn.relative_rank(Rank::Second) {
                ahead(once).into_iter().for_each(|twice| arrivals.add(twice));
            }
        }
        arrivals
    }

    /// The king's legal steps.
    fn king_steps(&self) -> Bitboard {
        // The king does not shield the squares behind it from the slider that checks it.
        let board = self.position.board();
        let others = board.occupied().without(self.king);
        let steps = attacks::king_attacks(self.king) & !self.position.us();
        let safe = |&to: &Square| {
            (attackers_by::<Lines>(board, to, others) & self.position.them()).is_empty()
        };
        steps.into_iter().filter(safe).collect()
    }
}

/// Appends a pawn's move, or its promotions.
fn add_pawn_move(board: &Board, from: Square, to: Square, moves: &mut MoveList) {
    let (role, capture) = (Role::Pawn, board.role_at(to));
    let mut push = |promotion| moves.push(Move::Normal { role, from, capture, to, promotion });
    if Bitboard::BACKRANKS.contains(to) {
        for promotion in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            push(Some(promotion));
        }
    } else {
        push(None);
    }
}

/// The pawns that may capture en passant.
fn capturing_en_passant(position: &Chess) -> Bitboard {
    position.en_passant_moves().iter().filter_map(|capture| capture.from()).collect()
}

/// The rooks with which the king may castle.
fn castling_rooks(position: &Chess) -> Bitboard {
    let mut rooks = Bitboard::EMPTY;
    for side in [CastlingSide::KingSide, CastlingSide::QueenSide] {
        if position.castles().has(position.turn(), side) {
            position.castling_moves(side).iter().for_each(|castle| rooks.add(castle.to()));
        }
    }
    rooks
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

    /// Roles and arrivals of the moves, and some that no move has.
    fn moves_to_tell_apart(moves: &[Move]) -> impl Iterator<Item = (Role, Square)> {
        let arrivals = moves.iter().map(|m| m.to());
        arrivals.flat_map(|to| Role::ALL.into_iter().map(move |role| (role, to)))
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
                    for (role, to) in moves_to_tell_apart(&found) {
                        let mut expected = position.san_candidates(role, to).to_vec();
                        expected.sort_by_key(key);
                        assert_eq!(legal_moves_to(&position, role, to)[..], expected);
                    }
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
