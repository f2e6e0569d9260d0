//! The network's first layer, computed for a board or updated after a move.

use pulp::{Arch, Simd, WithSimd};
use shakmaty::{Board, Color, Role, Square};

use super::feature_delta::{FeatureDelta, SecondPiece, piece_index};
use super::{FEATURES, FeatureWeights, HiddenVector, Nnue, WIDTH};

/// The king bucket for each rank and each pair of files (e and f, g and h) of the king's square, seen
/// from its side, after mirroring: castled, in the middle of the first rank, on the second, on the
/// third and fourth, further up.
pub const KING_BUCKET_OF_RANK: [[u8; 2]; 8] =
    [[1, 0], [2, 2], [3, 3], [3, 3], [4, 4], [4, 4], [4, 4], [4, 4]];

/// The feature from Black's perspective: colours swapped, ranks turned over.
fn black_index(index: usize) -> usize {
    (if index < FEATURES / 2 { index + FEATURES / 2 } else { index - FEATURES / 2 }) ^ 56
}

/// How a side sees the board, by the square of its king.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Perspective {
    /// The first row of the king bucket's feature weights.
    first_row: usize,
    /// Squares are exclusive-ored with this: 7 if the board is mirrored, 0 otherwise.
    mirror: usize,
}

impl Perspective {
    /// The index of the perspective among those of a side in [`RefreshTable`].
    fn index(self) -> usize {
        self.first_row / FEATURES * 2 + self.mirror / 7
    }
}

/// The hidden units of a board, before clipping, from White's and from Black's perspective.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accumulator {
    pub(super) sides: [HiddenVector; 2],
    perspectives: [Perspective; 2],
}

impl Accumulator {
    /// An accumulator to be overwritten; it belongs to no board.
    pub fn empty() -> Accumulator {
        let perspective = Perspective { first_row: 0, mirror: 0 };
        Accumulator { sides: [HiddenVector([0; WIDTH]); 2], perspectives: [perspective; 2] }
    }
}

/// For each side and perspective the board last seen, with its hidden units: most pieces are still
/// there when the king comes back to the bucket. The contents change nothing but the time that a
/// refresh takes.
#[derive(Debug)]
pub struct RefreshTable(Vec<(Board, HiddenVector)>);

impl Nnue {
    /// A table of empty boards.
    pub fn refresh_table(&self) -> RefreshTable {
        let perspectives = self.feature_weights.len() / FEATURES * 2;
        RefreshTable(vec![(Board::empty(), self.accumulator_biases); 2 * perspectives])
    }

    /// The accumulator of a board.
    pub fn accumulator(&self, board: &Board, table: &mut RefreshTable) -> Accumulator {
        let mut accumulator = Accumulator::empty();
        for side in Color::ALL {
            self.refresh(board, side, table, &mut accumulator);
        }
        accumulator
    }

    /// Sets `after` to the accumulator of `board`, which a move with this `delta` led to, from the
    /// accumulator `before` the move. It is exact although intermediate sums may wrap.
    pub fn update(
        &self,
        before: &Accumulator,
        delta: &FeatureDelta,
        board: &Board,
        table: &mut RefreshTable,
        after: &mut Accumulator,
    ) {
        Arch::new().dispatch(Update { network: self, before, delta, board, table, after });
    }

    /// The perspective of a side with its king on `king`, a square turned so that the side is
    /// White.
    fn perspective(&self, king: usize) -> Perspective {
        if self.feature_weights.len() == FEATURES {
            return Perspective { first_row: 0, mirror: 0 };
        }
        let mirror = if king & 4 == 0 { 7 } else { 0 };
        let bucket = KING_BUCKET_OF_RANK[king >> 3][((king ^ mirror) & 3) >> 1];
        Perspective { first_row: usize::from(bucket) * FEATURES, mirror }
    }

    /// The perspective of `side` on a board.
    pub(super) fn perspective_on(&self, board: &Board, side: Color) -> Perspective {
        // Boards without a king, or with several, can be set up: h1 stands for the king's square.
        let king = board.king_of(side).map_or(7, |king| usize::from(king) ^ side.fold_wb(0, 56));
        self.perspective(king)
    }

    /// The weights of a feature ([`piece_index`]).
    #[inline(always)]
    fn weights(&self, perspective: Perspective, side: Color, index: usize) -> &FeatureWeights {
        let index = side.fold_wb(index, black_index(index));
        &self.feature_weights[perspective.first_row + (index ^ perspective.mirror)]
    }

    /// Sets one side of the accumulator to that of a board, from the board last seen from the same
    /// perspective.
    #[inline(always)]
    fn refresh(
        &self,
        board: &Board,
        side: Color,
        table: &mut RefreshTable,
        accumulator: &mut Accumulator,
    ) {
        let perspective = self.perspective_on(board, side);
        let entry = side.fold_wb(0, table.0.len() / 2) + perspective.index();
        let (last, hidden) = &mut table.0[entry];
        for color in Color::ALL {
            for role in Role::ALL {
                let [then, now] = [&*last, board].map(|on| on.by_color(color) & on.by_role(role));
                let weights =
                    |square| self.weights(perspective, side, piece_index(color, role, square));
                (then & !now).into_iter().for_each(|square| hidden.subtract(weights(square)));
                (now & !then).into_iter().for_each(|square| hidden.add(weights(square)));
            }
        }
        last.clone_from(board);
        let side = side.fold_wb(0, 1);
        accumulator.sides[side] = *hidden;
        accumulator.perspectives[side] = perspective;
    }
}

/// [`Nnue::update`], compiled once for each set of vector instructions.
struct Update<'a> {
    network: &'a Nnue,
    before: &'a Accumulator,
    delta: &'a FeatureDelta,
    board: &'a Board,
    table: &'a mut RefreshTable,
    after: &'a mut Accumulator,
}

impl WithSimd for Update<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Update { network, before, delta, board, table, after } = self;
        for side in Color::ALL {
            let number = side.fold_wb(0, 1);
            let perspective = before.perspectives[number];
            let [from, to] = delta.moved.map(usize::from);
            let king = piece_index(side, Role::King, Square::A1);
            if to & !63 == king
                && network.perspective((to & 63) ^ side.fold_wb(0, 56)) != perspective
            {
                network.refresh(board, side, table, after);
                continue;
            }
            after.perspectives[number] = perspective;
            let weights = |index: u16| &network.weights(perspective, side, index.into()).0;
            let (before, after) = (&before.sides[number].0, &mut after.sides[number].0);
            let [from, to] = [from, to].map(|index| &network.weights(perspective, side, index).0);
            let moved =
                |i: usize| before[i].wrapping_sub(from[i].into()).wrapping_add(to[i].into());
            match delta.second {
                SecondPiece::None => {
                    after.iter_mut().enumerate().for_each(|(i, after)| *after = moved(i));
                }
                SecondPiece::Captured(captured) => {
                    let captured = weights(captured);
                    for i in 0..WIDTH {
                        after[i] = moved(i).wrapping_sub(captured[i].into());
                    }
                }
                SecondPiece::Rook(rook) => {
                    let [from, to] = rook.map(weights);
                    for i in 0..WIDTH {
                        after[i] = moved(i).wrapping_sub(from[i].into()).wrapping_add(to[i].into());
                    }
                }
            }
        }
    }
}
