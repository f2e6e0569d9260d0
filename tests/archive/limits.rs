//! What archives may ask for: memory, games, bytes of the original, and time.

use std::cell::Cell;
use std::io::{self, Cursor, Read, Seek, SeekFrom};

use plyzip::archive::{
    ArchiveReader, ArchiveWriter, IndexedReader, Limits, ReaderOptions, WriterOptions, assess,
    salvage,
};
use plyzip::{Error, Model, Result};

use crate::pgn;

const HEADER: &[u8] = b"\xC1PLZ\x03\x01\x00";

/// Reads of an archive, in its lengths: far more than any of these tests takes, far less than without the limits. Of
/// 8 MiB more, as even a small archive is searched with large windows.
const MOST_READ: u64 = 20;

fn archive(games: u64, options: WriterOptions) -> Vec<u8> {
    let mut writer = ArchiveWriter::with_options(Vec::new(), Model::none(), options).unwrap();
    writer.push(&pgn::games(games).concat()).unwrap();
    writer.finish().unwrap().0
}

fn with(limits: Limits) -> ReaderOptions {
    ReaderOptions::new().limits(limits)
}

/// Opens and reads in both ways.
fn read(archive: &[u8], limits: Limits) -> [Result<()>; 2] {
    let mut sink = vec![];
    let in_order = ArchiveReader::with_options(archive, with(limits))
        .and_then(|reader| reader.copy_to(&mut sink).map(drop));
    [in_order, IndexedReader::with_options(Cursor::new(archive), with(limits)).map(drop)]
}

fn is_limit(result: &Result<()>) -> bool {
    matches!(result, Err(Error::Limit(_)))
}

fn section(bytes: &[u8]) -> Vec<u8> {
    [bytes, &crc32fast::hash(bytes).to_le_bytes()].concat()
}

/// An archive of nothing that names a model.
fn naming(model: u16) -> Vec<u8> {
    let [low, high] = model.to_le_bytes();
    let model = section(&[&[1, 1, b'm'][..], &[0; 14], &[low, high]].concat());
    let nothing = blake3::hash(b"");
    let end = section(&[&[4, 0, 1, model.len() as u8], &nothing.as_bytes()[..16]].concat());
    let length = (end.len() as u32).to_le_bytes();
    [HEADER, &model, &end, &length].concat()
}

#[test]
fn of_archives_behind_each_other_games_and_bytes_are_added_up() {
    let one = archive(5, WriterOptions::default());
    let bytes = 2 * pgn::games(5).concat().len() as u64;
    let two = one.repeat(2);
    let no_more = Limits::new().games(10).original(bytes).members(2);
    assert!(read(&two, no_more).iter().all(Result::is_ok));
    for limits in [no_more.games(9), no_more.original(bytes - 1), no_more.members(1)] {
        assert!(read(&two, limits).iter().all(is_limit), "{limits:?}");
        assert!(read(&one, limits).iter().all(Result::is_ok), "{limits:?}");
    }
}

#[test]
fn nothing_beyond_the_limit_is_written() {
    let options = WriterOptions::new().block_games(1);
    let archive = archive(5, options);
    let first = pgn::games(1).concat();
    let limits = Limits::new().original(first.len() as u64);
    let mut written = vec![];
    let reader = ArchiveReader::with_options(&archive[..], with(limits)).unwrap();
    assert!(matches!(reader.copy_to(&mut written), Err(Error::Limit(_))));
    assert_eq!(written, first);
}

#[test]
fn archives_behind_each_other_name_only_so_many_models() {
    let archives: Vec<u8> = (0..3).flat_map(naming).collect();
    let limits = |models| Limits::new().models(models);
    assert!(read(&archives, limits(3)).iter().all(Result::is_ok));
    assert!(read(&archives, limits(2)).iter().all(is_limit));
    // By default, too: each name is compared with all before it, so that more would take long.
    let archives: Vec<u8> = (0..u16::MAX).flat_map(naming).collect();
    assert!(read(&archives, Limits::default()).iter().all(is_limit));
}

#[test]
fn of_a_models_file_that_archives_share_one_is_kept() {
    let small = include_bytes!("../archives/1/small-embedded.plz");
    let begin = 7 + 2 + 5 + 16 + 3;
    let length = usize::from(small[30] & 127)
        | usize::from(small[31] & 127) << 7
        | usize::from(small[32]) << 14;
    let file = &small[begin..begin + length];
    let model = Model::from_bytes(file).unwrap();
    let mut writer = ArchiveWriter::new(vec![], model).unwrap();
    writer.embed_model(file).unwrap();
    writer.push(&pgn::games(1).concat()).unwrap();
    let archive = writer.finish().unwrap().0.repeat(2);
    let limits = |model_files| Limits::new().model_files(model_files);
    let options = with(limits(file.len() as u64));
    let mut reader = IndexedReader::with_options(Cursor::new(&archive), options).unwrap();
    assert_eq!(reader.game(0).unwrap(), reader.game(1).unwrap());
    assert!(is_limit(&read(&archive, limits(file.len() as u64 - 1))[1]));
}

/// An archive, and how many of its bytes were read, those again that were read before.
struct Counted<'a>(Cursor<&'a [u8]>, &'a Cell<u64>);

impl Read for Counted<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let count = self.0.read(bytes)?;
        self.1.set(self.1.get() + count as u64);
        Ok(count)
    }
}

impl Seek for Counted<'_> {
    fn seek(&mut self, place: SeekFrom) -> io::Result<u64> {
        self.0.seek(place)
    }
}

/// What is left of an archive, which is not read again and again for it.
fn saved(archive: &[u8]) -> u64 {
    let read = Cell::new(0);
    let source = || Counted(Cursor::new(archive), &read);
    let told = assess(source(), ReaderOptions::default());
    let mut whole = vec![];
    let found = salvage(source(), ReaderOptions::default(), &mut whole);
    let most = 2 * MOST_READ * (archive.len() as u64 + (8 << 20));
    assert!(read.get() <= most, "{} bytes of {}", read.get(), archive.len());
    match (told, found) {
        (Ok(told), Ok(found)) => {
            assert_eq!(told.games, found.games);
            assert_eq!(found.original_bytes, whole.len() as u64);
            found.games
        }
        (Err(Error::Damaged(_)), Err(Error::Damaged(_))) => 0,
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_looks_like_a_block_everywhere_is_not_read_everywhere() {
    // A block of a game whose payload is all that follows, or the columns of one with a thousand pages.
    let million = [0xff, 0xff, 0x3f];
    let block = [&[2][..], &million, &million, &[0; 4], &[1, 1, 1], &million].concat();
    let columns = [&[5][..], &million, &million, &[0xe8, 7, 1, 1, 1], &million].concat();
    for pattern in [block, columns] {
        let mut archive = [HEADER, &[0xee]].concat();
        archive.extend(pattern.repeat((2 << 20) / pattern.len()));
        assert_eq!(saved(&archive), 0);
        // Neither is it after a block that is whole.
        let good = self::archive(1, WriterOptions::default());
        let archive = [&good[..], &archive].concat();
        assert_eq!(saved(&archive), 1);
    }
}

#[test]
fn many_gaps_are_no_hindrance() {
    const GAMES: u64 = 400;
    let options = WriterOptions::new().block_games(1);
    let archive = archive(GAMES, options);
    let reader = IndexedReader::open(Cursor::new(&archive)).unwrap();
    let blocks = reader.blocks().to_vec();
    let mut damaged = archive[..archive.len() - 4].to_vec();
    for block in blocks.iter().step_by(2) {
        damaged[(block.offset + block.bytes / 2) as usize] ^= 1;
    }
    assert_eq!(saved(&damaged), GAMES / 2);
    let few = Limits::new().blocks(GAMES / 2 - 1);
    assert!(matches!(assess(Cursor::new(&damaged), with(few)), Err(Error::Limit(_))));
}
