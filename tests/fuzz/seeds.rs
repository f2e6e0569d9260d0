//! What each target begins with: generated games, and choices that make some.

use plyzip::archive::{ArchiveReader, ArchiveWriter, WriterOptions};
use plyzip::{GameCodec, GameHeader, Model};
use shakmaty::Position;

use crate::Random;
use crate::targets::{SEEDS, SMALL, document, sections};

/// The seeds of a target.
type Seeds = fn() -> Vec<Vec<u8>>;

/// The seeds of each target by its name.
pub const ALL: [(&str, Seeds); 9] = [
    ("pgn_lexer", pgn_lexer),
    ("pgn_round_trip", pgn_round_trip),
    ("archive", archive),
    ("index", index),
    ("moves_index", moves_index),
    ("single_games", single_games),
    ("model", model),
    ("historical", historical),
    ("recovery_records", recovery_records),
];

pub fn pgn_lexer() -> Vec<Vec<u8>> {
    SEEDS.iter().map(|seed| seed.as_bytes().to_vec()).chain(documents(40)).collect()
}

/// PGN and choices, cut in each way, without a network and with one.
pub fn pgn_round_trip() -> Vec<Vec<u8>> {
    // Each so far from the one before, beyond 255 from 0 on again.
    let modes =
        |step: u8| std::iter::successors(Some(0u8), move |mode| Some(mode.wrapping_add(step)));
    let pgn = modes(5).zip(SEEDS.map(|seed| seed.as_bytes().to_vec()));
    let documents = modes(11).map(|mode| mode & 63).zip(documents(16));
    let scripts = modes(7).map(|mode| mode & 127 | 128).zip(choices(48, 400));
    pgn.chain(documents).chain(scripts).map(|(mode, rest)| with(mode, &rest)).collect()
}

/// Changes to each archive, and payloads as they are.
pub fn archive() -> Vec<Vec<u8>> {
    let mut seeds = index();
    seeds.extend((0..8).map(|which| with(which | 64, &[1, 2, 0, 255])));
    for (number, original) in documents(12).enumerate() {
        let options = WriterOptions::new().page_games([1, 2, 255][number % 3]).verify(false);
        let mut writer = ArchiveWriter::with_options(vec![], Model::none(), options).unwrap();
        writer.push(&original).unwrap();
        let archive = writer.finish().unwrap().0;
        // They are what the archive was made of.
        assert!(ArchiveReader::new(&archive[..]).unwrap().copy_to(&mut vec![]).is_ok());
        seeds.extend(sections::payloads(&archive).iter().map(|payload| with(128, payload)));
    }
    seeds
}

/// Changes to each part of each index, of four bytes each: where, and what.
pub fn moves_index() -> Vec<Vec<u8>> {
    (0..24u8)
        .map(|number| with(number % 3, &[number, number * 11, number, 1 << (number % 8)]))
        .collect()
}

pub fn index() -> Vec<Vec<u8>> {
    (0..)
        .map(|number| number % 18)
        .zip(choices(72, 16))
        .map(|(which, rest)| with(which, &rest))
        .collect()
}

/// Choices, and a game's bytes.
pub fn single_games() -> Vec<Vec<u8>> {
    let codec = GameCodec::new(Model::none());
    let header = GameHeader::default();
    let first: Vec<_> = header.start.legal_moves().into_iter().take(1).collect();
    let games = [vec![], first].map(|moves| codec.encode(&header, &moves).unwrap());
    let games = games.iter().map(|bytes| with(0, bytes));
    games.chain(choices(40, 200).map(|rest| with(128, &rest))).collect()
}

/// Files of several sizes, and changes to them.
pub fn recovery_records() -> Vec<Vec<u8>> {
    (1..).zip(choices(60, 52)).map(|(size, rest)| with(size, &rest)).collect()
}

/// A model's file, and changes to one.
pub fn model() -> Vec<Vec<u8>> {
    let changes = (0..).zip(choices(16, 8)).map(|(mode, rest)| with(mode & 3, &rest));
    changes.chain([with(128, SMALL), with(63, &[0, 0, 0, 1])]).collect()
}

/// Choices, and codes of any bits.
pub fn historical() -> Vec<Vec<u8>> {
    let codes = choices(40, 60);
    let games = choices(24, 120).map(|mut rest| {
        rest.push(128);
        rest
    });
    codes.chain(games).collect()
}

fn with(mode: u8, rest: &[u8]) -> Vec<u8> {
    [&[mode], rest].concat()
}

/// Random bytes, `count` times up to `longest` of them.
fn choices(count: u64, longest: usize) -> impl Iterator<Item = Vec<u8>> {
    (0..count).map(move |number| {
        let mut random = Random(number << 32);
        let length = random.below(longest + 1);
        (0..length).map(|_| random.byte()).collect()
    })
}

fn documents(count: u64) -> impl Iterator<Item = Vec<u8>> {
    choices(count, 600).map(|choices| document(&choices))
}
