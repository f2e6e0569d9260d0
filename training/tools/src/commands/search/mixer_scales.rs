//! `mixer-scales`: what the mixer begins with on each page.

use std::path::PathBuf;

use clap::Args;
use plyzip::ModelStore;
use plyzip::unstable::entropy::Encoder;
use plyzip::unstable::predict::{MixerScales, Predictor, SCALE_BITS, SCALE_FILE_BITS};
use plyzip::unstable::streams::moves::{EvidenceUse, LineJob, code};

use crate::commands::pgn_games::{PgnGames, job};

/// Learn the scales that a model's mixer begins with, for training/equip.py --mixer-scales
///
/// The mixer learns while it codes, but a page is short. So pages are coded as an archive has them, each from the same
/// scales; the mean of what they have learned at their ends is what the pages of the next round begin with (Reptile,
/// arXiv 1803.02999). The games must be ones that neither network nor reranker has learned from. Prints for each round
/// the bits that its pages took.
#[derive(Args)]
pub struct Arguments {
    /// Name of a model that searches, or its file: what it begins with is begun with here
    model: String,
    /// Games in PGN
    games: PathBuf,
    /// The file to write (i16)
    out: PathBuf,
    /// Games of a page
    #[arg(long, default_value_t = 128)]
    page_games: usize,
    /// Pages of a round; what is left over at the end is not used
    #[arg(long, default_value_t = 12)]
    pages: usize,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let model = ModelStore::of_system().open(&arguments.model)?;
    let jobs: Vec<LineJob> =
        PgnGames::read(&arguments.games)?.range(0, usize::MAX).filter_map(job).collect();
    let mut scales = Predictor::new(&model).mixer_scales().clone();
    for round in jobs.chunks_exact(arguments.page_games.max(1) * arguments.pages.max(1)) {
        let mut sums = [0i64; MixerScales::COUNT];
        let (mut bytes, mut plies) = (0, 0);
        for page in round.chunks(arguments.page_games.max(1)) {
            let mut page = page.to_vec();
            let mut predictor = Predictor::new(&model);
            predictor.mixer_scales().clone_from(&scales);
            let mut encoder = Encoder::new();
            code(&mut encoder, &mut predictor, &mut page, 0, None, EvidenceUse::Once)?;
            bytes += encoder.finish().len();
            plies += page.iter().map(|job| job.moves.len()).sum::<usize>();
            for (sum, scale) in sums.iter_mut().zip(predictor.mixer_scales().iter_mut()) {
                *sum += i64::from(*scale);
            }
        }
        println!("{} games: {:.4} bits/move", round.len(), 8.0 * bytes as f64 / plies as f64);
        for (scale, sum) in scales.iter_mut().zip(sums) {
            *scale = (sum / arguments.pages.max(1) as i64) as i32;
        }
    }
    let half = 1 << (SCALE_BITS - SCALE_FILE_BITS - 1);
    let numbers: Vec<i16> = scales
        .iter_mut()
        .map(|scale| ((*scale + half) >> (SCALE_BITS - SCALE_FILE_BITS)) as i16)
        .collect();
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    std::fs::write(&arguments.out, bytes)?;
    Ok(())
}
