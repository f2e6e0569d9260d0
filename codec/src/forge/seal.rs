//! Sections, index and checksums around made-up blocks, after `docs/format.md` and not with the code.

use super::Below;
use super::block::{Base, Block, block};
use super::choices::piece;
use crate::pgn;
use crate::predict::Model;
use crate::split_mix::SplitMix;

fn varint(out: &mut Vec<u8>, mut number: u64) {
    while number >= 128 {
        out.push(number as u8 | 128);
        number >>= 7;
    }
    out.push(number as u8);
}

fn section(out: &mut Vec<u8>, fields: &[u8]) {
    out.extend_from_slice(fields);
    out.extend(crc32fast::hash(fields).to_le_bytes());
}

/// Claims that may be wrong.
struct Claims<'a> {
    random: &'a mut SplitMix,
    /// One in this number is wrong; none if it is 0.
    wrong: usize,
}

impl Claims<'_> {
    fn of(&mut self, number: u64) -> u64 {
        if self.wrong == 0 || !self.random.one_in(self.wrong) {
            return number;
        }
        match self.random.below(6) {
            0 => number.wrapping_sub(1) & (u64::MAX >> 1),
            1 => number + 1,
            2 => number * 2,
            3 => 0,
            4 => 1 << self.random.below(40),
            _ => self.random.below(300) as u64,
        }
    }

    fn put(&mut self, out: &mut Vec<u8>, number: u64) -> u64 {
        let number = self.of(number);
        varint(out, number);
        number
    }

    fn crc(&mut self, out: &mut Vec<u8>, bytes: &[u8]) {
        let wrong = self.wrong > 0 && self.random.one_in(8 * self.wrong);
        out.extend((crc32fast::hash(bytes) ^ u32::from(wrong)).to_le_bytes());
    }
}

/// What the index says of a block.
struct Entry {
    bytes: u64,
    original: u64,
    games: u64,
    moves: u64,
}

fn coded(claims: &mut Claims<'_>, block: &Block, out: &mut Vec<u8>) -> Entry {
    let original: Vec<u8> = block.pages.iter().flat_map(|(_, text)| text).copied().collect();
    let begin = out.len();
    let moves = claims.random.below(original.len().min(400) + 1) as u64;
    let mut header;
    let games;
    if let [(page, _)] = &block.pages[..] {
        let mut payload = vec![];
        claims.put(&mut payload, block.columns.len() as u64);
        payload.extend_from_slice(&block.columns);
        payload.extend_from_slice(page);
        header = vec![2];
        claims.put(&mut header, original.len() as u64);
        varint(&mut header, payload.len() as u64);
        claims.crc(&mut header, &original);
        games = claims.put(&mut header, block.games);
        varint(&mut header, moves);
        header.push(0);
        header.extend(payload);
        section(out, &header);
    } else {
        header = vec![5];
        claims.put(&mut header, original.len() as u64);
        varint(&mut header, block.columns.len() as u64);
        games = claims.put(&mut header, block.games);
        claims.put(&mut header, block.page_games);
        varint(&mut header, moves);
        header.push(0);
        for (number, (page, text)) in block.pages.iter().enumerate() {
            varint(&mut header, page.len() as u64);
            if number + 1 < block.pages.len() {
                claims.put(&mut header, text.len() as u64);
            }
            claims.crc(&mut header, text);
        }
        header.extend_from_slice(&block.columns);
        section(out, &header);
        for (page, _) in &block.pages {
            section(out, &[&[6], &page[..]].concat());
        }
    }
    Entry { bytes: (out.len() - begin) as u64, original: original.len() as u64, games, moves }
}

/// A block that is stored as it is, with games.
fn stored(claims: &mut Claims<'_>, out: &mut Vec<u8>) -> (Entry, Vec<u8>) {
    let mut text = b"[Event \"stored\"]\n\n1. e4 *\n".to_vec();
    for _ in 0..claims.random.below(8) {
        text.extend(piece(claims.random));
    }
    let found = pgn::parse(&text).games().count() as u64;
    let begin = out.len();
    let mut header = vec![2];
    varint(&mut header, text.len() as u64);
    varint(&mut header, text.len() as u64);
    claims.crc(&mut header, &text);
    let games = claims.put(&mut header, found);
    header.extend([1, 0]);
    header.extend_from_slice(&text);
    section(out, &header);
    let bytes = (out.len() - begin) as u64;
    (Entry { bytes, original: text.len() as u64, games, moves: 1 }, text)
}

/// Makes an archive, whose model this is; `None` if what was chosen for its blocks makes no sense a few times.
pub fn archive(
    random: &mut SplitMix,
    model: &Model,
    file: &[u8],
    bases: &[Base],
) -> Option<Vec<u8>> {
    let mut blocks = vec![];
    for _ in 0..1 + usize::from(random.one_in(4)) {
        blocks.push((0..8).find_map(|_| block(random, model, bases))?);
    }
    // Pages of the same number of games under each other's columns.
    let swapped = random.one_in(16);
    if let ([a, b], true) = (&mut blocks[..], swapped) {
        std::mem::swap(&mut a.columns, &mut b.columns);
    }
    let wrong = if random.one_in(5) { 4 } else { 0 };
    let claims = &mut Claims { random, wrong };
    let mut out = b"\xC1PLZ\x03\x01\x00".to_vec();
    let mut original = vec![];
    let mut naming = 0;
    if model.name() != Model::none().name() {
        let begin = out.len();
        let hash = blake3::hash(file);
        let name = model.name().as_bytes();
        section(&mut out, &[&[1, name.len() as u8], name, &hash.as_bytes()[..16]].concat());
        naming = (out.len() - begin) as u64;
    }
    let mut entries = vec![];
    for block in &blocks {
        if claims.random.one_in(12) {
            let (entry, text) = stored(claims, &mut out);
            entries.push(entry);
            original.extend(text);
        }
        entries.push(coded(claims, block, &mut out));
        original.extend(block.pages.iter().flat_map(|(_, text)| text));
    }
    let mut end = vec![4];
    varint(&mut end, entries.len() as u64);
    varint(&mut end, u64::from(naming > 0));
    if naming > 0 {
        varint(&mut end, naming);
    }
    for entry in &entries {
        claims.put(&mut end, entry.bytes);
        claims.put(&mut end, entry.original);
        claims.put(&mut end, entry.games);
    }
    if entries.len() > 1 {
        varint(&mut end, entries.iter().map(|entry| entry.moves).sum());
        end.push(0);
    }
    end.extend(&blake3::hash(&original).as_bytes()[..16]);
    let begin = out.len();
    section(&mut out, &end);
    let length = (out.len() - begin) as u32;
    out.extend(length.to_le_bytes());
    Some(out)
}
