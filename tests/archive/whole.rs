//! The archive as a library user meets it: what goes in comes out, and nothing else does.

use std::io::{self, BufRead, Cursor, Read, Write};
use std::ops::Range;

use plyzip::archive::{
    ArchiveReader, ArchiveWriter, FileInfo, IndexedReader, Limits, ReaderOptions, Selection,
    Summary, Verdict, WriterOptions,
};
use plyzip::pgn::{Game, Tag};
use plyzip::{Error, Interrupt, Model, Result};
use proptest::prelude::*;

use crate::pgn;

/// What an archive may take beyond its input, in bytes.
const OVERHEAD: usize = 64;

fn small_blocks(block_games: u64, block_bytes: usize) -> WriterOptions {
    WriterOptions::new().block_games(block_games).block_bytes(block_bytes)
}

fn write(original: &[u8], options: WriterOptions) -> (Vec<u8>, Summary) {
    let mut writer = ArchiveWriter::with_options(Vec::new(), Model::none(), options).unwrap();
    writer.push(original).unwrap();
    writer.finish().unwrap()
}

fn read(archive: &[u8]) -> Result<Vec<u8>> {
    let mut original = Vec::new();
    ArchiveReader::new(archive)?.copy_to(&mut original)?;
    Ok(original)
}

fn games(archive: &[u8]) -> Vec<Vec<u8>> {
    ArchiveReader::new(archive).unwrap().games().collect::<Result<_>>().unwrap()
}

fn binary(length: usize) -> Vec<u8> {
    let mut hash = blake3::Hasher::new().finalize_xof();
    let mut bytes = vec![0; length];
    hash.fill(&mut bytes);
    bytes
}

#[test]
fn games_come_back_one_by_one() {
    let pushed = pgn::games(7);
    for options in [WriterOptions::default(), small_blocks(1, 1 << 20), small_blocks(3, 1 << 20)] {
        let mut writer = ArchiveWriter::with_options(Vec::new(), Model::none(), options).unwrap();
        for game in &pushed {
            writer.push_game(game).unwrap();
        }
        let (archive, summary) = writer.finish().unwrap();
        assert_eq!(summary.blocks, 7u64.div_ceil(options.block_games));
        assert_eq!(games(&archive), pushed);
    }
}

#[test]
fn what_is_not_one_game_is_not_pushed_as_one() {
    let mut writer = ArchiveWriter::new(Vec::new(), Model::none()).unwrap();
    for text in ["", "1. e4 *\n\n", "[Event \"a\"]\n\n*", "[A \"\"]\n\n*\n[A \"\"]\n\n*\n"] {
        assert!(matches!(writer.push_game(text.as_bytes()), Err(Error::Usage(_))), "{text:?}");
    }
    let (archive, _) = writer.finish().unwrap();
    assert_eq!(read(&archive).unwrap(), b"");
}

#[test]
fn text_before_the_first_game_is_a_piece_of_its_own() {
    let archive = write(b"% a file\n\n[Event \"a\"]\n\n*\n", WriterOptions::default()).0;
    assert_eq!(games(&archive), [&b"% a file\n\n"[..], b"[Event \"a\"]\n\n*\n"]);
}

#[test]
fn any_block_decodes_alone() {
    let pushed = pgn::games(20);
    let (archive, summary) = write(&pushed.concat(), small_blocks(3, 1 << 20));
    let mut reader = IndexedReader::open(Cursor::new(&archive)).unwrap();
    assert_eq!(reader.summary(), &summary);
    assert_eq!(reader.blocks().len(), 7);
    for number in (0..7).rev() {
        let entry = reader.blocks()[number];
        let original = reader.block(number).unwrap();
        assert_eq!(original, pushed[number * 3..20.min(number * 3 + 3)].concat());
        let end = entry.original_offset + entry.original_bytes;
        assert_eq!(original, pushed.concat()[entry.original_offset as usize..end as usize]);
    }
    assert!(matches!(reader.block(7), Err(Error::Usage(_))));
}

#[test]
fn the_index_leads_to_every_game() {
    let (archive, summary) = write(&pgn::games(20).concat(), small_blocks(3, 1 << 20));
    let reader = IndexedReader::open(Cursor::new(&archive)).unwrap();
    for game in 0..summary.stats.games {
        let block = reader.blocks()[reader.block_of_game(game).unwrap()];
        assert!((block.first_game..block.first_game + block.games).contains(&game));
    }
    assert_eq!(reader.block_of_game(summary.stats.games), None);
}

#[test]
fn blocks_never_exceed_their_bytes() {
    let original = pgn::games(30).concat();
    let (archive, _) = write(&original, small_blocks(100, 2000));
    let reader = IndexedReader::open(Cursor::new(&archive)).unwrap();
    assert!(reader.blocks().len() > 5);
    assert!(reader.blocks().iter().all(|block| block.original_bytes <= 2000));
    assert_eq!(read(&archive).unwrap(), original);
}

#[test]
fn options_out_of_range_are_refused() {
    for options in [small_blocks(0, 1), small_blocks(1, 0), small_blocks(1, 1 << 40)] {
        let writer = ArchiveWriter::with_options(Vec::new(), Model::none(), options);
        assert!(matches!(writer, Err(Error::Usage(_))));
    }
}

#[test]
fn nothing_grows_by_more_than_the_overhead() {
    for length in [0, 1, 100, 200, 20_000, 300_000] {
        let original = binary(length);
        let archive = write(&original, WriterOptions::default()).0;
        assert!(archive.len() <= length + OVERHEAD, "{length} became {}", archive.len());
        assert_eq!(read(&archive).unwrap(), original);
    }
}

#[test]
fn games_among_what_does_not_shrink_cost_no_more() {
    let model = Model::embedded().unwrap();
    let game = &pgn::games(1)[0];
    for length in (0..game.len()).step_by(7).chain([9_000, 16_200, 16_500, 100_000]) {
        // As much of a game as there is, then noise.
        let mut original = game[..game.len().min(length)].to_vec();
        original.extend(binary(length - original.len()));
        let mut writer = ArchiveWriter::new(Vec::new(), model.clone()).unwrap();
        writer.push(&original).unwrap();
        let archive = writer.finish().unwrap().0;
        assert!(archive.len() <= length + OVERHEAD, "{length} became {}", archive.len());
        assert_eq!(read(&archive).unwrap(), original);
    }
}

#[test]
fn a_tiny_game_is_counted_even_if_it_is_stored() {
    let (archive, summary) = write(b"1. e4 *\n", WriterOptions::default());
    assert_eq!((summary.stats.games, summary.stats.moves), (1, 1));
    assert_eq!(read(&archive).unwrap(), b"1. e4 *\n");
}

#[test]
fn an_empty_original_has_an_archive() {
    let (archive, summary) = write(b"", WriterOptions::default());
    assert_eq!(read(&archive).unwrap(), b"");
    assert_eq!(summary.blocks, 0);
    assert_eq!(summary.archive_bytes, archive.len() as u64);
    assert_eq!(summary.original_hashes[0].to_string(), "af1349b9f5f9a1a6a0404dea36dcc949");
    assert!(games(&archive).is_empty());
}

#[test]
fn a_skimmed_archive_tells_the_same_as_a_decoded_one() {
    let (archive, summary) = write(&pgn::games(10).concat(), small_blocks(4, 1 << 20));
    assert_eq!(ArchiveReader::new(&archive[..]).unwrap().skim().unwrap(), summary);
    let mut sink = Vec::new();
    let decoded = ArchiveReader::new(&archive[..]).unwrap().copy_to(&mut sink).unwrap();
    assert_eq!(decoded, summary);
}

/// An archive with two blocks, small enough to be damaged in every way.
fn small_archive() -> (Vec<u8>, Vec<u8>) {
    let original = pgn::games(2).concat();
    (write(&original, small_blocks(1, 1 << 20)).0, original)
}

#[test]
fn every_flipped_bit_is_noticed() {
    let (single, original) = small_archive();
    let paged = write(&original, pages(1)).0;
    for archive in [single, paged] {
        no_flipped_bit_passes(&archive, &original);
    }
}

fn no_flipped_bit_passes(archive: &[u8], original: &[u8]) {
    for (at, bit) in (0..archive.len()).flat_map(|at| (0..8).map(move |bit| (at, bit))) {
        let mut damaged = archive.to_vec();
        damaged[at] ^= 1 << bit;
        assert!(read(&damaged).is_err(), "bit {bit} of byte {at}");
        assert!(ArchiveReader::new(&damaged[..]).and_then(ArchiveReader::skim).is_err());
        // Who reads some blocks only sees only their damage, but never wrong bytes.
        if let Ok(mut reader) = IndexedReader::open(Cursor::new(&damaged)) {
            let blocks: Vec<_> = (0..reader.blocks().len()).map(|n| reader.block(n)).collect();
            if let Ok(blocks) = blocks.into_iter().collect::<Result<Vec<_>>>() {
                assert_eq!(blocks.concat(), original, "bit {bit} of byte {at}");
            }
            let games: Vec<_> = (0..reader.summary().stats.games).map(|n| reader.game(n)).collect();
            if let Ok(games) = games.into_iter().collect::<Result<Vec<_>>>() {
                assert_eq!(games.concat(), original, "bit {bit} of byte {at}");
            }
        }
    }
}

#[test]
fn every_truncation_and_extension_is_noticed() {
    let (single, original) = small_archive();
    for archive in [single, write(&original, pages(1)).0] {
        for length in 0..archive.len() {
            assert!(matches!(read(&archive[..length]), Err(Error::Damaged(_))), "{length} bytes");
            assert!(IndexedReader::open(Cursor::new(&archive[..length])).is_err());
        }
        for extra in [&b"\0"[..], &archive[..archive.len() - 1], &archive[1..]] {
            let extended = [&archive, extra].concat();
            assert!(matches!(read(&extended), Err(Error::Damaged(_))));
            assert!(IndexedReader::open(Cursor::new(&extended)).is_err());
        }
    }
}

/// An archive of pages of so many games.
fn pages(page_games: u64) -> WriterOptions {
    WriterOptions::new().page_games(page_games)
}

#[test]
fn any_game_decodes_alone() {
    let pushed = pgn::games(20);
    for page_games in [1, 3, 100] {
        for block_games in [1, 7, 100] {
            let options = pages(page_games).block_games(block_games);
            let archive = write(&pushed.concat(), options).0;
            let mut reader = IndexedReader::open(Cursor::new(&archive)).unwrap();
            for number in (0..20).rev() {
                assert_eq!(reader.game(number).unwrap(), pushed[number as usize]);
            }
            assert!(matches!(reader.game(20), Err(Error::Usage(_))));
            for block in 0..reader.blocks().len() {
                let first = reader.blocks()[block].first_game as usize;
                for (game, tags) in pushed[first..].iter().zip(reader.tags(block).unwrap()) {
                    let known = plyzip::pgn::parse(game).items.remove(0);
                    assert_eq!(tags, known.game().unwrap().tags);
                }
            }
        }
    }
}

/// Games of these numbers.
struct Numbers(Range<u64>);

impl Selection for Numbers {
    fn any_of(&self, numbers: Range<u64>) -> bool {
        numbers.start.max(self.0.start) < numbers.end.min(self.0.end)
    }

    fn by_tags(&self, number: u64, tags: &[Tag]) -> Verdict {
        assert!(!tags.is_empty(), "game {number} has tags");
        self.0.contains(&number).into()
    }

    fn by_game(&self, _: u64, _: &Game) -> bool {
        unreachable!("the number has told it")
    }
}

#[test]
fn a_search_ends_behind_the_last_game_that_may_be_wanted() {
    let pushed = pgn::games(20);
    for (page_games, block_games) in [(1, 7), (3, 7), (3, 100), (100, 100)] {
        let options = pages(page_games).block_games(block_games);
        let archive = write(&pushed.concat(), options).0;
        let mut reader = IndexedReader::open(Cursor::new(&archive)).unwrap();
        for wanted in [0..0, 0..1, 0..20, 2..3, 5..8, 6..7, 8..14, 13..20, 19..20] {
            let mut found = vec![];
            let (selection, count) = (Numbers(wanted.clone()), wanted.end - wanted.start);
            let bytes = |number, game: &[u8]| {
                found.push((number, game.to_vec()));
                Ok(())
            };
            assert_eq!(reader.select(&selection).bytes(bytes).unwrap(), count);
            let expected = wanted.map(|number| (number, pushed[number as usize].clone()));
            assert!(found.into_iter().eq(expected));
        }
    }
}

/// An archive in memory, and how often it was read from.
struct Counted<'a>(Cursor<&'a [u8]>, &'a std::cell::Cell<u32>);

impl std::io::Read for Counted<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        self.1.set(self.1.get() + 1);
        self.0.read(bytes)
    }
}

impl std::io::Seek for Counted<'_> {
    fn seek(&mut self, place: std::io::SeekFrom) -> std::io::Result<u64> {
        self.0.seek(place)
    }
}

#[test]
fn games_of_a_page_are_read_once() {
    let pushed = pgn::games(9);
    for page_games in [3, 100] {
        let archive = write(&pushed.concat(), pages(page_games)).0;
        let reads = std::cell::Cell::new(0);
        let mut reader = IndexedReader::open(Counted(Cursor::new(&archive), &reads)).unwrap();
        for (number, game) in pushed.iter().enumerate() {
            let before = reads.get();
            assert_eq!(&reader.game(number as u64).unwrap(), game);
            assert_eq!(
                reads.get() > before,
                (number as u64).is_multiple_of(page_games),
                "game {number}"
            );
        }
        assert_eq!(reader.game(0).unwrap(), pushed[0]);
    }
}

#[test]
fn the_archive_does_not_depend_on_the_number_of_threads() {
    let original = pgn::games(20).concat();
    let archive = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let archive = write(&original, pages(3)).0;
            assert_eq!(read(&archive).unwrap(), original);
            archive
        })
    };
    assert_eq!(archive(1), archive(5));
}

#[test]
fn archives_that_follow_each_other_are_one() {
    let pushed = pgn::games(9);
    let parts: Vec<Vec<u8>> = [(0..4, 2), (4..4, 1), (4..9, 100)]
        .into_iter()
        .map(|(games, page_games)| write(&pushed[games].concat(), pages(page_games)).0)
        .collect();
    let archive = parts.concat();
    let original = pushed.concat();
    assert_eq!(read(&archive).unwrap(), original);
    assert_eq!(games(&archive), pushed);
    let mut whole = Vec::new();
    let summary = ArchiveReader::new(&archive[..]).unwrap().copy_to(&mut whole).unwrap();
    assert_eq!(summary.archive_bytes, archive.len() as u64);
    assert_eq!((summary.stats.games, summary.original_bytes), (9, original.len() as u64));
    assert_eq!(summary.original_hashes.len(), 3);
    assert_eq!(ArchiveReader::new(&archive[..]).unwrap().skim().unwrap(), summary);
    let mut reader = IndexedReader::open(Cursor::new(&archive)).unwrap();
    assert_eq!(reader.summary(), &summary);
    for number in (0..9).rev() {
        assert_eq!(reader.game(number).unwrap(), pushed[number as usize]);
    }
    // Damage in one part is noticed, wherever it is.
    for at in (0..archive.len()).step_by(3) {
        let mut damaged = archive.clone();
        damaged[at] ^= 1;
        assert!(read(&damaged).is_err(), "byte {at}");
    }
    for length in 0..archive.len() {
        let ends = [parts[0].len(), parts[0].len() + parts[1].len()];
        assert_eq!(read(&archive[..length]).is_ok(), ends.contains(&length), "{length} bytes");
    }
}

#[test]
fn an_archive_may_hold_its_model_and_the_name_of_its_file() {
    let info = FileInfo::new(Some("round-7.pgn"), Some(-1)).unwrap();
    let original = pgn::games(2).concat();
    let mut writer = ArchiveWriter::new(Vec::new(), Model::none()).unwrap();
    writer.set_file_info(info.clone());
    writer.push(&original).unwrap();
    let archive = writer.finish().unwrap().0;
    assert_eq!(read(&archive).unwrap(), original);
    let reader = IndexedReader::open(Cursor::new(&archive)).unwrap();
    assert_eq!(reader.summary().file, info);
    let without = write(&original, WriterOptions::default()).0;
    assert_eq!(archive.len() - without.len(), 1 + 1 + 11 + 8);
    let long = "x".repeat(256);
    for name in [
        "",
        "..",
        "a/b",
        "a\\b",
        "c:",
        "\n",
        &long,
        "CON",
        "nul.pgn",
        "Com1",
        "lpt² .x",
        " a",
        "a ",
        "a.",
        "-rf",
        "~",
        "a?b",
        "a*",
        "x\u{202e}gnp.exe",
    ] {
        assert!(matches!(FileInfo::new(Some(name), None), Err(Error::Usage(_))), "{name:?}");
    }
    for name in ["CONs.pgn", "com.pgn", "COM10", ".pgn", "a b.pgn", "a-~", "Ünïcode 李.pgn"] {
        assert!(FileInfo::new(Some(name), None).is_ok(), "{name:?}");
    }
}

#[test]
fn an_embedded_model_is_enough() {
    // The shipped model with a `doc_string` (field 6 of ONNX's `ModelProto`): another file, so another model.
    let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/models/standard.onnx");
    let file = [&std::fs::read(shipped).unwrap()[..], b"\x32\x05of us"].concat();
    let model = Model::from_bytes(&file).unwrap();
    let original = pgn::games(3).concat();
    let archive = |embed: bool| {
        let mut writer = ArchiveWriter::new(Vec::new(), model.clone()).unwrap();
        if embed {
            writer.embed_model(&file).unwrap();
        }
        writer.push(&original).unwrap();
        writer.finish().unwrap().0
    };
    let (with, without) = (archive(true), archive(false));
    assert!(matches!(read(&without), Err(Error::ModelMissing { .. })));
    assert_eq!(read(&with).unwrap(), original);
    let mut reader = IndexedReader::open(Cursor::new(&with)).unwrap();
    assert_eq!(reader.game(1).unwrap(), pgn::games(3)[1]);
    // The length of the file takes four bytes in its section, and the section's length two or three more in the index.
    assert!(with.len() - without.len() - file.len() < 8);
    // One model is enough for all that follows.
    let both = [&with[..], &without].concat();
    assert_eq!(read(&both).unwrap(), original.repeat(2));
    let mut reader = IndexedReader::open(Cursor::new([&without[..], &with].concat())).unwrap();
    assert_eq!(reader.game(1).unwrap(), pgn::games(3)[1]);
    assert_eq!(reader.game(4).unwrap(), pgn::games(3)[1]);
    // A file that is not the model's is refused, also by the writer.
    let at = with.windows(64).position(|bytes| bytes == &file[..64]).unwrap();
    let mut other = with.clone();
    other[at] ^= 1;
    assert!(matches!(read(&other), Err(Error::Damaged(_))));
    let mut writer = ArchiveWriter::new(Vec::new(), model.clone()).unwrap();
    assert!(matches!(writer.embed_model(b"another file"), Err(Error::Usage(_))));
    let small = Limits::new().model_file(1000);
    let options = ReaderOptions::new().limits(small);
    let read = ArchiveReader::with_options(&with[..], options);
    assert!(matches!(read.unwrap().skim(), Err(Error::Limit(_))));
}

#[test]
fn after_an_error_there_is_nothing_more() {
    let (archive, _) = small_archive();
    let mut reader = ArchiveReader::new(&archive[..archive.len() - 1]).unwrap();
    assert!(reader.next_block().unwrap().is_some());
    assert!(reader.next_block().unwrap().is_some());
    assert!(reader.next_block().is_err());
    assert!(reader.next_block().unwrap().is_none());
    assert!(reader.summary().is_none());
}

#[test]
fn a_sink_that_fails_stops_the_writer() {
    struct Full(usize);
    impl std::io::Write for Full {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            let taken = bytes.len().min(self.0);
            self.0 -= taken;
            Ok(taken)
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    assert!(matches!(ArchiveWriter::new(Full(3), Model::none()), Err(Error::Io(_))));
    let game = &pgn::games(1)[0];
    let options = small_blocks(1, game.len());
    let mut writer = ArchiveWriter::with_options(Full(20), Model::none(), options).unwrap();
    assert!(matches!(writer.push(game), Err(Error::Io(_))));
    assert!(matches!(writer.push(game), Err(Error::Usage(_))));
    assert!(matches!(writer.finish(), Err(Error::Usage(_))));
}

/// Hand-made archives, after `docs/format.md` and not after the code.
mod by_hand {
    use super::*;

    pub const HEADER: [u8; 7] = *b"\xC1PLZ\x03\x01\x00";

    pub fn section(fields: &[&[u8]]) -> Vec<u8> {
        let mut section = fields.concat();
        section.extend(crc32fast::hash(&section).to_le_bytes());
        section
    }

    /// The end section of an archive without games, and the tail.
    pub fn end(index: &[u8], original: &[u8]) -> Vec<u8> {
        let mut end = section(&[&[4], index, &blake3::hash(original).as_bytes()[..16]]);
        end.extend((end.len() as u32).to_le_bytes());
        end
    }

    fn error(parts: &[&[u8]]) -> Error {
        let archive = parts.concat();
        // A reader that seeks must be as careful, and both must end.
        if let Ok(mut reader) = IndexedReader::open(Cursor::new(&archive)) {
            for number in 0..reader.blocks().len() {
                let _ = reader.block(number);
            }
        }
        read(&archive).unwrap_err()
    }

    /// 2^63 - 1 as the format spells it.
    const HUGE: [u8; 9] = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f];

    #[test]
    fn the_empty_archive_is_as_documented() {
        let by_hand = [&HEADER[..], &end(&[0, 0], b"")].concat();
        assert_eq!(write(b"", WriterOptions::default()).0, by_hand);
    }

    #[test]
    fn newer_archives_are_told_from_damaged_ones() {
        let end = end(&[0, 0], b"");
        for header in [
            b"\xC1PLZ\x02\x01\x00",
            b"\xC1PLZ\x04\x01\x00",
            b"\xC1PLZ\x03\x02\x00",
            b"\xC1PLZ\x03\x01\x01",
        ] {
            assert!(matches!(error(&[header, &end]), Error::Unsupported(_)));
        }
        assert!(matches!(error(&[&HEADER, &section(&[&[9]]), &end]), Error::Unsupported(_)));
        assert!(matches!(error(&[b"PK\x03\x04\x01\x00\x00", &end]), Error::Damaged(_)));
    }

    #[test]
    fn sizes_are_checked_before_memory_is_taken() {
        let crc = [0; 4];
        for block in
            [[&[3][..], &HUGE, &[1], &crc], [&[3], &[1], &HUGE, &crc], [&[3], &HUGE, &HUGE, &crc]]
        {
            assert!(matches!(error(&[&HEADER, &block.concat()]), Error::Limit(_)));
        }
        assert!(matches!(error(&[&HEADER, &[1], &HUGE]), Error::Limit(_)));
        // An index of more blocks than any archive has.
        assert!(matches!(
            error(&[&HEADER, &end(&[&HUGE[..], &[0]].concat(), b"")]),
            Error::Limit(_)
        ));
        // A size within the limits that the archive does not have.
        let promise = [&[3][..], &[0x80, 0x80, 0x80, 0x10], &[0x80, 0x80, 0x80, 0x10], &crc];
        assert!(matches!(error(&[&HEADER, &promise.concat()]), Error::Damaged(_)));
    }

    #[test]
    fn an_index_that_lies_is_found_out() {
        for index in [
            &[1, 0, 20, 5, 0][..],                       // a block that is not there
            &[0, 1, 26],                                 // a model that is not there
            &[0, 2, 26],                                 // a model after the last block
            &[&[1, 0][..], &HUGE, &HUGE, &[0]].concat(), // out of the file
            &[&[2, 0][..], &HUGE, &HUGE, &[0], &HUGE, &HUGE, &[0]].concat(),
            &[&[3, 0][..], &HUGE, &[0, 0], &HUGE, &[0, 0], &HUGE, &[0, 0]].concat(),
        ] {
            assert!(matches!(error(&[&HEADER, &end(index, b"")]), Error::Damaged(_)), "{index:?}");
        }
    }

    #[test]
    fn impossible_figures_are_found_out() {
        for figures in [
            &[0, 0, 0][..],  // a block with games that has none
            &[200, 1, 0, 0], // more games than bytes
            &[1, 99, 0],     // more moves than bytes
            &[1, 0, 1, 0],   // a stream that is there and is not
        ] {
            let block = section(&[&[2, 4, 0], &[0; 4], figures]);
            assert!(matches!(error(&[&HEADER, &block]), Error::Damaged(_)), "{figures:?}");
        }
        let block = section(&[&[2, 4, 0], &[0; 4], &[1, 0, 0x40]]);
        assert!(matches!(error(&[&HEADER, &block]), Error::Unsupported(_)));
    }

    /// 38 bytes once took 8.8 GB: a number of items that was held against nothing but the size of the original, and a
    /// coder that read zeros for ever behind its end.
    #[test]
    fn a_few_bytes_are_not_a_million_items() {
        let (large, million) = ([0x80, 0x80, 0x80, 0x10], [0x80, 0x80, 0x40]);
        for items in [&[0xff; 9][..], &[0x8f, 0xff, 0xff, 0xfb], &[0x29, 0xff, 0xff], &[0xff]] {
            let columns = [&[1], items].concat();
            let payload = [&[columns.len() as u8], &columns[..], &[0]].concat();
            for games in [&[1][..], &million] {
                let length = [payload.len() as u8];
                let block = section(&[&[2], &large, &length, &[0; 4], games, &[0, 0], &payload]);
                let error = error(&[&HEADER, &block]);
                assert!(matches!(error, Error::Damaged(_)), "{items:?}: {error}");
            }
        }
    }

    #[test]
    fn a_model_that_is_not_at_hand_is_named() {
        let model = section(&[&[1, 5], b"giant", &[0xab; 16]]);
        let block = section(&[&[2, 4, 0], &[0; 4], &[1, 0, 0]]);
        match error(&[&HEADER, &model, &block]) {
            Error::ModelMissing { name, hash, searched } => {
                assert_eq!(name, "giant");
                assert_eq!(hash, Some("ab".repeat(16)));
                assert!(searched.is_empty());
            }
            other => panic!("{other}"),
        }
    }

    #[test]
    fn a_model_that_no_block_needs_is_not_asked_for() {
        let model = section(&[&[1, 5], b"giant", &[0xab; 16]]);
        let archive = [&HEADER[..], &model, &end(&[0, 1, model.len() as u8], b"")].concat();
        assert_eq!(read(&archive).unwrap(), b"");
        let reader = IndexedReader::open(Cursor::new(&archive)).unwrap();
        assert_eq!(reader.summary().models[0].name, "giant");
    }

    #[test]
    fn a_model_stands_once_and_before_the_games() {
        let model = section(&[&[1, 5], b"giant", &[0xab; 16]]);
        assert!(matches!(error(&[&HEADER, &model, &model]), Error::Damaged(_)));
        let escape = section(&[&[1, 4], b"\x1b[2J", &[0xab; 16]]);
        assert!(matches!(error(&[&HEADER, &escape]), Error::Damaged(_)));
    }

    #[test]
    fn limits_can_be_lowered() {
        let archive = write(&binary(1000), WriterOptions::default()).0;
        for limits in [
            Limits::new().block_original(999),
            Limits::new().block_payload(999),
            Limits::new().blocks(0),
        ] {
            let options = ReaderOptions::new().limits(limits);
            let result = ArchiveReader::with_options(&archive[..], options)
                .and_then(|reader| reader.copy_to(&mut Vec::new()));
            assert!(matches!(result, Err(Error::Limit(_))));
        }
    }
}

/// Bytes that look like PGN often enough to be cut.
fn pgn_like() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop::sample::select(vec![
        &b"\n"[..],
        b"\r\n",
        b"[Event \"a\"]",
        b"[",
        b"1. e4 e5 2. Nf3 *",
        b"{ a comment }",
        b"\0\xff",
        b"x",
    ]);
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_bytes_come_back(original in prop::collection::vec(any::<u8>(), 0..3000)) {
        let archive = write(&original, WriterOptions::default()).0;
        prop_assert!(archive.len() <= original.len() + OVERHEAD);
        prop_assert_eq!(read(&archive).unwrap(), original);
    }

    #[test]
    fn the_archive_does_not_depend_on_how_it_is_pushed(
        original in pgn_like(),
        block_games in 1..4u64,
        block_bytes in 1..200usize,
        chunk in 1..50usize,
    ) {
        let options = small_blocks(block_games, block_bytes);
        let archive = write(&original, options).0;
        let mut writer =
            ArchiveWriter::with_options(Vec::new(), Model::none(), options).unwrap();
        for chunk in original.chunks(chunk) {
            writer.push(chunk).unwrap();
        }
        prop_assert_eq!(&writer.finish().unwrap().0, &archive);
        prop_assert_eq!(&games(&archive).concat(), &original);
        prop_assert_eq!(&read(&archive).unwrap(), &original);
    }

    #[test]
    fn noise_is_no_archive(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(read(&bytes).is_err());
        prop_assert!(read(&[&by_hand::HEADER[..], &bytes].concat()).is_err());
        prop_assert!(IndexedReader::open(Cursor::new([&by_hand::HEADER[..], &bytes].concat())).is_err());
    }
}

#[test]
fn a_writer_writes_and_a_reader_reads() {
    let original = pgn::games(20).concat();
    let (whole, _) = write(&original, small_blocks(7, 1 << 20));
    let mut writer =
        ArchiveWriter::with_options(Vec::new(), Model::none(), small_blocks(7, 1 << 20)).unwrap();
    assert_eq!(io::copy(&mut &original[..], &mut writer).unwrap(), original.len() as u64);
    writer.flush().unwrap();
    assert_eq!(writer.finish().unwrap().0, whole);

    let mut text = vec![];
    let mut reader = ArchiveReader::new(&whole[..]).unwrap();
    assert_eq!(reader.read_to_end(&mut text).unwrap(), original.len());
    assert_eq!((&text, reader.read(&mut [0; 9]).unwrap()), (&original, 0));
    assert_eq!(reader.summary().unwrap().original_bytes, original.len() as u64);

    let mut line = vec![];
    ArchiveReader::new(&whole[..]).unwrap().read_until(b'\n', &mut line).unwrap();
    assert!(original.starts_with(&line) && line.ends_with(b"]\n"));

    // Blocks and games go on where bytes were read.
    for taken in [1, 100, original.len() - 1] {
        let mut reader = ArchiveReader::new(&whole[..]).unwrap();
        let mut begin = vec![0; taken];
        reader.read_exact(&mut begin).unwrap();
        begin.extend(reader.next_block().unwrap().unwrap());
        begin.extend(reader.games().flat_map(Result::unwrap));
        assert_eq!(begin, original);
    }
}

#[test]
fn a_reader_that_has_failed_does_not_end() {
    let (mut archive, _) = write(&pgn::games(20).concat(), small_blocks(7, 1 << 20));
    let place = archive.len() / 2;
    archive[place] ^= 1;
    let mut reader = ArchiveReader::new(&archive[..]).unwrap();
    let error = reader.read_to_end(&mut vec![]).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::InvalidData);
    assert!(matches!(Error::from(error), Error::Damaged(_)));
    assert!(reader.read(&mut [0; 9]).is_err() && reader.read(&mut [0; 9]).is_err());
}

#[test]
fn errors_go_through_readers_and_writers() {
    let interrupt = Interrupt::default();
    let mut writer = ArchiveWriter::new(Vec::new(), Model::none()).unwrap();
    writer.set_interrupt(&interrupt);
    interrupt.set();
    // It is not tried again.
    let error = io::copy(&mut &b"1. e4 *\n"[..], &mut writer).unwrap_err();
    assert!(matches!(Error::from(error), Error::Interrupted));
    let missing = std::fs::File::open("no such file").map_err(Error::from).unwrap_err();
    assert!(std::error::Error::source(&missing).is_none());
    assert_eq!(io::Error::from(missing).kind(), io::ErrorKind::NotFound);
}
