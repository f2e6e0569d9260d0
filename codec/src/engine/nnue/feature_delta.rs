//! The input features of the network, and which of them a move changes.

use shakmaty::{Color, Move, Role, Square};

use crate::chess::{arrival, feature_key};

/// The feature of a piece on a square from White's perspective, 0 to 767; the constants of
/// [`piece_key`](crate::chess::piece_key) have the same numbering.
pub fn piece_index(color: Color, role: Role, square: Square) -> usize {
    (color.fold_wb(0, 6) + role as usize - 1) * 64 + usize::from(square)
}

/// The features that a move removes and adds, as [`piece_index`] numbers them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FeatureDelta {
    /// The moving piece before and after the move.
    pub(super) moved: [u16; 2],
    pub(super) second: SecondPiece,
}

/// The fate of a second piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SecondPiece {
    /// The move concerns one piece only.
    None,
    /// A piece is captured.
    Captured(u16),
    /// The castling rook before and after the move.
    Rook([u16; 2]),
}

impl FeatureDelta {
    /// The features that change when `mover` plays `played`.
    pub fn new(played: Move, mover: Color) -> FeatureDelta {
        let index = |color, role, square| piece_index(color, role, square) as u16;
        let to = arrival(played);
        let from = played.from().unwrap_or(to);
        let placed = played.promotion().unwrap_or(played.role());
        let moved = [index(mover, played.role(), from), index(mover, placed, to)];
        let second = match played {
            Move::Normal { capture: Some(role), .. } => {
                SecondPiece::Captured(index(!mover, role, to))
            }
            Move::EnPassant { .. } => {
                let square = Square::from_coords(to.file(), from.rank());
                SecondPiece::Captured(index(!mover, Role::Pawn, square))
            }
            Move::Castle { king, rook: before } => {
                let after = shakmaty::CastlingSide::from_king_side(king < before).rook_to(mover);
                SecondPiece::Rook([before, after].map(|square| index(mover, Role::Rook, square)))
            }
            Move::Normal { capture: None, .. } | Move::Put { .. } => SecondPiece::None,
        };
        FeatureDelta { moved, second }
    }

    /// What the move changes in [`pieces_key`](crate::chess::pieces_key), to be exclusive-ored.
    pub fn key(&self) -> u64 {
        let of = |piece: u16| feature_key(piece.into());
        let second = match self.second {
            SecondPiece::None => 0,
            SecondPiece::Captured(piece) => of(piece),
            SecondPiece::Rook([before, after]) => of(before) ^ of(after),
        };
        of(self.moved[0]) ^ of(self.moved[1]) ^ second
    }
}
