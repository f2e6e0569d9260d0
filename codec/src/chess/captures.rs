//! Generation of captures and promotions without the other moves.
//!
//! Most nodes of a search need no other moves. The generated moves may leave the mover's own king to be
//! captured: testing that is left to the search, which plays few of them.

use shakmaty::attacks::{self, bishop_attacks, queen_attacks, rook_attacks};
use shakmaty::{Bitboard, Chess, Move, MoveList, Position, Rank, Role};

use super::attackers::attackers;

/// The roles of promotion.
const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// Appends to `moves` all captures of pieces on the squares of `victims`, all captures that promote,
/// captures en passant and, with `promotions`, the other promotions. Each of them is legal unless it
/// leaves its own king to be captured ([`leaves_king`]).
///
/// Boards can be set up that have more captures than the list has room for; the rest is left out.
pub fn captures(position: &Chess, victims: Bitboard, promotions: bool, moves: &mut MoveList) {
    let (board, turn) = (position.board(), position.turn());
    let (own, occupied) = (board.by_color(turn), board.occupied());
    let enemy = board.by_color(!turn) & !board.kings();
    let victims = victims & enemy;
    let mut push = |role, from, to, promotion| {
        let capture = board.role_at(to);
        let _ = moves.try_push(Move::Normal { role, from, capture, to, promotion });
    };
    let pawns = own & board.pawns();
    let promoting = pawns & Bitboard::from_rank(turn.relative_rank(Rank::Seventh));
    for from in promoting {
        let ahead =
            from.offset(turn.fold_wb(8, -8)).filter(|&to| promotions && !occupied.contains(to));
        for to in (attacks::pawn_attacks(turn, from) & enemy).into_iter().chain(ahead) {
            for role in PROMOTIONS {
                push(Role::Pawn, from, to, Some(role));
            }
        }
    }
    for from in pawns & !promoting {
        for to in attacks::pawn_attacks(turn, from) & victims {
            push(Role::Pawn, from, to, None);
        }
    }
    let mut push_all = |role, from, arrivals: Bitboard| {
        for to in arrivals & victims {
            push(role, from, to, None);
        }
    };
    for from in own & board.knights() {
        push_all(Role::Knight, from, attacks::knight_attacks(from));
    }
    for from in own & board.bishops() {
        push_all(Role::Bishop, from, bishop_attacks(from, occupied));
    }
    for from in own & board.rooks() {
        push_all(Role::Rook, from, rook_attacks(from, occupied));
    }
    for from in own & board.queens() {
        push_all(Role::Queen, from, queen_attacks(from, occupied));
    }
    for from in own & board.kings() {
        push_all(Role::King, from, attacks::king_attacks(from));
    }
    if let Some(to) = position.maybe_ep_square() {
        for from in attacks::pawn_attacks(!turn, to) & pawns {
            let _ = moves.try_push(Move::EnPassant { from, to });
        }
    }
}

/// True if the side to move can capture the enemy king, which means that the last move was illegal.
pub fn leaves_king(position: &Chess) -> bool {
    let board = position.board();
    let mover = !position.turn();
    board.king_of(mover).is_some_and(|king| {
        (attackers(board, king, board.occupied()) & board.by_color(!mover)).any()
    })
}
