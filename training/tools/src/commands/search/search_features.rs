//! `search-features`: what the search features and the reranker learn from.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use clap::Args;
use plyzip::unstable::analysis::{MovePriors, features, reranker_features};

use super::analyses::{self, Searched};
use crate::commands::random::SplitMix;

/// Turn searched positions into the features of their moves, for `training/search_features.py`
///
/// A network knows its training games partly by heart. About normally distributed noise, added to its logits, makes it
/// be believed there no more than elsewhere.
#[derive(Args)]
#[command(after_help = "\
OUT has for each position: number of legal moves, place of the one played (255: the game
ended here), number of moves that were looked at (u8 each), numbers of a move's vector
(u16), the network's log-odds that the game ends (i32, 2^-16 nat), what else speaks for it
(i16, 2^-8 nat); for each legal move the network's logit (i32, 2^-16 nat) and its search
features (u16 each); for each move that was looked at its place (u8), its reranker
features (u16 each), its prior (u16, 2^-15) and its vector (u8 each). schema.json has their
numbers.")]
pub struct Arguments {
    /// What `search-positions` wrote
    searched: PathBuf,
    /// The features
    out: PathBuf,
    /// Standard deviation of the noise, in hundredths of a nat
    #[arg(long, default_value_t = 0)]
    noise: i64,
    /// Of the noise
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut random = SplitMix::new(arguments.seed);
    let bytes = fs::read(&arguments.searched)?;
    let mut out = BufWriter::new(File::create(&arguments.out)?);
    let (mut rest, mut count) = (&bytes[..], 0);
    while let Some((Searched { mut analysis, played, end, others }, after)) = analyses::read(rest) {
        rest = after;
        count += 1;
        for logit in &mut analysis.logits {
            *logit += (random.normal() * arguments.noise / 100) as i32;
        }
        let priors = MovePriors::new(&analysis.logits);
        let searched: Vec<usize> = analysis.searched().collect();
        let vector = analysis.vectors.len() / analysis.logits.len().max(1);
        let played = played.map_or(u8::MAX, |played| played as u8);
        out.write_all(&[analysis.logits.len() as u8, played, searched.len() as u8])?;
        out.write_all(&(vector as u16).to_le_bytes())?;
        out.write_all(&end.to_le_bytes())?;
        out.write_all(&others.to_le_bytes())?;
        for (logit, features) in analysis.logits.iter().zip(features(&analysis, &priors)) {
            out.write_all(&logit.to_le_bytes())?;
            out.write_all(&features.map(u16::to_le_bytes).concat())?;
        }
        for (place, features) in searched.into_iter().zip(reranker_features(&analysis, &priors)) {
            out.write_all(&[place as u8])?;
            out.write_all(&features.map(u16::to_le_bytes).concat())?;
            out.write_all(&((priors.prior[place] >> 16) as u16).to_le_bytes())?;
            out.write_all(&analysis.vectors[place * vector..][..vector])?;
        }
    }
    eprintln!("{count} positions");
    Ok(out.flush()?)
}
