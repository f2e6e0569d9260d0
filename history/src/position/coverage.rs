//! The parts of a position that a code keeps.

use shakmaty::{Chess, Position};

/// The parts that a code keeps beside the pieces on their squares, which every code keeps.
/// No code here keeps the number of the move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Coverage {
    /// Whose turn it is.
    pub turn: bool,
    /// Castling rights.
    pub castling: bool,
    /// The en passant capture, if one is legal.
    pub en_passant: bool,
    /// The fifty-move counter, in whole moves of both sides: an odd ply is dropped.
    pub fifty_moves: bool,
}

impl Coverage {
    /// The pieces and nothing else.
    pub const BOARD: Coverage =
        Coverage { turn: false, castling: false, en_passant: false, fifty_moves: false };

    /// All that decides which moves are legal.
    pub const RULES: Coverage =
        Coverage { turn: true, castling: true, en_passant: true, fifty_moves: false };

    /// All that decides which moves are legal, and the fifty-move counter.
    pub const COUNTED: Coverage = Coverage { fifty_moves: true, ..Coverage::RULES };

    /// True if two positions agree in all that is covered.
    ///
    /// ```
    /// use plyzip_history::position::Coverage;
    /// use shakmaty::{CastlingMode, Chess, fen::Fen};
    /// let parse = |fen: &str| -> Chess {
    ///     fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
    /// };
    /// let white = parse("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    /// let black = parse("4k3/8/8/8/8/8/8/4K3 b - - 9 1");
    /// assert!(Coverage::BOARD.same(&white, &black));
    /// assert!(!Coverage::RULES.same(&white, &black));
    /// ```
    pub fn same(self, a: &Chess, b: &Chess) -> bool {
        let castling = |position: &Chess| position.castles().castling_rights();
        a.board() == b.board()
            && (!self.turn || a.turn() == b.turn())
            && (!self.castling || castling(a) == castling(b))
            && (!self.en_passant || a.legal_ep_square() == b.legal_ep_square())
            && (!self.fifty_moves || a.halfmoves() / 2 == b.halfmoves() / 2)
    }
}
