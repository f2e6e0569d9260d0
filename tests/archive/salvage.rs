//! What is left of damaged archives: all that is whole, and nothing else.

use std::io::Cursor;

use plyzip::archive::{ArchiveWriter, ReaderOptions, Salvage, WriterOptions, assess, salvage};
use plyzip::{Error, Model, Result};

use crate::pgn;

const GAMES: usize = 24;
const PAGE: u64 = 3;

/// Two blocks of four pages.
fn archive() -> (Vec<u8>, Vec<Vec<u8>>) {
    let games = pgn::games(GAMES as u64);
    let options = WriterOptions::new().block_games(GAMES as u64 / 2).page_games(PAGE);
    let mut writer = ArchiveWriter::with_options(Vec::new(), Model::none(), options).unwrap();
    for game in &games {
        writer.push_game(game).unwrap();
    }
    (writer.finish().unwrap().0, games)
}

fn saved(archive: &[u8]) -> Result<(Vec<u8>, Salvage)> {
    let mut saved = Vec::new();
    let found = salvage(Cursor::new(archive), ReaderOptions::default(), &mut saved)?;
    Ok((saved, found))
}

/// The original but for what is said to be missing, if all of that is known by its place in the original.
fn left(games: &[Vec<u8>], found: &Salvage) -> Vec<u8> {
    let missing = |game: &usize| {
        let game = *game as u64;
        found.missing.iter().any(|missing| missing.games.as_ref().unwrap().contains(&game))
    };
    (0..games.len()).filter(|game| !missing(game)).flat_map(|game| games[game].clone()).collect()
}

#[test]
fn a_whole_archive_is_saved_whole() {
    let (archive, games) = archive();
    let (saved, found) = saved(&archive).unwrap();
    assert_eq!(saved, games.concat());
    assert_eq!((found.games, found.missing.len()), (GAMES as u64, 0));
}

#[test]
fn of_a_flipped_byte_only_its_page_is_missing_or_what_needs_its_columns() {
    let (archive, games) = archive();
    let mut pages = 0;
    for at in (0..archive.len()).step_by(5) {
        let mut damaged = archive.clone();
        damaged[at] ^= 0x10;
        let (saved, found) = saved(&damaged).unwrap();
        assert_eq!(found.games as usize, self::games(&saved), "byte {at}");
        let place = |missing: &plyzip::archive::Missing| missing.games.is_some();
        let known = found.missing.iter().all(place);
        if known {
            assert_eq!(saved, left(&games, &found), "byte {at}");
            let lost = GAMES as u64 - found.games;
            // A page, or all that need the columns of a block.
            assert!([PAGE, GAMES as u64 / 2].contains(&lost), "byte {at}: {lost} games");
            pages += usize::from(lost == PAGE);
        } else {
            // The header, the index or the tail: every page is whole.
            assert_eq!(saved, games.concat(), "byte {at}");
        }
        let told = assess(Cursor::new(&damaged), ReaderOptions::default()).unwrap();
        assert_eq!(told, found, "byte {at}");
    }
    assert!(pages > archive.len() / 10, "{pages} of {}", archive.len());
}

/// How many games a text has.
fn games(text: &[u8]) -> usize {
    plyzip::pgn::parse(text).items.iter().filter(|item| item.game().is_some()).count()
}

#[test]
fn a_truncated_archive_keeps_the_pages_before_its_end() {
    let (archive, games) = archive();
    let original = games.concat();
    let mut least = 0;
    for length in (0..archive.len()).step_by(17).chain(archive.len() - 40..archive.len()) {
        match saved(&archive[..length]) {
            Ok((saved, found)) => {
                assert!(original.starts_with(&saved), "{length} bytes");
                assert!(found.games >= least && found.games % PAGE == 0, "{length} bytes");
                assert!(!found.missing.is_empty(), "{length} bytes");
                least = found.games;
            }
            Err(error) => {
                assert!(matches!(error, Error::Damaged(_)), "{length} bytes: {error}");
                assert_eq!(least, 0, "{length} bytes");
            }
        }
    }
    assert_eq!(least, GAMES as u64);
}

#[test]
fn a_lost_index_and_a_lost_block_are_found_out_together() {
    let (archive, games) = archive();
    let mut damaged = archive.clone();
    damaged.truncate(archive.len() - 1);
    // In the columns of the first block.
    damaged[20] ^= 1;
    let (saved, found) = saved(&damaged).unwrap();
    assert_eq!(saved, games[GAMES / 2..].concat());
    assert_eq!(found.games, GAMES as u64 / 2);
    assert_eq!(found.missing[0].games, None);
}

#[test]
fn archives_that_follow_each_other_are_saved_each() {
    let (archive, games) = archive();
    let mut both = [&archive[..], &archive].concat();
    both[archive.len() / 2] ^= 1;
    both.truncate(2 * archive.len() - 3);
    let (saved, found) = saved(&both).unwrap();
    assert!(saved.ends_with(&games.concat()));
    assert!(found.games >= GAMES as u64 * 3 / 2);
}

#[test]
fn a_lost_name_of_a_model_is_guessed() {
    let games = pgn::games(3);
    let mut writer = ArchiveWriter::new(Vec::new(), Model::embedded().unwrap()).unwrap();
    writer.push(&games.concat()).unwrap();
    let mut archive = writer.finish().unwrap().0;
    archive[12] ^= 1; // in the model's name
    let (saved, found) = saved(&archive).unwrap();
    assert_eq!(saved, games.concat());
    assert_eq!(found.missing.len(), 1);
}

#[test]
fn what_is_no_archive_has_nothing_to_save() {
    for bytes in [&b""[..], b"no archive", &pgn::games(20).concat(), &[2; 5000], &[5; 5000]] {
        assert!(matches!(saved(bytes), Err(Error::Damaged(_))));
    }
}
