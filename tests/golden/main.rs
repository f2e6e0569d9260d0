//! Golden archives: what was written once is read for as long as its generation is, and written again alike.
//!
//! `tests/archives/README.md` says what they hold; `tests/archives/make.sh` makes them.

mod coverage;
mod inputs;
mod make;
mod manifest;

#[path = "../games/mod.rs"]
mod games;

use std::io::Cursor;

use plyzip::archive::{ArchiveReader, ArchiveWriter, IndexedReader};
use plyzip::pgn::{self, Item};

use manifest::{Golden, Models, folder, manifest};

/// Calls `each` with every archive of the manifest and its bytes.
fn for_each(mut each: impl FnMut(&Golden, &[u8])) {
    for golden in manifest() {
        let archive = std::fs::read(folder().join(&golden.file)).unwrap();
        each(&golden, &archive);
    }
}

/// The original of an archive.
fn decode(golden: &Golden, archive: &[u8], models: &mut Models) -> Vec<u8> {
    let mut original = vec![];
    let reader = ArchiveReader::with_options(archive, models.options(golden));
    let summary = reader.and_then(|reader| reader.copy_to(&mut original));
    let summary = summary.unwrap_or_else(|error| panic!("{}: {error}", golden.file));
    assert_eq!(summary.stats.games, golden.games, "{}", golden.file);
    original
}

#[test]
fn the_manifest_and_the_readme_name_all_archives() {
    let readme = std::fs::read_to_string(folder().join("../README.md")).unwrap();
    let mut named: Vec<String> = manifest().into_iter().map(|golden| golden.file).collect();
    for name in &named {
        assert!(readme.contains(&format!("`{name}`")), "the README says nothing of {name}");
    }
    named.sort();
    let files = std::fs::read_dir(folder()).unwrap();
    let files = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut files: Vec<String> = files.filter(|name| name.ends_with(".plz")).collect();
    files.sort();
    assert_eq!(files, named);
}

#[test]
fn every_archive_gives_its_original() {
    let mut models = Models::default();
    for_each(|golden, archive| {
        assert_eq!(golden.archive, manifest::Bytes::of(archive), "{}", golden.file);
        let original = decode(golden, archive, &mut models);
        assert_eq!(golden.original, manifest::Bytes::of(&original), "{}", golden.file);
    });
}

#[test]
fn every_original_gives_its_archive() {
    let mut models = Models::default();
    for_each(|golden, archive| {
        let made = if golden.parts.is_empty() {
            let original = decode(golden, archive, &mut models);
            write(golden, &original, &mut models, archive)
        } else {
            let parts = golden.parts.iter().map(|part| std::fs::read(folder().join(part)).unwrap());
            parts.collect::<Vec<Vec<u8>>>().concat()
        };
        assert!(made == archive, "{}: another archive than it was", golden.file);
    });
}

/// The archive that `original` becomes, with the model that `embedded` holds if it is to hold it, too.
fn write(golden: &Golden, original: &[u8], models: &mut Models, embedded: &[u8]) -> Vec<u8> {
    let mut writer = if golden.embed_model {
        let file = manifest::embedded_model(embedded);
        let model = plyzip::Model::from_bytes(file).unwrap();
        let mut writer = ArchiveWriter::with_options(vec![], model, golden.options()).unwrap();
        writer.embed_model(file).unwrap();
        writer
    } else {
        let model = models.open(&golden.model);
        ArchiveWriter::with_options(vec![], model, golden.options()).unwrap()
    };
    writer.set_file_info(golden.file_info());
    writer.push(original).unwrap();
    writer.finish().unwrap().0
}

#[test]
fn games_and_tags_are_found_alone() {
    let mut models = Models::default();
    for_each(|golden, archive| {
        let original = decode(golden, archive, &mut models);
        let options = models.options(golden);
        let mut reader = IndexedReader::with_options(Cursor::new(archive), options).unwrap();
        let mut listed = vec![];
        for block in 0..reader.blocks().len() {
            listed.extend(reader.tags(block).unwrap());
        }
        assert_eq!(listed.len() as u64, golden.games, "{}", golden.file);
        // Each block was parsed alone, and so were the games.
        let mut known = vec![];
        for block in reader.blocks() {
            let from = block.original_offset as usize;
            let text = &original[from..from + block.original_bytes as usize];
            let document = pgn::parse(text);
            for (item, range) in document.items.into_iter().zip(document.ranges) {
                if let Item::Game(game) = item {
                    known.push((game, text[range].to_vec()));
                }
            }
        }
        for (number, (tags, (game, _))) in listed.iter().zip(&known).enumerate() {
            let of = |game: &[pgn::Tag], name: &str| {
                game.iter().find(|tag| tag.name == name.as_bytes()).map(|tag| tag.value.clone())
            };
            for name in ["Event", "White", "Black", "Date"] {
                assert_eq!(of(tags, name), of(&game.tags, name), "{}: {number}", golden.file);
            }
        }
        // A page of a large search takes seconds.
        let alone = if golden.model.starts_with("max") { 1 } else { 2 };
        for number in [known.len().saturating_sub(1), known.len() / 2].into_iter().take(alone) {
            if let Some((_, text)) = known.get(number) {
                assert!(&reader.game(number as u64).unwrap() == text, "{}: {number}", golden.file);
            }
        }
    });
}
