//! Quiescence search on material: what the side to move wins by captures and promotions.
//!
//! Material alone counts, so that a value is a statement about tactics; the network learns the rest.
//! Everything is integer arithmetic in a defined order and the number of nodes is bounded, so the same
//! board gives the same value everywhere.

use shakmaty::{Bitboard, Board, Color, Move, Piece, Rank, Role, Square, attacks};

use super::attack_map::AttackMap;
use crate::chess::{
    bishop_attacks, pawn_attacks, queen_attacks, role_value, rook_attacks, see_at_least,
};

/// Centipawns, more than any material: the value of capturing the king.
pub const KING_TAKEN: i32 = 10_000;

/// Plies: the longest sequence of captures; after it the material counts as it stands.
const MAX_DEPTH: u32 = 8;

/// Boards that one call visits at most; after them the material counts as it stands.
const MAX_NODES: u32 = 48;

/// The gain of `side`, to move, in centipawns by the best sequence of captures and promotions; 0 if
/// every sequence loses material. A king that can be captured counts [`KING_TAKEN`], except on the
/// first ply if `spare_king` is true.
/// `map` is the board's.
pub fn quiesce(board: &Board, map: &AttackMap, side: Color, spare_king: bool) -> i32 {
    let mut search = Search { nodes: MAX_NODES };
    let mut room = Attackers::ROOM;
    let attackers = Attackers::of(board, side, &mut room, |square, _| map.hits(square));
    let window = [-2 * KING_TAKEN, 2 * KING_TAKEN];
    search.best(board, &attackers, side, spare_king, 0, window, MAX_DEPTH)
}

/// The board after a move, and the material that the move wins in centipawns.
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

/// The roles but the king, most valuable first.
const VICTIMS: [Role; 5] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];

/// A piece that can capture.
#[derive(Clone, Copy)]
struct Attacker {
    square: Square,
    role: Role,
    /// The enemy pieces that it can capture.
    victims: Bitboard,
}

/// Most attackers of one side; the rest, on boards with more pieces than a game can have, are ignored.
const MAX_ATTACKERS: usize = 16;

/// The pieces of one side that can capture, pawns not among them.
struct Attackers<'a> {
    all: &'a [Attacker],
    /// What they can capture.
    victims: Bitboard,
}

impl Attackers<'_> {
    /// Room for the attackers of a side.
    const ROOM: [Attacker; MAX_ATTACKERS] =
        [Attacker { square: Square::A1, role: Role::Pawn, victims: Bitboard::EMPTY };
            MAX_ATTACKERS];

    /// The attackers of a side, in `room`; `hits` are the squares that a piece attacks.
    #[inline(always)]
    fn of<'a>(
        board: &Board,
        side: Color,
        room: &'a mut [Attacker; MAX_ATTACKERS],
        hits: impl Fn(Square, Role) -> Bitboard,
    ) -> Attackers<'a> {
        let own = board.by_color(side);
        let (mut count, mut victims) = (0, Bitboard::EMPTY);
        let enemy = board.by_color(!side);
        let mut add = |square, role| {
            let hits = hits(square, role) & enemy;
            if hits.any() && count < MAX_ATTACKERS {
                room[count] = Attacker { square, role, victims: hits };
                count += 1;
                victims |= hits;
            }
        };
        for square in board.knights() & own {
            add(square, Role::Knight);
        }
        for square in board.bishops() & own {
            add(square, Role::Bishop);
        }
        for square in board.rooks() & own {
            add(square, Role::Rook);
        }
        for square in board.queens() & own {
            add(square, Role::Queen);
        }
        for square in board.kings() & own {
            add(square, Role::King);
        }
        Attackers { all: &room[..count], victims }
    }
}

/// A board whose captures are tried one after the other.
struct Node<'a> {
    board: &'a Board,
    side: Color,
    /// Centipawns that the side to move has won so far; the bounds are from its side, too.
    stand_pat: i32,
    best: i32,
    alpha: i32,
    beta: i32,
    depth: u32,
}

/// A search under way.
struct Search {
    /// Boards that may still be visited.
    nodes: u32,
}

impl Search {
    /// The value of a board for `side`, to move: the material won, `stand_pat` being that of before. `attackers` are the
    /// side's.
    #[allow(clippy::too_many_arguments)]
    fn best(
        &mut self,
        board: &Board,
        attackers: &Attackers,
        side: Color,
        spare_king: bool,
        stand_pat: i32,
        [alpha, beta]: [i32; 2],
        depth: u32,
    ) -> i32 {
        let occupied = board.occupied();
        let (own, enemy) = (board.by_color(side), board.by_color(!side));
        let enemy_king = enemy & board.kings();
        let pawns = own & board.pawns();
        let victims = attackers.victims | pawn_attacks(pawns, side) & enemy;
        if !spare_king && (victims & enemy_king).any() {
            return stand_pat + KING_TAKEN;
        }
        let victims = victims & !enemy_king;
        let mut node = Node {
            board,
            side,
            stand_pat,
            best: stand_pat,
            alpha: alpha.max(stand_pat),
            beta,
            depth,
        };
        let about_to_promote =
            pawns & Bitboard::from_rank(side.fold_wb(Rank::Seventh, Rank::Second));
        for from in about_to_promote {
            if let Some(to) = from.offset(side.fold_wb(8, -8))
                && !occupied.contains(to)
                && self.cuts_off(&mut node, from, to, Role::Pawn, 0)
            {
                return node.best;
            }
        }
        for victim in VICTIMS {
            let gain = role_value(victim);
            if node.stand_pat + gain <= node.alpha && about_to_promote.is_empty() {
                break;
            }
            for to in victims & board.by_role(victim) {
                for from in pawns & attacks::pawn_attacks(!side, to) {
                    if self.cuts_off(&mut node, from, to, Role::Pawn, gain) {
                        return node.best;
                    }
                }
                for attacker in attackers.all {
                    if attacker.victims.contains(to)
                        && self.cuts_off(&mut node, attacker.square, to, attacker.role, gain)
                    {
                        return node.best;
                    }
                }
            }
        }
        node.best
    }

    /// Tries a capture or promotion; returns whether it causes a beta cut-off.
    fn cuts_off(
        &mut self,
        node: &mut Node,
        from: Square,
        to: Square,
        role: Role,
        gain: i32,
    ) -> bool {
        let promotes = role == Role::Pawn && Bitboard::BACKRANKS.contains(to);
        let placed = if promotes { Role::Queen } else { role };
        let gain =
            gain + if promotes { role_value(Role::Queen) - role_value(Role::Pawn) } else { 0 };
        if node.stand_pat + gain <= node.alpha || self.nodes == 0 {
            return false;
        }
        let value = role_value(placed);
        if value > gain && !see_at_least(node.board, from, to, node.side, [value, gain], 1) {
            return false;
        }
        self.nodes -= 1;
        let mut taken = node.board.clone();
        taken.discard_piece_at(from);
        taken.set_piece_at(to, Piece { color: node.side, role: placed });
        let (enemy, stand_pat, depth) = (!node.side, -(node.stand_pat + gain), node.depth - 1);
        let window = [-node.beta, -node.alpha];
        let value = if stand_pat >= window[1] || depth == 0 {
            -stand_pat
        } else {
            let occupied = taken.occupied();
            let mut room = Attackers::ROOM;
            let attackers = Attackers::of(&taken, enemy, &mut room, |square, role| match role {
                Role::Knight => attacks::knight_attacks(square),
                Role::Bishop => bishop_attacks(square, occupied),
                Role::Rook => rook_attacks(square, occupied),
                Role::Queen => queen_attacks(square, occupied),
                _ => attacks::king_attacks(square),
            });
            -self.best(&taken, &attackers, enemy, false, stand_pat, window, depth)
        };
        node.best = node.best.max(value);
        node.alpha = node.alpha.max(value);
        node.best >= node.beta
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::fen::Fen;

    use super::*;

    fn wins(fen: &str) -> i32 {
        let setup = fen.parse::<Fen>().unwrap().into_setup();
        quiesce(&setup.board, &AttackMap::new(&setup.board), setup.turn, false)
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
        let mut search = Search { nodes: MAX_NODES };
        let map = AttackMap::new(&board);
        let mut room = Attackers::ROOM;
        let attackers =
            Attackers::of(&board, Color::White, &mut room, |square, _| map.hits(square));
        let window = [-2 * KING_TAKEN, 2 * KING_TAKEN];
        search.best(&board, &attackers, Color::White, true, 0, window, MAX_DEPTH);
        assert_eq!(search.nodes, 0);
    }
}
