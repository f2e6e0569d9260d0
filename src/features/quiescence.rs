//! Quiescence search: what the side to move wins by captures and promotions.
//!
//! Positions are judged by material alone, so that a value is a statement about tactics: all else
//! is the network's to learn. Everything is integer arithmetic in a defined order and the
//! number of nodes is bounded, so the same board gives the same value everywhere.

use shakmaty::{Bitboard, Board, Color, Move, Piece, Rank, Role, Square, attacks};

use crate::chess::{pawn_attacks, role_value, see};

/// In centipawns, more than any material: the king was taken.
pub const KING_TAKEN: i32 = 10_000;

/// Captures in a row that are looked at; deeper the board is taken as it stands.
const DEEPEST: u32 = 8;

/// Boards that one call looks at; when they are used up, what is left is taken as it stands.
const NODES: u32 = 48;

/// What `side`, to move, wins in centipawns by the best sequence of captures and promotions, 0 if
/// it does better not to begin one. A king that can be taken is worth [`KING_TAKEN`] unless
/// `spare_king`, which leaves it alone on the first ply.
pub fn quiesce(board: &Board, side: Color, spare_king: bool) -> i32 {
    let mut search = Search { nodes: NODES };
    search.best(board, side, spare_king, 0, -2 * KING_TAKEN, 2 * KING_TAKEN, DEEPEST)
}

/// The board after a move, and what the move wins at once in centipawns.
pub fn after(board: &Board, own: Color, played: Move) -> (Board, i32) {
    let mut next = board.clone();
    match played {
        Move::Normal { role, from, capture, to, promotion } => {
            next.discard_piece_at(from);
            let placed = promotion.unwrap_or(role);
            next.set_piece_at(to, Piece { color: own, role: placed });
            let gain = capture.map_or(0, role_value);
            (next, gain + promotion.map_or(0, |role| role_value(role) - role_value(Role::Pawn)))
        }
        Move::EnPassant { from, to } => {
            next.discard_piece_at(from);
            next.discard_piece_at(Square::from_coords(to.file(), from.rank()));
            next.set_piece_at(to, Piece { color: own, role: Role::Pawn });
            (next, role_value(Role::Pawn))
        }
        Move::Castle { king, rook } => {
            let side = shakmaty::CastlingSide::from_king_side(king < rook);
            next.discard_piece_at(king);
            next.discard_piece_at(rook);
            next.set_piece_at(side.king_to(own), Piece { color: own, role: Role::King });
            next.set_piece_at(side.rook_to(own), Piece { color: own, role: Role::Rook });
            (next, 0)
        }
        Move::Put { .. } => (next, 0),
    }
}

/// Roles by what they are worth, kings aside.
const VICTIMS: [Role; 5] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];

/// A piece that can take something.
#[derive(Clone, Copy)]
struct Hunter {
    square: Square,
    role: Role,
    prey: Bitboard,
}

/// Most hunters on one board; what is more comes from strange FENs and is left out.
const HUNTERS: usize = 16;

/// What stays the same while the captures on one board are tried.
struct Hunt<'a> {
    board: &'a Board,
    side: Color,
    /// What enemy pawns protect.
    pawn_guarded: Bitboard,
    /// Balance of what was won so far, from the side to move, as are the bounds.
    stand: i32,
    best: i32,
    alpha: i32,
    beta: i32,
    depth: u32,
}

struct Search {
    nodes: u32,
}

impl Search {
    #[allow(clippy::too_many_arguments)]
    fn best(
        &mut self,
        board: &Board,
        side: Color,
        spare_king: bool,
        stand: i32,
        alpha: i32,
        beta: i32,
        depth: u32,
    ) -> i32 {
        if stand >= beta || depth == 0 {
            return stand;
        }
        let occupied = board.occupied();
        let (own, enemy) = (board.by_color(side), board.by_color(!side));
        let enemy_king = enemy & board.kings();
        let (pawns, enemy_pawns) = (own & board.pawns(), enemy & board.pawns());
        let mut prey = pawn_attacks(pawns, side) & enemy;
        let mut hunters =
            [Hunter { square: Square::A1, role: Role::Pawn, prey: Bitboard::EMPTY }; HUNTERS];
        let mut count = 0;
        let mut hunter = |square, role, hits: Bitboard| {
            let hits = hits & enemy;
            if hits.any() && count < HUNTERS {
                hunters[count] = Hunter { square, role, prey: hits };
                count += 1;
                prey |= hits;
            }
        };
        for square in board.knights() & own {
            hunter(square, Role::Knight, attacks::knight_attacks(square));
        }
        for square in board.bishops() & own {
            hunter(square, Role::Bishop, attacks::bishop_attacks(square, occupied));
        }
        for square in board.rooks() & own {
            hunter(square, Role::Rook, attacks::rook_attacks(square, occupied));
        }
        for square in board.queens() & own {
            hunter(square, Role::Queen, attacks::queen_attacks(square, occupied));
        }
        for square in board.kings() & own {
            hunter(square, Role::King, attacks::king_attacks(square));
        }
        if !spare_king && (prey & enemy_king).any() {
            return stand + KING_TAKEN;
        }
        let prey = prey & !enemy_king;
        let mut hunt = Hunt {
            board,
            side,
            pawn_guarded: pawn_attacks(enemy_pawns, !side),
            stand,
            best: stand,
            alpha: alpha.max(stand),
            beta,
            depth,
        };
        let about_to_promote =
            pawns & Bitboard::from_rank(side.fold_wb(Rank::Seventh, Rank::Second));
        for from in about_to_promote {
            if let Some(to) = from.offset(side.fold_wb(8, -8))
                && !occupied.contains(to)
                && self.cut(&mut hunt, from, to, Role::Pawn, 0)
            {
                return hunt.best;
            }
        }
        for victim in VICTIMS {
            let gain = role_value(victim);
            if hunt.stand + gain <= hunt.alpha && about_to_promote.is_empty() {
                break;
            }
            for to in prey & board.by_role(victim) {
                for from in pawns & attacks::pawn_attacks(!side, to) {
                    if self.cut(&mut hunt, from, to, Role::Pawn, gain) {
                        return hunt.best;
                    }
                }
                for hunter in &hunters[..count] {
                    if hunter.prey.contains(to)
                        && self.cut(&mut hunt, hunter.square, to, hunter.role, gain)
                    {
                        return hunt.best;
                    }
                }
            }
        }
        hunt.best
    }

    /// Tries a capture or promotion; whether it is so good that the rest does not matter.
    fn cut(&mut self, hunt: &mut Hunt, from: Square, to: Square, role: Role, gain: i32) -> bool {
        let promotes = role == Role::Pawn && Bitboard::BACKRANKS.contains(to);
        let placed = if promotes { Role::Queen } else { role };
        let gain =
            gain + if promotes { role_value(Role::Queen) - role_value(Role::Pawn) } else { 0 };
        if hunt.stand + gain <= hunt.alpha || self.nodes == 0 {
            return false;
        }
        let value = role_value(placed);
        if value > gain {
            // What stands there afterwards is lost to a pawn for a pawn at most, or to
            // whatever the exchange shows.
            let lost = hunt.pawn_guarded.contains(to) && gain + role_value(Role::Pawn) <= value;
            if lost || see(hunt.board, from, to, hunt.side, value, gain) <= 0 {
                return false;
            }
        }
        self.nodes -= 1;
        let mut taken = hunt.board.clone();
        taken.discard_piece_at(from);
        taken.set_piece_at(to, Piece { color: hunt.side, role: placed });
        let value = -self.best(
            &taken,
            !hunt.side,
            false,
            -(hunt.stand + gain),
            -hunt.beta,
            -hunt.alpha,
            hunt.depth - 1,
        );
        hunt.best = hunt.best.max(value);
        hunt.alpha = hunt.alpha.max(value);
        hunt.best >= hunt.beta
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::fen::Fen;

    use super::*;

    fn wins(fen: &str) -> i32 {
        let setup = fen.parse::<Fen>().unwrap().into_setup();
        quiesce(&setup.board, setup.turn, false)
    }

    #[test]
    fn values_are_what_captures_win() {
        // nothing to take, a free queen, a guarded pawn, a guarded knight for a pawn
        assert_eq!(wins("4k3/8/8/8/8/8/8/4K2R w - - 0 1"), 0);
        assert_eq!(wins("4k3/8/8/3q4/8/8/8/3RK3 w - - 0 1"), 900);
        assert_eq!(wins("4k3/8/2p5/3p4/8/8/8/3RK3 w - - 0 1"), 0);
        assert_eq!(wins("4k3/8/2p5/3n4/4P3/8/8/4K3 w - - 0 1"), 220);
        // promotion, alone and by taking a rook
        assert_eq!(wins("8/P6k/8/8/8/8/8/4K3 w - - 0 1"), 800);
        assert_eq!(wins("1r6/P6k/8/8/8/8/8/4K3 w - - 0 1"), 1300);
        // a pinned piece takes nothing: its king would be taken
        assert_eq!(wins("4r1k1/8/8/1p6/8/3p4/4B3/4K3 w - - 0 1"), 0);
        // while both queens hang, the side to move wins one and keeps its own
        assert_eq!(wins("4k3/8/8/3q4/3Q4/8/8/4K3 b - - 0 1"), 900);
        // a king that can be taken is worth more than anything
        assert_eq!(wins("4k3/8/8/8/8/8/8/4RK2 w - - 0 1"), KING_TAKEN);
    }

    #[test]
    fn boards_full_of_queens_take_no_longer_than_others() {
        let fen =
            "qqqqkqqq/qqqqqqqq/qqqqqqqq/QQQQqqqq/QQQQqqqq/QQQQQQQQ/QQQQQQQQ/QQQQKQQQ w - - 0 1";
        let board = fen.parse::<Fen>().unwrap().into_setup().board;
        let mut search = Search { nodes: NODES };
        search.best(&board, Color::White, true, 0, -2 * KING_TAKEN, 2 * KING_TAKEN, DEEPEST);
        assert_eq!(search.nodes, 0);
    }
}
