//! The canonical order of legal moves, as `plyzip::unstable::chess::legal_moves` has it: by departure, arrival (the
//! rook's for castling) and promotion. Sorted here instead of generated, so that plyzip is not needed.

use shakmaty::{Chess, Move, MoveList, Position};

/// The legal moves of `position` in canonical order.
pub fn legal_moves(position: &Chess) -> MoveList {
    let mut moves = position.legal_moves();
    moves.sort_unstable_by_key(|candidate: &Move| {
        (candidate.from(), candidate.to(), candidate.promotion())
    });
    moves
}

#[cfg(all(test, feature = "plyzip"))]
mod tests {
    use plyzip::unstable::chess;
    use plyzip::unstable::split_mix;

    use super::*;

    #[test]
    fn the_order_is_that_of_the_program() {
        let mut number = 0;
        for _ in 0..20 {
            let mut position = Chess::default();
            for _ in 0..100 {
                let moves = legal_moves(&position);
                assert_eq!(moves, chess::legal_moves(&position));
                if moves.is_empty() {
                    break;
                }
                number += 1;
                position.play_unchecked(moves[(split_mix(number) % moves.len() as u64) as usize]);
            }
        }
    }
}
