//! The teacher: the evaluation network of Stockfish 15.1 (GPL-3.0), computed from its file of weights.
//!
//! The file is inside the program of Debian's package `stockfish` 15.1-4: 47,001,499 bytes that begin with the version
//! 0x7AF32F20. It is read for labels only; neither it nor any number of it is part of what ships. The layout of the
//! file and the arithmetic are those of HalfKAv2_hm with eight stacks of layers; `nnue-check-teacher` prints the
//! evaluations of positions, to be held against the engine's own command `eval`.

use std::path::Path;

use anyhow::{Context, ensure};
use pulp::{Arch, Simd, WithSimd};
use shakmaty::{Board, Chess, Color, Move, Position, Role, Square};

/// Units of the first layer for each perspective.
const WIDTH: usize = 1024;
/// Pieces on squares that a king bucket sees.
const PIECES: usize = 704;
const VERSION: u32 = 0x7AF3_2F20;

type Row = [i16; WIDTH];

/// The layers behind the accumulators, for a number of pieces.
struct Stack {
    first_biases: [i32; 16],
    first: Vec<[i8; WIDTH]>,
    second_biases: [i32; 32],
    second: Vec<[i8; 32]>,
    output_bias: i32,
    output: [i8; 32],
}

/// The teacher's weights.
pub struct Teacher {
    biases: Row,
    rows: Vec<Row>,
    psqt: Vec<[i32; 8]>,
    stacks: Vec<Stack>,
}

/// A side's sums over the pieces of a board.
#[derive(Clone)]
#[repr(align(64))]
struct Side {
    sums: Row,
    psqt: [i32; 8],
    king: Square,
}

/// The first layer's output for a board, as White and as Black see it.
#[derive(Clone)]
pub struct Accumulator([Side; 2]);

/// The weights' file, read from its beginning.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn bytes(&mut self, count: usize) -> anyhow::Result<&[u8]> {
        let (bytes, rest) = self.0.split_at_checked(count).context("the file is too short")?;
        self.0 = rest;
        Ok(bytes)
    }

    fn i32(&mut self) -> anyhow::Result<i32> {
        Ok(self.i32s::<1>()?[0])
    }

    fn i32s<const N: usize>(&mut self) -> anyhow::Result<[i32; N]> {
        let bytes = self.bytes(4 * N)?.as_chunks().0;
        Ok(std::array::from_fn(|i| i32::from_le_bytes(bytes[i])))
    }

    fn i16s<const N: usize>(&mut self) -> anyhow::Result<[i16; N]> {
        let bytes = self.bytes(2 * N)?.as_chunks().0;
        Ok(std::array::from_fn(|i| i16::from_le_bytes(bytes[i])))
    }

    fn i8s<const N: usize>(&mut self) -> anyhow::Result<[i8; N]> {
        let bytes = self.bytes(N)?;
        Ok(std::array::from_fn(|i| bytes[i] as i8))
    }
}

/// The row of a piece as `side` sees it with its king on `king`.
fn row(side: Color, king: Square, piece: shakmaty::Piece, square: Square) -> usize {
    let (file, rank) = (usize::from(king) & 7, usize::from(king) >> 3);
    let mirror = if file < 4 { 7 } else { 0 };
    let orient = mirror ^ side.fold_wb(0, 56);
    let bucket = 28 - 4 * side.fold_wb(rank, 7 - rank) + file.min(7 - file);
    let kind = match piece.role {
        Role::King => 10,
        role => (role as usize - 1) * 2 + usize::from(piece.color != side),
    };
    bucket * PIECES + kind * 64 + (usize::from(square) ^ orient)
}

impl Teacher {
    /// The teacher of a file of weights.
    pub fn read(path: &Path) -> anyhow::Result<Teacher> {
        let bytes =
            std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let mut reader = Reader(&bytes);
        ensure!(reader.i32()? as u32 == VERSION, "not the network of Stockfish 15.1");
        reader.i32()?;
        let text = reader.i32()? as usize;
        reader.bytes(text)?;
        reader.i32()?;
        let biases = reader.i16s()?;
        let rows = (0..32 * PIECES).map(|_| reader.i16s()).collect::<Result<_, _>>()?;
        let psqt = (0..32 * PIECES).map(|_| reader.i32s()).collect::<Result<_, _>>()?;
        let stack = |_| {
            reader.i32()?;
            let first_biases = reader.i32s()?;
            let first = (0..16).map(|_| reader.i8s()).collect::<Result<_, _>>()?;
            let second_biases = reader.i32s()?;
            let second = (0..32).map(|_| reader.i8s()).collect::<Result<_, _>>()?;
            let (output_bias, output) = (reader.i32()?, reader.i8s()?);
            anyhow::Ok(Stack { first_biases, first, second_biases, second, output_bias, output })
        };
        let stacks = (0..8).map(stack).collect::<Result<_, _>>()?;
        ensure!(reader.0.is_empty(), "the file is too long");
        Ok(Teacher { biases, rows, psqt, stacks })
    }

    /// The accumulator of a board that has both kings.
    pub fn accumulator(&self, board: &Board) -> Accumulator {
        let side = |color| self.side(board, color);
        Accumulator([side(Color::White), side(Color::Black)])
    }

    fn side(&self, board: &Board, color: Color) -> Side {
        let king = board.king_of(color).unwrap_or(Square::E1);
        let mut side = Side { sums: self.biases, psqt: [0; 8], king };
        let rows: Vec<usize> =
            board.iter().map(|(square, piece)| row(color, king, piece, square)).collect();
        self.change(&mut side, &rows, &[]);
        side
    }

    fn change(&self, side: &mut Side, added: &[usize], removed: &[usize]) {
        for &row in added {
            (0..8).for_each(|i| side.psqt[i] += self.psqt[row][i]);
        }
        for &row in removed {
            (0..8).for_each(|i| side.psqt[i] -= self.psqt[row][i]);
        }
        Arch::new().dispatch(Change { rows: &self.rows, sums: &mut side.sums, added, removed });
    }

    /// The accumulator after a legal move that leads to `next`.
    pub fn after(
        &self,
        before: &Accumulator,
        mover: Color,
        played: Move,
        next: &Chess,
    ) -> Accumulator {
        let mut after = before.clone();
        let (mut added, mut removed) = (vec![], vec![]);
        let to = played.to();
        match played {
            Move::Castle { king, rook } => {
                let wing = shakmaty::CastlingSide::from_king_side(king < rook);
                removed.push((Role::King.of(mover), king));
                removed.push((Role::Rook.of(mover), rook));
                added.push((Role::King.of(mover), wing.king_to(mover)));
                added.push((Role::Rook.of(mover), wing.rook_to(mover)));
            }
            Move::EnPassant { from, to } => {
                removed.push((Role::Pawn.of(mover), from));
                removed.push((Role::Pawn.of(!mover), Square::from_coords(to.file(), from.rank())));
                added.push((Role::Pawn.of(mover), to));
            }
            Move::Normal { role, from, capture, to, promotion } => {
                removed.push((role.of(mover), from));
                added.push((promotion.unwrap_or(role).of(mover), to));
                removed.extend(capture.map(|role| (role.of(!mover), to)));
            }
            Move::Put { role, .. } => added.push((role.of(mover), to)),
        }
        for color in Color::ALL {
            let side = &mut after.0[color.fold_wb(0, 1)];
            if color == mover && played.role() == Role::King {
                *side = self.side(next.board(), color);
                continue;
            }
            let king = side.king;
            let rows = |pieces: &[(shakmaty::Piece, Square)]| -> Vec<usize> {
                pieces.iter().map(|&(piece, square)| row(color, king, piece, square)).collect()
            };
            self.change(side, &rows(&added), &rows(&removed));
        }
        after
    }

    /// The engine's static evaluation for the side to move, in its own units (361 to a pawn): what the network says, and
    /// what its search would see of it.
    pub fn units(&self, accumulator: &Accumulator, position: &Chess) -> [i32; 2] {
        let board = position.board();
        let bucket = (board.occupied().count() - 1) / 4;
        let own = position.turn().fold_wb(0, 1);
        let sides = [&accumulator.0[own], &accumulator.0[1 - own]];
        let psqt = (sides[0].psqt[bucket] - sides[1].psqt[bucket]) / 2;
        let positional = Arch::new()
            .dispatch(Layers { stack: &self.stacks[bucket], sums: sides.map(|s| &s.sums) });
        let count = |role| board.by_role(role).count() as i32;
        let material = 781 * count(Role::Knight)
            + 825 * count(Role::Bishop)
            + 1276 * count(Role::Rook)
            + 2538 * count(Role::Queen);
        let delta = 24 - material / 9560;
        let adjusted = ((1024 - delta) * psqt + (1024 + delta) * positional) / (1024 * 16);
        let scale = 1064 + 106 * material / 5120;
        [(psqt + positional) / 16, adjusted * scale / 1024]
    }

    /// The evaluation for the side to move in plyzip's centipawns, of which the teacher's pawn has 110: with this scale
    /// the teacher made the densest archives in plyzip's search, whose margins are tuned to its own network.
    pub fn centipawns(&self, accumulator: &Accumulator, position: &Chess) -> i32 {
        self.units(accumulator, position)[1] * 110 / 361
    }
}

struct Change<'a> {
    rows: &'a [Row],
    sums: &'a mut Row,
    added: &'a [usize],
    removed: &'a [usize],
}

impl WithSimd for Change<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for &row in self.added {
            for (sum, &weight) in self.sums.iter_mut().zip(&self.rows[row]) {
                *sum = sum.wrapping_add(weight);
            }
        }
        for &row in self.removed {
            for (sum, &weight) in self.sums.iter_mut().zip(&self.rows[row]) {
                *sum = sum.wrapping_sub(weight);
            }
        }
    }
}

/// The layers behind the accumulators.
struct Layers<'a> {
    stack: &'a Stack,
    sums: [&'a Row; 2],
}

impl WithSimd for Layers<'_> {
    type Output = i32;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> i32 {
        let mut inputs = [0i16; WIDTH];
        for (inputs, sums) in inputs.chunks_exact_mut(WIDTH / 2).zip(self.sums) {
            for i in 0..WIDTH / 2 {
                inputs[i] = (sums[i].clamp(0, 127) * sums[i + WIDTH / 2].clamp(0, 127)) >> 7;
            }
        }
        let stack = self.stack;
        let mut first = stack.first_biases;
        for (sum, weights) in first.iter_mut().zip(&stack.first) {
            let mut parts = [0i32; 16];
            for (inputs, weights) in inputs.chunks_exact(16).zip(weights.chunks_exact(16)) {
                for i in 0..16 {
                    parts[i] += i32::from(inputs[i]) * i32::from(weights[i]);
                }
            }
            *sum += parts.iter().sum::<i32>();
        }
        let mut hidden = [0i32; 32];
        for i in 0..15 {
            let sum = i64::from(first[i]);
            hidden[i] = ((sum * sum) >> 19).min(127) as i32;
            hidden[15 + i] = (first[i] >> 6).clamp(0, 127);
        }
        let mut total = stack.output_bias;
        for i in 0..32 {
            let sum: i32 = (0..32).map(|j| hidden[j] * i32::from(stack.second[i][j])).sum();
            total +=
                ((sum + stack.second_biases[i]) >> 6).clamp(0, 127) * i32::from(stack.output[i]);
        }
        total + first[15] * (600 * 16) / (127 * 64)
    }
}
