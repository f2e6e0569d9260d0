//! Positions taken apart into what the codes store, and put together again.

use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, File, FromSetup, Piece, Position,
    PositionError, Rank, Role, Setup, Square,
};

use super::{CodeError, Result};

/// The parts of a position, with an en passant square only where the capture is legal.
///
/// Castling is that of standard chess in every code here: a king on the e-file,
/// rooks in the corners.
pub(super) fn parts(position: &Chess) -> Result<Setup> {
    let setup = position.to_setup(EnPassantMode::Legal);
    for color in Color::ALL {
        let rights = setup.castling_rights & Bitboard::from_rank(color.backrank());
        let king_at_home = setup.board.king_of(color) == Some(king_home(color));
        if rights.any() && !king_at_home || (rights & !Bitboard::CORNERS).any() {
            return Err(CodeError::Uncovered("castling rights of Chess960"));
        }
    }
    Ok(setup)
}

/// The square that a king castles from.
pub(super) fn king_home(color: Color) -> Square {
    Square::from_coords(File::E, color.backrank())
}

/// The position with these parts.
///
/// # Errors
/// [`CodeError::Damaged`] if there is no such position.
pub(super) fn position(setup: Setup) -> Result<Chess> {
    // What could never arise from the initial position, and yet can be played from, is not
    // for a position code to refuse.
    Chess::from_setup(setup, CastlingMode::Standard)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .map_err(|_| CodeError::Damaged("the position is not legal"))
}

/// The position of a board of which nothing else is known: White is to move unless Black is
/// in check; neither side may castle.
///
/// # Errors
/// [`CodeError::Damaged`] if there is no such position.
pub(super) fn position_of_board(board: Board) -> Result<Chess> {
    let black_in_check = board
        .king_of(Color::Black)
        .is_some_and(|king| board.attacks_to(king, Color::White, board.occupied()).any());
    position(Setup { board, turn: Color::from_black(black_in_check), ..Setup::empty() })
}

/// Puts a piece on a square of `board` that must be empty.
///
/// # Errors
/// [`CodeError::Damaged`] if the square is taken.
pub(super) fn place(board: &mut Board, square: Square, piece: Piece) -> Result<()> {
    if board.occupied().contains(square) {
        return Err(CodeError::Damaged("two pieces share a square"));
    }
    board.set_piece_at(square, piece);
    Ok(())
}

/// The square with a number from 0 (a1) over 1 (b1) to 63 (h8).
pub(super) fn square(number: u64) -> Result<Square> {
    Square::try_from(number).map_err(|_| CodeError::Damaged("no such square"))
}

/// All pieces, White's pawns to king and then Black's.
pub(super) fn pieces() -> impl Iterator<Item = Piece> {
    Color::ALL.into_iter().rev().flat_map(|color| Role::ALL.map(|role| role.of(color)))
}

/// The square behind a pawn of `mover` that has just advanced two squares on `file`.
pub(super) fn passed_square(file: File, mover: Color) -> Square {
    Square::from_coords(file, mover.relative_rank(Rank::Third))
}

/// The square of a pawn of `mover` that has just advanced two squares on `file`.
pub(super) fn double_step(file: File, mover: Color) -> Square {
    Square::from_coords(file, mover.relative_rank(Rank::Fourth))
}
