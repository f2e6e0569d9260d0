//! Sets of pawns: what they attack, and which of them are passed.

use shakmaty::{Bitboard, Board, Color, File};

/// Squares that pawns of `side` attack.
pub fn pawn_attacks(pawns: Bitboard, side: Color) -> Bitboard {
    let (left, right) = match side {
        Color::White => (7, 9),
        Color::Black => (-9, -7),
    };
    (pawns.shift(left) & !Bitboard::from_file(File::H))
        | (pawns.shift(right) & !Bitboard::from_file(File::A))
}

/// The passed pawns of `color`: those that no enemy pawn can block or capture on their way.
pub fn passed_pawns(board: &Board, color: Color) -> Bitboard {
    let enemy = board.pawns() & board.by_color(!color);
    let guarded = reach(enemy, !color);
    let blocked = way(enemy, !color);
    board.pawns() & board.by_color(color) & !guarded & !blocked
}

/// Squares that pawns of `color` attack, now or after advancing.
pub fn reach(pawns: Bitboard, color: Color) -> Bitboard {
    fill(pawn_attacks(pawns, color), color)
}

/// Squares ahead of pawns of `color`, on their files.
pub fn way(pawns: Bitboard, color: Color) -> Bitboard {
    fill(advance(pawns, color), color)
}

/// The squares one rank ahead of those of `set`, seen from `color`.
pub fn advance(set: Bitboard, color: Color) -> Bitboard {
    set.shift(color.fold_wb(8, -8))
}

/// The squares of `set` and all squares ahead of them on their files, seen from `color`.
fn fill(set: Bitboard, color: Color) -> Bitboard {
    let step = |set: u64, by: u32| if color.is_white() { set << by } else { set >> by };
    let set = set.0 | step(set.0, 8);
    let set = set | step(set, 16);
    Bitboard(set | step(set, 32))
}

#[cfg(test)]
mod tests {
    use shakmaty::fen::Fen;

    use super::*;

    #[test]
    fn passed_pawns_have_no_enemy_pawn_before_or_beside_their_way() {
        let passed = |fen: &str, color| {
            let board = fen.parse::<Fen>().unwrap().into_setup().board;
            let passed: Vec<String> =
                passed_pawns(&board, color).into_iter().map(|square| square.to_string()).collect();
            passed.join(" ")
        };
        let fen = "4k3/1p5p/8/P2Pp3/6P1/4P2P/1p6/4K3 w - - 0 1";
        assert_eq!(passed(fen, Color::White), "d5");
        assert_eq!(passed(fen, Color::Black), "b2");
        assert_eq!(passed("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", Color::White), "e5");
        assert_eq!(passed("4k3/8/4p3/3pP3/8/8/8/4K3 w - - 0 1", Color::White), "");
        assert_eq!(passed("4k3/7p/8/8/8/8/P7/4K3 w - - 0 1", Color::White), "a2");
    }
}
