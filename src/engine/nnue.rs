//! NNUE: a small network that says what a quiet position is worth, for the search.
//!
//! The network is "efficiently updatable" (NNUE, see the Chess Programming Wiki): each piece on its
//! square adds a row of a table to a vector of sums, once as White sees it and once as Black does,
//! and a move changes only two to four rows of each. The sums, clipped and squared, go into one
//! output, which has weights for each class of the number of pieces.
//!
//! A large network has a table for each place of the own king, and the board is seen in a mirror,
//! file a for file h, if that king is on the left. When a king goes elsewhere, its side's sums are
//! made from those of the board that was last seen so ([`RefreshTable`]). A small network has one
//! table and no mirror.
//!
//! Everything is integer arithmetic. Rows are 8 bits wide, sums 16, the output 32; the
//! bounds under which neither overflows are checked when a model is loaded.

use pulp::{Arch, Simd, WithSimd};
use shakmaty::{Board, Color, Move, Role, Square};

use crate::chess::arrival;

/// Sums for each side.
const WIDTH: usize = 256;

/// Roles of both sides on squares.
const PIECES: usize = 768;

/// The output's weights are chosen by how many pieces there are.
const CLASSES: usize = 8;

/// Tables of a large network.
const TABLES: usize = 5;

/// The table for a king on each square of the right half, from its side: castled, in the middle of
/// the first rank, on the second, further up.
const TABLE_OF_RANK: [[u8; 2]; 8] =
    [[1, 0], [2, 2], [3, 3], [3, 3], [4, 4], [4, 4], [4, 4], [4, 4]];

/// Numbers in a small and in a large network: the tables' rows, what the sums begin with, weights
/// of the output, and what the output begins with.
pub const NNUE_SIZES: [usize; 2] = [size(1), size(TABLES)];

const fn size(tables: usize) -> usize {
    tables * PIECES * WIDTH + WIDTH + CLASSES * 2 * WIDTH + CLASSES
}

/// Sums are clipped to 0 and this, which stands for 1.
const ONE: i16 = 255;

/// A weight of the output that stands for 1.
const OUTPUT_ONE: i64 = 64;

/// Centipawns for an output of 1.
const CENTIPAWNS: i64 = 400;

/// Largest value in centipawns.
pub const MOST_VALUE: i32 = 8_000;

/// Largest row entry: rows of 8 bits are what a core's cache holds more of.
const MOST_IN_ROW: i16 = 127;

/// Largest beginning of a sum: with 64 row entries it fits 16 bits, and so do the sums of every
/// board.
const MOST_AT_START: i16 = 504;

/// Largest weight of the output: [`ONE`] times it fits 16 bits.
const MOST_IN_OUTPUT: i16 = 127;

/// What a piece on a square adds to each sum. What is loaded at once is never on two lines of the
/// cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(align(64))]
struct Row([i8; WIDTH]);

/// A number for each sum, likewise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(align(64))]
struct Wide([i16; WIDTH]);

impl Wide {
    #[inline(always)]
    fn add(&mut self, row: &Row) {
        for (sum, &entry) in self.0.iter_mut().zip(&row.0) {
            *sum = sum.wrapping_add(entry.into());
        }
    }

    #[inline(always)]
    fn subtract(&mut self, row: &Row) {
        for (sum, &entry) in self.0.iter_mut().zip(&row.0) {
            *sum = sum.wrapping_sub(entry.into());
        }
    }
}

/// The network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nnue {
    /// Of all tables.
    rows: Vec<Row>,
    start: Wide,
    /// For the side to move and for the other.
    outputs: Vec<[Wide; 2]>,
    offsets: [i16; CLASSES],
}

/// A piece on a square as White sees it, and as a key's constants are numbered.
pub fn piece_index(color: Color, role: Role, square: Square) -> usize {
    (color.fold_wb(0, 6) + role as usize - 1) * 64 + usize::from(square)
}

/// The same as Black sees it.
fn turned(index: usize) -> usize {
    (if index < PIECES / 2 { index + PIECES / 2 } else { index - PIECES / 2 }) ^ 56
}

/// How a side sees the board: the first row of its table, and what its squares are exclusive-ored
/// with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Perspective {
    first: usize,
    mirror: usize,
}

/// The sums of a board as White and as Black see it, and how they see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accumulator {
    sides: [Wide; 2],
    perspectives: [Perspective; 2],
}

impl Accumulator {
    /// The sums of no board.
    pub fn empty() -> Accumulator {
        let perspective = Perspective { first: 0, mirror: 0 };
        Accumulator { sides: [Wide([0; WIDTH]); 2], perspectives: [perspective; 2] }
    }
}

impl Perspective {
    /// Its place among a side's in [`RefreshTable`].
    fn place(self) -> usize {
        self.first / PIECES * 2 + self.mirror / 7
    }
}

/// The board that each side last saw from each place of its king, with its sums: most of it is
/// still there when the king comes back. What is kept changes nothing but the time it takes.
#[derive(Debug)]
pub struct RefreshTable(Vec<(Board, Wide)>);

/// The pieces that a move takes from squares and puts on squares, as [`piece_index`] has them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FeatureDelta {
    /// The moving piece before and after.
    moved: [u16; 2],
    other: Other,
}

/// What a move changes besides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Other {
    Nothing,
    /// A piece is taken.
    Taken(u16),
    /// The rook castles: before and after.
    Rook([u16; 2]),
}

impl FeatureDelta {
    /// What `played` changes when `mover` plays it.
    pub fn new(played: Move, mover: Color) -> FeatureDelta {
        let index = |color, role, square| piece_index(color, role, square) as u16;
        let to = arrival(played);
        let from = played.from().unwrap_or(to);
        let placed = played.promotion().unwrap_or(played.role());
        let moved = [index(mover, played.role(), from), index(mover, placed, to)];
        let other = match played {
            Move::Normal { capture: Some(role), .. } => Other::Taken(index(!mover, role, to)),
            Move::EnPassant { .. } => {
                let square = Square::from_coords(to.file(), from.rank());
                Other::Taken(index(!mover, Role::Pawn, square))
            }
            Move::Castle { king, rook: before } => {
                let after = shakmaty::CastlingSide::from_king_side(king < before).rook_to(mover);
                Other::Rook([before, after].map(|square| index(mover, Role::Rook, square)))
            }
            Move::Normal { capture: None, .. } | Move::Put { .. } => Other::Nothing,
        };
        FeatureDelta { moved, other }
    }

    /// Calls `each` with every piece that goes or comes.
    pub fn each(&self, mut each: impl FnMut(usize)) {
        let mut both = |pieces: [u16; 2]| pieces.map(|piece| each(piece.into()));
        both(self.moved);
        match self.other {
            Other::Nothing => {}
            Other::Taken(piece) => each(piece.into()),
            Other::Rook(pieces) => {
                both(pieces);
            }
        }
    }
}

impl Nnue {
    /// The network of these numbers, as many as one of [`NNUE_SIZES`]; `None` if they are not so
    /// many, or if with some board its arithmetic could overflow.
    pub fn new(numbers: &[i16]) -> Option<Nnue> {
        if !NNUE_SIZES.contains(&numbers.len()) {
            return None;
        }
        let tables = if numbers.len() == NNUE_SIZES[0] { 1 } else { TABLES };
        let (rows, rest) = numbers.split_at(tables * PIECES * WIDTH);
        let (start, rest) = rest.split_at(WIDTH);
        let (outputs, offsets) = rest.split_at(CLASSES * 2 * WIDTH);
        let within = |numbers: &[i16], most: i16| {
            numbers.iter().all(|number| (-most..=most).contains(number))
        };
        let small = outputs.chunks_exact(2 * WIDTH).all(|class| {
            let total: i64 = class.iter().map(|&weight| i64::from(weight).abs()).sum();
            total * i64::from(ONE) * i64::from(ONE) <= i64::from(i32::MAX)
        });
        if !within(rows, MOST_IN_ROW)
            || !within(start, MOST_AT_START)
            || !within(outputs, MOST_IN_OUTPUT)
            || !small
        {
            return None;
        }
        let row = |chunk: &[i16]| Row(std::array::from_fn(|i| chunk[i] as i8));
        let wide = |chunk: &[i16]| Wide(std::array::from_fn(|i| chunk[i]));
        Some(Nnue {
            rows: rows.chunks_exact(WIDTH).map(row).collect(),
            start: wide(start),
            outputs: outputs
                .chunks_exact(2 * WIDTH)
                .map(|class| [wide(&class[..WIDTH]), wide(&class[WIDTH..])])
                .collect(),
            offsets: std::array::from_fn(|i| offsets[i]),
        })
    }

    /// How a side sees the board when its king is on `king`, as White would see it.
    fn perspective(&self, king: usize) -> Perspective {
        if self.rows.len() == PIECES {
            return Perspective { first: 0, mirror: 0 };
        }
        let mirror = if king & 4 == 0 { 7 } else { 0 };
        let table = TABLE_OF_RANK[king >> 3][((king ^ mirror) & 3) >> 1];
        Perspective { first: usize::from(table) * PIECES, mirror }
    }

    /// How `side` sees a board.
    fn perspective_on(&self, board: &Board, side: Color) -> Perspective {
        // Boards can be set up that have no king, or several: they are seen as from the corner.
        let king = board.king_of(side).map_or(7, |king| usize::from(king) ^ side.fold_wb(0, 56));
        self.perspective(king)
    }

    /// The row of a piece on a square ([`piece_index`]).
    #[inline(always)]
    fn row(&self, perspective: Perspective, side: Color, index: usize) -> &Row {
        let index = side.fold_wb(index, turned(index));
        &self.rows[perspective.first + (index ^ perspective.mirror)]
    }

    /// The sums of a board.
    pub fn sums(&self, board: &Board, seen: &mut RefreshTable) -> Accumulator {
        let mut sums = Accumulator::empty();
        for side in Color::ALL {
            self.see(board, side, seen, &mut sums);
        }
        sums
    }

    /// Nothing but empty boards.
    pub fn refresh_table(&self) -> RefreshTable {
        let perspectives = self.rows.len() / PIECES * 2;
        RefreshTable(vec![(Board::empty(), self.start); 2 * perspectives])
    }

    /// The sums of what `side` sees on a board, from those that it last saw so.
    #[inline(always)]
    fn see(&self, board: &Board, side: Color, seen: &mut RefreshTable, sums: &mut Accumulator) {
        let perspective = self.perspective_on(board, side);
        let place = side.fold_wb(0, seen.0.len() / 2) + perspective.place();
        let (last, last_sums) = &mut seen.0[place];
        for color in Color::ALL {
            for role in Role::ALL {
                let [then, now] = [&*last, board].map(|on| on.by_color(color) & on.by_role(role));
                let row = |square| self.row(perspective, side, piece_index(color, role, square));
                (then & !now).into_iter().for_each(|square| last_sums.subtract(row(square)));
                (now & !then).into_iter().for_each(|square| last_sums.add(row(square)));
            }
        }
        last.clone_from(board);
        let place = side.fold_wb(0, 1);
        sums.sides[place] = *last_sums;
        sums.perspectives[place] = perspective;
    }

    /// The sums of `board`, which a move with these changes led to, from those before it. They are
    /// exact although those on the way wrap.
    pub fn follow(
        &self,
        before: &Accumulator,
        changes: &FeatureDelta,
        board: &Board,
        seen: &mut RefreshTable,
        after: &mut Accumulator,
    ) {
        Arch::new().dispatch(Follow { values: self, before, changes, board, seen, after });
    }

    /// What the position with these sums and `pieces` pieces is worth to the side to move, in
    /// centipawns.
    pub fn value(&self, sums: &Accumulator, turn: Color, pieces: usize) -> i32 {
        let class = (pieces.saturating_sub(2) / 4).min(CLASSES - 1);
        let own = turn.fold_wb(0, 1);
        let [first, second] = &self.outputs[class];
        let sums = [&sums.sides[own], &sums.sides[1 - own]];
        let total = Arch::new().dispatch(Output { sums, weights: [first, second] });
        let total = i64::from(total / i32::from(ONE) + i32::from(self.offsets[class]));
        let value = total * CENTIPAWNS / (i64::from(ONE) * OUTPUT_ONE);
        value.clamp((-MOST_VALUE).into(), MOST_VALUE.into()) as i32
    }
}

/// [`Nnue::follow`], compiled once for each kind of registers.
struct Follow<'a> {
    values: &'a Nnue,
    before: &'a Accumulator,
    changes: &'a FeatureDelta,
    board: &'a Board,
    seen: &'a mut RefreshTable,
    after: &'a mut Accumulator,
}

impl WithSimd for Follow<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Follow { values, before, changes, board, seen, after } = self;
        for side in Color::ALL {
            let place = side.fold_wb(0, 1);
            let perspective = before.perspectives[place];
            let [from, to] = changes.moved.map(usize::from);
            let king = piece_index(side, Role::King, Square::A1);
            if to & !63 == king
                && values.perspective((to & 63) ^ side.fold_wb(0, 56)) != perspective
            {
                values.see(board, side, seen, after);
                continue;
            }
            after.perspectives[place] = perspective;
            let row = |index: u16| &values.row(perspective, side, index.into()).0;
            let (before, after) = (&before.sides[place].0, &mut after.sides[place].0);
            let [from, to] = [from, to].map(|index| &values.row(perspective, side, index).0);
            match changes.other {
                Other::Nothing => {
                    for i in 0..WIDTH {
                        after[i] =
                            before[i].wrapping_sub(from[i].into()).wrapping_add(to[i].into());
                    }
                }
                Other::Taken(taken) => {
                    let taken = row(taken);
                    for i in 0..WIDTH {
                        let moved =
                            before[i].wrapping_sub(from[i].into()).wrapping_add(to[i].into());
                        after[i] = moved.wrapping_sub(taken[i].into());
                    }
                }
                Other::Rook(rook) => {
                    let [gone, come] = rook.map(row);
                    for i in 0..WIDTH {
                        let moved =
                            before[i].wrapping_sub(from[i].into()).wrapping_add(to[i].into());
                        after[i] = moved.wrapping_sub(gone[i].into()).wrapping_add(come[i].into());
                    }
                }
            }
        }
    }
}

/// The sum of clipped squares times weights, likewise.
struct Output<'a> {
    sums: [&'a Wide; 2],
    weights: [&'a Wide; 2],
}

impl WithSimd for Output<'_> {
    type Output = i32;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> i32 {
        output(self.sums[0], self.weights[0]) + output(self.sums[1], self.weights[1])
    }
}

#[inline(always)]
fn output(Wide(sums): &Wide, Wide(weights): &Wide) -> i32 {
    // Written so that compilers find what takes sixteen numbers at once.
    let (mut clipped, mut products) = ([0; WIDTH], [0; WIDTH]);
    for i in 0..WIDTH {
        clipped[i] = sums[i].clamp(0, ONE);
        products[i] = clipped[i].wrapping_mul(weights[i]);
    }
    let mut totals = [0i32; 16];
    for (clipped, products) in clipped.chunks_exact(16).zip(products.chunks_exact(16)) {
        for (total, (&clipped, &product)) in totals.iter_mut().zip(clipped.iter().zip(products)) {
            *total = total.wrapping_add(i32::from(clipped) * i32::from(product));
        }
    }
    totals.iter().fold(0, |sum, &total| sum.wrapping_add(total))
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess, Position, fen::Fen};

    use super::*;
    use crate::chess::split_mix;

    /// A network of so many tables, of numbers that are as large as may be in rows, and small
    /// elsewhere.
    fn numbers(tables: usize) -> Vec<i16> {
        let rows = tables * PIECES * WIDTH;
        let any = |index: usize, most: u64| {
            (split_mix(index as u64) % (2 * most + 1)) as i16 - most as i16
        };
        let mut numbers: Vec<i16> = (0..rows).map(|i| any(i, 127)).collect();
        numbers.extend((0..WIDTH).map(|i| any(i, 504)));
        numbers.extend((0..CLASSES * (2 * WIDTH + 1)).map(|i| any(i, 60)));
        numbers
    }

    fn position(fen: &str) -> Chess {
        fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
    }

    /// The sums of a board of which nothing was seen before.
    fn sums(values: &Nnue, board: &Board) -> Accumulator {
        values.sums(board, &mut values.refresh_table())
    }

    #[test]
    fn sums_follow_every_kind_of_move() {
        for tables in [1, TABLES] {
            let values = Nnue::new(&numbers(tables)).unwrap();
            let mut seen = values.refresh_table();
            let (mut castled, mut passed, mut promoted, mut took) = (0, 0, 0, 0);
            for fen in [
                "r3k2r/pppp2P1/8/3Pp3/8/1n6/P1PPPP2/R3K2R w KQkq e6 0 1",
                "r3k2r/ppp5/8/8/3Pp3/1n6/P1P1PPpP/R3K2R b KQkq d3 0 1",
            ] {
                let position = position(fen);
                let before = sums(&values, position.board());
                let mut after = Accumulator::empty();
                for played in position.legal_moves() {
                    let mut next = position.clone();
                    next.play_unchecked(played);
                    let changes = FeatureDelta::new(played, position.turn());
                    values.follow(&before, &changes, next.board(), &mut seen, &mut after);
                    assert_eq!(after, sums(&values, next.board()), "{played:?}");
                    castled += usize::from(played.is_castle());
                    passed += usize::from(played.is_en_passant());
                    promoted += usize::from(played.is_promotion() && played.is_capture());
                    took += usize::from(played.is_capture() && !played.is_promotion());
                }
            }
            assert!(castled == 3 && passed == 2 && promoted == 8 && took > 4);
        }
    }

    #[test]
    fn sums_follow_kings_all_over_the_board() {
        let values = Nnue::new(&numbers(TABLES)).unwrap();
        let mut position = position("4k3/p6p/8/8/8/8/P6P/4K3 w - - 0 1");
        let (mut after, mut seen) = (sums(&values, position.board()), values.refresh_table());
        let mut perspectives = vec![];
        for ply in 0..1500 {
            let moves = position.legal_moves();
            let kings: Vec<Move> = moves.into_iter().filter(|m| m.role() == Role::King).collect();
            let played = kings[split_mix(ply) as usize % kings.len()];
            let changes = FeatureDelta::new(played, position.turn());
            position.play_unchecked(played);
            let before = after.clone();
            values.follow(&before, &changes, position.board(), &mut seen, &mut after);
            assert_eq!(after, sums(&values, position.board()), "{ply}");
            let perspective = values.perspective_on(position.board(), Color::White);
            if !perspectives.contains(&perspective) {
                perspectives.push(perspective);
            }
        }
        assert_eq!(perspectives.len(), 2 * TABLES);
    }

    /// What a position with this board is worth to White and Black.
    fn worth(values: &Nnue, fen: &str) -> [i32; 2] {
        let sums = sums(values, &Board::from_ascii_board_fen(fen.as_bytes()).unwrap());
        Color::ALL.map(|turn| values.value(&sums, turn, 20))
    }

    #[test]
    fn colors_are_alike_and_so_are_sides_to_a_large_network() {
        let [small, large] = [1, TABLES].map(|tables| Nnue::new(&numbers(tables)).unwrap());
        let board = "r3k3/pppp4/8/3Pp3/8/1n6/P1PPPPPP/1K5R";
        let turned = "1k5r/p1pppppp/1N6/8/3pP3/8/PPPP4/R3K3";
        let mirrored = "3k3r/4pppp/8/3pP3/8/6n1/PPPPPP1P/R5K1";
        for values in [&small, &large] {
            let [white, black] = worth(values, board);
            assert_eq!(worth(values, turned), [black, white]);
        }
        assert_ne!(worth(&small, mirrored), worth(&small, board));
        assert_eq!(worth(&large, mirrored), worth(&large, board));
    }

    #[test]
    fn nothing_overflows_on_a_full_board_and_larger_numbers_are_refused() {
        let mut numbers = numbers(1);
        numbers[..PIECES * WIDTH].fill(MOST_IN_ROW);
        numbers[PIECES * WIDTH..][..WIDTH].fill(MOST_AT_START);
        let values = Nnue::new(&numbers).unwrap();
        let board = "qqqqkqqq/qqqqqqqq/qqqqqqqq/QQQQqqqq/QQQQqqqq/QQQQQQQQ/QQQQQQQQ/QQQQKQQQ";
        let sums = sums(&values, &Board::from_ascii_board_fen(board.as_bytes()).unwrap());
        assert_eq!(sums.sides, [Wide([64 * MOST_IN_ROW + MOST_AT_START; WIDTH]); 2]);
        assert!(values.value(&sums, Color::White, 64).abs() <= MOST_VALUE);
        for (place, number) in [
            (5, MOST_IN_ROW + 1),
            (5, -128),
            (5, i16::MIN),
            (PIECES * WIDTH, -MOST_AT_START - 1),
            (PIECES * WIDTH + WIDTH, MOST_IN_OUTPUT + 1),
        ] {
            let mut damaged = numbers.clone();
            damaged[place] = number;
            assert_eq!(Nnue::new(&damaged), None, "{place}");
        }
        let mut heavy = numbers.clone();
        heavy[PIECES * WIDTH + WIDTH..].fill(MOST_IN_OUTPUT);
        assert_eq!(Nnue::new(&heavy), None);
        assert_eq!(Nnue::new(&numbers[1..]), None);
    }
}
