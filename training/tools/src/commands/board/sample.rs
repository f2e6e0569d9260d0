//! `board-sample`: a board network of random weights.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use plyzip::unstable::board_network::{Sizes, sample};

/// Write the file of a board network of random weights, to measure and to test with
#[derive(Args)]
pub struct Arguments {
    /// The sizes of the network
    size: Size,
    /// The file to write
    out: PathBuf,
    /// Of the weights
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Sizes that the training has names for.
#[derive(Clone, Copy, ValueEnum)]
enum Size {
    Tiny,
    Toy,
    Small,
    Large,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let sizes = match arguments.size {
        Size::Tiny => Sizes::TINY,
        Size::Toy => Sizes::TOY,
        Size::Small => Sizes::SMALL,
        Size::Large => Sizes::LARGE,
    };
    Ok(std::fs::write(&arguments.out, sample(&sizes, arguments.seed))?)
}
