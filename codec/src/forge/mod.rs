//! Archives of made-up content behind checksums that are right, for tests.
//!
//! Damage cannot make them: whoever changes a coded byte does not know what it decodes to, so the checksum of the
//! original is wrong, and nothing behind it is reached. Here the decoder itself says what comes out. In tests a
//! [`Decoder`](crate::entropy::Decoder) of a marked stream takes its events from [`Choices`]: from random numbers, as
//! likely as the models say or not, or from a real stream with some of its events changed. What was chosen is encoded
//! with the real coder and the real models, and the content that came out is sealed with its own checksums. Streams of
//! bytes that nobody encoded are decoded for their content, too.
//!
//! `fuzz/README.md` says how to make more of them than the tests do.

pub mod agreement;
mod block;
mod choices;
mod seal;

use std::fmt::Write;
use std::time::{Duration, Instant};

use plyzip::archive::ReaderOptions;

use self::agreement::{Verdict, agree};
pub(crate) use self::choices::{Choices, fill_texts, is_active, keep_names, name};
use crate::predict::Model;
use crate::split_mix::SplitMix;

/// No archive of a few games may take longer.
const LONGEST: Duration = Duration::from_secs(20);

/// Numbers below a bound.
pub(crate) trait Below {
    fn below(&mut self, bound: usize) -> usize;

    fn one_in(&mut self, bound: usize) -> bool {
        self.below(bound) == 0
    }
}

impl Below for SplitMix {
    fn below(&mut self, bound: usize) -> usize {
        (self.next() >> 16) as usize % bound.max(1)
    }
}

/// The file of a small network, which a golden archive holds: name and hash stand before it.
fn small() -> Vec<u8> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/archives/1/small-embedded.plz");
    let archive = std::fs::read(path).unwrap();
    let begin = 7 + 1 + 1 + 5 + 16;
    let length = usize::from(archive[begin] & 127)
        | usize::from(archive[begin + 1] & 127) << 7
        | usize::from(archive[begin + 2]) << 14;
    archive[begin + 3..begin + 3 + length].to_vec()
}

/// Says which archive a test has failed over.
struct Blame(u64);

impl Drop for Blame {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("PLYZIP_FORGE_RUNS=1 PLYZIP_FORGE_SEED={} makes this archive", self.0);
        }
    }
}

fn of_environment(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().map_or(usual, |number| number.parse().unwrap())
}

/// Bytes of address space and of memory that this process has taken at most, where the system tells.
fn peaks() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peaks =
        status.lines().filter(|line| line.starts_with("VmPeak") || line.starts_with("VmHWM"));
    peaks.fold(String::new(), |mut all, line| {
        let _ = write!(all, ", {}", line.split_whitespace().collect::<Vec<_>>().join(" "));
        all
    })
}

#[test]
fn forged_archives_are_refused_or_agreed_about() {
    let runs = of_environment("PLYZIP_FORGE_RUNS", 120);
    let first = of_environment("PLYZIP_FORGE_SEED", 0);
    let file = small();
    let models = [Model::none(), Model::from_bytes(&file).unwrap()];
    // The library that reads is compiled for itself, and has types of its own.
    let read_with = plyzip::Model::from_bytes(&file).unwrap();
    let bases = block::bases();
    let (mut whole, mut refused, mut unmade, mut games) = (0u64, 0u64, 0u64, 0u64);
    let mut slowest = (Duration::ZERO, 0);
    for number in first..first + runs {
        let _blame = Blame(number);
        let mut random = SplitMix(number.wrapping_mul(0xd134_2543_de82_ef95));
        let began = Instant::now();
        let model = &models[usize::from(number % 4 == 3)];
        let Some(archive) = seal::archive(&mut random, model, &file, &bases) else {
            unmade += 1;
            continue;
        };
        let options = ReaderOptions::new().model(read_with.clone());
        match agree(&archive, &options, number.is_multiple_of(4)) {
            Verdict::Whole { games: found } => (whole, games) = (whole + 1, games + found),
            Verdict::Refused => refused += 1,
        }
        slowest = slowest.max((began.elapsed(), number));
        assert!(began.elapsed() < LONGEST, "{:?}", began.elapsed());
    }
    println!(
        "{runs} from seed {first}: {whole} whole with {games} games, {refused} refused, {unmade} not made; slowest {:?} \
         (seed {}){}",
        slowest.0,
        slowest.1,
        peaks()
    );
    assert!(runs < 100 || whole > runs / 4, "too few are whole to show anything");
}
