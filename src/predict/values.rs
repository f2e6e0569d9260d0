//! Values: a small network that says what a quiet position is worth, for the search.
//!
//! The network is "efficiently updatable" (NNUE, see the Chess Programming Wiki): each piece on its
//! square adds a row of a table to a vector of sums, once as White sees it and once as Black does, and a
//! move changes only two to four rows of each. The sums, clipped and squared, go into one output, which
//! has weights for each class of the number of pieces.
//!
//! Everything is integer arithmetic. The sums are 16 bits wide, the output 32; the
//! bounds under which neither overflows are checked when a model is loaded.

use pulp::{Arch, Simd, WithSimd};
use shakmaty::{Board, Color, Move, Role, Square};

use super::history::arrival;

/// Sums for each side.
const WIDTH: usize = 256;

/// Roles of both sides on squares.
const PIECES: usize = 768;

/// The output's weights are chosen by how many pieces there are.
const CLASSES: usize = 8;

/// Numbers in a network: rows, what the sums begin with, weights of the output, and
/// what the output begins with.
pub const VALUES_SIZE: usize = PIECES * WIDTH + WIDTH + CLASSES * 2 * WIDTH + CLASSES;

/// Sums are clipped to 0 and this, which stands for 1.
const ONE: i16 = 255;

/// A weight of the output that stands for 1.
const OUTPUT_ONE: i64 = 64;

/// Centipawns for an output of 1.
const CENTIPAWNS: i64 = 400;

/// Largest value in centipawns.
const MOST: i64 = 8_000;

/// Largest row entry and beginning of a sum: 64 of the former and one of the latter fit 16 bits, and so
/// do the sums of every board.
const MOST_IN_ROW: i16 = 504;

/// Largest weight of the output: [`ONE`] times it fits 16 bits.
const MOST_IN_OUTPUT: i16 = 127;

/// The network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Values {
    rows: Vec<[i16; WIDTH]>,
    start: [i16; WIDTH],
    /// For the side to move and for the other.
    outputs: Vec<[[i16; WIDTH]; 2]>,
    offsets: [i16; CLASSES],
}

/// The sums of a board as White and as Black see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sums([[i16; WIDTH]; 2]);

impl Sums {
    /// Sums of no board.
    pub fn empty() -> Sums {
        Sums([[0; WIDTH]; 2])
    }
}

/// A piece on a square as White sees it, and as a key's constants are numbered.
pub fn piece_index(color: Color, role: Role, square: Square) -> usize {
    (color.fold_wb(0, 6) + role as usize - 1) * 64 + usize::from(square)
}

/// The same as Black sees it.
fn turned(index: usize) -> usize {
    (if index < PIECES / 2 { index + PIECES / 2 } else { index - PIECES / 2 }) ^ 56
}

/// The pieces that a move takes from squares and puts on squares, as [`piece_index`] has them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Changes {
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

impl Changes {
    /// What `played` changes when `mover` plays it.
    pub fn new(played: Move, mover: Color) -> Changes {
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
        Changes { moved, other }
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

impl Values {
    /// The network of these [`VALUES_SIZE`] numbers; `None` if they are not so many, or if with some
    /// board its arithmetic could overflow.
    pub fn new(numbers: &[i16]) -> Option<Values> {
        if numbers.len() != VALUES_SIZE {
            return None;
        }
        let (rows, rest) = numbers.split_at(PIECES * WIDTH);
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
            || !within(start, MOST_IN_ROW)
            || !within(outputs, MOST_IN_OUTPUT)
            || !small
        {
            return None;
        }
        let chunk = |chunk: &[i16]| -> [i16; WIDTH] { std::array::from_fn(|i| chunk[i]) };
        Some(Values {
            rows: rows.chunks_exact(WIDTH).map(chunk).collect(),
            start: chunk(start),
            outputs: outputs
                .chunks_exact(2 * WIDTH)
                .map(|class| [chunk(&class[..WIDTH]), chunk(&class[WIDTH..])])
                .collect(),
            offsets: std::array::from_fn(|i| offsets[i]),
        })
    }

    /// The sums of a board.
    pub fn sums(&self, board: &Board) -> Sums {
        let mut sums = Sums([self.start; 2]);
        for (square, piece) in board.iter() {
            let index = piece_index(piece.color, piece.role, square);
            for (sums, index) in sums.0.iter_mut().zip([index, turned(index)]) {
                for (sum, &entry) in sums.iter_mut().zip(&self.rows[index]) {
                    *sum = sum.wrapping_add(entry);
                }
            }
        }
        sums
    }

    /// The sums after a move, from those before it. They are exact although those on the way wrap.
    pub fn follow(&self, before: &Sums, changes: &Changes, after: &mut Sums) {
        Arch::new().dispatch(Follow { values: self, before, changes, after });
    }

    #[inline(always)]
    fn add_changes(&self, before: &Sums, changes: &Changes, after: &mut Sums) {
        for side in 0..2 {
            let row = |index: u16| {
                &self.rows[if side == 0 { index.into() } else { turned(index.into()) }]
            };
            let (before, after) = (&before.0[side], &mut after.0[side]);
            let [from, to] = changes.moved.map(row);
            match changes.other {
                Other::Nothing => {
                    for i in 0..WIDTH {
                        after[i] = before[i].wrapping_sub(from[i]).wrapping_add(to[i]);
                    }
                }
                Other::Taken(taken) => {
                    let taken = row(taken);
                    for i in 0..WIDTH {
                        let moved = before[i].wrapping_sub(from[i]).wrapping_add(to[i]);
                        after[i] = moved.wrapping_sub(taken[i]);
                    }
                }
                Other::Rook(rook) => {
                    let [gone, come] = rook.map(row);
                    for i in 0..WIDTH {
                        let moved = before[i].wrapping_sub(from[i]).wrapping_add(to[i]);
                        after[i] = moved.wrapping_sub(gone[i]).wrapping_add(come[i]);
                    }
                }
            }
        }
    }

    /// What the position with these sums and `pieces` pieces is worth to the side to move, in centipawns.
    pub fn value(&self, sums: &Sums, turn: Color, pieces: usize) -> i32 {
        let class = (pieces.saturating_sub(2) / 4).min(CLASSES - 1);
        let own = turn.fold_wb(0, 1);
        let [first, second] = &self.outputs[class];
        let sums = [&sums.0[own], &sums.0[1 - own]];
        let total = Arch::new().dispatch(Output { sums, weights: [first, second] });
        let total = i64::from(total / i32::from(ONE) + i32::from(self.offsets[class]));
        let value = total * CENTIPAWNS / (i64::from(ONE) * OUTPUT_ONE);
        value.clamp(-MOST, MOST) as i32
    }
}

/// [`Values::follow`], compiled once for each kind of registers.
struct Follow<'a> {
    values: &'a Values,
    before: &'a Sums,
    changes: &'a Changes,
    after: &'a mut Sums,
}

impl WithSimd for Follow<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        self.values.add_changes(self.before, self.changes, self.after);
    }
}

/// The sum of clipped squares times weights, likewise.
struct Output<'a> {
    sums: [&'a [i16; WIDTH]; 2],
    weights: [&'a [i16; WIDTH]; 2],
}

impl WithSimd for Output<'_> {
    type Output = i32;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> i32 {
        output(self.sums[0], self.weights[0]) + output(self.sums[1], self.weights[1])
    }
}

#[inline(always)]
fn output(sums: &[i16; WIDTH], weights: &[i16; WIDTH]) -> i32 {
    let mut total = 0i32;
    for (&sum, &weight) in sums.iter().zip(weights) {
        let clipped = sum.clamp(0, ONE);
        total = total.wrapping_add(i32::from(clipped.wrapping_mul(weight)) * i32::from(clipped));
    }
    total
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess, Position, fen::Fen};

    use super::super::position_key::split_mix;
    use super::*;

    /// A network of numbers that are as large as may be in rows, and small elsewhere.
    fn numbers() -> Vec<i16> {
        let any = |index: usize, most: u64| {
            (split_mix(index as u64) % (2 * most + 1)) as i16 - most as i16
        };
        let mut numbers: Vec<i16> = (0..PIECES * WIDTH + WIDTH).map(|i| any(i, 504)).collect();
        numbers.extend((0..CLASSES * (2 * WIDTH + 1)).map(|i| any(i, 60)));
        numbers
    }

    fn position(fen: &str) -> Chess {
        fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
    }

    #[test]
    fn sums_follow_every_kind_of_move() {
        let values = Values::new(&numbers()).unwrap();
        let (mut castled, mut passed, mut promoted, mut took) = (0, 0, 0, 0);
        for fen in [
            "r3k2r/pppp2P1/8/3Pp3/8/1n6/P1PPPP2/R3K2R w KQkq e6 0 1",
            "r3k2r/ppp5/8/8/3Pp3/1n6/P1P1PPpP/R3K2R b KQkq d3 0 1",
        ] {
            let position = position(fen);
            let before = values.sums(position.board());
            let mut after = Sums::empty();
            for played in position.legal_moves() {
                let mut next = position.clone();
                next.play_unchecked(played);
                let changes = Changes::new(played, position.turn());
                values.follow(&before, &changes, &mut after);
                assert_eq!(after, values.sums(next.board()), "{played:?}");
                castled += usize::from(played.is_castle());
                passed += usize::from(played.is_en_passant());
                promoted += usize::from(played.is_promotion() && played.is_capture());
                took += usize::from(played.is_capture() && !played.is_promotion());
            }
        }
        assert!(castled == 3 && passed == 2 && promoted == 8 && took > 4);
    }

    #[test]
    fn colors_are_alike() {
        let values = Values::new(&numbers()).unwrap();
        let [white, black] = [
            "r3k2r/pppp4/8/3Pp3/8/1n6/P1PPPPPP/R3K3 w - - 0 1",
            "r3k3/p1pppppp/1N6/8/3pP3/8/PPPP4/R3K2R b - - 0 1",
        ]
        .map(|fen| {
            let position = position(fen);
            values.value(&values.sums(position.board()), position.turn(), 20)
        });
        assert_eq!(white, black);
    }

    #[test]
    fn nothing_overflows_on_a_full_board_and_larger_numbers_are_refused() {
        let mut numbers = numbers();
        numbers[..PIECES * WIDTH + WIDTH].fill(MOST_IN_ROW);
        let values = Values::new(&numbers).unwrap();
        let board = "qqqqkqqq/qqqqqqqq/qqqqqqqq/QQQQqqqq/QQQQqqqq/QQQQQQQQ/QQQQQQQQ/QQQQKQQQ";
        let sums = values.sums(&Board::from_ascii_board_fen(board.as_bytes()).unwrap());
        assert_eq!(sums, Sums([[65 * MOST_IN_ROW; WIDTH]; 2]));
        assert!(values.value(&sums, Color::White, 64).abs() <= MOST as i32);
        for (place, number) in [
            (5, MOST_IN_ROW + 1),
            (5, i16::MIN),
            (PIECES * WIDTH, -MOST_IN_ROW - 1),
            (PIECES * WIDTH + WIDTH, MOST_IN_OUTPUT + 1),
        ] {
            let mut damaged = numbers.clone();
            damaged[place] = number;
            assert_eq!(Values::new(&damaged), None, "{place}");
        }
        let mut heavy = numbers.clone();
        heavy[PIECES * WIDTH + WIDTH..].fill(MOST_IN_OUTPUT);
        assert_eq!(Values::new(&heavy), None);
        assert_eq!(Values::new(&numbers[1..]), None);
    }
}
