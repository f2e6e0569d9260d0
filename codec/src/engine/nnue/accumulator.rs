//! The network's first layer, computed for a board or updated after a move.

use pulp::{Arch, Simd, WithSimd};
use shakmaty::{Board, Color, Role, Square};

use super::feature_delta::{FeatureDelta, SecondPiece, piece_index};
use super::{FEATURES, HiddenBlock, LANES, Nnue, WeightBlock};

/// The feature from Black's perspective: colours swapped, ranks turned over.
fn black_index(index: usize) -> usize {
    (if index < FEATURES / 2 { index + FEATURES / 2 } else { index - FEATURES / 2 }) ^ 56
}

/// A side's view of the board, by the square of its king.
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
    /// White's blocks, then Black's.
    hidden: Vec<HiddenBlock>,
    perspectives: [Perspective; 2],
}

impl Accumulator {
    /// The blocks of White (0) or Black (1).
    #[inline(always)]
    pub(super) fn side(&self, side: usize) -> &[HiddenBlock] {
        let (white, black) = self.hidden.split_at(self.hidden.len() / 2);
        if side == 0 { white } else { black }
    }

    #[inline(always)]
    fn side_mut(&mut self, side: usize) -> &mut [HiddenBlock] {
        let half = self.hidden.len() / 2;
        let (white, black) = self.hidden.split_at_mut(half);
        if side == 0 { white } else { black }
    }
}

/// For each side and perspective the board last seen, with its hidden units: most pieces are still
/// there when the king comes back to the bucket. The contents change nothing but the time that a
/// refresh takes.
#[derive(Debug)]
pub struct RefreshTable(Vec<(Board, Vec<HiddenBlock>)>);

impl Nnue {
    /// A table of empty boards.
    pub fn refresh_table(&self) -> RefreshTable {
        let perspectives = self.shape.king_buckets() * 2;
        RefreshTable(vec![(Board::empty(), self.accumulator_biases.clone()); 2 * perspectives])
    }

    /// An accumulator to be overwritten; it belongs to no board.
    pub fn empty_accumulator(&self) -> Accumulator {
        let perspective = Perspective { first_row: 0, mirror: 0 };
        let hidden = vec![HiddenBlock([0; LANES]); 2 * self.blocks];
        Accumulator { hidden, perspectives: [perspective; 2] }
    }

    /// The accumulator of a board.
    pub fn accumulator(&self, board: &Board, table: &mut RefreshTable) -> Accumulator {
        let mut accumulator = self.empty_accumulator();
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
        let Some(layout) = self.shape.king_layout() else {
            return Perspective { first_row: 0, mirror: 0 };
        };
        let mirror = if king & 4 == 0 { 7 } else { 0 };
        let file_from_edge = (king ^ mirror ^ 7) & 3;
        let bucket = layout[(king >> 3) * 4 + file_from_edge];
        Perspective { first_row: usize::from(bucket) * FEATURES, mirror }
    }

    /// The perspective of `side` on a board.
    pub(super) fn perspective_on(&self, board: &Board, side: Color) -> Perspective {
        // Boards without a king, or with several, can be set up: h1 stands for the king's square.
        let king = board.king_of(side).map_or(7, |king| usize::from(king) ^ side.fold_wb(0, 56));
        self.perspective(king)
    }

    /// The weights of a feature ([`piece_index`]): so many blocks as the network has, which a caller may know as a
    /// constant.
    #[inline(always)]
    fn weights(
        &self,
        perspective: Perspective,
        side: Color,
        index: usize,
        blocks: usize,
    ) -> &[WeightBlock] {
        let index = side.fold_wb(index, black_index(index));
        let row = perspective.first_row + (index ^ perspective.mirror);
        &self.feature_weights[row * blocks..][..blocks]
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
                let weights = |square| {
                    self.weights(perspective, side, piece_index(color, role, square), self.blocks)
                };
                for square in then & !now {
                    hidden
                        .iter_mut()
                        .zip(weights(square))
                        .for_each(|(sum, weights)| sum.subtract(weights));
                }
                for square in now & !then {
                    hidden
                        .iter_mut()
                        .zip(weights(square))
                        .for_each(|(sum, weights)| sum.add(weights));
                }
            }
        }
        last.clone_from(board);
        let side = side.fold_wb(0, 1);
        accumulator.side_mut(side).copy_from_slice(hidden);
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
        // Compiled for each width that models have, so that their loops have constant lengths.
        match self.network.blocks {
            4 => self.run(4),
            8 => self.run(8),
            blocks => self.run(blocks),
        }
    }
}

impl Update<'_> {
    #[inline(always)]
    fn run(self, blocks: usize) {
        let Update { network, before, delta, board, table, after } = self;
        for side in Color::ALL {
            let number = side.fold_wb(0, 1);
            let perspective = before.perspectives[number];
            let to = usize::from(delta.moved[1]);
            let king = piece_index(side, Role::King, Square::A1);
            if to & !63 == king
                && network.perspective((to & 63) ^ side.fold_wb(0, 56)) != perspective
            {
                network.refresh(board, side, table, after);
                continue;
            }
            after.perspectives[number] = perspective;
            let weights = |index: u16| network.weights(perspective, side, index.into(), blocks);
            let before = &before.hidden[number * blocks..][..blocks];
            let after = &mut after.hidden[number * blocks..][..blocks];
            let [from, to] = delta.moved.map(weights);
            match delta.second {
                SecondPiece::None => {
                    for b in 0..blocks {
                        after[b] = before[b].with(&[&to[b]], &[&from[b]]);
                    }
                }
                SecondPiece::Captured(captured) => {
                    let captured = weights(captured);
                    for b in 0..blocks {
                        after[b] = before[b].with(&[&to[b]], &[&from[b], &captured[b]]);
                    }
                }
                SecondPiece::Rook(rook) => {
                    let [rook_from, rook_to] = rook.map(weights);
                    for b in 0..blocks {
                        after[b] =
                            before[b].with(&[&to[b], &rook_to[b]], &[&from[b], &rook_from[b]]);
                    }
                }
            }
        }
    }
}
