//! A network: its tables and blocks, and the order in which they compute.

use crate::Result;
use crate::network::Portable;
use pulp::NullaryFnOnce;

use super::block::Block;
use super::file::{Tensors, refuse};
use super::heads::{Heads, Outputs};
#[cfg(target_arch = "x86_64")]
use super::lanes::{self, Heard, Vector};
#[cfg(target_arch = "x86_64")]
use super::matrix::Sums;
use super::normal::Normal;
use super::registers::Registers;
use super::sizes::Sizes;
use super::view::{BACK, CONDITIONS, NOW, PAST, SQUARES, View};
use super::workspace::Workspace;

/// A board network, ready to run. Shared between threads by reference.
#[derive(Debug)]
pub struct BoardNetwork {
    sizes: Sizes,
    normal: Normal,
    now: Vec<i16>,
    square: Vec<i16>,
    past: Vec<i16>,
    condition: Vec<i16>,
    blocks: Vec<Block>,
    heads: Heads,
}

/// Positions that go through a block together, so that its weights are read from the nearest memory that holds them.
pub const TOGETHER: usize = 4;

impl BoardNetwork {
    /// The network in a file's bytes, as `training/board/export.py` writes it.
    ///
    /// # Errors
    /// [`Limit`](crate::Error::Limit) if the file is larger than 64 MiB, or the network than
    /// `docs/format/board.md` allows; [`Model`](crate::Error::Model) if it is not one of a board network, of another
    /// version, or would not compute exactly.
    pub fn from_bytes(bytes: &[u8]) -> Result<BoardNetwork> {
        let tensors = Tensors::read(bytes)?;
        let sizes = Sizes::read(&tensors)?;
        let table = |name, rows| tensors.i16(name, &[rows, sizes.width]);
        let exponential = exponential(&tensors)?;
        let blocks = (0..sizes.layers)
            .map(|block| Block::read(&tensors, &format!("block_{block}"), &sizes, &exponential));
        Ok(BoardNetwork {
            sizes,
            normal: Normal::new(sizes.width),
            now: table("now_table", NOW)?,
            square: table("square_table", SQUARES)?,
            past: table("past_table", BACK * PAST)?,
            condition: table("condition_table", CONDITIONS)?,
            blocks: blocks.collect::<Result<_>>()?,
            heads: Heads::read(&tensors, &sizes)?,
        })
    }

    /// The sizes of the network.
    pub fn sizes(&self) -> Sizes {
        self.sizes
    }

    /// The outputs for each position, in the widest registers that the processor has; the numbers do not depend on
    /// them, nor on what else is evaluated.
    pub fn evaluate(&self, views: &[&View]) -> Vec<Outputs> {
        #[cfg(target_arch = "x86_64")]
        {
            if let Some(simd) = plyzip_kernel::Vnni::try_new() {
                return simd.vectorize(InLanes { network: self, views, vector: Vector(simd) });
            }
            if let Some(simd) = pulp::x86::V3::try_new() {
                let dot = crate::network::Avx2(simd);
                return simd.vectorize(Run { network: self, views, dot });
            }
        }
        self.evaluate_portably(views)
    }

    /// [`BoardNetwork::evaluate`] without wide registers.
    pub fn evaluate_portably(&self, views: &[&View]) -> Vec<Outputs> {
        Run { network: self, views, dot: Portable }.call()
    }

    /// [`BoardNetwork::evaluate`] in each kind of registers that this processor has.
    #[cfg(test)]
    pub fn evaluate_in_each(&self, views: &[&View]) -> Vec<(&'static str, Vec<Outputs>)> {
        let mut found = vec![("plain Rust", self.evaluate_portably(views))];
        #[cfg(target_arch = "x86_64")]
        {
            if let Some(simd) = pulp::x86::V3::try_new() {
                let dot = crate::network::Avx2(simd);
                found.push(("AVX2", simd.vectorize(Run { network: self, views, dot })));
            }
            if let Some(simd) = plyzip_kernel::Vnni::try_new() {
                let run = InLanes { network: self, views, vector: Vector(simd) };
                found.push(("AVX-512 VNNI", simd.vectorize(run)));
            }
        }
        found
    }

    /// The first numbers of the residual stream, (64, width).
    #[cfg_attr(target_arch = "x86_64", inline(always))]
    fn tokens(&self, view: &View, stream: &mut [i32]) {
        let width = self.sizes.width;
        let mut shared = vec![0i32; width];
        for &condition in &view.conditions {
            add(&mut shared, &self.condition[usize::from(condition) * width..][..width]);
        }
        for (square, stream) in stream.chunks_exact_mut(width).enumerate() {
            stream.copy_from_slice(&shared);
            add(stream, &self.square[square * width..][..width]);
            add(stream, &self.now[usize::from(view.now[square]) * width..][..width]);
            for (back, past) in view.past.iter().enumerate() {
                let row = back * PAST + usize::from(past[square]);
                add(stream, &self.past[row * width..][..width]);
            }
        }
    }
}

#[cfg_attr(target_arch = "x86_64", inline(always))]
fn add(sums: &mut [i32], row: &[i16]) {
    for (sum, &number) in sums.iter_mut().zip(row) {
        *sum += i32::from(number);
    }
}

/// Shares in units of a 127th, by the difference to the largest score.
fn exponential(tensors: &Tensors) -> Result<Vec<u8>> {
    /// Beyond 8 nats a share is rounded to 0.
    const MOST: usize = 2048;
    let table = tensors.bytes("exponential", MOST)?;
    if table.first() != Some(&127) || table.iter().any(|&share| share > 127) {
        return Err(refuse("`exponential` does not begin with 127, or has a larger number"));
    }
    Ok(table)
}

/// An evaluation, compiled for one kind of registers.
struct Run<'a, D> {
    network: &'a BoardNetwork,
    views: &'a [&'a View],
    dot: D,
}

impl<D: Registers> NullaryFnOnce for Run<'_, D> {
    type Output = Vec<Outputs>;

    #[cfg_attr(target_arch = "x86_64", inline(always))]
    fn call(self) -> Vec<Outputs> {
        let Run { network, views, dot } = self;
        let size = SQUARES * network.sizes.width;
        let mut work = Workspace::default();
        let mut outputs = Vec::with_capacity(views.len());
        for views in views.chunks(TOGETHER) {
            let mut streams = vec![0; views.len() * size];
            for (view, stream) in views.iter().zip(streams.chunks_exact_mut(size)) {
                network.tokens(view, stream);
            }
            for block in &network.blocks {
                for (view, stream) in views.iter().zip(streams.chunks_exact_mut(size)) {
                    block.run(dot, &network.normal, view, stream, &mut work);
                }
            }
            for (view, stream) in views.iter().zip(streams.chunks_exact(size)) {
                outputs.push(network.heads.run(dot, &network.normal, view, stream, &mut work));
            }
        }
        outputs
    }
}

/// The same with squares in lanes.
#[cfg(target_arch = "x86_64")]
struct InLanes<'a> {
    network: &'a BoardNetwork,
    views: &'a [&'a View],
    vector: Vector,
}

#[cfg(target_arch = "x86_64")]
impl NullaryFnOnce for InLanes<'_> {
    type Output = Vec<Outputs>;

    #[inline(always)]
    fn call(self) -> Vec<Outputs> {
        let InLanes { network, views, vector } = self;
        let size = SQUARES * network.sizes.width;
        let mut work = lanes::Workspace::default();
        let mut product = Sums::default();
        let mut stream = vec![0; size];
        let mut outputs = Vec::with_capacity(views.len());
        for view in views {
            network.tokens(view, &mut stream);
            work.begin(vector, &stream);
            let heard = Heard::new(view);
            for block in &network.blocks {
                block.run_in_lanes(vector, &network.normal, &heard, &mut work);
            }
            outputs.push(network.heads.run_in_lanes(
                vector,
                &network.normal,
                view,
                &mut work,
                &mut product,
            ));
        }
        outputs
    }
}
