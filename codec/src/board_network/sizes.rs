//! Sizes of a network, and how large they may be.

use super::file::{Tensors, refuse};
use super::view::SQUARES;
use crate::{Error, Result};

/// Largest sizes of a network.
mod limits {
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

    /// Of the smallest network that has everything, to test with.
    pub const TINY: Sizes =
        Sizes { width: 16, layers: 1, heads: 2, hidden: 8, policy: 4, pooled: 4 };

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

    /// # Errors
    /// Those of [`Sizes::check`]; [`Error::Model`] if a tensor that tells a size is not there.
    pub(crate) fn read(tensors: &Tensors) -> Result<Sizes> {
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
                return Err(refuse(format!(
                    "{name} of {size}, which is no multiple of {multiple}"
                )));
            }
        }
        let inner = self.inner();
        if heads == 0 || heads > inner || !inner.is_multiple_of(4 * heads) {
            return Err(refuse(format!("{inner} numbers in {heads} heads of attention")));
        }
        Ok(())
    }
}
