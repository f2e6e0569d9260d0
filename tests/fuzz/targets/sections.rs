//! Archives in parts, which can be changed one by one and put together again.

use std::io::Cursor;
use std::sync::LazyLock;

use plyzip::Model;
use plyzip::archive::{ArchiveReader, ArchiveWriter, FileInfo, IndexedReader, WriterOptions};

use super::{SEEDS, model, varint};

/// A part of an archive.
#[derive(Clone)]
pub enum Part {
    /// Magic, version, generation, flags.
    Header(Vec<u8>),
    /// A section without its checksum.
    Section(Vec<u8>),
    /// What the length of the end section is changed by.
    Tail(u32),
}

/// The parts of an archive that is in order.
pub fn split(archive: &[u8]) -> Vec<Part> {
    let mut rest = archive;
    let mut parts = vec![];
    while !rest.is_empty() {
        let (header, sections) = rest.split_at(7);
        parts.push(Part::Header(header.to_vec()));
        rest = sections;
        loop {
            let mut crc = crc32fast::Hasher::new();
            let length = (1..rest.len() - 3).find(|&length| {
                crc.update(&rest[length - 1..length]);
                crc.clone().finalize().to_le_bytes() == rest[length..length + 4]
            });
            let length = length.expect("sections end with checksums");
            let kind = rest[0];
            parts.push(Part::Section(rest[..length].to_vec()));
            rest = &rest[length + 4..];
            if kind == 4 || kind == 8 {
                break;
            }
        }
        parts.push(Part::Tail(0));
        rest = &rest[4..];
    }
    parts
}

/// The archive of these parts, with checksums.
pub fn join(parts: &[Part]) -> Vec<u8> {
    let mut archive = vec![];
    let mut length = 0;
    for part in parts {
        match part {
            Part::Header(header) => archive.extend_from_slice(header),
            Part::Section(section) => {
                archive.extend_from_slice(section);
                archive.extend(crc32fast::hash(section).to_le_bytes());
                length = section.len() as u32 + 4;
            }
            Part::Tail(change) => archive.extend((length ^ change).to_le_bytes()),
        }
    }
    archive
}

/// Archives that are in order, with their originals.
fn archives() -> Vec<(Vec<u8>, Vec<u8>)> {
    let shape = |block_games, page_games| {
        WriterOptions::new().block_games(block_games).page_games(page_games).verify(false)
    };
    let written = |original: &[u8], options| {
        let mut writer = ArchiveWriter::with_options(vec![], Model::none(), options).unwrap();
        writer.push(original).unwrap();
        writer.set_file_info(FileInfo::new(Some("games.pgn"), Some(-1)).unwrap());
        (original.to_vec(), writer.finish().unwrap().0)
    };
    let all = SEEDS.concat().into_bytes();
    let mut archives: Vec<_> =
        SEEDS.iter().map(|seed| written(seed.as_bytes(), shape(20_000, 128))).collect();
    archives.extend(
        [(1, 1), (3, 2), (20_000, 2)].map(|(block, page)| written(&all, shape(block, page))),
    );
    // A model's file, and archives behind each other.
    let small = Model::from_bytes(model::SMALL).unwrap();
    let mut writer = ArchiveWriter::with_options(vec![], small, shape(20_000, 1)).unwrap();
    writer.embed_model(model::SMALL).unwrap();
    writer.push(SEEDS[0].as_bytes()).unwrap();
    archives.push((SEEDS[0].as_bytes().to_vec(), writer.finish().unwrap().0));
    archives.push((
        [&archives[0].0[..], &archives[1].0].concat(),
        [&archives[0].1[..], &archives[1].1].concat(),
    ));
    // Kinds of texts, and all that a stream has something for; none with a search, which takes seconds a run.
    let golden: [&[u8]; 7] = [
        include_bytes!("../../archives/1/text-mixed.plz"),
        include_bytes!("../../archives/1/text-lzma.plz"),
        include_bytes!("../../archives/1/text-raw.plz"),
        include_bytes!("../../archives/1/broken-none.plz"),
        include_bytes!("../../archives/1/layouts-none.plz"),
        include_bytes!("../../archives/1/starts-none.plz"),
        include_bytes!("../../archives/1/online-none.plz"),
    ];
    for archive in golden {
        let mut original = vec![];
        // tests/golden says whether they decode.
        if ArchiveReader::new(archive).and_then(|reader| reader.copy_to(&mut original)).is_ok() {
            archives.push((original, archive.to_vec()));
        }
    }
    archives
}

static ARCHIVES: LazyLock<Vec<(Vec<u8>, Vec<Part>)>> = LazyLock::new(|| {
    archives().into_iter().map(|(original, archive)| (original, split(&archive))).collect()
});

/// Numbers that are large, or one beyond.
const LARGE: [u64; 8] =
    [127, 1 << 14, (1 << 16) + 1, 1 << 31, 1 << 32, 1 << 62, u64::MAX - 1, u64::MAX];

/// An archive, damaged as `changes` say, and its original. `which` chooses the archive; four bytes are a change to a
/// part of which `wanted` is true.
pub fn damaged(
    which: u8,
    changes: &[u8],
    wanted: fn(&Part) -> bool,
) -> Option<(&'static Vec<u8>, Vec<u8>)> {
    let (original, parts) = &ARCHIVES[usize::from(which) % ARCHIVES.len()];
    let mut parts = parts.clone();
    let mut changed: Vec<&mut Part> = parts.iter_mut().filter(|part| wanted(part)).collect();
    let (changes, _) = changes.as_chunks();
    for &[which, place, how, value] in changes {
        let number = usize::from(which) % changed.len();
        let bytes = match &mut *changed[number] {
            Part::Tail(change) => {
                *change ^= u32::from(value) << (place % 4 * 8);
                continue;
            }
            Part::Header(bytes) | Part::Section(bytes) => bytes,
        };
        // Places near the beginning, where the lengths are, and anywhere.
        let place = match how & 8 {
            0 => usize::from(place),
            _ => usize::from(place) * bytes.len() / 256 + usize::from(how >> 4),
        };
        let place = place % bytes.len().max(1);
        match how & 7 {
            0 => bytes.insert(place, value),
            1 if bytes.len() > 1 => drop(bytes.remove(place)),
            2 => bytes.truncate(place.max(1)),
            3 => drop(bytes.splice(place..=place, varint(LARGE[usize::from(value % 8)]))),
            4 => bytes[place] = value,
            _ => bytes[place] ^= value,
        }
    }
    Some((original, join(&parts)))
}

/// Blocks of an archive in the form that the target `archive` makes up blocks from: what the original's length is, how
/// many games there are, how many to a page, and how long the columns are; then the payload.
#[allow(dead_code)] // only the starting corpus has use for it
pub fn payloads(archive: &[u8]) -> Vec<Vec<u8>> {
    let reader = IndexedReader::open(Cursor::new(archive)).unwrap();
    let mut blocks = reader.blocks().iter();
    let mut payloads: Vec<Vec<u8>> = vec![];
    for part in split(archive) {
        let Part::Section(section) = part else { continue };
        if !matches!(section[0], 2 | 3 | 5 | 6) {
            continue;
        }
        // Where the payload begins is what the lengths leave.
        let mut rest = &section[1..];
        match section[0] {
            6 => {
                let block = payloads.last_mut().unwrap();
                block.extend((rest.len() as u16).to_le_bytes());
                block.extend(rest);
            }
            kind => {
                let block = blocks.next().unwrap();
                let (original, payload) = (take(&mut rest), take(&mut rest) as usize);
                let (mut games, mut page_games, mut columns) = (0, 0, 0);
                let mut bytes = &section[section.len() - payload..];
                if kind == 2 {
                    games = block.games as u8;
                    columns = take(&mut bytes) as u16;
                } else if kind == 5 {
                    games = take(&mut rest) as u8;
                    page_games = take(&mut rest) as u8;
                    columns = payload as u16;
                }
                let mut made = (original as u16).to_le_bytes().to_vec();
                made.extend([games, page_games]);
                made.extend(columns.to_le_bytes());
                made.extend(bytes);
                payloads.push(made);
            }
        }
    }
    payloads
}

fn take(bytes: &mut &[u8]) -> u64 {
    let length = bytes.iter().take_while(|&&byte| byte >= 128).count() + 1;
    let (number, rest) = bytes.split_at(length);
    *bytes = rest;
    number.iter().rev().fold(0, |number, &byte| number << 7 | u64::from(byte & 127))
}
