//! That the archives leave nothing out: each kind of section, each stream, each way to keep text.

use plyzip::Model;
use plyzip::archive::{ArchiveReader, IndexedReader};
use plyzip::unstable::streams::{bytes, encode_block};

use super::for_each;
use super::inputs::text;
use super::manifest::{Models, folder};

#[test]
fn every_kind_of_section_is_there() {
    let mut kinds = [false; 9];
    let mut stored = [false; 9];
    for_each(|golden, archive| {
        let end = archive.len() - 4;
        let bytes = u32::from_le_bytes(archive[end..].try_into().unwrap()) as usize;
        kinds[usize::from(archive[end - bytes])] = true;
        kinds[usize::from(archive[7])] = true;
        let options = Models::default().options(golden);
        let reader = IndexedReader::with_options(std::io::Cursor::new(archive), options).unwrap();
        for block in reader.blocks() {
            let kind = usize::from(archive[block.offset as usize]);
            kinds[kind] = true;
            // A block with pages has no other sections behind the first.
            kinds[6] |= kind == 5;
            // Only what is kept as it is takes more than its original.
            stored[kind] |= block.bytes > block.original_bytes && kind < 4;
        }
    });
    assert_eq!(kinds, [false, true, true, true, true, true, true, true, true]);
    assert_eq!(stored[2..4], [true, true]);
}

#[test]
fn every_stream_is_there() {
    let (mut columns, mut pages) = (0, 0);
    for_each(|golden, archive| {
        if golden.model != "none" {
            return;
        }
        let page_games = golden.page_games.unwrap_or(512);
        let mut reader = ArchiveReader::new(archive).unwrap();
        while let Some(original) = reader.next_block().unwrap() {
            let block = encode_block(&original, &Model::none(), page_games).unwrap();
            // What begins with a byte that says which streams there are.
            columns |= block.columns.first().unwrap_or(&0);
            for page in block.pages {
                pages |= page.payload.first().unwrap_or(&0);
            }
        }
    });
    assert_eq!((columns, pages), (0b111_1111, 0b111_1111), "{columns:b} {pages:b}");
}

#[test]
fn text_is_kept_in_each_way() {
    let method = |text: &[u8]| bytes::compress(text).unwrap()[0];
    assert_eq!(method(&text::noise(1, 40)), 0);
    assert_eq!(method(&text::repeated()), 1);
    assert_eq!(method(&text::prose(21, 300)), 2);
}

#[test]
fn archives_and_model_are_small() {
    let files = std::fs::read_dir(folder()).unwrap();
    let bytes: u64 = files.map(|file| file.unwrap().metadata().unwrap().len()).sum();
    assert!(bytes < 400_000, "{bytes} bytes");
}
