//! Material with which neither side can win.

use shakmaty::{Bitboard, Board};

/// True if no sequence of legal moves leads to a checkmate, as far as the material alone shows: there are
/// only kings; or kings and one knight; or kings and bishops that all stand on squares of one colour.
#[inline]
pub fn is_insufficient_material(board: &Board) -> bool {
    if (board.pawns() | board.rooks_and_queens()).any() {
        return false;
    }
    if board.knights().any() {
        return board.occupied().count() == 3;
    }
    let bishops = board.bishops();
    (bishops & Bitboard::DARK_SQUARES).is_empty() || (bishops & Bitboard::LIGHT_SQUARES).is_empty()
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess, Position, fen::Fen};

    use super::*;

    #[test]
    fn insufficient_material_is_what_the_definition_says() {
        for (board, insufficient) in [
            ("4k3/8/8/8/8/8/8/4K3", true),
            ("4k3/8/8/8/8/8/8/3NK3", true),
            ("3nk3/8/8/8/8/8/8/4K3", true),
            ("4k3/8/8/8/8/8/8/2NNK3", false),
            ("3nk3/8/8/8/8/8/8/3NK3", false),
            ("3bk3/8/8/8/8/8/8/3NK3", false),
            ("4k3/8/8/8/8/8/8/2BNK3", false),
            ("4k3/8/8/8/8/8/8/3BK3", true),
            ("4k3/8/8/8/8/8/8/1B1BK3", true),
            ("2b1k3/8/8/8/8/8/8/1B1BK3", true),
            ("3bk3/8/8/8/8/8/8/1B1BK3", false),
            ("4k3/8/8/8/8/8/8/2BBK3", false),
            ("4k3/8/8/8/8/8/4P3/4K3", false),
            ("4k3/8/8/8/8/8/8/3RK3", false),
            ("3qk3/8/8/8/8/8/8/3NK3", false),
            ("3qk3/8/8/8/8/8/8/4K3", false),
        ] {
            let fen = format!("{board} w - - 0 1").parse::<Fen>().unwrap();
            let position: Chess = fen.into_position(CastlingMode::Standard).unwrap();
            assert_eq!(is_insufficient_material(position.board()), insufficient, "{board}");
            // The same definition today; if shakmaty's changes, ours does not.
            assert_eq!(position.is_insufficient_material(), insufficient, "{board}");
        }
    }
}
