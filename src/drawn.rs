//! Positions as the scripts of pages draw them: squares count from a8 on, line by line.

use shakmaty::{Chess, File, Piece, Position, Rank, Square};

/// The number of a square, from a8 on.
pub fn drawn_square(square: Square) -> usize {
    usize::from(square.rank().flip_vertical()) * 8 + usize::from(square.file())
}

/// The pieces of a position: 64 letters as in FEN, with `.` where there is none, from a8 on.
pub fn drawn_board(position: &Chess) -> String {
    let ranks = Rank::ALL.into_iter().rev();
    let squares = ranks.flat_map(|rank| File::ALL.map(|file| Square::from_coords(file, rank)));
    squares.map(|square| position.board().piece_at(square).map_or('.', Piece::char)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_count_from_a8() {
        assert_eq!(
            [Square::A8, Square::H8, Square::E4, Square::H1].map(drawn_square),
            [0, 7, 36, 63]
        );
        let board = drawn_board(&Chess::default());
        assert_eq!((&board[..8], &board[56..]), ("rnbqkbnr", "RNBQKBNR"));
        assert_eq!(board.matches('.').count(), 32);
    }
}
