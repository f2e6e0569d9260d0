//! `nnue-check-teacher`: the teacher's evaluations, to be held against those of the engine.

use std::io;
use std::path::PathBuf;

use clap::Args;
use shakmaty::{CastlingMode, Chess, fen::Fen};

use super::teacher::Teacher;

/// Print the teacher's static evaluation of positions, a line of FEN each on standard input
///
/// A line of output has two numbers for the side to move, in the engine's units (361 to a pawn): what the network
/// says, and what the engine's search sees of it.
#[derive(Args)]
pub struct Arguments {
    /// The teacher's weights (docs/experiments/057)
    teacher: PathBuf,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let teacher = Teacher::read(&arguments.teacher)?;
    for line in io::stdin().lines() {
        let position: Chess = line?.parse::<Fen>()?.into_position(CastlingMode::Standard)?;
        let accumulator = teacher.accumulator(shakmaty::Position::board(&position));
        let [network, search] = teacher.units(&accumulator, &position);
        println!("{network} {search}");
    }
    Ok(())
}
