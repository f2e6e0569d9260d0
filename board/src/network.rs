//! A network: its tables and blocks, and the order in which they compute.

use plyzip_codec::unstable::network::dot::Portable;
use plyzip_codec::{Error, Result};
use pulp::NullaryFnOnce;

use crate::block::Block;
use crate::chained::Chained;
use crate::file::{Tensors, refuse};
use crate::heads::{Heads, Outputs};
use crate::normal::Normal;
use crate::view::{BACK, CONDITIONS, NOW, PAST, SQUARES, View};
use crate::workspace::Workspace;

/// Largest sizes of a network.
pub mod limits {
    /// Numbers of a square.
    pub const WIDTH: usize = 1024;
    /// Blocks.
    pub const LAYERS: usize = 64;
    /// Units between the two matrices of a block's second half.
    pub const HIDDEN: usize = 4096;
    /// Width of the vectors that departures and arrivals meet with.
    pub const POLICY: usize = 512;
    /// Units behind the game's end and the value.
    pub const POOLED: usize = 1024;
}

/// Sizes of a network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sizes {
    /// Numbers of a square, a multiple of 16.
    pub width: usize,
    /// Blocks.
    pub layers: usize,
    /// Heads of attention; each has a multiple of four of the `width / 2` numbers of all.
    pub heads: usize,
    /// Units between the two matrices of a block's second half, a multiple of four.
    pub hidden: usize,
    /// Width of the vectors that departures and arrivals meet with, a multiple of four.
    pub policy: usize,
    /// Units behind the game's end and the value, a multiple of four.
    pub pooled: usize,
}

impl Sizes {
    /// Of the network that the training calls `small`.
    pub const SMALL: Sizes =
        Sizes { width: 96, layers: 5, heads: 3, hidden: 192, policy: 48, pooled: 64 };

    /// Of the network that the training calls `large`.
    pub const LARGE: Sizes =
        Sizes { width: 256, layers: 8, heads: 4, hidden: 768, policy: 128, pooled: 128 };

    /// Of the network that the training calls `toy`.
    pub const TOY: Sizes =
        Sizes { width: 32, layers: 2, heads: 2, hidden: 64, policy: 16, pooled: 32 };

    /// Width of all heads of attention together.
    pub fn inner(&self) -> usize {
        self.width / 2
    }

    /// Multiply-adds of a position, all pairs of squares in both policies included.
    pub fn multiply_adds(&self) -> usize {
        let mixing = 4 * self.width * self.width + SQUARES * self.width;
        let block = mixing + 2 * self.width * self.hidden;
        let policies = 4 * self.policy * self.width + 2 * SQUARES * self.policy;
        SQUARES * (self.layers * block + policies + self.pooled * self.width)
    }

    fn read(tensors: &Tensors) -> Result<Sizes> {
        let second = |name: &str| match tensors.shape(name)?[..] {
            [_, size] => Ok(size),
            _ => Err(refuse(format!("`{name}` is no matrix"))),
        };
        let heads = tensors.shape("block_0_relation")?.first().copied().unwrap_or(0);
        let layers = (0..).take_while(|block| tensors.has(&format!("block_{block}_qkv")));
        let sizes = Sizes {
            width: second("now_table")?,
            layers: layers.take(limits::LAYERS + 1).count(),
            heads,
            hidden: second("block_0_rise")?,
            policy: second("played_origin")?,
            pooled: second("pool")?,
        };
        sizes.check()?;
        Ok(sizes)
    }

    /// # Errors
    /// [`Error::Limit`] if a size is too large; [`Error::Model`] if it is none that is run.
    pub(crate) fn check(&self) -> Result<()> {
        let Sizes { width, layers, heads, hidden, policy, pooled } = *self;
        for (name, size, most, multiple) in [
            ("width", width, limits::WIDTH, 16),
            ("layers", layers, limits::LAYERS, 1),
            ("hidden", hidden, limits::HIDDEN, 4),
            ("policy", policy, limits::POLICY, 4),
            ("pooled", pooled, limits::POOLED, 4),
        ] {
            if size > most {
                return Err(Error::Limit(format!("{name} of {size}; the most is {most}")));
            }
            if size == 0 || size % multiple != 0 {
                return Err(refuse(format!("{name} of {size}, which is no multiple of {multiple}")));
            }
        }
        if heads == 0 || self.inner() % (4 * heads) != 0 {
            let inner = self.inner();
            return Err(refuse(format!("{inner} numbers in {heads} heads of attention")));
        }
        Ok(())
    }
}

/// A board network, ready to run.
///
/// ```
/// use plyzip_board::shakmaty::{Chess, Position};
/// use plyzip_board::{GameContext, Network, Seen, Sizes, sample};
///
/// let network = Network::from_bytes(&sample(&Sizes::TOY, 1)).unwrap();
/// let game = Seen::new(Chess::default());
/// let outputs = network.evaluate(&[game.view(&GameContext::new())]);
/// assert_eq!(outputs[0].played.len(), game.position().legal_moves().len());
/// ```
#[derive(Debug)]
pub struct Network {
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
const TOGETHER: usize = 4;

impl Network {
    /// The network in a file's bytes, as `training/board/export.py` writes it.
    ///
    /// # Errors
    /// [`Error::Limit`] if the file is larger than 64 MiB, or the network than [`limits`]; [`Error::Model`] if it is not
    /// one of a board network, of another version, or would not compute exactly.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network> {
        let tensors = Tensors::read(bytes)?;
        let sizes = Sizes::read(&tensors)?;
        let table = |name, rows| tensors.i16(name, &[rows, sizes.width]);
        let exponential = exponential(&tensors)?;
        let blocks = (0..sizes.layers)
            .map(|block| Block::read(&tensors, &format!("block_{block}"), &sizes, &exponential));
        Ok(Network {
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
    pub fn evaluate(&self, views: &[View]) -> Vec<Outputs> {
        #[cfg(target_arch = "x86_64")]
        if let Some(simd) = pulp::x86::V3::try_new() {
            let dot = plyzip_codec::unstable::network::dot::Avx2(simd);
            return simd.vectorize(Run { network: self, views, dot });
        }
        self.evaluate_portably(views)
    }

    /// [`Network::evaluate`] without wide registers.
    pub fn evaluate_portably(&self, views: &[View]) -> Vec<Outputs> {
        Run { network: self, views, dot: Portable }.call()
    }

    /// The first numbers of the residual stream, (64, width).
    #[inline(always)]
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

#[inline(always)]
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
    network: &'a Network,
    views: &'a [View],
    dot: D,
}

impl<D: Chained> NullaryFnOnce for Run<'_, D> {
    type Output = Vec<Outputs>;

    #[inline(always)]
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
