//! Makes the features for `training/verdicts.py` of what searches found.
//!
//! `verdict_features FOUND OUT [NOISE SEED]`. FOUND is of `searched_positions`. A network knows its training games partly by heart: NOISE
//! hundredths of a nat, about normally distributed, are added to its logits, so that it is believed there no more than elsewhere. For each position:
//! the number of legal moves, the place of the one played, the number of moves that were looked at (u8 each); for each legal move
//! the network's logit in units of 2<sup>-16</sup> nat (i32) and the verdict's features (u16); for each move that was looked at its place
//! (u8) and its view (u16).

mod found;

use std::io::{BufWriter, Write};

use plyzip::unstable::analysis::{MovePriors, features, reranker_features};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (found, out, numbers) = match &arguments[..] {
        [found, out, numbers @ ..] if numbers.len() <= 2 => (found, out, numbers),
        _ => return Err("usage: verdict_features FOUND OUT [NOISE SEED]".into()),
    };
    let number = |index: usize| numbers.get(index).map_or(Ok(0), |number| number.parse::<i64>());
    let (noise, mut random) = (number(0)?, Random(number(1)? as u64));
    let bytes = std::fs::read(found)?;
    let mut out = BufWriter::new(std::fs::File::create(out)?);
    let (mut rest, mut count) = (&bytes[..], 0);
    while let Some((mut findings, played, after)) = found::read(rest) {
        rest = after;
        count += 1;
        for logit in &mut findings.logits {
            *logit += (random.normal() * noise / 100) as i32;
        }
        let priors = MovePriors::new(&findings.logits);
        let looked_at: Vec<usize> = findings.searched().collect();
        out.write_all(&[findings.logits.len() as u8, played as u8, looked_at.len() as u8])?;
        for (logit, features) in findings.logits.iter().zip(features(&findings, &priors)) {
            out.write_all(&logit.to_le_bytes())?;
            out.write_all(&features.map(u16::to_le_bytes).concat())?;
        }
        for (place, view) in looked_at.into_iter().zip(reranker_features(&findings, &priors)) {
            out.write_all(&[place as u8])?;
            out.write_all(&view.map(u16::to_le_bytes).concat())?;
        }
    }
    eprintln!("{count} positions");
    out.flush()?;
    Ok(())
}

/// SplitMix64.
struct Random(u64);

impl Random {
    /// About normally distributed, in units of 2<sup>-16</sup>: the sum of twelve numbers below one.
    fn normal(&mut self) -> i64 {
        (0..12).map(|_| self.next() as i64 >> 48 & 0xffff).sum::<i64>() - 6 * 65536
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}
