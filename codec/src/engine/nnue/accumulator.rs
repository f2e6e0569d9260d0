//! The network's first layer, computed for a board or updated after a move.

use shakmaty::{Board, Color, Role, Square};

use super::feature_delta::{FeatureDelta, SecondPiece, piece_index};
use super::lanes::Lanes;
use super::{
    ACTIVATION_ONE, FEATURES, HiddenBlock, Kernel, LANES, Nnue, Output, WeightBlock, in_registers,
};

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
    /// Becomes the accumulator `other` of the same network, in the memory that it has: a clone would allocate, which took a
    /// twentieth of the time of a long search.
    pub(in crate::engine) fn copy_from(&mut self, other: &Accumulator) {
        self.hidden.copy_from_slice(&other.hidden);
        self.perspectives = other.perspectives;
    }

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

    /// Sets `accumulator` to that of a board.
    pub fn accumulate(
        &self,
        board: &Board,
        table: &mut RefreshTable,
        accumulator: &mut Accumulator,
    ) {
        for side in Color::ALL {
            self.refresh(board, side, table, accumulator);
        }
    }

    /// Sets `after` to the accumulator after a move with this `delta`, from the accumulator `before` the move. It is exact
    /// although intermediate sums may wrap. `seen` is the board after the move, and the boards last seen; without it,
    /// [`Nnue::may_refresh`] must be false.
    pub fn update(
        &self,
        before: &Accumulator,
        delta: &FeatureDelta,
        seen: Option<(&Board, &mut RefreshTable)>,
        after: &mut Accumulator,
    ) {
        in_registers(Update { network: self, before, delta, seen, after, output: None });
    }

    /// [`Nnue::update`] without a board, and [`Nnue::evaluate`] of `after`: the hidden units are clipped and weighted
    /// while they are in registers.
    pub fn update_and_evaluate(
        &self,
        before: &Accumulator,
        delta: &FeatureDelta,
        after: &mut Accumulator,
        turn: Color,
        pieces: usize,
    ) -> i32 {
        let of_pieces = self.output(turn, pieces);
        let output = Some(&of_pieces);
        let update = Update { network: self, before, delta, seen: None, after, output };
        of_pieces.value(in_registers(update))
    }

    /// Whether an accumulator may not follow from that of the board before, because a king moves and the board is seen
    /// anew.
    pub fn may_refresh(&self, delta: &FeatureDelta) -> bool {
        let king = |color| piece_index(color, Role::King, Square::A1);
        let moved = usize::from(delta.moved[1]) & !63;
        self.shape.king_layout().is_some() && Color::ALL.iter().any(|&color| moved == king(color))
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

/// [`Nnue::update`], or [`Nnue::update_and_evaluate`]: the sum of the weighted squares, 0 without an output.
struct Update<'a> {
    network: &'a Nnue,
    before: &'a Accumulator,
    delta: &'a FeatureDelta,
    seen: Option<(&'a Board, &'a mut RefreshTable)>,
    after: &'a mut Accumulator,
    output: Option<&'a Output<'a>>,
}

impl Kernel for Update<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<const N: usize, L: Lanes<N>>(self, lanes: L) -> i32 {
        // Compiled for each width that models have, so that their loops have constant lengths.
        match self.network.blocks {
            4 => self.sides(lanes, 4),
            8 => self.sides(lanes, 8),
            blocks => self.sides(lanes, blocks),
        }
    }
}

impl Update<'_> {
    #[inline(always)]
    fn sides<const N: usize, L: Lanes<N>>(self, lanes: L, blocks: usize) -> i32 {
        let Update { network, before, delta, mut seen, after, output } = self;
        let mut sums = lanes.zero();
        for side in Color::ALL {
            let number = side.fold_wb(0, 1);
            let perspective = before.perspectives[number];
            let to = usize::from(delta.moved[1]);
            let king = piece_index(side, Role::King, Square::A1);
            let output = output.map(|output| &output.weights[number][..blocks]);
            if to & !63 == king
                && let Some((board, table)) = &mut seen
                && network.perspective((to & 63) ^ side.fold_wb(0, 56)) != perspective
            {
                network.refresh(board, side, table, after);
                continue;
            }
            after.perspectives[number] = perspective;
            let weights = |index: u16| network.weights(perspective, side, index.into(), blocks);
            let change = Change {
                lanes,
                before: &before.hidden[number * blocks..][..blocks],
                after: &mut after.hidden[number * blocks..][..blocks],
                output,
                sums,
            };
            let [from, to] = delta.moved.map(weights);
            sums = match delta.second {
                SecondPiece::None => change.run([to], [from]),
                SecondPiece::Captured(captured) => change.run([to], [from, weights(captured)]),
                SecondPiece::Rook(rook) => {
                    let [rook_from, rook_to] = rook.map(weights);
                    change.run([to, rook_to], [from, rook_from])
                }
            };
        }
        lanes.total(sums)
    }
}

/// The change of one side of an accumulator by rows of weights, and what it adds to the output.
struct Change<'a, const N: usize, L: Lanes<N>> {
    lanes: L,
    before: &'a [HiddenBlock],
    after: &'a mut [HiddenBlock],
    /// The output's weights, if it is wanted.
    output: Option<&'a [HiddenBlock]>,
    sums: L::Sums,
}

impl<const N: usize, L: Lanes<N>> Change<'_, N, L> {
    #[inline(always)]
    fn run<const A: usize, const S: usize>(
        self,
        added: [&[WeightBlock]; A],
        subtracted: [&[WeightBlock]; S],
    ) -> L::Sums {
        let Change { lanes, before, after, output, mut sums } = self;
        for (block, (before, after)) in before.iter().zip(after).enumerate() {
            let (before, (after, _)) = (before.0.as_chunks::<N>().0, after.0.as_chunks_mut());
            let added = added.map(|row| row[block].0.as_chunks().0);
            let subtracted = subtracted.map(|row| row[block].0.as_chunks().0);
            let output = output.map(|output| output[block].0.as_chunks().0);
            for (chunk, (before, after)) in before.iter().zip(after).enumerate() {
                let mut units = lanes.load(before);
                for row in subtracted {
                    units = lanes.subtract(units, &row[chunk]);
                }
                for row in added {
                    units = lanes.add(units, &row[chunk]);
                }
                *after = lanes.store(units);
                if let Some(output) = output {
                    sums = lanes.add_squares(sums, units, ACTIVATION_ONE, &output[chunk]);
                }
            }
        }
        sums
    }
}
