//! Indexes of moves that are damaged or made up, behind checksums that fit.

use std::io::{Cursor, Read, Write};
use std::sync::LazyLock;

use lzma_rust2::{LzmaOptions, LzmaReader, LzmaWriter};
use plyzip::Model;
use plyzip::archive::{
    ArchiveReader, ArchiveWriter, Follower, GameSummary, IndexedReader, MovesIndex, ReaderOptions,
    Selection, Verdict, WriterOptions,
};
use plyzip::pgn::{Game, Tag};
use shakmaty::{Chess, Move};

use super::{SEEDS, varint};

/// An archive, its original and the bytes of its games, and its index in parts.
struct Seed {
    original: Vec<u8>,
    archive: Vec<u8>,
    games: Vec<Vec<u8>>,
    index: Parts,
}

/// An index in parts, which can be changed one by one.
#[derive(Clone)]
pub struct Parts {
    /// The sections of all chunks, unpacked; then the directory, of which the lengths of sections are left out.
    pub parts: Vec<Vec<u8>>,
    /// For each number of the directory behind those of the parts: how it is written.
    directory: Vec<Field>,
}

/// A field of the directory.
#[derive(Clone, Copy)]
enum Field {
    /// So many bytes as they are.
    Bytes(usize),
    /// The length of the next section.
    Length,
}

/// Changes to an index behind checksums that fit give the games of the archive all the same, or an error of the archive.
pub fn moves_index(data: &[u8]) {
    let Some((&which, changes)) = data.split_first() else { return };
    let seeds = seeds();
    let seed = &seeds[usize::from(which) % seeds.len()];
    let mut index = seed.index.clone();
    for change in changes.chunks_exact(4) {
        let part = usize::from(change[0]) % index.parts.len();
        let bytes = &mut index.parts[part];
        let at = usize::from(change[1]) * bytes.len().max(1) / 256;
        match change[2] % 4 {
            0 if at < bytes.len() => bytes[at] ^= change[3],
            1 if at < bytes.len() => drop(bytes.remove(at)),
            2 => bytes.insert(at, change[3]),
            _ if at < bytes.len() => bytes[at] = change[3],
            _ => {}
        }
    }
    read(seed, index.join());
}

/// Reads an archive with an index, whatever it says.
fn read(seed: &Seed, index: Vec<u8>) {
    let Ok(index) = MovesIndex::open(Cursor::new(index)) else { return };
    let options = || ReaderOptions::new().index(index.clone());
    let mut back = vec![];
    let reader = ArchiveReader::with_options(&seed.archive[..], options()).unwrap();
    reader.copy_to(&mut back).unwrap();
    assert_eq!(back, seed.original);
    let open = || IndexedReader::with_options(Cursor::new(&seed.archive), options()).unwrap();
    let mut reader = open();
    for (number, game) in seed.games.iter().enumerate() {
        assert_eq!(&reader.game(number as u64).unwrap(), game);
    }
    let mut found = vec![];
    open()
        .select(&Even)
        .bytes(|_, game| {
            found.push(game.to_vec());
            Ok(())
        })
        .unwrap();
    let even: Vec<_> = seed.games.iter().step_by(2).cloned().collect();
    assert_eq!(found, even);
    // What is counted and listed may be wrong where only `check_index` would find it, but not how many games there are.
    let even = even.len() as u64;
    assert_eq!(open().select(&Even).count().unwrap(), even);
    assert_eq!(open().select(&Even).all_tags(|_, _, _| Ok(())).unwrap(), even);
    assert_eq!(open().select(&Even).openings(7, |_, _, _| Ok(())).unwrap(), even);
    let _ = open().check_index();
    let mut written = vec![];
    let _ = open().write_index(&mut written, Some(&index));
}

/// Games of even numbers, found out when all of their moves were seen.
struct Even;

struct Seen(u64, u64);

impl Selection for Even {
    fn reads_tags(&self) -> bool {
        false
    }

    fn by_tags(&self, _: u64, _: &[Tag]) -> Verdict {
        Verdict::Open
    }

    fn follow<'a>(&'a self, number: u64, _: &[Tag]) -> Option<Box<dyn Follower + 'a>> {
        Some(Box::new(Seen(number, 0)))
    }

    fn by_game(&self, number: u64, _: &Game) -> bool {
        number.is_multiple_of(2)
    }
}

impl Follower for Seen {
    fn see_summary(&mut self, _: &GameSummary) -> Verdict {
        Verdict::Open
    }

    fn see(&mut self, _: &Chess, _: Option<Move>) -> Verdict {
        self.1 += 1;
        Verdict::Open
    }

    fn end(&mut self) -> Verdict {
        self.0.is_multiple_of(2).into()
    }
}

/// Archives with their indexes.
fn seeds() -> &'static [Seed] {
    static ALL: LazyLock<Vec<Seed>> = LazyLock::new(|| {
        let all = SEEDS.concat().repeat(3).into_bytes();
        [(20_000, 512), (20_000, 3), (4, 2)]
            .into_iter()
            .map(|(block_games, page_games)| {
                let options = WriterOptions::new()
                    .block_games(block_games)
                    .page_games(page_games)
                    .verify(false);
                let mut writer =
                    ArchiveWriter::with_options(vec![], Model::none(), options).unwrap();
                writer.push(&all).unwrap();
                let archive = writer.finish().unwrap().0;
                let open = || IndexedReader::open(Cursor::new(&archive)).unwrap();
                let mut index = vec![];
                open().write_index(&mut index, None).unwrap();
                let mut reader = open();
                let games = 0..reader.summary().stats.games;
                let games = games.map(|game| reader.game(game).unwrap()).collect();
                let seed = Seed { original: all.clone(), games, index: Parts::of(&index), archive };
                assert_eq!(seed.index.join(), index);
                read(&seed, index);
                seed
            })
            .collect()
    });
    &ALL
}

impl Parts {
    /// The parts of an index that is in order.
    fn of(index: &[u8]) -> Parts {
        let (rest, tail) = index.split_last_chunk::<4>().unwrap();
        let begin = rest.len() - u32::from_le_bytes(*tail) as usize;
        let directory = &rest[begin..rest.len() - 4];
        let (mut parts, mut fields, mut kept) = (vec![], vec![], vec![]);
        let (mut at, mut place) = (0, 5);
        let number = |at: &mut usize, kept: Option<&mut Vec<u8>>| {
            let start = *at;
            let mut value = 0u64;
            loop {
                let byte = directory[*at];
                value |= u64::from(byte & 127) << (7 * (*at - start));
                *at += 1;
                if byte < 128 {
                    break;
                }
            }
            if let Some(kept) = kept {
                kept.extend(&directory[start..*at]);
            }
            (value, *at - start)
        };
        let keep = |at: &mut usize, kept: &mut Vec<u8>, fields: &mut Vec<Field>| {
            let (value, bytes) = number(at, Some(kept));
            fields.push(Field::Bytes(bytes));
            value
        };
        for _ in 0..keep(&mut at, &mut kept, &mut fields) {
            kept.extend(&directory[at..at + 16]);
            at += 16;
            fields.push(Field::Bytes(16));
            keep(&mut at, &mut kept, &mut fields);
            for _ in 0..keep(&mut at, &mut kept, &mut fields) {
                for _ in 0..keep(&mut at, &mut kept, &mut fields) {
                    keep(&mut at, &mut kept, &mut fields);
                    keep(&mut at, &mut kept, &mut fields);
                    for _ in 0..4 {
                        let mut dropped = vec![];
                        let length = keep(&mut at, &mut dropped, &mut vec![]) as usize;
                        fields.push(Field::Length);
                        parts.push(unpack(&index[place..place + length]));
                        place += length;
                    }
                }
            }
        }
        assert_eq!((place, at), (begin, directory.len()));
        parts.push(kept);
        Parts { parts, directory: fields }
    }

    /// The index of these parts, with checksums.
    fn join(&self) -> Vec<u8> {
        let (kept, sections) = self.parts.split_last().unwrap();
        let mut index = b"\xC1PLI\x01".to_vec();
        let mut sections = sections.iter().map(|section| pack(section));
        let (mut directory, mut kept) = (vec![], &kept[..]);
        for field in &self.directory {
            match *field {
                Field::Bytes(count) => {
                    let (taken, rest) = kept.split_at(count.min(kept.len()));
                    directory.extend(taken);
                    kept = rest;
                }
                Field::Length => {
                    let section = sections.next().unwrap_or_default();
                    directory.extend(varint(section.len() as u64));
                    index.extend(section);
                }
            }
        }
        directory.extend(kept);
        directory.extend(crc32fast::hash(&directory).to_le_bytes());
        index.extend(&directory);
        index.extend((directory.len() as u32).to_le_bytes());
        index
    }
}

fn options(length: usize) -> LzmaOptions {
    let mut options = LzmaOptions::with_preset(6);
    options.dict_size = length.clamp(1 << 12, 1 << 26) as u32;
    (options.lc, options.lp, options.pb) = (0, 0, 0);
    options
}

fn pack(bytes: &[u8]) -> Vec<u8> {
    if bytes.is_empty() {
        return vec![];
    }
    let section = varint(bytes.len() as u64);
    let mut writer = LzmaWriter::new_no_header(section, &options(bytes.len()), false).unwrap();
    writer.write_all(bytes).unwrap();
    let mut section = writer.finish().unwrap();
    section.extend(crc32fast::hash(&section).to_le_bytes());
    section
}

fn unpack(section: &[u8]) -> Vec<u8> {
    if section.is_empty() {
        return vec![];
    }
    let (mut length, mut shift, mut rest) = (0, 0, section);
    while let Some((&byte, behind)) = rest.split_first() {
        length |= usize::from(byte & 127) << shift;
        (shift, rest) = (shift + 7, behind);
        if byte < 128 {
            break;
        }
    }
    let options = options(length);
    let (props, dictionary) = (options.get_props(), options.dict_size);
    let mut bytes = vec![];
    let reader = LzmaReader::new_with_props(rest, length as u64, props, dictionary, None).unwrap();
    reader.take(length as u64).read_to_end(&mut bytes).unwrap();
    bytes
}
