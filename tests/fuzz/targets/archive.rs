//! Archives that are damaged or made up, behind checksums that fit.

use std::io::Cursor;

use plyzip::Error;
use plyzip::archive::{
    AllGames, ArchiveReader, IndexedReader, Limits, ReaderOptions, assess, salvage,
};

use super::sections::{Part, damaged};
use super::varint;

/// The bit of the first byte by which the rest are payloads of a block, and not changes to an archive.
pub const PAYLOAD: u8 = 0x80;
/// The bit of the first byte by which what is whole is saved, too.
pub const SALVAGE: u8 = 0x40;

/// Damage behind checksums that fit gives an error or the original; and so do payloads of any bytes.
pub fn archive(data: &[u8]) {
    let Some((&mode, rest)) = data.split_first() else { return };
    if mode & PAYLOAD != 0 {
        return made_up(mode, rest);
    }
    let Some((original, archive)) = damaged(mode & !SALVAGE, rest, |_| true) else { return };
    let mut back = vec![];
    let read = ArchiveReader::with_options(&archive[..], options())
        .and_then(|reader| reader.copy_to(&mut back));
    match read {
        Ok(_) => assert_eq!(&back, original),
        Err(error) => blames_the_archive(&error),
    }
    indexed(&archive);
    if mode & SALVAGE != 0 {
        saved(&archive);
    }
}

/// Likewise, for damage to nothing but the index and what leads to it.
pub fn index(data: &[u8]) {
    let Some((&which, changes)) = data.split_first() else { return };
    let wanted = |part: &Part| match part {
        Part::Section(section) => section[0] == 4 || section[0] == 8,
        Part::Header(_) | Part::Tail(_) => true,
    };
    let Some((_, archive)) = damaged(which, changes, wanted) else { return };
    indexed(&archive);
}

/// What is read in these targets is small.
fn options() -> ReaderOptions {
    let limits = Limits::new()
        .block_original(1 << 16)
        .block_payload(1 << 17)
        .block_games(1 << 10)
        .blocks(1 << 10)
        .model_file(1 << 17)
        .model_name(64);
    ReaderOptions::new().limits(limits)
}

/// An archive of one block: two bytes say how long its original is, one how many games it has, one how many a page,
/// two how long the columns are; then come the columns, and the pages. Of several pages, two bytes before each say how
/// long it is.
fn made_up(mode: u8, data: &[u8]) {
    let Some((&[low, high, games, page_games, a, b], payload)) = data.split_first_chunk() else {
        return;
    };
    let original = u64::from(u16::from_le_bytes([low, high]));
    let columns = usize::from(u16::from_le_bytes([a, b])).min(payload.len());
    let (columns, pages) = payload.split_at(columns);
    let (games, page_games) = (u64::from(games), u64::from(page_games));
    let figures = [0, 0];
    let mut sections = vec![];
    if games == 0 {
        sections.push(
            [&[3][..], &varint(original), &varint(payload.len() as u64), &[0; 4], payload].concat(),
        );
    } else if games <= page_games || page_games == 0 {
        let payload = [&varint(columns.len() as u64), columns, pages].concat();
        let lengths = [varint(original), varint(payload.len() as u64)].concat();
        sections.push([&[2][..], &lengths, &[0; 4], &varint(games), &figures, &payload].concat());
    } else {
        let count = games.div_ceil(page_games) as usize;
        let mut header = vec![5];
        for number in [original, columns.len() as u64, games, page_games] {
            header.extend(varint(number));
        }
        header.extend(figures);
        let mut pages = pages;
        for number in 0..count {
            let (length, rest) = pages.split_at(pages.len().min(2));
            let length =
                length.iter().rev().fold(0, |length, &byte| length << 8 | usize::from(byte));
            let (page, rest) = rest.split_at(length.min(rest.len()));
            header.extend(varint(page.len() as u64));
            if number + 1 < count {
                header.extend(varint(original / count as u64));
            }
            header.extend([0; 4]);
            sections.push([&[6], page].concat());
            pages = rest;
        }
        sections.insert(0, [&header, columns].concat());
    }
    let bytes: usize = sections.iter().map(|section| section.len() + 4).sum();
    let mut end = vec![4, 1, 0];
    for number in [bytes as u64, original, games] {
        end.extend(varint(number));
    }
    end.extend([0; 16]);
    sections.push(end);
    let mut parts = vec![Part::Header(super::HEADER.to_vec())];
    parts.extend(sections.into_iter().map(Part::Section));
    parts.push(Part::Tail(0));
    let archive = super::sections::join(&parts);
    let read = ArchiveReader::with_options(&archive[..], options())
        .and_then(|reader| reader.copy_to(&mut vec![]));
    let _ = read.map_err(|error| blames_the_archive(&error));
    indexed(&archive);
    if mode & SALVAGE != 0 {
        saved(&archive);
    }
}

fn blames_the_archive(error: &Error) {
    let archive = matches!(
        error,
        Error::Damaged(_) | Error::Unsupported(_) | Error::Limit(_) | Error::ModelMissing { .. }
    );
    assert!(archive, "{error:?}");
}

/// Reads what an index leads to.
fn indexed(archive: &[u8]) {
    let mut reader = match IndexedReader::with_options(Cursor::new(archive), options()) {
        Ok(reader) => reader,
        Err(error) => return blames_the_archive(&error),
    };
    for block in 0..reader.blocks().len().min(3) {
        let _ = reader.tags(block).map_err(|error| blames_the_archive(&error));
        let _ = reader.block(block).map_err(|error| blames_the_archive(&error));
    }
    for game in 0..reader.summary().stats.games.min(3) {
        let _ = reader.game(game).map_err(|error| blames_the_archive(&error));
    }
    let _ =
        reader.select(&AllGames).explain(|_| Ok(())).map_err(|error| blames_the_archive(&error));
}

/// Saves what is whole, and hears how much that is.
fn saved(archive: &[u8]) {
    let _ = assess(Cursor::new(archive), options()).map_err(|error| blames_the_archive(&error));
    let mut whole = vec![];
    match salvage(Cursor::new(archive), options(), &mut whole) {
        Ok(found) => assert_eq!(found.original_bytes, whole.len() as u64),
        Err(error) => blames_the_archive(&error),
    }
}
