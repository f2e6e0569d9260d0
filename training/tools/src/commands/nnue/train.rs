//! `nnue-train`: the search's network, from labelled positions.

use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context;
use clap::Args;

use super::record::SIZE;
use super::shape::Shape;
use super::trainer::Trainer;
use crate::commands::random::SplitMix;

/// Train the search's network from positions that `nnue-label` labelled
///
/// Learns win probabilities by squared error, with AdamW and a rate that falls to nothing. With the same arguments and
/// files it computes the same numbers on the same kind of processor. OUT is written at the end, and with OUT.state now
/// and then.
#[derive(Args)]
pub struct Arguments {
    /// The numbers of the network (i16), for training/equip.py --nnue
    out: PathBuf,
    /// Labelled positions to learn from
    #[arg(required = true)]
    positions: Vec<PathBuf>,
    /// Labelled positions of other games, which tell how good the network is
    #[arg(long)]
    held: PathBuf,
    /// Units for each perspective
    #[arg(long, default_value_t = 512)]
    width: usize,
    /// The king buckets: `plain`, or 32 digits for the squares a1 to d1, a2 to d2 and so on, seen from the king's side,
    /// the a-file for both edges
    #[arg(long, default_value = "00112222333333334444444444444444")]
    kings: String,
    /// Positions to learn from in all; those of the files come again when they are through
    #[arg(long, default_value_t = 300_000_000)]
    count: u64,
    /// Stop after so many seconds of learning instead; the rate falls by the clock
    #[arg(long)]
    seconds: Option<f64>,
    /// Positions of a step
    #[arg(long, default_value_t = 16_384)]
    batch: usize,
    /// The highest rate of learning
    #[arg(long, default_value_t = 1.5e-3)]
    rate: f32,
    /// The weight decay of what king buckets add to the row that they share
    #[arg(long, default_value_t = 0.1)]
    decay: f32,
    /// What the result of the game counts beside the label
    #[arg(long, default_value_t = 0.0)]
    result: f32,
    /// A network of the same shape to go on from: OUT or OUT.state of another run
    #[arg(long)]
    from: Option<PathBuf>,
    /// Threads; the numbers depend on how many
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Of the first weights and of the order of positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Steps in which the rate rises.
const WARM_UP: u64 = 200;
/// Steps between reports, and reports between saved states.
const REPORT: u64 = 250;
const SAVE: u64 = 8;

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let read =
        |path: &PathBuf| fs::read(path).with_context(|| format!("cannot read {}", path.display()));
    let files = arguments.positions.iter().map(read).collect::<anyhow::Result<Vec<_>>>()?;
    let mut records: Vec<&[u8; SIZE]> = files.iter().flat_map(|file| file.as_chunks().0).collect();
    anyhow::ensure!(
        (1..=records.len()).contains(&arguments.batch),
        "{} positions are too few for steps of {}",
        records.len(),
        arguments.batch
    );
    let held = read(&arguments.held)?;
    let held: Vec<&[u8; SIZE]> = held.as_chunks().0.iter().take(200_000).collect();
    let mut random = SplitMix::new(arguments.seed);
    let shape = Shape::new(arguments.width, &arguments.kings)?;
    let threads = arguments.threads.max(1);
    let mut trainer = Trainer::new(shape, threads, || random.normal() as f32 / 65536.0);
    if let Some(path) = &arguments.from {
        trainer.restore(&read(path)?)?;
    }
    let save = |trainer: &Trainer| -> anyhow::Result<()> {
        let numbers: Vec<u8> = trainer.numbers().into_iter().flat_map(i16::to_le_bytes).collect();
        fs::write(&arguments.out, numbers)?;
        let mut state = arguments.out.clone().into_os_string();
        state.push(".state");
        Ok(fs::write(state, trainer.state())?)
    };
    let begun = Instant::now();
    let steps = arguments.count / arguments.batch as u64;
    let (mut step, mut at, mut mean) = (0, records.len(), 0.0);
    loop {
        let done = match arguments.seconds {
            Some(seconds) => begun.elapsed().as_secs_f64() / seconds,
            None => step as f64 / steps as f64,
        };
        if done >= 1.0 {
            break;
        }
        if at + arguments.batch > records.len() {
            random.shuffle(&mut records);
            at = 0;
        }
        let batch = &records[at..(at + arguments.batch).min(records.len())];
        at += arguments.batch;
        let warm = ((step + 1) as f64 / WARM_UP as f64).min(1.0);
        let rate = arguments.rate * (warm * (1.0 - done)) as f32;
        let loss = trainer.learn(batch, arguments.result, rate, arguments.decay);
        mean += if step == 0 { loss } else { (loss - mean) * 0.01 };
        step += 1;
        if step % REPORT == 0 {
            let seconds = begun.elapsed().as_secs_f64();
            let seen = (step * arguments.batch as u64) as f64;
            let held = trainer.loss(&held, arguments.result);
            eprintln!(
                "{step} steps, {:.1} million, {seconds:.0} s, {:.0} a second: {mean:.6}, held {held:.6}",
                seen / 1e6,
                seen / seconds
            );
            if step % (REPORT * SAVE) == 0 {
                save(&trainer)?;
            }
        }
    }
    eprintln!("held {:.6}", trainer.loss(&held, arguments.result));
    save(&trainer)
}
