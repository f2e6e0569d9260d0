//! No two ways to read an archive contradict each other, whatever it claims behind checksums that are right.

#[path = "../codec/src/forge/agreement.rs"]
mod agreement;
mod pgn;

use std::io::Cursor;

use agreement::{Verdict, agree};
use plyzip::archive::{
    ArchiveReader, ArchiveWriter, IndexedReader, ReaderOptions, WriterOptions, assess, salvage,
};
use plyzip::{Error, Model};
use proptest::prelude::*;

fn varint(mut number: u64) -> Vec<u8> {
    let mut bytes = vec![];
    while number >= 128 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

fn section(fields: &[u8]) -> Vec<u8> {
    [fields, &crc32fast::hash(fields).to_le_bytes()].concat()
}

/// An archive of blocks that are stored, each with the number of games that it claims; 0 for a block without figures.
fn stored(blocks: &[(&[u8], u64)]) -> Vec<u8> {
    let mut archive = b"\xC1PLZ\x03\x01\x00".to_vec();
    let mut end = vec![4, blocks.len() as u8, 0];
    let mut text = 0;
    let mut any = false;
    for &(original, games) in blocks {
        let length = varint(original.len() as u64);
        let crc = crc32fast::hash(original).to_le_bytes();
        let mut fields = [&[if games > 0 { 2 } else { 3 }][..], &length, &length, &crc].concat();
        if games > 0 {
            fields.extend([varint(games), vec![0, 0]].concat());
        }
        fields.extend(original);
        let block = section(&fields);
        end.extend([varint(block.len() as u64), length, varint(games)].concat());
        text += if games > 0 { 0 } else { block.len() as u64 };
        any |= games > 0;
        archive.extend(block);
    }
    if any && blocks.len() > 1 {
        end.push(0);
        match text {
            0 => end.push(0),
            text => end.extend([vec![32], varint(text)].concat()),
        }
    }
    let whole: Vec<u8> = blocks.iter().flat_map(|(original, _)| *original).copied().collect();
    end.extend(&blake3::hash(&whole).as_bytes()[..16]);
    let end = section(&end);
    let length = (end.len() as u32).to_le_bytes();
    [archive, end, length.to_vec()].concat()
}

fn games_of(original: &[u8]) -> u64 {
    plyzip::pgn::parse(original).games().count() as u64
}

const GAME: &[u8] = b"[Event \"A\"]\n\n1. e4 e5 *\n\n";

fn whole(archive: &[u8]) -> Verdict {
    agree(archive, &ReaderOptions::default(), true)
}

fn is_damaged<T>(result: Result<T, Error>) -> bool {
    matches!(result, Err(Error::Damaged(_)))
}

#[test]
fn a_stored_block_with_other_games_than_it_claims_is_refused_everywhere() {
    let three = GAME.repeat(3);
    assert_eq!(whole(&stored(&[(&three, 3)])), Verdict::Whole { games: 3 });
    assert_eq!(whole(&stored(&[(&three, 3), (GAME, 1)])), Verdict::Whole { games: 4 });
    assert_eq!(whole(&stored(&[(&three, 3), (GAME, 0)])), Verdict::Whole { games: 3 });
    for claim in [1, 2, 4, 70] {
        // Also in `info`, which reads the only block's header.
        let alone = stored(&[(&three, claim)]);
        assert!(is_damaged(IndexedReader::open(Cursor::new(&alone))));
        let archive = stored(&[(&three, claim), (&three, 3)]);
        for archive in [&alone, &archive] {
            assert_eq!(whole(archive), Verdict::Refused);
            let reader = || ArchiveReader::new(&archive[..]).unwrap();
            assert!(is_damaged(reader().copy_to(&mut vec![])));
            assert!(is_damaged(reader().skim()));
        }
        let mut reader = IndexedReader::open(Cursor::new(&archive)).unwrap();
        assert!(is_damaged(reader.block(0)) && is_damaged(reader.tags(0)));
        assert!(is_damaged(reader.game(0)));
        assert_eq!(reader.block(1).unwrap(), three);
        let mut saved = vec![];
        let found = salvage(Cursor::new(&archive), ReaderOptions::default(), &mut saved).unwrap();
        assert_eq!((found.games, found.missing.len()), (3, 1));
        assert_eq!(saved, three);
    }
}

/// Parsing takes many times the bytes of tiny games.
#[test]
fn a_stored_block_that_is_large_has_no_figures() {
    let games = b"e4*\n".repeat(1 << 12);
    let count = games_of(&games);
    assert_eq!(whole(&stored(&[(&games, 0)])), Verdict::Whole { games: 0 });
    assert!(is_damaged(ArchiveReader::new(&stored(&[(&games, count)])[..]).unwrap().skim()));
    let games = &games[4..];
    let count = games_of(games);
    assert!(count > 1000, "{count}");
    assert_eq!(whole(&stored(&[(games, count)])), Verdict::Whole { games: count });
}

#[test]
fn a_stored_block_of_another_checksum_is_not_promised() {
    let mut archive = stored(&[(GAME, 1), (GAME, 1)]);
    // The checksum of the first block's original; then that of its section is made right again.
    archive[7 + 3] ^= 1;
    let length = 1 + 1 + 1 + 4 + 3 + GAME.len();
    let crc = crc32fast::hash(&archive[7..7 + length]).to_le_bytes();
    archive[7 + length..7 + length + 4].copy_from_slice(&crc);
    let told = assess(Cursor::new(&archive), ReaderOptions::default()).unwrap();
    let found = salvage(Cursor::new(&archive), ReaderOptions::default(), &mut vec![]).unwrap();
    assert_eq!((told.games, found.games), (1, 1));
}

/// The sections of an archive, without their checksums.
fn sections(archive: &[u8]) -> Vec<Vec<u8>> {
    let mut rest = &archive[7..archive.len() - 4];
    let mut sections = vec![];
    while !rest.is_empty() {
        let mut crc = crc32fast::Hasher::new();
        let length = (1..rest.len() - 3).find(|&length| {
            crc.update(&rest[length - 1..length]);
            crc.clone().finalize().to_le_bytes() == rest[length..length + 4]
        });
        let length = length.unwrap();
        sections.push(rest[..length].to_vec());
        rest = &rest[length + 4..];
    }
    sections
}

/// Pieces of PGN that make games of many numbers.
fn piece() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "*",
        "1. e4 ",
        "e5 *",
        "\n",
        "\n\n",
        "[Event \"a\"]\n",
        "[A \"b\"]*",
        "no game",
        "1-0 ",
        "{",
        "(",
        "\u{feff}",
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn stored_blocks_are_agreed_about(
        blocks in prop::collection::vec((prop::collection::vec(piece(), 1..12), 0..3u64), 1..4),
    ) {
        let originals: Vec<Vec<u8>> =
            blocks.iter().map(|(pieces, _)| pieces.concat().into_bytes()).collect();
        // Right, one too many, or none.
        let claims: Vec<(&[u8], u64)> = originals
            .iter()
            .zip(&blocks)
            .map(|(original, (_, claim))| match claim {
                0 => (&original[..], games_of(original)),
                1 => (&original[..], games_of(original) + 1),
                _ => (&original[..], 0),
            })
            .collect();
        let right = blocks.iter().all(|(_, claim)| *claim != 1);
        let fits = claims.iter().all(|(original, claim)| *claim <= original.len() as u64);
        let verdict = whole(&stored(&claims));
        prop_assert_eq!(matches!(verdict, Verdict::Whole { .. }), right && fits);
    }

    #[test]
    fn changed_archives_are_agreed_about(
        shape in (1..4u64, 1..4u64),
        changes in prop::collection::vec((any::<u16>(), any::<u16>(), 0..4u8, any::<u8>()), 1..4),
    ) {
        let options = WriterOptions::new().block_games(shape.0).page_games(shape.1).verify(false);
        let original = [&pgn::games(3).concat()[..], &GAME.repeat(2), b"no game"].concat();
        let mut writer = ArchiveWriter::with_options(vec![], Model::none(), options).unwrap();
        writer.push(&original).unwrap();
        let mut sections = sections(&writer.finish().unwrap().0);
        for (which, place, how, value) in changes {
            let which = usize::from(which) % sections.len();
            let bytes = &mut sections[which];
            // Near the beginning, where numbers are, half of the times.
            let place = usize::from(place / 2) % if place & 1 == 0 { 16 } else { bytes.len() };
            let place = place % bytes.len();
            match how {
                0 => bytes[place] = bytes[place].wrapping_add(1),
                1 => bytes[place] = bytes[place].wrapping_sub(1),
                2 => bytes[place] = value,
                _ => bytes[place] ^= 1 << (value % 8),
            }
        }
        let end = sections.last().map_or(0, |end| end.len() as u32 + 4);
        let mut archive = b"\xC1PLZ\x03\x01\x00".to_vec();
        archive.extend(sections.iter().flat_map(|bytes| section(bytes)));
        archive.extend(end.to_le_bytes());
        whole(&archive);
    }
}
