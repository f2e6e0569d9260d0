//! Archives with one changed byte, as many as one likes.
//!
//! ```text
//! PLYZIP_DAMAGED=10000 cargo test --release --test archive -- --nocapture damage::a_small
//! PLYZIP_DAMAGED=1000 PLYZIP_DAMAGED_PGN=games.pgn cargo test --release --test archive -- --nocapture damage::of_a_large
//! ```
//!
//! `PLYZIP_DAMAGED_SEED` has others changed. Figures are printed.

use std::io::Cursor;
use std::time::{Duration, Instant};

use plyzip::Model;
use plyzip::archive::{
    ArchiveReader, ArchiveWriter, ReaderOptions, Salvage, WriterOptions, assess, salvage,
};

use crate::games;
use crate::pgn;

use games::Random;

fn number(variable: &str, usual: u64) -> u64 {
    match std::env::var(variable) {
        Ok(value) => value.parse().expect("a number"),
        Err(_) => usual,
    }
}

fn random() -> Random {
    Random(number("PLYZIP_DAMAGED_SEED", 1))
}

fn archive(original: &[u8], options: WriterOptions) -> Vec<u8> {
    let mut writer = ArchiveWriter::with_options(Vec::new(), Model::none(), options).unwrap();
    writer.push(original).unwrap();
    writer.finish().unwrap().0
}

/// Changes one byte; returns where.
fn damage(archive: &mut [u8], random: &mut Random) -> usize {
    let at = random.below(archive.len());
    archive[at] ^= 1 + random.below(255) as u8;
    at
}

#[test]
fn a_small_archive_with_a_changed_byte_is_refused_in_no_time() {
    let famous = include_bytes!("../../samples/famous.pgn");
    let random_games = pgn::games(7).concat();
    let text = b"no PGN at all, but a text of some length, ".repeat(30);
    let originals: [&[u8]; 5] = [famous, &random_games, &text, b"", b"x"];
    let shapes = [(20_000, 512), (20_000, 2), (3, 2)];
    let archives: Vec<(Vec<u8>, &[u8])> = originals
        .iter()
        .flat_map(|original| shapes.map(|shape| (shape, *original)))
        .map(|((block_games, page_games), original)| {
            let options = WriterOptions::new().block_games(block_games).page_games(page_games);
            (archive(original, options), original)
        })
        .collect();
    let (mut random, mut longest) = (random(), Duration::ZERO);
    let runs = number("PLYZIP_DAMAGED", 150);
    for run in 0..runs {
        let (archive, original) = &archives[random.below(archives.len())];
        let mut damaged = archive.clone();
        let at = damage(&mut damaged, &mut random);
        let began = Instant::now();
        let mut read = Vec::new();
        let found = ArchiveReader::new(&damaged[..]).and_then(|reader| reader.copy_to(&mut read));
        longest = longest.max(began.elapsed());
        assert!(found.is_err(), "run {run}: byte {at} of {}", archive.len());
        assert!(
            original.starts_with(&read),
            "run {run}: byte {at}: other bytes than the original's"
        );
    }
    eprintln!("{runs} damaged archives: {runs} errors, the slowest after {longest:?}");
}

/// The parts of the original that are not missing.
fn left(original: &[u8], found: &Salvage) -> Option<Vec<u8>> {
    let mut left = Vec::new();
    let mut end = 0;
    for missing in &found.missing {
        missing.games.as_ref()?;
        left.extend_from_slice(&original[end..missing.bytes.start as usize]);
        end = missing.bytes.end as usize;
    }
    left.extend_from_slice(&original[end..]);
    Some(left)
}

#[test]
fn of_a_large_archive_with_a_changed_byte_all_pages_but_one_are_saved() {
    let (original, options) = match std::env::var("PLYZIP_DAMAGED_PGN") {
        Ok(path) => (std::fs::read(path).unwrap(), WriterOptions::default()),
        Err(_) => {
            let options = WriterOptions::new().page_games(16);
            (pgn::games(160).concat(), options)
        }
    };
    let archive = archive(&original, options);
    let mut random = random();
    let runs = number("PLYZIP_DAMAGED", 12);
    let (mut pages, mut columns, mut index) = (0, 0, 0);
    for run in 0..runs {
        let mut damaged = archive.clone();
        let at = damage(&mut damaged, &mut random);
        let mut saved = Vec::new();
        let source = Cursor::new(&damaged);
        let found = salvage(source, ReaderOptions::default(), &mut saved).unwrap();
        match left(&original, &found) {
            Some(left) => {
                assert!(saved == left, "run {run}: byte {at}: not what is said to be left");
                assert_eq!(found.missing.len(), 1, "run {run}: byte {at}");
                if saved.is_empty() { columns += 1 } else { pages += 1 }
            }
            None => {
                // The header, the index or the tail: every page is whole.
                assert!(saved == original, "run {run}: byte {at}");
                index += 1;
            }
        }
        if run < 3 {
            let told = assess(Cursor::new(&damaged), ReaderOptions::default()).unwrap();
            assert_eq!(told, found, "run {run}: byte {at}");
        }
    }
    eprintln!(
        "{runs} damaged archives of {} bytes: {pages} lost one page, {columns} what needs the columns, {index} nothing",
        archive.len()
    );
}
